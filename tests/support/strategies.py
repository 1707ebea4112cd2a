"""Hypothesis strategies: small random maps with all rules mixed, and profiles of all kinds."""

import contextlib
import itertools
import math
from dataclasses import dataclass

import numpy as np
from hypothesis import note
from hypothesis import strategies as st

from ai import Blockers, MoveProfile
from ai.rules.profile import DIAGONAL_MODES
from terrain3d import TOPOLOGIES, TileKind, TileMap
from terrain3d.grid.grid import LAYOUTS
from tests.support import rulebook
from tests.support.plain_map import all_surfaces, columns, kind

KINDS = (
    TileKind("grass"),
    TileKind("swamp", cost=3, tags={"wet"}),
    TileKind("bog", cost=2, tags={"wet"}, can_stop=False),
    TileKind("shallow", cost=2, tags={"liquid", "wet"}, depth=1),
    TileKind("deep", cost=None, tags={"liquid", "wet"}, depth=3),
    TileKind("lava", cost=None, tags={"liquid", "lava"}, depth=1),
    TileKind("ice", cost=1),
    TileKind("wood"),
)
"""The kinds of ground of the maps."""
ROAD = TileKind("road", cost=0.5)
"""A further kind of some maps; with it not all costs are whole."""
NAMES = [entry.name for entry in KINDS]
SHAPES = ("walk", "walk", "walk", "fly", "warp", "warp", "big", "big flyer")
"""What a profile may be; what stands here more often is drawn more often."""

LINKS = ["ladder", "rope", "lift"]
_TAGS = ["#wet", "#liquid", "#lava"]
_ABSENT = ["snow"]  # a default kind that these maps lack

costs = st.integers(1, 9) | st.sampled_from([0.1, 0.7, 1.5, 260])
"""Costs, most of them small and whole."""


def bare_map(draw, max_side, table, topologies):
    """Draw a map of at most `max_side` rows and columns of kinds of ground, mostly of grass."""
    # Long, narrow maps too; the sides are drawn as one, else most maps would have a side of 1.
    sides = [*itertools.product(range(1, max_side + 1), repeat=2)]
    shape = draw(st.sampled_from(sides[::-1]))
    names, size = [*(entry.name for entry in table), "void"], math.prod(shape)
    sign, height = grass_mostly(draw, names), st.integers(0, draw(st.integers(0, 6)))
    levels = np.reshape(draw(st.lists(height, min_size=size, max_size=size)), shape)
    signs = draw(st.lists(sign, min_size=size, max_size=size))
    kinds = np.reshape([*map(names.index, signs)], shape)
    return TileMap(levels, kinds, table, topology=draw(st.sampled_from(topologies)))


@st.composite
def tilemaps(draw, max_side=5, topologies=("square", "square", *LAYOUTS)):
    """Draw a map of at most `max_side` rows and columns, with void, decks, links and walls."""
    table = draw(st.sampled_from([KINDS, KINDS, (*KINDS, ROAD)]))
    tilemap = bare_map(draw, max_side, table, topologies)
    if draw(st.booleans()):
        with tilemap.edit() as edit:
            for deck in draw(decks(tilemap)):
                edit.add_deck(*deck)
    if draw(st.booleans()):
        _connect(draw, tilemap)
    return tilemap


@st.composite
def profiles(draw, topology="square", shapes=SHAPES):
    """Draw a walker, flyer, warper or large mover; what a warper has besides is unused.

    Only on maps of `topology` "square" large movers are drawn.
    """
    max_climb, max_drop = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    names, links = st.sampled_from(NAMES + _TAGS + _ABSENT), st.sampled_from(LINKS)
    fields = {
        "max_climb": max_climb,
        "max_drop": max_drop,
        "climb_cost": draw(_surcharges(max_climb)),
        "drop_cost": draw(_surcharges(max_drop)),
        "kind_cost": draw(st.dictionaries(names, costs | st.none(), max_size=3)),
        "link_cost": draw(st.dictionaries(links, costs | st.none())),
        "body_height": draw(st.sampled_from([1, 1, 1, 2, 3])),
        "hover": draw(st.sampled_from([0, 0, 0, 1, 2])),
        "no_stop": draw(st.just(frozenset()) | st.frozensets(names, max_size=2)),
    }
    shape = draw(st.sampled_from([s for s in shapes if "big" not in s or topology == "square"]))
    if "big" in shape:
        fields |= {"size": draw(st.sampled_from([2, 2, 3]))}
        fields |= {"size_tolerance": draw(st.integers(0, 3))}
    elif shape != "warp" or draw(st.booleans()):
        fields |= {"diagonal": draw(st.sampled_from(DIAGONAL_MODES))}
        fields |= {"diagonal_cost": draw(st.sampled_from([1, math.sqrt(2), 2, 1.5, 0.5, 3]))}
    if shape == "warp":
        fields |= {"warp": draw(st.integers(1, 4))}
    flies = "fly" in shape or (shape == "warp" and draw(st.sampled_from([False, False, True])))
    return MoveProfile(**fields, can_fly=flies)


@st.composite
def decks(draw, tilemap):
    """Draw (column, level, kind, thickness) of decks that find room, in any order."""
    bare = sorted(draw(st.sets(st.sampled_from(columns(tilemap)), max_size=6)))
    found = []
    for column in bare:
        top = tilemap.level_at(column)
        for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
            thickness, gap = draw(st.integers(1, 2)), draw(st.integers(0, 3))
            top += thickness + gap
            found.append((column, top, draw(grass_mostly(draw, NAMES)), thickness))
    return draw(st.permutations(found))


def grass_mostly(draw, names):
    """Return a strategy for names of kinds that are more or less often "grass"."""
    return st.sampled_from(["grass"] * draw(st.integers(1, 2 * len(names))) + [*names])


def beside(tilemap, cell):
    """List the surfaces in the columns that share an edge with a surface's own."""
    near = tilemap.grid.neighbors(cell[:2])
    return [(row, col, deck) for row, col, _ in near for deck in tilemap.decks_at((row, col))]


def _connect(draw, tilemap):
    everywhere = all_surfaces(tilemap)
    # Large movers would reach off the map there.
    last = tilemap.rows - 1, tilemap.cols - 1
    edges = {each for each in everywhere if each[0] == last[0] or each[1] == last[1]}
    apart = list(itertools.permutations(everywhere, 2))
    to_edges = [pair for pair in apart if pair[1] in edges]
    near = [(cell, end) for cell in everywhere for end in beside(tilemap, cell)]
    at_decks = [pair for pair in near if pair[0][2] + pair[1][2]]
    with tilemap.edit() as edit:
        for (start, end), one_way in draw(_pairs(apart + 2 * to_edges, 4, least=1)):
            name = draw(st.sampled_from(["link", "ladder", "rope"]))
            edit.add_link(start, end, draw(costs), name, one_way)
        for (start, end), one_way in draw(_pairs(near + 3 * at_decks, 2 * len(everywhere))):
            edit.add_wall(start, end, one_way)


def _pairs(choices, most, least=0):
    if not choices:
        return st.just([])
    pair = st.tuples(st.sampled_from(choices), st.booleans())
    size = {"min_size": least, "max_size": most}
    return st.lists(pair, **size, unique_by=lambda drawn: frozenset(drawn[0]))


def _surcharges(most):
    prices = st.just(0) | costs
    table = st.lists(prices, min_size=most, max_size=most)
    return prices | table if most else prices


MORE_SHAPES = (*SHAPES, "fly", *["big", "big flyer"] * 3)
LAYOUTS = (*["square"] * 8, *TOPOLOGIES[1:])
"""Mostly squares, on which alone there are large movers and diagonal steps."""


def cells_to_ask(tilemap):
    """List all surfaces, and the ground where there is none."""
    return sorted({*all_surfaces(tilemap), *((*column, 0) for column in columns(tilemap))})


@st.composite
def operations(draw, tilemap):
    """Draw (method of an edit, arguments) once or several times; the map may refuse some."""
    linked = [end for link in tilemap.links for end in (link.start, link.end)]
    every = cells_to_ask(tilemap)
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


def _tell(tilemap):
    """Show what a failing test is about."""
    note(f"{tilemap.topology} levels {tilemap.surface_level.tolist()}")
    note(f"kinds {[kind(tilemap, cell).name for cell in cells_to_ask(tilemap)]}")
    note(f"thickness {tilemap.surface_thickness.tolist()}")
    note(f"links {tilemap.links}")
    note(f"walls {tilemap.walls}")


@st.composite
def cases(draw):
    tilemap = draw(tilemaps(topologies=LAYOUTS))
    if tilemap.topology == "square":
        _link(draw, tilemap)
    _tell(tilemap)
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
