"""Units of a map are placed on the board, and a saved map has their new cells."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Board, MoveProfile, movers
from ai.game.unit_loader import _PARTY, MAX_UNITS, MOVE_POINTS, UnitLoader, default_party, resume
from terrain3d import TileKind, TileMap
from tests.support.boards import one_edit
from tests.support.map_states import json_values
from tests.support.selection import table

FIELD = "0000\n0000\n0000"


def map_with(picture, levels=FIELD, **more):
    """Make a map with units drawn as letters; `more` are fields of each by letter."""
    tilemap = TileMap.from_text(levels)
    tilemap.extras["units"] = [
        {"name": sign, "cell": [row, col], **more.get(sign, {})}
        for row, line in enumerate(picture.split("\n"))
        for col, sign in enumerate(line)
        if sign.isalpha()
    ]
    return tilemap


def loader_of(tilemap, **rules):
    return UnitLoader(Board(tilemap), MoveProfile(**rules))


def drawn(board):
    signs = {unit.cell[:2]: unit.name[0] for unit in board.units}
    rows, cols = range(board.tilemap.rows), range(board.tilemap.cols)
    return "\n".join("".join(signs.get((row, col), ".") for col in cols) for row in rows)


def test_units_stand_on_the_cells_of_the_map():
    picture = "a..b\n....\n.C.."
    loader = loader_of(map_with(picture, C={"team": "red", "move": 3, "heading_deg": 90}))
    assert drawn(loader.board) == picture
    assert loader.notes == []
    assert [unit.name for unit in loader.board.units] == ["a", "b", "C"]
    ally, enemy = map(loader.board.unit, "aC")
    assert (ally.team, ally.move, ally.profile) == ("blue", MOVE_POINTS, MoveProfile())
    assert (enemy.team, enemy.move, enemy.pose.heading_deg) == ("red", 3, 90)


@table(
    "fields profile",
    ({}, MoveProfile(max_climb=5, climb_cost=10)),
    ({"mover": "light foot"}, MoveProfile(max_climb=5, climb_cost=10)),
    ({"mover": "Heavy_Foot"}, replace(movers.HEAVY_FOOT, climb_cost=10)),
    ({"class": "heavy foot"}, replace(movers.HEAVY_FOOT, climb_cost=10)),
    ({"mover": "acrobat", "class": "swimmer"}, replace(movers.ACROBAT, climb_cost=10)),
    ({"mover": "dragon"}, MoveProfile(max_climb=5, climb_cost=10)),
)
def test_a_mover_has_its_own_rules_and_those_of_the_scene_where_it_sets_none(fields, profile):
    loader = loader_of(map_with("a", "0", a=fields), max_climb=5, climb_cost=10)
    assert loader.board.unit("a").profile == profile
    notes = ["unit 1, a, moves as light foot: no mover is called 'dragon'"]
    assert loader.notes == notes * (fields.get("mover") == "dragon")


@table(
    "fields why",
    ({"cell": [0, 1]}, "(0, 1) is void"),
    ({"cell": [0, 9]}, "outside the map"),
    ({"cell": [0, 0]}, "a stands on (0, 0) already"),
    ({"cell": "here"}, "a cell is (row, col)"),
    ({"move": -1}, "move"),
    ({"team": 7}, "team must be a str"),
    ({"name": ["x"]}, "name must be text"),
)
def test_a_unit_that_cannot_stand_there_is_left_out_with_its_reason(fields, why):
    tilemap = map_with("a.b", "0#0", b=fields)
    loader = loader_of(tilemap)
    assert [unit.name for unit in loader.board.units] == ["a"]
    (note,) = loader.notes
    assert note.startswith("unit 2 is left out: ")
    assert why in note


def test_what_is_no_unit_is_left_out_and_saved_as_it_was():
    tilemap = map_with("a", "00")
    tilemap.extras["units"] = [None, {}, *tilemap.extras["units"]]
    loader = loader_of(tilemap)
    assert drawn(loader.board) == "a."
    starts = [f"unit {n} is left out: it " for n in (1, 2)]
    assert all(map(str.startswith, loader.notes, starts))
    loader.save()
    assert tilemap.extras["units"] == [None, {}, {"name": "a", "cell": [0, 0]}]


def test_units_without_a_name_or_with_one_that_is_taken_get_their_own_on_one_line():
    tilemap = TileMap.from_text("000000")
    names = ["a", "a", None, "", "a 2", "Pe\nll" + "x" * 99]
    tilemap.extras["units"] = [{"name": n, "cell": [0, col]} for col, n in enumerate(names)]
    own = ["a", "a 2", "unit", "unit 2", "a 2 2", "Pe ll" + "x" * 35]
    assert [unit.name for unit in loader_of(tilemap).board.units] == own


@pytest.mark.parametrize("units", [None, [], [{"name": "a", "cell": [9, 9]}], {"a": 1}])
def test_a_map_without_units_gets_the_default_party(units):
    tilemap = TileMap.from_text(FIELD)
    if units is not None:
        tilemap.extras["units"] = units
    loader = loader_of(tilemap)
    assert {unit.name for unit in loader.board.units} == {"Mira", "Bram", "Ilka", "Tove", "Odo"}
    assert {unit.team for unit in loader.board.units} == {"blue", "red"}
    assert len(loader.notes) == len(units or [])
    if isinstance(units, dict):
        assert loader.notes == ["units: must be a list, got {'a': 1}"]
        loader.save()
        assert tilemap.extras["units"] == units  # it is for something else


def test_the_numbers_of_units_and_of_notes_have_limits():
    tilemap = TileMap.from_text("\n".join(["0" * 20] * 10))
    tilemap.extras["units"] = [{"cell": list(divmod(number, 20))} for number in range(200)]
    loader = loader_of(tilemap)
    assert len(loader.board.units) == MAX_UNITS == 100
    assert len(loader.notes) == 9
    assert loader.notes[0] == "unit 101 is left out: a scene has at most 100 units"
    assert loader.notes[-1] == "units: 92 more notes"
    loader.save()
    assert len(tilemap.extras["units"]) == 200


def test_a_saved_map_has_the_new_cells_and_keeps_all_else(tmp_path):
    far = {"name": "far", "cell": [9, 9], "hp": 3}
    more = {
        "a": {"mover": "acrobat", "hp": 12, "cell": [0, 0, 0]},
        "c": {"heading_deg": 10},
        "d": {"cell": [1, 2, 1]},
    }
    tilemap = map_with("ab..\nc..d", "0000\n0000", **more)
    one_edit(tilemap).add_deck((1, 2), level=3)
    tilemap.extras["units"].append(far)
    loader = loader_of(tilemap)
    board = loader.board
    board.move("a", (0, 3))
    board.move("c", (1, 1))
    board.remove("b")
    loader.save()
    tilemap.save(tmp_path / "a.tmap")
    again = TileMap.load(tmp_path / "a.tmap")
    assert again.extras["units"] == [
        {"name": "a", "cell": [0, 3], "mover": "acrobat", "hp": 12},
        {"name": "c", "cell": [1, 1], "heading_deg": -90},
        {"name": "d", "cell": [1, 2, 1]},
        far,
    ]
    assert drawn(loader_of(again).board) == "...a\n.cd."


@pytest.mark.parametrize("share", [0, 0.002, 0.02, 0.9])
def test_each_of_the_default_party_gets_the_nearest_easy_cell_that_is_free(share):
    is_dry = np.random.default_rng(3).random((90, 230)) < share
    kinds = TileKind("grass"), TileKind("water", cost=None)
    tilemap = TileMap(np.zeros(is_dry.shape, int), kind=1 - is_dry, kinds=kinds)
    free = np.argwhere(is_dry).tolist()
    for entry in default_party(tilemap, MoveProfile()):
        down, across = next(row[3:] for row in _PARTY if row[0] == entry["name"])
        middle = down * tilemap.rows, across * tilemap.cols
        assert entry["cell"] == min(free, key=lambda cell: math.dist(cell, middle))
        free.remove(entry["cell"])


def test_the_default_party_comes_back_from_a_saved_map_as_it_was(tmp_path):
    rules = {"max_drop": 7, "climb_cost": 4}
    loader = loader_of(TileMap.from_text("\n".join(["0" * 12] * 12)), **rules)
    board = loader.board
    board.move("Mira", (2, 5))
    loader.save()
    board.tilemap.save(tmp_path / "a.tmap")
    again = loader_of(TileMap.load(tmp_path / "a.tmap"), **rules)
    assert drawn(again.board) == drawn(board)
    assert [unit.profile for unit in again.board.units] == [unit.profile for unit in board.units]
    assert again.notes == []


def saved_game(turns=None):
    tilemap = map_with("a..\n..b", "000\n000", b={"team": "red", "hp": 3})
    tilemap.extras["units"].append({"name": "a", "cell": [9, 9]})  # left out
    loader = UnitLoader(Board(tilemap, turns, seed=5), MoveProfile())
    board = loader.board
    board.move("a", (0, 1))
    one_edit(board.tilemap).set_level((1, 0), 2)
    with board.action("armed") as action:
        action.set("a", luck=int(action.random.integers(1000)))
    loader.save()
    return tilemap, board


def roll(board):
    with board.action("roll") as action:
        return int(action.random.integers(1000))


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_the_game_of_a_map_goes_on_with_its_undo_and_its_dice(turns, tmp_path):
    tilemap, played = saved_game(turns)
    tilemap.save(tmp_path / "game.tmap")
    board = Board(TileMap.load(tmp_path / "game.tmap"), turns)
    assert resume(board)
    loader = UnitLoader(board, MoveProfile())
    assert loader.notes == ["unit 3 is left out: it is not in the game that goes on"]
    assert (board.digest(), board.log) == (played.digest(), played.log)
    assert roll(board) == roll(played)
    for _ in range(4):
        assert board.undo()
    assert (drawn(board), board.tilemap.level_at((1, 0))) == ("a..\n..b", 0)
    assert not board.undo()
    board.redo()
    loader.save()
    kept = [{"name": "a", "cell": [0, 1]}, {"name": "b", "cell": [1, 2], "team": "red", "hp": 3}]
    assert board.tilemap.extras["units"] == [*kept, {"name": "a", "cell": [9, 9]}]
    again = Board(board.tilemap, turns)
    assert resume(again)
    assert drawn(again) == ".a.\n..b"


@pytest.mark.parametrize("what", ["another map", "an unreadable game", "other turns", "no game"])
def test_another_game_begins_anew_and_a_recorded_one_stays_until_then(what):
    extras = saved_game()[0].extras
    if what == "an unreadable game":
        extras["replay"]["log"] = 5
    if what == "no game":
        del extras["replay"]
    tilemap = TileMap.from_text("000\n" + ("003" if what == "another map" else "200"))
    tilemap.extras.update(extras)
    board = Board(tilemap, "sides" if what == "other turns" else None)
    before = board.tilemap.extras.get("replay")
    assert not resume(board)
    loader = UnitLoader(board, MoveProfile())
    assert board.log == ()
    loader.save()
    assert board.tilemap.extras.get("replay") == before
    board.move(board.units[0], board.reach(board.units[0]).cells[-1])
    loader.save()
    assert len(board.tilemap.extras["replay"]["log"]) == 1


def test_a_game_in_fog_does_not_go_on_in_the_open():
    tilemap = map_with("a..", "000")
    board = Board(tilemap, fog=True)
    loader = UnitLoader(board, MoveProfile())
    board.move("a", (0, 1))
    loader.save()
    assert not resume(Board(tilemap))


FIELDS = st.sampled_from(["name", "cell", "team", "mover", "class", "move", "heading_deg"])
CELL = st.lists(st.integers(-1, 4), min_size=2, max_size=3)
ENTRIES = json_values | st.dictionaries(FIELDS, json_values | CELL, min_size=1)


@given(st.lists(ENTRIES, max_size=6) | json_values)
def test_whatever_a_map_carries_there_is_a_board_and_the_map_can_be_saved(units):
    tilemap = TileMap.from_text(FIELD)
    tilemap.extras["units"] = units
    loader = loader_of(tilemap)
    assert 1 <= len(loader.board.units) <= max(5, len(units) if isinstance(units, list) else 0)
    assert all(note.isprintable() for note in loader.notes)
    cells = [unit.cell for unit in loader.board.units]
    assert len(set(cells)) == len(cells)
    loader.save()
    json.dumps(tilemap.extras["units"], allow_nan=False)
    again = loader_of(tilemap)
    assert [unit.cell for unit in again.board.units] == cells


@table(
    "name figure",
    ("light foot", "scout"),
    ("acrobat", "acrobat"),
    ("heavy foot", "knight"),
    ("float", "mage"),
    ("flyer", "flyer"),
)
def test_a_mover_has_a_figure_that_shows_how_it_moves(name, figure):
    assert movers.named(name.upper().replace(" ", "-")) == movers.named(name)
    assert movers.figures_of(movers.named(name))[0] == figure
