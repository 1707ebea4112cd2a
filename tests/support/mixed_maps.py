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
SHAPES = ("walk", "walk", "leap", "fly", "warp", "big")
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


def pairs(firsts, seconds_of, most):
    """Draw (first, second, one-way or not) with no two between the same places."""
    choices = [(first, second) for first in firsts for second in seconds_of(first)]
    if not choices:
        return st.just([])
    pair = st.tuples(st.sampled_from(choices), st.booleans())
    return st.lists(pair, max_size=most, unique_by=lambda drawn: frozenset(drawn[0]))


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
    everywhere = all_surfaces(tilemap)
    with tilemap.edit() as edit:
        drawn = pairs(everywhere, lambda cell: [end for end in everywhere if end != cell], 4)
        for (start, end), one_way in draw(drawn):
            name = draw(st.sampled_from(["link", "ladder", "rope"]))
            edit.add_link(start, end, draw(costs), name, one_way)
        for (start, end), one_way in draw(
            pairs(everywhere, lambda cell: beside(tilemap, cell), 2 * len(everywhere))
        ):
            edit.add_wall(start, end, one_way)


def surcharges(most):
    table = st.lists(costs, min_size=most, max_size=most)
    return costs | table if most else costs


@st.composite
def profiles(draw, topology="square"):
    """Draw a walker mostly, else a leaper, flyer, warper or large mover."""
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
    shape = draw(st.sampled_from([s for s in SHAPES if s != "big" or topology == "square"]))
    if shape == "big":
        fields |= {"size": draw(st.sampled_from([2, 2, 3]))}
        fields |= {"size_tolerance": draw(st.integers(0, 3))}
    elif shape != "warp":
        fields |= {
            "diagonal": draw(st.sampled_from(DIAGONAL_MODES)),
            "diagonal_cost": draw(st.sampled_from([1, math.sqrt(2), 2, 1.5, 0.5, 0, 3])),
        }
    if shape == "leap":
        fields |= {"leap": draw(st.integers(1, 3))}
    fields |= {"can_fly": shape == "fly", "warp": draw(st.integers(1, 4)) * (shape == "warp")}
    return MoveProfile(**fields)


def cells_to_ask(tilemap):
    """List all surfaces, and the ground where there is none."""
    return sorted({*all_surfaces(tilemap), *((*column, 0) for column in columns(tilemap))})


def edited(change):
    """Make an edit of a map, or leave the map as it is if the map refuses."""

    def apply(tilemap):
        with contextlib.suppress(ValueError), tilemap.edit() as edit:
            change(edit)

    return apply


@st.composite
def edits(draw, tilemap):
    """Draw what changes a map, some of which the map may refuse."""
    cell = st.sampled_from(cells_to_ask(tilemap))
    names = [entry.name for entry in tilemap.kinds]
    here, there = draw(cell), draw(cell)
    height, one_way = draw(st.integers(0, 9)), draw(st.booleans())
    choices = [
        lambda edit: edit.set_level(here, height),
        lambda edit: edit.set_kind(here, draw(st.sampled_from(names))),
        lambda edit: edit.add_deck(here[:2], height, draw(grass_mostly(draw, NAMES))),
        lambda edit: edit.add_link(here, there, draw(costs), "ladder", one_way),
    ]
    decks = [cell for cell in all_surfaces(tilemap) if cell[2]]
    if decks:
        *column, deck = draw(st.sampled_from(decks))
        choices.append(lambda edit: edit.remove_deck(column, deck))
    near = beside(tilemap, here)
    if near:
        far = draw(st.sampled_from(near))
        choices.append(lambda edit: edit.add_wall(here, far, one_way))
    if tilemap.links:
        link = draw(st.sampled_from(tilemap.links))
        choices.append(lambda edit: edit.remove_link(link.start, link.end))
    if tilemap.walls:
        wall = draw(st.sampled_from(tilemap.walls))
        choices.append(lambda edit: edit.remove_wall(wall.start, wall.end))
    changes = [edited(change) for change in choices]
    return draw(st.sampled_from([*changes, type(tilemap).undo, type(tilemap).redo]))


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
        draw(profiles(tilemap.topology)),
        draw(st.sampled_from([*all_surfaces(tilemap)] * 3 or cells)),
        draw(some),
        draw(some),
        draw(some),
    )
