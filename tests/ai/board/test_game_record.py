"""Records of games: what a file keeps, what is refused, and the digest of a board."""

import functools
import json
import operator
import re

import numpy as np
import pytest

from ai import Board, GameRecord, MoveProfile, Unit
from terrain3d import MapFileError, TileKind, TileMap
from tests.support.boards import FIELD, board_with, one_edit, twin_of
from tests.support.reference import ground
from tests.support.selection import table


def played():
    board, mira, odo = board_with((0, 0), (2, 4), teams=("blue", "red"), move=4)
    board.change_turns("sides")
    board.clear_history()
    board.move(mira, (0, 2))
    mira.advance(9)
    board.face(mira, (2, 2))
    board.end_turn()
    board.move(odo, (1, 4))
    with board.action("Dig", by=odo) as action:
        with action.edit() as edit:
            edit.set_level((2, 2), 3)
            edit.add_link((0, 0), (2, 2), cost=1)
        action.set(odo, hp=3, bag=["key"])
    return board


def test_extras_of_links_and_walls_are_recorded(tmp_path):
    board = Board(TileMap.from_text("000\n000"))
    with board.action("Build") as action, action.edit() as edit:
        edit.add_wall((0, 0), (0, 1), extras={"name": "north gate", "keys": ["gold", None]})
        edit.add_link((0, 0), (1, 2), cost=1, extras={"name": "ladder"})
    GameRecord.of(board).save(tmp_path / "game.tmap")
    record = GameRecord.load(tmp_path / "game.tmap")
    again = record.replay()
    assert again.tilemap.walls == board.tilemap.walls
    assert again.tilemap.links == board.tilemap.links
    assert again.digest() == board.digest()


def test_a_record_does_not_change_with_its_board():
    board = played()
    record = GameRecord.of(board)
    digest = board.digest()
    board.undo()
    one_edit(board.tilemap).set_level((0, 0), 3)
    assert record.digest == digest
    assert record.replay().digest() == digest
    other = Board(record.tilemap)
    other.add(Unit("stranger", (0, 0)))
    with pytest.raises(ValueError, match="must have no units yet, got 1"):
        record.go_on_with(other)
    other.remove("stranger")
    record.go_on_with(other)
    assert other.digest() == digest


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.tmap"
    GameRecord.of(played()).save(path)
    return path


def test_a_file_whose_map_was_changed_is_reported(file):
    tilemap = TileMap.load(file)
    one_edit(tilemap).set_level((0, 4), 1)
    tilemap.save(file)
    record = GameRecord.load(file)
    digest = record.replay().digest()
    problem = f"the game ends with the digest {digest}, the recorded one is {record.digest}"
    assert record.problem == problem
    one_edit(tilemap).set_level((2, 2), 1)  # the game has changed it to 3
    tilemap.save(file)
    with pytest.raises(MapFileError, match="was made on another state of the map"):
        GameRecord.load(file)


def test_the_file_is_a_map_that_keeps_its_own_data(tmp_path):
    board = played()
    board.tilemap.extras["metadata"] = {"title": "Ford"}
    GameRecord.of(board).save(tmp_path / "game.tmap")
    loaded = TileMap.load(tmp_path / "game.tmap")
    assert loaded.to_text() == board.tilemap.to_text()
    assert loaded.extras["metadata"] == {"title": "Ford"}
    assert "replay" not in board.tilemap.extras


LEVEL, WALK = "replay.log[4].edits[0].level", "replay.log[0].walks[0]"
LINKS = "replay.log[4].edits[0].links.added[0]"


@table(
    "path value field problem",
    (["replay"], ..., "", "has no recorded game"),
    (["replay", "version"], 2, "replay.version", "is 2, this program reads up to 1"),
    (["replay", "turn", "order"], "chess", "replay.turn.order", "sides, wait"),
    (["replay", "turn", "number"], 0, "replay.turn.number", "must be"),
    (["replay", "digest"], ..., "replay.digest", "is missing"),
    (["replay", "seed"], -1, "replay.seed", "-1"),
    (["replay", "units", "1", "cell"], [0, 99], "replay.log", "outside the map"),
    (["replay", "units"], {"0": {}}, "replay.units.0", "0"),
    (["replay", "turn", "n_added"], 1, "replay.turn", "numbers of all units"),
    (["replay", "units", "1", "cell"], [2, 4], "replay.units", "would both stand on"),
    (["replay", "units", "2", "name"], "Mira", "replay.units", "a second unit 'Mira'"),
    (["replay", "units", "1", "speed_tiles_s"], 0, "replay.units.1", "> 0"),
    (["replay", "units", "1", "rank"], 1, "replay.units.1.rank", "is unknown"),
    (["replay", "units", "1", "points"], "all", "replay.units.1", "points"),
    (["replay", "units", "1", "profile"], {"wings": 2}, "replay.units.1", "wings"),
    (["replay", "log", 0, "kind"], "dance", "replay.log[0].kind", "dance"),
    (["replay", "log", 0, "units", "9"], {}, "replay.log[0].units.9.name", "missing"),
    (["replay", "log", 0, "units", "1", "cell"], [9**30, 0], "replay.log", "outside the map"),
    (["replay", "log", 0, "walks", 0, "cells"], [[0, 0]], WALK, "must end on the cell"),
    (["replay", "log", 0, "walks", 0, "step_s"], -1, WALK, "step_s"),
    (["replay", "log", 0, "turn"], {"number": 0}, "replay.log[0].turn.number", "0"),
    (["replay", "log", 4, "edits", 0, "level"], [[1]], LEVEL, "rows of 3"),
    (["replay", "log", 4, "edits", 0, "level"], [[99999, 0, 3]], LEVEL, "0..959"),
    (["replay", "log", 4, "edits", 0, "links"], {"added": [5]}, LINKS, "5"),
)
def test_a_bad_file_names_its_field(file, path, value, field, problem):
    fields, (*parents, last) = json.loads(file.read_text()), path
    place = functools.reduce(operator.getitem, parents, fields)
    place[last] = value
    if value is ...:
        del place[last]
    file.write_text(json.dumps(fields))
    with pytest.raises(MapFileError, match=re.escape(problem)) as caught:
        GameRecord.load(file)
    assert (caught.value.source, caught.value.field) == (str(file), field)


def test_profiles_are_written_in_full():
    profile = MoveProfile(
        **{"climb_cost": (1, 3), "kind_cost": {"water": None, "swamp": np.float64(2)}},
        **{"no_stop": {"road", "sand"}, "warp": 2, "ignores_zoc": True},
    )
    board = Board(ground(FIELD))
    board.add(Unit("Mira", (0, 0), profile=profile))
    board.clear_history()
    entry = json.loads(json.dumps(GameRecord.of(board).as_dict()))["units"]["1"]
    assert entry["profile"] == {
        "climb_cost": [1, 3],
        "kind_cost": {"water": None, "swamp": 2},
        "no_stop": ["road", "sand"],
        "warp": 2,
        "ignores_zoc": True,
    }


LEVELS = [[0, 1, 2], [0, 0, 1]]


def digest(tilemap=None, units=(), **more):
    """Return the digest of a new board with Mira on it, by default on the same small map."""
    board = Board(TileMap(LEVELS) if tilemap is None else tilemap)
    mira = {"name": "Mira", "cell": (0, 0), "team": "blue", "move": 5}
    for unit in (Unit(**mira | more), *units):
        board.add(unit)
    return board.digest()


def edited(change):
    tilemap = TileMap(LEVELS)
    with tilemap.edit() as edit:
        change(edit)
    return tilemap


UNITS = [
    {},
    {"name": "Odo"},
    {"cell": (0, 1)},
    {"team": "red"},
    {"move": 6},
    {"move": float("inf")},
    {"has_zoc": True},
    {"heading_deg": 45},
    {"profile": MoveProfile(max_climb=1)},
    {"profile": MoveProfile(climb_cost=(1, 3))},
    {"profile": MoveProfile(kind_cost={"grass": 2})},
    {"profile": MoveProfile(kind_cost={"swamp": None})},
    {"profile": MoveProfile(no_stop={"swamp"})},
    {"profile": MoveProfile(can_fly=True)},
    {"units": [Unit("Odo", (1, 1))]},
]
EDITS = [
    lambda edit: edit.set_level((1, 2), 7),
    lambda edit: edit.set_kind((1, 2), "swamp"),
    lambda edit: edit.set_kind((1, 2), "void"),
    lambda edit: edit.add_deck((1, 2), 4),
    lambda edit: edit.add_deck((1, 2), 5),
    lambda edit: edit.add_deck((1, 2), 4, "road"),
    lambda edit: edit.add_deck((1, 2), 4, thickness=2),
    lambda edit: edit.add_link((0, 0), (1, 2), 3),
    lambda edit: edit.add_link((0, 0), (1, 2), 3, one_way=True),
    lambda edit: edit.add_link((1, 2), (0, 0), 3, one_way=True),
    lambda edit: edit.add_wall((0, 0), (0, 1)),
    lambda edit: edit.add_wall((0, 0), (0, 1), one_way=True),
    lambda edit: edit.add_wall((0, 1), (0, 0), one_way=True),
]


def test_every_part_of_units_and_of_the_map_counts():
    flat, tall = TileMap(np.zeros((1, 2), int)), TileMap(np.zeros((2, 1), int))
    hexes = TileMap(np.zeros((1, 2), int), topology="hex_odd_r")
    maps = [flat, tall, hexes, *map(edited, EDITS)]
    digests = {*(digest(each) for each in maps), *(digest(**each) for each in UNITS)}
    assert len(digests) == len(maps) + len(UNITS)
    assert digest(edited(lambda edit: edit)) == digest()
    assert all(len(each) == 32 and int(each, 16) >= 0 for each in digests)


@table(
    "join",
    lambda edit, *ends: edit.add_link(*ends, 3, "ladder"),
    lambda edit, *ends: edit.add_wall(*ends),
)
def test_links_and_walls_without_direction_have_no_first_end(join):
    there = digest(edited(lambda edit: join(edit, (0, 0), (0, 1))))
    assert digest(edited(lambda edit: join(edit, (0, 1), (0, 0)))) == there


def test_neither_the_order_of_adding_nor_time_nor_types_of_numbers_count():
    one, _, _ = board_with((0, 0), (1, 1))
    other = Board(ground(FIELD))
    for unit in reversed(one.units):
        other.add(twin_of(unit))
    assert other.digest() == one.digest()
    board, mira = board_with((0, 0))
    board.move(mira, (0, 3))
    before = board.digest()
    mira.advance(0.5)
    assert board.digest() == before
    assert digest(move=5.0) == digest(move=np.int64(5)) == digest()
    assert digest(profile=MoveProfile(climb_cost=1.0)) == digest()


def test_the_places_of_kinds_in_a_table_do_not_count():
    mud, clay = TileKind("mud"), TileKind("clay", cost=2)
    one = TileMap(LEVELS, [[0, 1, 1], [0, 0, 0]], [mud, clay])
    other = TileMap(LEVELS, [[1, 0, 0], [1, 1, 1]], [clay, mud])
    swapped = TileMap(LEVELS, [[1, 0, 0], [1, 1, 1]], [mud, clay])
    looks = {"color": (1, 0, 0), "texture": "water", "props": "trees"}
    painted = TileMap(LEVELS, [[0, 1, 1], [0, 0, 0]], [TileKind("mud", **looks), clay])
    expensive = TileMap(LEVELS, [[0, 1, 1], [0, 0, 0]], [mud, TileKind("clay", cost=3)])
    assert digest(one) == digest(other) == digest(painted)
    assert digest(one) not in (digest(swapped), digest(expensive))
