"""Whether what a reason claims is true on the map, by the plain rulebook."""

import itertools
import re

from ai import plain_reason
from tests.support import rulebook
from tests.support.plain_map import distance, exists, is_walled, kind

CELL = re.compile(r"\((\d+), (\d+)\)(?: deck (\d+))?")


def over(tilemap, profile, tile):
    """List the places at which a mover covers a tile."""
    every = rulebook.whereabouts(tilemap, profile)
    return [place for place in every if tile in rulebook.tiles(profile, place)]


def is_rise(it, limit, sign):
    tilemap, profile = it.tilemap, it.profile
    ends, starts = (
        {rulebook.stand(tilemap, profile, place) for place in places}
        for places in (over(tilemap, profile, it.cell), rulebook.whereabouts(tilemap, profile))
    )
    rises = {sign * (end - start) for end in ends for start in starts}
    return it.rise in rises and it.rise > it.limit == limit


def is_low(it):
    """Return whether there is so little air above a place, or above a step to it."""
    tilemap, profile, rooms = it.tilemap, it.profile, set()
    starts = rulebook.whereabouts(tilemap, profile)
    for pair in itertools.product(over(tilemap, profile, it.cell), starts):
        air = min(rulebook.air(tilemap, profile, cell) for cell in pair)
        stand = max(rulebook.stand(tilemap, profile, cell) for cell in pair)
        rooms.add(max(0, air - stand))
    return it.room in rooms and it.room < it.headroom == rulebook.body(profile)


def is_never_stopped_on(it):
    what = kind(it.tilemap, it.cell)
    never = not what.can_stop or rulebook.is_named(it.profile.no_stop, what)
    return what.name == it.kind and never


def is_never_entered(it):
    what = kind(it.tilemap, it.cell)
    return what.name == it.kind and rulebook.entry_cost(it.profile, what) == rulebook.NOT_AT_ALL


def has_link(it, one_way):
    ends = [(it.start, it.end)] if one_way else [(it.start, it.end), (it.end, it.start)]
    return any(
        (link.start, link.end) in ends and link.kind == it.kind
        for link in it.tilemap.links
        if link.one_way or not one_way
    )


class Claim:
    """What a reason is about: the map, the mover, where it is, the blockers, and its values."""

    def __init__(self, tilemap, profile, here, others, reason):
        self.tilemap, self.profile, self.here = tilemap, profile, here
        self.others = others
        for name, value in reason.values.items():
            setattr(self, name, tuple(value) if isinstance(value, tuple) else value)

    def touches(self, *names):
        """Return whether one of these blockers is on a tile that the mover would cover."""
        cells = {tuple(cell) for name in names for cell in self.others.get(name, ())}
        return not cells.isdisjoint(rulebook.tiles(self.profile, self.cell))


CLAIMS = {
    "high_climb": lambda it: is_rise(it, it.profile.max_climb, 1),
    "deep_drop": lambda it: is_rise(it, it.profile.max_drop, -1),
    "low_ceiling": is_low,
    "is_void": lambda it: not exists(it.tilemap, it.cell),
    "void_start": lambda it: not exists(it.tilemap, it.cell),
    "closed_kind": is_never_entered,
    "no_stop_kind": is_never_stopped_on,
    "does_not_fit": lambda it: (
        it.size == it.profile.size and not rulebook.fits(it.tilemap, it.profile, it.cell)
    ),
    "wall_between": lambda it: is_walled(it.tilemap, it.start, it.end),
    "not_neighbors": lambda it: it.start == it.here,
    "far_warp": lambda it: (
        distance(it.tilemap, it.here[:2], it.cell[:2]) == it.length > it.limit == it.profile.warp
    ),
    "no_warps": lambda it: it.warp == it.profile.warp,
    "no_steps": lambda it: not it.profile.warp,
    "one_way_link": lambda it: has_link(it, one_way=True),
    "closed_link": lambda it: (
        has_link(it, one_way=False) and it.profile.link_cost.get(it.kind, 0) is None
    ),
    "is_occupied": lambda it: it.touches("blocked", "passable"),
    "has_to_end": lambda it: it.touches("halting"),
}
"""Whether the claim of each reason holds, by its code."""


def is_true(tilemap, profile, start, reason, others=()):
    """Return whether a reason that is given to a mover at a start is known, true and plain."""
    if CELL.search(plain_reason(reason)):
        return False
    while reason.code in {"bad_start", "closed_corner"}:
        reason = reason.values["why"]
    holds = CLAIMS.get(reason.code, lambda _: False)
    return holds(Claim(tilemap, profile, start, dict(others), reason))
