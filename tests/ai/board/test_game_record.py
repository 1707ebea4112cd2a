"""Recorded games: files of them, replays at every entry of the log, and playback with poses."""

import copy
import json
import re

import numpy as np
import pytest

from ai import Board, GamePlayback, GameRecord, MoveProfile, Unit
from terrain3d import MapFileError, TileMap
from tests.games.random_game import RandomGame
from tests.support.boards import FIELD, board_with
from tests.support.nightly import rest_nightly
from tests.support.reference import ground


@pytest.mark.parametrize("seed", rest_nightly(range(40), 10))
def test_playback_shows_the_units_as_they_stood_after_every_entry(seed):
    game = RandomGame(seed)
    for _ in range(20):
        game.play()
    record = GameRecord.of(game.board)
    playback = GamePlayback(record)
    jumps = [game.random.randint(0, playback.n_steps) for _ in range(4)]
    for step in [*range(1, playback.n_steps + 1), *jumps]:
        playback.step = step
        there = record.replay(step)
        assert playback.board.digest() == there.digest()
        for unit, other in zip(playback.units, there.units, strict=True):
            unit.advance(1e6)
            assert unit.state == other.state
            if all(there.tilemap.has_surface(tile) for tile in unit.cells):
                assert unit.pose.point == pytest.approx(other.pose.point)


def played():
    """Return a board after a game of two turns."""
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


def test_a_unit_walks_in_playback_and_the_text_says_what_it_does():
    board = played()
    playback = GamePlayback(GameRecord.of(board))
    mira = playback.units[0]
    texts, actors = [playback.text], [playback.actor]
    assert mira.cell == (0, 0, 0)
    playback.step = 1
    assert mira.is_moving
    mira.advance(0.1)
    assert 0 < mira.pose.point[0] - 0.5 < 2
    for step in range(1, 6):
        playback.step = step
        texts.append(playback.text)
        actors.append(playback.actor and playback.actor.name)
    assert texts == [
        "the start",
        "Mira goes to (0, 2)",
        "Mira turns",
        "blue ends the turn",
        "Odo goes to (1, 4)",
        "Odo: Dig",
    ]
    assert actors == [None, "Mira", "Mira", None, "Odo", "Odo"]
    playback.step = 1
    mira.advance(9)
    assert mira.cell == (0, 2, 0)
    with pytest.raises(ValueError, match=r"step must be in 0\.\.5, got 6"):
        playback.step = 6
    assert playback.step == 1


def test_a_game_goes_on_and_is_recorded_from_any_step_of_a_playback():
    playback = GamePlayback(GameRecord.of(played()))
    for step in (3, 5, 2, 1):
        playback.step = step
        assert GameRecord.of(playback.board).problem == ""
    board = playback.board
    board.move(board.unit("Mira"), (1, 2))
    record = GameRecord.of(board)
    assert (len(record.log), record.problem) == (1, "")


def test_a_unit_whose_turn_ends_is_named():
    board, mira = board_with((0, 0))
    board.change_turns("wait")
    board.clear_history()
    board.end_turn()
    playback = GamePlayback(GameRecord.of(board))
    playback.step = 1
    assert (playback.text, playback.actor.name) == (f"{mira.name} ends the turn", mira.name)


def test_a_joint_move_in_which_units_trade_places_is_replayed():
    board, mira, odo = board_with((0, 0), (0, 1))
    paths = {mira: [(0, 0), (1, 0), (1, 1), (0, 1)], odo: [(0, 1), (0, 1), (0, 0), (0, 0)]}
    board.move_together(paths)
    record = GameRecord.of(board)
    assert record.problem == ""
    playback = GamePlayback(record)
    playback.step = 1
    assert [unit.cell[:2] for unit in playback.units] == [(0, 1), (0, 0)]
    assert playback.text == "the game moves several units"


def test_a_record_does_not_change_with_its_board():
    board = played()
    record = GameRecord.of(board)
    digest = board.digest()
    board.undo()
    with board.tilemap.edit() as edit:
        edit.set_level((0, 0), 3)
    assert record.digest == digest
    assert record.replay().digest() == digest


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.tmap"
    GameRecord.of(played()).save(path)
    return path


def test_a_file_whose_map_was_changed_is_reported(file):
    tilemap = TileMap.load(file)
    with tilemap.edit() as edit:
        edit.set_level((0, 4), 1)
    tilemap.save(file)
    record = GameRecord.load(file)
    digest = record.replay().digest()
    problem = f"the game ends with the digest {digest}, the recorded one is {record.digest}"
    assert record.problem == problem


def test_a_file_whose_map_does_not_fit_its_edits_is_refused(file):
    tilemap = TileMap.load(file)
    with tilemap.edit() as edit:
        edit.set_level((2, 2), 1)  # the game has changed it to 3
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


LEVEL = "replay.log[4].edits[0].level"


def changed(value, path, new):
    """Return JSON with one value replaced, or removed if `new` is Ellipsis."""
    copied = copy.deepcopy(value)
    *parents, last = path
    place = copied
    for name in parents:
        place = place[name]
    if new is ...:
        del place[last]
    else:
        place[last] = new
    return copied


@pytest.mark.parametrize(
    ("path", "value", "field", "problem"),
    [
        (["replay"], ..., "", "has no recorded game"),
        (["replay"], [], "replay", "must be an object"),
        (["replay", "version"], 2, "replay.version", "is 2, this program reads up to 1"),
        (["replay", "version"], "1", "replay.version", "must be a whole number"),
        (["replay", "turn"], [], "replay.turn", "dict"),
        (["replay", "turn", "order"], "chess", "replay.turn", "'sides', 'wait'"),
        (["replay", "turn", "order"], 1, "replay.turn", "got 1"),
        (["replay", "turn", "number"], 0, "replay.turn", "number must be"),
        (["replay", "turn", "spent"], -1, "replay.turn", "spent must be"),
        (["replay", "turn", "teams"], 5, "replay.turn", "teams"),
        (["replay", "turn", "team"], 5, "replay.turn", "team"),
        (["replay", "digest"], 5, "replay.digest", "must be text"),
        (["replay", "digest"], ..., "replay.digest", "is missing"),
        (["replay", "seed"], -1, "replay.seed", "-1"),
        (["replay", "units"], {}, "replay.units", "must be a list"),
        (["replay", "units", 0], 1, "replay.units[0]", "must be an object"),
        (["replay", "units", 0, "cell"], [0], "replay.units[0].cell", "[row, col]"),
        (["replay", "units", 0, "cell"], [0, 99], "replay.log", "outside the map"),
        (["replay", "units", 0, "cell"], [2, 4], "replay.log", "would both stand on"),
        (["replay", "units", 1, "name"], "Mira", "replay.units[1].name", "a second unit 'Mira'"),
        (["replay", "units", 0, "speed_tiles_s"], 0, "replay.units[0]", "> 0"),
        (["replay", "units", 0, "rank"], 1, "replay.units[0]", "rank"),
        (["replay", "units", 0, "waiting"], -1, "replay.units[0]", "waiting"),
        (["replay", "units", 0, "points"], "all", "replay.units[0]", "points"),
        (["replay", "units", 0, "profile"], [], "replay.units[0]", "dict"),
        (["replay", "units", 0, "profile"], {"max_climb": -1}, "replay.units[0]", "-1"),
        (["replay", "units", 0, "profile"], {"wings": 2}, "replay.units[0]", "wings"),
        (["replay", "log", 0], 7, "replay.log[0]", "must be an object"),
        (["replay", "log", 0], {}, "replay.log[0].kind", "is missing"),
        (["replay", "log", 0, "kind"], "dance", "replay.log[0].kind", "dance"),
        (["replay", "log", 0, "units", 0, "unit"], "Bram", "replay.log[0].order", "sequence"),
        (
            ["replay", "log", 0, "units", 0, "cell"],
            [9**30, 0],
            "replay.log[0].units[0].along",
            "must end",
        ),
        (["replay", "log", 0, "units", 0, "along"], [[0, 9]], "replay.log", "outside the map"),
        (["replay", "log", 0, "units", 0, "along"], 5, "replay.log[0].units[0]", "along"),
        (["replay", "log", 0, "units", 0, "step_s"], -1, "replay.log[0].units[0]", "step_s"),
        (["replay", "log", 0, "order"], ["Mira"], "replay.log[0].order", "each unit once"),
        (["replay", "log", 4, "edits", 0, "level"], [[1]], LEVEL, "rows of 3"),
        (
            ["replay", "log", 4, "edits", 0, "level"],
            [[99999, 0, 3]],
            LEVEL,
            "0..959",
        ),
        (["replay", "log", 4, "edits", 0, "level"], [[12, 99999, 3]], LEVEL, "99999"),
        (["replay", "log", 4, "edits", 0, "links"], [[], [5]], "replay.log[4].edits[0].links", "5"),
        (["replay", "log", 4, "data"], [1], "replay.log[4].data", "dict"),
    ],
)
def test_a_bad_file_names_its_field(file, path, value, field, problem):
    file.write_text(json.dumps(changed(json.loads(file.read_text()), path, value)))
    with pytest.raises(MapFileError, match=re.escape(problem)) as caught:
        GameRecord.load(file)
    assert (caught.value.source, caught.value.field) == (str(file), field)


def test_a_file_that_is_no_map_is_refused(tmp_path):
    with pytest.raises(MapFileError, match="there is no such file"):
        GameRecord.load(tmp_path / "none.tmap")


def test_profiles_are_written_in_full():
    profile = MoveProfile(
        **{"climb_cost": (1, 3), "kind_cost": {"water": None, "swamp": np.float64(2)}},
        **{"no_stop": {"road", "sand"}, "warp": 2, "ignores_zoc": True},
    )
    board = Board(ground(FIELD))
    board.add(Unit("Mira", (0, 0), profile=profile))
    board.clear_history()
    [entry] = json.loads(json.dumps(GameRecord.of(board).as_dict()))["units"]
    assert entry["profile"] == {
        "climb_cost": [1, 3],
        "kind_cost": {"water": None, "swamp": 2},
        "no_stop": ["road", "sand"],
        "warp": 2,
        "ignores_zoc": True,
    }
