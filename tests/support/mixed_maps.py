"""Cases on random small maps with all rules mixed: edits, movers, blockers."""

import contextlib
from dataclasses import dataclass

from hypothesis import note
from hypothesis import strategies as st

from ai import Blockers, MoveProfile
from terrain3d import TOPOLOGIES, TileMap
from tests.support import rulebook
from tests.support.plain_map import all_surfaces, columns, kind
from tests.support.strategies import (
    NAMES,
    SHAPES,
    beside,
    costs,
    grass_mostly,
    profiles,
    tilemaps,
)

MORE_SHAPES = (*SHAPES, "fly", *["big", "big flyer"] * 3)
LAYOUTS = (*["square"] * 8, *TOPOLOGIES[1:])
"""Mostly squares, on which alone there are large movers and diagonal steps."""


def cells_to_ask(tilemap):
    """List all surfaces, and the ground where there is none."""
    return sorted({*all_surfaces(tilemap), *((*column, 0) for column in columns(tilemap))})


@st.composite
def operations(draw, tilemap):
    """Draw (method of an edit, arguments) once or several times; the map may refuse some."""
    every, linked = (
        cells_to_ask(tilemap),
        [end for link in tilemap.links for end in (link.start, link.end)],
    )
    names = st.sampled_from([entry.name for entry in tilemap.kinds])
    solid, cell = grass_mostly(draw, NAMES), st.sampled_from(every)
    heights, flags = st.integers(0, 9), st.booleans()
    found = []
    for _ in range(draw(st.sampled_from([1, 1, 2, 3, 5]))):
        here, there = draw(st.sampled_from(every + linked)), draw(cell)
        choices = [
            ("set_level", here, draw(heights)),
            ("set_kind", here, draw(names)),
            ("set_kind", here, "void"),
            ("add_deck", here[:2], draw(heights), draw(solid)),
            ("add_link", here, there, draw(costs), "ladder", draw(flags)),
        ]
        near = beside(tilemap, here)
        choices += [("add_wall", here, draw(st.sampled_from(near)), draw(flags))] if near else []
        choices += [("remove_deck", here[:2], here[2])] if here[2] else []
        choices += [("remove_link", link.start, link.end) for link in tilemap.links]
        choices += [("remove_wall", wall.start, wall.end) for wall in tilemap.walls]
        found.append(draw(st.sampled_from(choices)))
    if linked and draw(st.sampled_from([True, True, False])):  # void and back in one edit
        end = draw(st.sampled_from(linked))
        found += [("set_kind", end, "void"), ("set_kind", end, draw(names))]
    return found


def applied(tilemap, orders):
    """Carry out operations in one edit; return whether the map accepts them."""
    with contextlib.suppress(ValueError, IndexError), tilemap.edit() as edit:
        for name, *arguments in orders:
            getattr(edit, name)(*arguments)
        return True
    return False


@st.composite
def edits(draw, tilemap):
    """Draw what changes a map, some of which the map may refuse."""
    orders = draw(operations(tilemap))
    choices = [lambda tilemap: applied(tilemap, orders)] * 4
    return draw(st.sampled_from([*choices, type(tilemap).undo, type(tilemap).redo]))


@dataclass
class Case:
    """A map, a mover, its start, and the blockers."""

    tilemap: TileMap
    profile: MoveProfile
    start: tuple[int, int, int]
    blocked: set[tuple[int, int, int]]
    passable: set[tuple[int, int, int]]
    halting: set[tuple[int, int, int]]

    def tell(self):
        """Show what a failing test is about."""
        tilemap = self.tilemap
        note(f"{tilemap.topology} levels {tilemap.surface_level.tolist()}")
        note(f"kinds {[kind(tilemap, cell).name for cell in cells_to_ask(tilemap)]}")
        note(f"thickness {tilemap.surface_thickness.tolist()}")
        note(f"links {tilemap.links}")
        note(f"walls {tilemap.walls}")

    @property
    def others(self):
        """The blockers by name, as the rulebook takes them."""
        return {"blocked": self.blocked, "passable": self.passable, "halting": self.halting}

    @property
    def blockers(self):
        """The blockers as queries take them."""
        return Blockers(**self.others)


def _link(draw, tilemap):
    """Add a link from where a large mover has room, mostly to another such place."""
    large = rulebook.whereabouts(tilemap, MoveProfile(size=2))
    if large:
        start = draw(st.sampled_from(large))
        end = draw(st.sampled_from(3 * large + cells_to_ask(tilemap)))
        name = draw(st.sampled_from(["ladder", "rope"]))
        applied(tilemap, [("add_link", start, end, draw(costs), name, draw(st.booleans()))])


@st.composite
def cases(draw):
    tilemap = draw(tilemaps(topologies=LAYOUTS))
    if tilemap.topology == "square":
        _link(draw, tilemap)
    cells = cells_to_ask(tilemap)
    most = draw(st.sampled_from([0, 6, 6, 6]))
    some = st.sets(st.sampled_from(cells), max_size=most)
    return Case(
        tilemap,
        draw(profiles(tilemap.topology, MORE_SHAPES if min(tilemap.level.shape) > 1 else SHAPES)),
        draw(st.sampled_from(all_surfaces(tilemap) or cells)),
        draw(some),
        draw(st.sets(st.sampled_from(cells), max_size=2 * most)),
        draw(some),
    )
