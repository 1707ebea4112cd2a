"""Whether what a reason claims is true on the map, by the plain rulebook."""

import re

from ai import plain_reason
from tests.support import rulebook
from tests.support.plain_map import distance, exists, is_walled, kind

CELL = re.compile(r"\((\d+), (\d+)\)(?: deck (\d+))?")
PREFIXES = ("the start: ", "the start ", "no path around the corner: ")


def over(tilemap, profile, tile):
    """List the places at which a mover covers a tile."""
    return [
        place
        for place in rulebook.whereabouts(tilemap, profile)
        if tile in rulebook.tiles(profile, place)
    ]


def is_rise(tilemap, profile, numbers, cells, sign):
    limit = profile.max_climb if sign > 0 else profile.max_drop
    heights = {rulebook.stand(tilemap, profile, place) for place in over(tilemap, profile, *cells)}
    starts = rulebook.whereabouts(tilemap, profile)
    rises = {
        sign * (height - rulebook.stand(tilemap, profile, start))
        for height in heights
        for start in starts
    }
    return numbers[0] in rises and numbers[0] > numbers[1] == limit


def is_low(tilemap, profile, numbers, cells):
    """Return whether there is so little air above a place, or above a step to it."""
    rooms = {
        max(
            0,
            min(rulebook.air(tilemap, profile, end), rulebook.air(tilemap, profile, start))
            - max(rulebook.stand(tilemap, profile, end), rulebook.stand(tilemap, profile, start)),
        )
        for end in over(tilemap, profile, *cells)
        for start in rulebook.whereabouts(tilemap, profile)
    }
    return numbers[0] in rooms and numbers[0] < numbers[1] == rulebook.body(profile)


def is_never_stopped_on(tilemap, profile, cell, name):
    what = kind(tilemap, cell)
    never = not what.can_stop or rulebook.is_named(profile.no_stop, what)
    return what.name == name and never


def is_never_entered(tilemap, profile, cell, name):
    what = kind(tilemap, cell)
    return what.name == name and rulebook.entry_cost(profile, what) == rulebook.NOT_AT_ALL


def has_link(tilemap, start, end, name, one_way):
    return any(
        (link.start, link.end, link.kind) == (start, end, name)
        or (not one_way and (link.end, link.start, link.kind) == (start, end, name))
        for link in tilemap.links
        if link.one_way or not one_way
    )


class Claim:
    """What a reason is about: the map, the mover, its start, the blockers, numbers and cells."""

    def __init__(self, tilemap, profile, start, others, words):
        self.tilemap, self.profile, self.start = tilemap, profile, start
        self.others = others
        found = [match.groups() for match in CELL.finditer(words)]
        self.cells = [(int(row), int(col), int(deck or 0)) for row, col, deck in found]
        self.numbers = [int(number) for number in re.findall(r"\d+", CELL.sub("", words))]

    def touches(self, *names):
        cells = {tuple(cell) for name in names for cell in self.others.get(name, ())}
        return self.cells[0] in cells


CLAIMS = {
    r"climb \d+ > \d+ at @": lambda it: is_rise(it.tilemap, it.profile, it.numbers, it.cells, 1),
    r"drop \d+ > \d+ at @": lambda it: is_rise(it.tilemap, it.profile, it.numbers, it.cells, -1),
    r"no headroom: -?\d+ < \d+ at @": lambda it: is_low(
        it.tilemap, it.profile, it.numbers, it.cells
    ),
    r"@ is void": lambda it: not exists(it.tilemap, it.cells[0]),
    r"(\w+) at @ cannot be entered": lambda it, name: is_never_entered(
        it.tilemap, it.profile, it.cells[0], name
    ),
    r"cannot stop on (\w+) at @": lambda it, name: is_never_stopped_on(
        it.tilemap, it.profile, it.cells[0], name
    ),
    r"\d+ x \d+ tiles do not fit at @": lambda it: (
        it.numbers == [it.profile.size] * 2
        and not rulebook.fits(it.tilemap, it.profile, it.cells[0])
    ),
    r"a wall stands between @ and @": lambda it: is_walled(it.tilemap, *it.cells),
    r"@ and @ are not neighbors": lambda it: it.cells[0] == it.start,
    r"warp \d+ > \d+ at @": lambda it: (
        distance(it.tilemap, it.start[:2], it.cells[0][:2]) == it.numbers[0]
        and it.numbers[0] > it.numbers[1] == it.profile.warp
    ),
    r"no warps of range \d+ lead to @": lambda it: it.numbers == [it.profile.warp],
    r"no steps lead to @": lambda it: len(it.cells) == 1,
    r"the (\w+) leads from @ to @ only": lambda it, name: has_link(
        it.tilemap, *it.cells, name, one_way=True
    ),
    r"the (\w+) from @ to @ cannot be used": lambda it, name: (
        has_link(it.tilemap, *it.cells, name, one_way=False)
        and it.profile.link_cost.get(name, 0) is None
    ),
    r"@ is occupied": lambda it: it.touches("blocked", "passable"),
    r"the path has to end at @": lambda it: it.touches("halting"),
}
"""The wording of each reason, with @ for a cell, and whether its claim holds."""


def is_true(tilemap, profile, start, reason, others=()):
    """Return whether a reason that is given to a mover at a start is known, true and plain."""
    if CELL.search(plain_reason(reason)):
        return False
    for prefix in PREFIXES:
        reason = reason.removeprefix(prefix)
    claim = Claim(tilemap, profile, start, dict(others), reason)
    words = CELL.sub("@", reason)
    for pattern, holds in CLAIMS.items():
        if match := re.fullmatch(pattern, words):
            return holds(claim, *match.groups())
    return False
