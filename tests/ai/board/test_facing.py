"""Facing: a unit turns toward a tile where it stands, with undo, log, digest and turns."""

import pytest

from ai import Board, Commander, MoveRefused, Unit
from terrain3d import TileMap

FIELD = "000\n000\n000"


def board_of(turns=None, **options):
    board = Board(TileMap.from_text(FIELD), turns=turns)
    board.add(Unit("Mira", cell=(1, 1), **options))
    board.add(Unit("Bram", cell=(2, 2), team="red"))
    return board, board.units[0]


@pytest.mark.parametrize(
    ("cell", "heading_deg"),
    [((0, 1), 0), ((1, 0), 90), ((2, 1), 180), ((1, 2), -90), ((0, 0), 45), ((2, 2), -135)],
)
def test_a_unit_faces_the_tile_and_stays_where_it_is(cell, heading_deg):
    board, mira = board_of(heading_deg=10)
    board.face(mira, cell)
    assert mira.cell == (1, 1, 0)
    assert (mira.pose.heading_deg - heading_deg) % 360 == pytest.approx(0)


@pytest.mark.parametrize("turns", [None, "sides", "wait"])
def test_undo_redo_and_replay_restore_heading_and_digest(turns):
    board, mira = board_of(turns)
    digests = [board.digest()]
    board.move(mira, (1, 2))
    mira.advance(9)
    digests.append(board.digest())
    board.face(mira, (0, 2))
    digests.append(board.digest())
    assert len(set(digests)) == 3
    copies = [Unit("Mira", cell=(1, 1)), Unit("Bram", cell=(2, 2), team="red")]
    more = {} if turns is None else {"turns": turns}
    again = Board.replay(TileMap.from_text(FIELD), copies, board.log, **more)
    assert again.digest() == digests[2]
    for each in (board, again):
        assert each.undo()
        assert each.digest() == digests[1]
        assert each.undo()
        assert each.digest() == digests[0]
        assert each.redo()
        each.units[0].advance(9)
        assert each.redo()
        assert each.digest() == digests[2]


def test_facing_where_it_looks_already_or_its_own_tile_is_no_order():
    board, mira = board_of()
    board.face(mira, (0, 1))
    board.face(mira, (1, 1))
    assert board.log == ()


def test_a_walking_unit_and_one_whose_turn_it_is_not_are_refused():
    board, mira = board_of()
    board.move(mira, (0, 0))
    with pytest.raises(MoveRefused, match="Mira cannot turn: it is still walking"):
        board.face(mira, (2, 2))
    board, mira = board_of("sides")
    bram, before = board.units[1], board.digest()
    with pytest.raises(MoveRefused, match="Bram cannot turn: it is blue's turn"):
        board.face(bram, (0, 0))
    assert board.digest() == before


def test_a_commander_turns_the_selected_unit_toward_its_aim_or_says_what_is_missing():
    board, mira = board_of()
    commander, refused = Commander(board), []
    commander.refused.connect(refused.append)
    commander.face_aim()
    assert refused == ["Select a unit and aim at the tile that it should face"]
    commander.select(mira)
    commander.aim_at((1, 0))
    commander.face_aim()
    assert mira.heading_deg == pytest.approx(90)
    commander.undo()
    assert mira.heading_deg == 0
    assert len(refused) == 1
