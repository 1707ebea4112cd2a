"""Recorded games: files of them, replays at every entry of the log, and playback with poses."""

import copy
import json
import math
import re

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ai import Board, GamePlayback, GameRecord, MoveProfile, MoveRefused, Unit
from terrain3d import MapFileError, TileMap
from tests.support.boards import FIELD, board_with, random_boards
from tests.support.reference import cells_of, ground, thoroughly


@st.composite
def games(draw):
    """Draw a board after a random game, and its digest at each entry of the log."""
    speeds, headings = st.sampled_from([1, 2.5]), st.sampled_from([0, -90, 33.3])
    more = {"speed_tiles_s": speeds, "heading_deg": headings}
    moves = st.sampled_from([0, 2, np.int64(5), 7.5, math.inf])
    turns = [None, "sides", "wait"]
    board = draw(random_boards(turns=turns, max_side=4, most=4, moves=moves, **more))
    digests = [board.digest()]
    acts = ["move", "move", "move", "face", "undo", *["end", "resume"] * (board.turns is not None)]
    for act in draw(st.lists(st.sampled_from(acts), max_size=12)):
        if board.units:
            try:
                do(board, act, draw)
            except MoveRefused:
                continue
        n_entries = len(board.log)
        del digests[n_entries + 1 if act != "resume" else 0 :]
        if len(digests) == n_entries:
            digests.append(board.digest())
    return board, digests


def do(board, act, draw):
    """Give one order to a unit."""
    unit = draw(st.sampled_from(board.units))
    if act == "move":
        cells = [each for each in board.reach(unit).cells if each != unit.cell]
        board.move(unit, draw(st.sampled_from(cells or [unit.cell])))
    elif act == "face":
        unit.advance(1e6)
        board.face(unit, draw(st.sampled_from(cells_of(board.tilemap))))
    elif act == "undo":
        board.undo()
    elif act == "end":
        board.end_turn()
    else:  # as a scene that was saved and loaded
        board.resume(board.turn_state())


@given(game=games())
@thoroughly(200)
def test_a_game_read_from_a_file_has_the_same_digest_after_every_entry(game, tmp_path_factory):
    board, digests = game
    path = tmp_path_factory.mktemp("game") / "game.tmap"
    GameRecord.of(board).save(path)
    record = GameRecord.load(path)
    assert (record.log, record.turns, record.digest) == (board.log, board.turns, board.digest())
    assert len(digests) == len(record.log) + 1
    for number, digest in enumerate(digests):
        assert record.replay(number).digest() == digest
    assert record.problem == ""


@given(game=games(), data=st.data())
@thoroughly(100)
def test_playback_shows_the_units_as_they_stood_after_every_entry(game, data):
    record = GameRecord.of(game[0])
    playback = GamePlayback(record)
    steps = st.integers(0, playback.n_steps)
    for step in [*range(1, playback.n_steps + 1), *data.draw(st.lists(steps, max_size=4))]:
        playback.step = step
        for unit, there in zip(playback.units, record.replay(step).units, strict=True):
            unit.advance(1e6)
            assert unit.cell == there.cell
            assert unit.pose.point == there.pose.point
            assert math.isclose(
                math.cos(math.radians(unit.heading_deg - there.heading_deg)), 1, abs_tol=1e-12
            )


def played():
    """Return a board after a game of two turns."""
    board, mira, odo = board_with((0, 0), (2, 4), teams=("blue", "red"), move=4)
    board.change_turns("sides")
    board.move(mira, (0, 2))
    mira.advance(9)
    board.face(mira, (2, 2))
    board.end_turn()
    board.move(odo, (1, 4))
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
    for step in range(1, 5):
        playback.step = step
        texts.append(playback.text)
        actors.append(playback.actor and playback.actor.name)
    assert texts == [
        "the start",
        "Mira goes to (row 0, col 2)",
        "Mira turns",
        "blue ends the turn",
        "Odo goes to (row 1, col 4)",
    ]
    assert actors == [None, "Mira", "Mira", None, "Odo"]
    playback.step = 1
    assert not mira.is_moving
    assert mira.cell == (0, 2, 0)
    with pytest.raises(ValueError, match=r"step must be in 0\.\.4, got 5"):
        playback.step = 5
    assert playback.step == 1


def test_a_unit_whose_turn_ends_is_named():
    board, mira = board_with((0, 0))
    board.change_turns("wait")
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
    playback.step = 2
    assert [unit.cell[:2] for unit in playback.units] == [(0, 1), (0, 0)]


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
    board = Board.replay(tilemap, [Unit(**each) for each in record.units], record.log, "sides")
    problem = f"the game ends with the digest {board.digest()}, the recorded one is {record.digest}"
    assert record.problem == problem


def test_the_file_is_a_map_that_keeps_its_own_data(tmp_path):
    board = played()
    board.tilemap.extras["metadata"] = {"title": "Ford"}
    GameRecord.of(board).save(tmp_path / "game.tmap")
    loaded = TileMap.load(tmp_path / "game.tmap")
    assert loaded.to_text() == FIELD
    assert loaded.extras["metadata"] == {"title": "Ford"}
    assert "replay" not in board.tilemap.extras


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
        (["replay", "turns"], "chess", "replay.turns", "'sides', 'wait'"),
        (["replay", "turns"], 1, "replay.turns", "got 1"),
        (["replay", "turns"], None, "replay.log", "no turns"),
        (["replay", "turn"], [], "replay.turn", "dict"),
        (["replay", "turn"], {"order": "wait"}, "replay.log", "order of the state"),
        (["replay", "digest"], 5, "replay.digest", "must be text"),
        (["replay", "digest"], ..., "replay.digest", "is missing"),
        (["replay", "units"], {}, "replay.units", "must be a list"),
        (["replay", "units", 0], 1, "replay.units[0]", "must be an object"),
        (["replay", "units", 0, "cell"], [0], "replay.units[0].cell", "[row, col]"),
        (["replay", "units", 0, "cell"], [0, 99], "replay.log", "outside the map"),
        (["replay", "units", 1, "name"], "Mira", "replay.log", "2 units are named 'Mira'"),
        (["replay", "units", 0, "speed_tiles_s"], 0, "replay.units[0]", "> 0"),
        (["replay", "units", 0, "rank"], 1, "replay.units[0]", "rank"),
        (["replay", "units", 0, "profile"], [], "replay.units[0].profile", "dict"),
        (["replay", "units", 0, "profile"], {"max_climb": -1}, "replay.units[0].profile", "-1"),
        (["replay", "units", 0, "profile"], {"wings": 2}, "replay.units[0].profile", "wings"),
        (["replay", "log", 0], 7, "replay.log[0]", "must be an object"),
        (["replay", "log", 0], {}, "replay.log[0]", "unit"),
        (["replay", "log", 0, "unit"], 9, "replay.log", "unit 9 of 2 units"),
        (["replay", "log", 0, "cells"], [[0, 0]], "replay.log[0]", "at least 2 cells"),
        (["replay", "log", 0, "cells"], [[0, 0], [9**30, 0]], "replay.log", "outside the map"),
        (["replay", "log", 0, "spent"], 99, "replay.log", "spends 99 points of Mira"),
        (["replay", "log", 2, "team"], None, "replay.log[2]", "team"),
        (["replay", "log", 2, "team"], "red", "replay.log", "ends a turn of red"),
    ],
)
def test_a_bad_file_names_its_field(file, path, value, field, problem):
    file.write_text(json.dumps(changed(json.loads(file.read_text()), path, value)))
    with pytest.raises(MapFileError, match=re.escape(problem)) as caught:
        GameRecord.load(file)
    assert (caught.value.source, caught.value.field) == (str(file), field)


def test_a_log_that_takes_too_much_memory_is_refused(file):
    fields = json.loads(file.read_text())
    fields["replay"]["units"] *= 500
    fields["replay"]["log"] *= 501
    file.write_text(json.dumps(fields))
    with pytest.raises(MapFileError, match="at most 2000000, got 1000 x 2004") as caught:
        GameRecord.load(file)
    assert caught.value.field == "replay.log"


def test_a_file_that_is_no_map_is_refused(tmp_path):
    with pytest.raises(MapFileError, match="there is no such file"):
        GameRecord.load(tmp_path / "none.tmap")


def test_profiles_are_written_in_full():
    profile = MoveProfile(
        **{"climb_cost": (1, 3), "kind_cost": {"water": None, "swamp": np.float64(2)}},
        **{"no_stop": {"road", "sand"}, "leap": 2, "ignores_zoc": True},
    )
    board = Board(ground(FIELD))
    board.add(Unit("Mira", (0, 0), profile=profile))
    [entry] = json.loads(json.dumps(GameRecord.of(board).as_dict()))["units"]
    assert entry["profile"] == {
        "climb_cost": [1, 3],
        "kind_cost": {"water": None, "swamp": 2},
        "no_stop": ["road", "sand"],
        "leap": 2,
        "ignores_zoc": True,
    }
