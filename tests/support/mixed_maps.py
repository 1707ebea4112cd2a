"""Random small maps with all rules mixed: decks, links, walls, kinds, movers, blockers."""

import contextlib
import math
from dataclasses import dataclass

from hypothesis import note
from hypothesis import strategies as st

from ai import MoveProfile
from ai.rules.profile import DIAGONAL_MODES
from terrain3d import TileKind, TileMap
from terrain3d.grid.hexgrid import LAYOUTS
from tests.support.plain_map import (
    all_surfaces,
    column_ahead,
    columns,
    directions,
    kind,
    level,
    surfaces,
)

KINDS = (
    TileKind("grass"),
    TileKind("swamp", cost=3, tags=["wet"]),
    TileKind("bog", cost=2, tags=["wet"], can_stop=False),
    TileKind("shallow", cost=2, tags=["liquid", "wet"], depth=1),
    TileKind("deep", cost=None, tags=["liquid", "wet"], depth=3),
    TileKind("lava", cost=None, tags=["liquid", "lava"], depth=1),
    TileKind("ice", cost=0),
    TileKind("wood"),
)
ROAD = TileKind("road", cost=0.5)  # with it not all costs are whole
NAMES = [entry.name for entry in KINDS]
SHAPES = ("walk", "walk", "walk", "leap", "fly", "warp", "warp", "big", "big flyer")
MORE_SHAPES = (*SHAPES, "fly", *["big", "big flyer"] * 3)
TAGS = ["#wet", "#liquid", "#lava"]
ABSENT = ["snow"]  # a default kind that these maps lack

costs = st.integers(0, 9) | st.sampled_from([0.1, 0.7, 1.5, 260])


def grass_mostly(draw, names):
    return st.sampled_from(["grass"] * draw(st.integers(1, 2 * len(names))) + [*names])


@st.composite
def decks(draw, tilemap):
    """Draw (column, level, kind, thickness) of decks that find room, in any order."""
    bare = sorted(draw(st.sets(st.sampled_from(columns(tilemap)), max_size=6)))
    found = []
    for column in bare:
        top = level(tilemap, (*column, 0))
        for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
            thickness, gap = draw(st.integers(1, 2)), draw(st.integers(0, 3))
            top += thickness + gap
            found.append((column, top, draw(grass_mostly(draw, NAMES)), thickness))
    return draw(st.permutations(found))


def beside(tilemap, cell):
    """List the surfaces in the columns that share an edge with a surface's own."""
    near = [column_ahead(tilemap, cell[:2], direction) for direction in directions(tilemap)]
    return [end for column in near if column for end in surfaces(tilemap, column)]


def at_edges(tilemap):
    """List the surfaces of the last row and column, off which big movers would reach."""
    last = tilemap.rows - 1, tilemap.cols - 1
    return [cell for cell in all_surfaces(tilemap) if cell[0] == last[0] or cell[1] == last[1]]


def pairs(choices, most, least=0):
    """Draw (first, second, one-way or not) with no two between the same places."""
    if not choices:
        return st.just([])
    pair = st.tuples(st.sampled_from(choices), st.booleans())
    return st.lists(
        pair, min_size=least, max_size=most, unique_by=lambda drawn: frozenset(drawn[0])
    )


@st.composite
def tilemaps(draw, max_side=5, topologies=("square", "square", *LAYOUTS)):
    sides = [(rows, cols) for rows in range(1, max_side + 1) for cols in range(1, max_side + 1)]
    rows, cols = draw(st.sampled_from(sides[::-1]))
    table = draw(st.sampled_from([KINDS, KINDS, (*KINDS, ROAD)]))
    highest = draw(st.integers(0, 5))
    sign = grass_mostly(draw, [entry.name for entry in table] + ["void"])
    names = [entry.name for entry in table] + ["void"]
    line = st.lists(st.integers(0, highest), min_size=cols, max_size=cols)
    levels = draw(st.lists(line, min_size=rows, max_size=rows))
    signs = draw(st.lists(sign, min_size=rows * cols, max_size=rows * cols))
    kinds = [[names.index(signs[row * cols + col]) for col in range(cols)] for row in range(rows)]
    tilemap = TileMap(levels, kinds, table, topology=draw(st.sampled_from(topologies)))
    if draw(st.booleans()):
        with tilemap.edit() as edit:
            for deck in draw(decks(tilemap)):
                edit.add_deck(*deck)
    if draw(st.booleans()):
        connect(draw, tilemap)
    return tilemap


def connect(draw, tilemap):
    """Add links and walls."""
    everywhere, edges = all_surfaces(tilemap), at_edges(tilemap)
    apart = [(one, other) for one in everywhere for other in everywhere if one != other]
    to_edges = [pair for pair in apart if pair[1] in edges]
    near = [(cell, end) for cell in everywhere for end in beside(tilemap, cell)]
    at_decks = [pair for pair in near if pair[0][2] + pair[1][2]]
    with tilemap.edit() as edit:
        for (start, end), one_way in draw(pairs(apart + 2 * to_edges, 4, least=1)):
            name = draw(st.sampled_from(["link", "ladder", "rope"]))
            edit.add_link(start, end, draw(costs), name, one_way)
        for (start, end), one_way in draw(pairs(near + 3 * at_decks, 2 * len(everywhere))):
            edit.add_wall(start, end, one_way)


def surcharges(most):
    table = st.lists(costs, min_size=most, max_size=most)
    return costs | table if most else costs


@st.composite
def profiles(draw, topology="square", shapes=SHAPES):
    """Draw a walker, leaper, flyer, warper or large mover; what a warper has besides is unused."""
    max_climb, max_drop = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    names = st.sampled_from(NAMES + TAGS + ABSENT)
    fields = {
        "max_climb": max_climb,
        "max_drop": max_drop,
        "climb_cost": draw(surcharges(max_climb)),
        "drop_cost": draw(surcharges(max_drop)),
        "kind_cost": draw(st.dictionaries(names, costs | st.none(), max_size=3)),
        "link_cost": draw(
            st.dictionaries(st.sampled_from(["ladder", "rope", "lift"]), costs | st.none())
        ),
        "body_height": draw(st.sampled_from([1, 1, 1, 2, 3])),
        "hover": draw(st.sampled_from([0, 0, 0, 1, 2])),
        "no_stop": draw(st.sampled_from([frozenset()] * 2) | st.frozensets(names, max_size=2)),
    }
    shape = draw(st.sampled_from([s for s in shapes if "big" not in s or topology == "square"]))
    if "big" in shape:
        fields |= {"size": draw(st.sampled_from([2, 2, 3]))}
        fields |= {"size_tolerance": draw(st.integers(0, 3))}
    elif shape != "warp" or draw(st.booleans()):
        fields |= {
            "diagonal": draw(st.sampled_from(DIAGONAL_MODES)),
            "diagonal_cost": draw(st.sampled_from([1, math.sqrt(2), 2, 1.5, 0.5, 0, 3])),
        }
    if shape == "leap":
        fields |= {"leap": draw(st.integers(1, 3))}
    if shape == "warp":
        fields |= {"warp": draw(st.integers(1, 4)), "leap": draw(st.sampled_from([0, 0, 2]))}
    flies = "fly" in shape or (shape == "warp" and draw(st.sampled_from([False, False, True])))
    return MoveProfile(**fields, can_fly=flies)


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
        if found[-1][0] == "set_kind" and draw(flags):
            found.append(("set_kind", here, draw(names)))  # void and back in one edit
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
        """The blockers, as queries take them."""
        return {"blocked": self.blocked, "passable": self.passable, "halting": self.halting}


@st.composite
def cases(draw):
    tilemap = draw(tilemaps())
    cells = cells_to_ask(tilemap)
    some = st.sets(st.sampled_from(cells), max_size=draw(st.sampled_from([0, 0, 3])))
    return Case(
        tilemap,
        draw(profiles(tilemap.topology, MORE_SHAPES if min(tilemap.level.shape) > 1 else SHAPES)),
        draw(st.sampled_from([*all_surfaces(tilemap)] * 3 or cells)),
        draw(some),
        draw(some),
        draw(some),
    )
