"""Maps as material: crop, resize, rotate, mirror and paste, against plain arrays and geometry."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ai import Board
from terrain3d import TOPOLOGIES, Cell, Rect, TileKind, TileMap
from tests.support.map_states import maps, state_of
from tests.support.plain_map import PlainMap, columns
from tests.support.strategies import tilemaps

TURNS = {
    "rotate 90": (lambda m: m.rotate(90), lambda a: np.rot90(a)),
    "rotate 180": (lambda m: m.rotate(180), lambda a: np.rot90(a, 2)),
    "rotate -90": (lambda m: m.rotate(-90), lambda a: np.rot90(a, -1)),
    "left_right": (lambda m: m.mirror(), np.fliplr),
    "top_bottom": (lambda m: m.mirror("top_bottom"), np.flipud),
}
"""The operation, and the same on the array of a picture whose first row is the north."""


def places(tilemap, numbers):
    """Return where each column lies, of an array with the number of the column in each place."""
    lies = {number: divmod(i, numbers.shape[1]) for i, number in enumerate(numbers.flat)}
    every = columns(tilemap)
    return {column: lies[i] for i, column in enumerate(every) if i in lies}


def numbered(tilemap):
    return np.arange(tilemap.rows * tilemap.cols).reshape(tilemap.rows, tilemap.cols)


def moved(plain, where):
    """Leave of a plain map what lies somewhere, with all of its cells moved there."""
    made = copy.copy(plain)
    made.surfaces = {
        (*where[cell[:2]], cell[2]): of for cell, of in plain.surfaces.items() if cell[:2] in where
    }
    for name in ("links", "walls"):
        pairs = {
            (*(Cell(*where[end[:2]], end.deck) for end in pair[:2]), *pair[2:])
            for pair in getattr(plain, name)
            if all(end[:2] in where for end in pair[:2])
        }
        setattr(made, name, pairs)
    return made


def check_neighbors(tilemap, made, where):
    """Two columns are neighbors in one map where they are in the other."""
    for one, other in itertools.permutations(where, 2):
        assert (other in [cell[:2] for cell in tilemap.grid.neighbors(one)]) == (
            where[other] in [cell[:2] for cell in made.grid.neighbors(where[one])]
        )


def check_same(tilemap, made, where):
    assert PlainMap(made) == moved(PlainMap(tilemap), where)
    assert (made.kinds, made.step_height) == (tilemap.kinds, tilemap.step_height)
    assert not made.undo_name
    assert not made.undo()
    check_neighbors(tilemap, made, where)


@pytest.mark.parametrize("turn", TURNS)
@given(tilemap=maps())
def test_a_turned_map_is_that_of_a_turned_picture(turn, tilemap):
    turned, turn_array = TURNS[turn]
    before = state_of(tilemap)
    check_same(tilemap, turned(tilemap), places(tilemap, turn_array(numbered(tilemap))))
    assert state_of(tilemap) == before


@given(tilemap=maps(), data=st.data())
def test_a_crop_is_a_part_of_the_arrays(tilemap, data):
    rect = data.draw(rects(tilemap.rows, tilemap.cols))
    made = tilemap.crop(rect)
    assert (made.rows, made.cols) == (rect.rows, rect.cols)
    check_same(tilemap, made, places(tilemap, numbered(tilemap)[rect.slices()]))


def pairs(low, high):
    return st.tuples(st.integers(low, high), st.integers(low, high))


@given(tilemap=maps(), size=pairs(1, 6), at=pairs(-5, 5))
def test_a_resized_map_is_a_larger_or_smaller_picture_around_it(tilemap, size, at):
    kind = tilemap.kinds[0].name
    made = tilemap.resize(*size, at, level=2, kind=kind)
    assert (made.rows, made.cols) == size
    shifted = {(row, col): (row + at[0], col + at[1]) for row, col in columns(tilemap)}
    where = {old: new for old, new in shifted.items() if new in columns(made)}
    expected = moved(PlainMap(tilemap), where)
    filled = {(*new, 0): (2, kind, 0) for new in columns(made) if new not in where.values()}
    expected.surfaces |= filled
    assert PlainMap(made) == expected
    check_neighbors(tilemap, made, where)


def rects(rows, cols):
    def of(top, bottom, left, right):
        return Rect(top, left, bottom - top + 1, right - left + 1)

    by_row, by_col = (pairs(0, size - 1).map(sorted) for size in (rows, cols))
    return st.tuples(by_row, by_col).map(lambda ends: of(*ends[0], *ends[1]))


@given(tilemap=maps(), things=st.data())
def test_four_rotations_and_two_mirrors_change_nothing(tilemap, things):
    cells = things.draw(st.lists(st.sampled_from(columns(tilemap))))
    headings = st.none() | st.integers(0, 359)
    units = [{"cell": list(cell), "heading_deg": things.draw(headings)} for cell in cells]
    tilemap.extras["units"] = units
    before = state_of(tilemap)
    assert state_of(tilemap.rotate().rotate().rotate().rotate()) == before
    assert state_of(tilemap.rotate(180).rotate(180)) == before
    assert state_of(tilemap.rotate(90).rotate(-90)) == before
    assert state_of(tilemap.rotate(360)) == before
    assert state_of(tilemap.rotate(90).rotate(90)) == state_of(tilemap.rotate(180))
    for axis in ("left_right", "top_bottom"):
        assert state_of(tilemap.mirror(axis).mirror(axis)) == before
    both = tilemap.mirror("left_right").mirror("top_bottom")
    assert state_of(both) == state_of(tilemap.rotate(180))


FLIPPED = {"odd": "even", "even": "odd"}


def fitting(topology, row, col):
    """Return the topology of a map that fits at a place."""
    if topology == "square":
        return topology
    _, offset, axis = topology.split("_")
    line = row if axis == "r" else col
    return f"hex_{FLIPPED[offset] if line % 2 else offset}_{axis}"


@st.composite
def pastes(draw):
    """Draw a map, another one that fits, and where."""
    tilemap = draw(tilemaps())
    rect = draw(rects(tilemap.rows, tilemap.cols))
    other = draw(tilemaps(topologies=[fitting(tilemap.topology, rect.row, rect.col)]))
    rows, cols = min(rect.rows, other.rows), min(rect.cols, other.cols)
    assume({kind.name for kind in other.kinds} <= {kind.name for kind in tilemap.kinds})
    return tilemap, other.crop((0, 0, rows, cols)), Rect(rect.row, rect.col, rows, cols)


def pasted(tilemap, other, rect):
    """Return the plain map with the columns of another one in it."""
    where = {(row, col): (row + rect.row, col + rect.col) for row, col in columns(other)}
    plain, new = PlainMap(tilemap), moved(PlainMap(other), where)
    kept = {cell: of for cell, of in plain.surfaces.items() if not rect.holds(Cell(*cell))}
    plain.surfaces = kept | new.surfaces

    def ends_inside(pair):
        return [end for end in pair[:2] if rect.holds(end)]

    for name in ("links", "walls"):
        across = {pair for pair in getattr(plain, name) if len(ends_inside(pair)) < 2}
        for pair in list(across):
            for end in ends_inside(pair):
                of = plain.surfaces.get(tuple(end))
                if of is None or (of[1] == "void" and name == "links"):
                    across.discard(pair)
        setattr(plain, name, across | getattr(new, name))
    return plain


@given(pastes())
def test_a_pasted_map_replaces_columns_and_one_undo_brings_them_back(case):
    tilemap, other, rect = case
    before, version, expected = state_of(tilemap), tilemap.version, pasted(*case)
    tilemap.paste(other, (rect.row, rect.col))
    assert PlainMap(tilemap) == expected
    crop = tilemap.crop(rect)
    assert PlainMap(crop) == PlainMap(other)
    assert crop.topology == other.topology
    after = state_of(tilemap)
    if tilemap.version == version:
        assert before == after
        return
    assert tilemap.undo_name == "paste"
    assert tilemap.undo()
    assert state_of(tilemap) == before
    assert tilemap.redo()
    assert state_of(tilemap) == after


@pytest.fixture
def tilemap():
    tilemap = TileMap.from_text("0123\n4567\n89ab\ncdef")
    tilemap.extras = {
        "metadata": {"title": "Vale"},
        "units": [
            {"name": "Mira", "cell": [0, 1], "heading_deg": 90},
            {"name": "Bram", "cell": [3, 3, 0], "heading_deg": 10.5},
        ],
    }
    return tilemap


def units(tilemap):
    found = tilemap.extras["units"]
    return [(unit["name"], unit["cell"], unit.get("heading_deg")) for unit in found]


def test_units_turn_with_the_map(tilemap):
    assert units(tilemap.rotate()) == [("Mira", [2, 0], 180), ("Bram", [0, 3, 0], 100.5)]
    assert units(tilemap.rotate(180)) == [("Mira", [3, 2], 270), ("Bram", [0, 0, 0], 190.5)]
    assert units(tilemap.rotate(-90)) == [("Mira", [1, 3], 0), ("Bram", [3, 0, 0], 280.5)]
    assert units(tilemap.mirror()) == [("Mira", [0, 2], 270), ("Bram", [3, 0, 0], 349.5)]
    assert units(tilemap.mirror("top_bottom")) == [("Mira", [3, 1], 90), ("Bram", [0, 3, 0], 169.5)]
    assert units(tilemap.crop((0, 1, 2, 2))) == [("Mira", [0, 0], 90)]
    assert units(tilemap.resize(9, 9, (2, 3))) == [("Mira", [2, 4], 90), ("Bram", [5, 6, 0], 10.5)]
    assert tilemap.crop((1, 1, 1, 1)).extras == {"metadata": {"title": "Vale"}, "units": []}


def test_a_large_mover_keeps_its_tiles(tilemap):
    tilemap.extras["units"] = [{"name": "Ox", "cell": [1, 2], "size": 2}]
    tiles = {(row, col): tilemap.level_at((row, col)) for row in (1, 2) for col in (2, 3)}
    for turned, _ in TURNS.values():
        made = turned(tilemap)
        row, col = made.extras["units"][0]["cell"]
        levels = {made.level_at((row + i, col + j)) for i in (0, 1) for j in (0, 1)}
        assert levels == set(tiles.values())
    assert tilemap.crop((0, 0, 4, 3)).extras["units"] == []  # not all of it is left
    assert tilemap.crop((1, 2, 2, 2)).extras["units"] == [{"name": "Ox", "cell": [0, 0], "size": 2}]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("size", [2, "large", 0, True, None])
def test_another_size_at_the_edge_is_no_reason_to_lose_a_thing(tilemap, turn, size):
    tilemap.extras = {"chests": [{"cell": [3, 2], "size": size}]}
    [chest] = TURNS[turn][0](tilemap).extras["chests"]
    assert TURNS[turn][0](tilemap).level_at(chest["cell"]) == tilemap.level_at((3, 2))
    assert chest["size"] == size


def test_data_with_cells_moves_wherever_it_is_and_all_else_is_copied(tilemap):
    tilemap.extras = {
        "spawn": {"cell": (2, 1)},
        "chests": {"gold": {"cell": [3.0, 0.0]}, "lost": {"cell": [9, 9]}, "odd": {"cell": "x"}},
        "waypoints": [Cell(1, 1), "here", [1, 1], {"cell": [1]}],
        "pair": (Cell(0, 0), {"cell": [True, 0]}),
        "replay": {"units": []},
    }
    made = tilemap.mirror()
    assert made.extras == {
        "spawn": {"cell": [2, 2]},
        "chests": {"gold": {"cell": [3, 3]}, "odd": {"cell": "x"}},
        "waypoints": [Cell(1, 2), "here", [1, 1], {"cell": [1]}],
        "pair": (Cell(0, 3), {"cell": [True, 0]}),
    }
    made.extras["waypoints"].clear()
    assert len(tilemap.extras["waypoints"]) == 4
    assert "spawn" not in tilemap.crop((0, 0, 1, 1)).extras


def test_the_cells_of_a_thing_move_with_the_map(tilemap):
    goal = {"attackers": "blue", "cells": [[3, 2], [0.0, 1, 0], "near", Cell(2, 2)], "turns": 12}
    tilemap.extras = {"objective": goal, "regions": [{"cells": ((1, 1),)}, {"cells": []}]}
    for make, _ in TURNS.values():
        made = make(tilemap)
        cells = made.extras["objective"]["cells"]
        assert [made.level_at(cells[number]) for number in (0, 1, 3)] == [14, 1, 10]
        assert [len(cells[number]) for number in (0, 1)] == [2, 3]
        assert cells[2] == "near"
        [[at]] = [region["cells"] for region in made.extras["regions"] if region["cells"]]
        assert made.level_at(at) == 5
    made = tilemap.resize(9, 9, (2, 3)).extras
    assert made["objective"]["cells"] == [[5, 5], [2, 4, 0], "near", Cell(4, 5)]
    made = tilemap.crop((0, 0, 1, 4)).extras
    assert made["objective"] == goal | {"cells": [[0, 1, 0], "near"]}
    assert made["regions"] == [{"cells": []}]  # which had none before
    goal["cells"] = [[3, 2], [0, 1]]
    tilemap.extras["objective"] = goal
    assert set(tilemap.crop((1, 0, 1, 2)).extras) == {"regions"}


def test_a_thing_with_cells_is_pasted_if_all_of_them_are(tilemap):
    tilemap.extras = {"rooms": [{"name": "hall", "cells": [[1, 1], [1, 2]]}, {"cells": [[3, 3]]}]}
    room = TileMap.from_text("00")
    room.extras["rooms"] = [{"name": "shed", "cells": [[0, 0], [0, 1]]}, {"cells": [[0, 5]]}]
    tilemap.paste(room, (1, 2))
    hall, crypt, shed = tilemap.extras["rooms"]
    assert (hall["name"], crypt["cells"]) == ("hall", [[3, 3]])  # a part of the hall is left
    assert shed == {"name": "shed", "cells": [[1, 2], [1, 3]]}
    tilemap.paste(TileMap.from_text("000"), (1, 1))
    assert tilemap.extras["rooms"] == [crypt]
    assert tilemap.undo()
    assert tilemap.extras["rooms"] == [hall, crypt, shed]


def test_cells_of_one_thing_are_replaced_and_move_with_a_part(tilemap):
    goal = {"attackers": "blue", "cells": [[0, 0], [3, 3], [0, 1]]}
    tilemap.extras["objective"] = goal
    part = tilemap.crop((0, 0, 1, 2)).mirror()
    assert part.extras["objective"]["cells"] == [[0, 1], [0, 0]]
    tilemap.paste(TileMap.from_text("00"))
    assert tilemap.extras["objective"] == goal | {"cells": [[3, 3]]}
    tilemap.paste(TileMap.from_text("0"), (3, 3))
    assert "objective" not in tilemap.extras
    tilemap.paste(part, (2, 1))
    assert tilemap.extras["objective"] == goal | {"cells": [[2, 2], [2, 1]]}
    for _ in range(3):
        tilemap.undo()
    assert tilemap.extras["objective"] == goal


def test_unknown_fields_of_a_file_stay_with_their_entries(tilemap):
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0), (3, 3)], level=20)
    deck, of_grass = Cell(0, 0, 1), {("kinds", "grass"): {"sound": "soft"}}
    tilemap.unknown_fields = of_grass | {("decks", deck): {"by": ["Odo"]}}
    fields = tilemap.mirror().crop((0, 1, 2, 3)).unknown_fields
    assert fields == of_grass | {("decks", Cell(0, 2, 1)): {"by": ["Odo"]}}
    fields["decks", Cell(0, 2, 1)]["by"].clear()
    assert tilemap.unknown_fields["decks", deck] == {"by": ["Odo"]}
    before = dict(tilemap.unknown_fields)
    tilemap.paste(tilemap.crop((0, 0, 1, 2)), (2, 2))
    assert tilemap.unknown_fields == before | {("decks", Cell(2, 2, 1)): {"by": ["Odo"]}}
    tilemap.undo()
    assert tilemap.unknown_fields == before
    tilemap.paste(TileMap.from_text("0"))
    assert tilemap.unknown_fields == {key: before[key] for key in before if key[0] != "decks"}
    tilemap.undo()
    assert tilemap.unknown_fields == before


def test_extras_of_links_and_walls_move_with_them(tilemap):
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1), extras={"name": "north gate"})
        edit.add_link((0, 0), (3, 3), 1, extras={"key": ["gold"]})
    for made in (tilemap.mirror(), copy.copy(tilemap), pickle.loads(pickle.dumps(tilemap))):
        assert [wall.extras for wall in made.walls] == [{"name": "north gate"}]
        assert [link.extras for link in made.links] == [{"key": ["gold"]}]
    tilemap.paste(tilemap.crop((0, 0, 1, 2)), (2, 2))
    assert [wall.extras["name"] for wall in tilemap.walls] == ["north gate"] * 2


def test_what_stands_in_a_pasted_part_is_replaced_and_comes_back(tilemap):
    room = TileMap.from_text("00\n00")
    room.extras = {
        "metadata": {"title": "Room"},
        "units": [{"name": "Odo", "cell": [1, 1]}, {"name": "Far", "cell": [5, 5]}],
        "doors": [{"cell": [0, 0]}],
        "rooms": ["kitchen"],
    }
    before = copy.deepcopy(tilemap.extras)
    tilemap.paste(room, (2, 2))
    after = copy.deepcopy(tilemap.extras)
    assert units(tilemap) == [("Mira", [0, 1], 90), ("Odo", [3, 3], None)]
    assert after["doors"] == [{"cell": [2, 2]}]
    assert set(after) == {"metadata", "units", "doors"}
    assert after["metadata"] == {"title": "Vale"}
    tilemap.undo()
    assert tilemap.extras == before
    tilemap.redo()
    assert tilemap.extras == after


def test_pastes_in_a_stroke_are_one_entry(tilemap):
    before, extras = tilemap.to_text(), copy.deepcopy(tilemap.extras)
    room = TileMap.from_text("00")
    room.extras["units"] = [{"name": "Odo", "cell": [0, 1]}]
    tilemap.begin_stroke("rooms")
    for at in ((0, 0), (3, 2), (1, 1)):
        tilemap.paste(room, at)
    assert tilemap.end_stroke()
    assert tilemap.to_text() == "0023\n4007\n89ab\ncd00"
    assert [cell for _, cell, _ in units(tilemap)] == [[0, 1], [3, 3], [1, 2]]
    assert tilemap.undo()
    assert (tilemap.to_text(), tilemap.extras, tilemap.undo_name) == (before, extras, "")
    tilemap.begin_stroke()
    tilemap.paste(room)
    tilemap.cancel_stroke()
    assert (tilemap.to_text(), tilemap.extras) == (before, extras)


def test_a_board_undoes_a_paste(tilemap):
    board = Board(tilemap)
    before = board.digest()
    tilemap.paste(TileMap.from_text("55\n55"), (1, 1))
    assert board.digest() != before
    board.undo()
    assert board.digest() == before
    assert tilemap.extras["units"][0]["name"] == "Mira"


def test_a_map_can_be_pasted_into_itself(tilemap):
    tilemap.paste(tilemap)
    assert not tilemap.undo_name
    tilemap.paste(tilemap.rotate(180))
    assert tilemap.to_text() == "fedc\nba98\n7654\n3210"


def test_kinds_are_pasted_by_name():
    own = TileMap([[0, 0, 0]], kinds=[TileKind("ash", cost=2), TileKind("mud")])
    other = TileMap([[1]], [[1]], kinds=[TileKind("lava"), TileKind("ash", cost=9)])
    own.paste(other, (0, 1))
    assert [own.kind_at((0, col)).cost for col in range(3)] == [2, 2, 2]
    wrong = TileMap([[1]], kinds=[TileKind("lava")])
    says = r"unknown kind 'lava'; this map has \['ash', 'mud', 'void'\]"
    with pytest.raises(ValueError, match=says):
        own.paste(wrong)
    assert own.to_text() == "010"
    with own.edit():  # the refused paste has not left one open
        pass


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda m: m.crop((1, 1, 4, 2)), r"rows 1\.\.4, columns 1\.\.2 are not all in the map: "
         r"rows are 0\.\.3, columns 0\.\.3; resize\(\) adds tiles"),
        (lambda m: m.crop((0, 0, 0, 2)), "at least 1 row and 1 column, got 0 x 2"),
        (lambda m: m.resize(10**5, 10**5), "at most 67108864 tiles"),
        (lambda m: m.resize(2, 2, level=-1), r"a level must be in 0\.\.32767, got -1"),
        (lambda m: m.rotate(60), "multiple of 90, so that rows become rows or columns, got 60"),
        (lambda m: m.paste(m, (0, 1)), r"columns 1\.\.4 are not all.*; crop\(\) the other map"),
        (lambda m: m.paste(TileMap.from_text("0", topology="hex_odd_r")), "lie as in hex_odd_r, "
         "those of this map as in square"),
    ],
)  # fmt: skip
def test_mistakes_are_named_and_change_nothing(tilemap, call, problem):
    before = state_of(tilemap)
    with pytest.raises((ValueError, IndexError, TypeError), match=problem):
        call(tilemap)
    assert state_of(tilemap) == before
    assert not tilemap.undo_name


@pytest.mark.parametrize("topology", TOPOLOGIES[1:])
def test_hexagons_are_pasted_only_where_neighbors_stay(topology):
    tilemap = TileMap(np.zeros((6, 6), int), topology=topology)
    other = TileMap(np.ones((2, 2), int), topology=topology)
    for row, col in itertools.product(range(4), range(4)):
        if fitting(topology, row, col) == topology:
            tilemap.paste(other, (row, col))
            assert tilemap.undo()
        else:
            with pytest.raises(ValueError, match="hexagons fit one row or column further"):
                tilemap.paste(other, (row, col))
    with pytest.raises(ValueError, match="or rotated"):
        tilemap.paste(other.rotate())
