"""Threat: which enemies could reach each tile, against the reach of each enemy."""

import math
from contextlib import suppress

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ai import Board, MoveProfile, Unit
from tests.support.boards import posted
from tests.support.reference import cells_of, profiles, thoroughly, tilemaps

MOVERS = (
    MoveProfile(size=2, max_climb=5, max_drop=5),
    MoveProfile(can_fly=True),
    MoveProfile(warp=2),
    MoveProfile(leap=1),
)


def covered(reach, size):
    """(rows, cols) what a mover of size x size tiles could cover."""
    mask = np.zeros_like(reach.as_mask())
    for row, col, _ in reach.cells:
        mask[row : row + size, col : col + size] = True
    return mask


@st.composite
def boards(draw):
    """Draw boards without turns, whose `reach` is that with all points."""
    tilemap = draw(tilemaps(max_side=6))
    board, cells = Board(tilemap), cells_of(tilemap)
    kinds = draw(st.lists(profiles, min_size=1, max_size=3))  # shared by several units
    for number in range(draw(st.integers(0, 8))):
        unit = Unit(
            f"unit {number}",
            draw(st.sampled_from(cells)),
            draw(st.sampled_from(["blue", "red", "green"])),
            draw(st.sampled_from([*kinds, *MOVERS])),
            draw(st.sampled_from([0, 2, 5, math.inf])),
            has_zoc=draw(st.booleans()),
        )
        with suppress(ValueError):  # it cannot stand there
            board.add(unit)
    return board


@thoroughly(150)
@given(boards(), st.sampled_from(["blue", "red", "nobody"]))
def test_a_tile_counts_every_enemy_that_reaches_it(board, team):
    threat = board.threat(team)
    enemies = [unit for unit in board.units if unit.team != team]
    masks = {unit: covered(board.reach(unit), unit.profile.size) for unit in enemies}
    shape = board.tilemap.level.shape
    assert threat.count.tolist() == sum(masks.values(), np.zeros(shape, int)).tolist()
    for cell in np.ndindex(shape):
        assert threat.by(cell) == tuple(unit for unit in enemies if masks[unit][cell])


def test_threat_is_that_of_all_points_whoever_acts():
    picture = "a...\n...B"
    free, _ = posted(picture, all={"move": 2})
    board = Board(free.tilemap, turns="sides")
    for unit in free.units:
        board.add(Unit(unit.name, unit.cell, unit.team, move=2, has_zoc=unit.has_zoc))
    assert board.threat("blue").count.tolist() == free.threat("blue").count.tolist()
    board.end_turn()
    board.move(board.units[1], (1, 2))
    free.move(free.units[1], (1, 2))
    assert board.units[1].points == 1
    assert board.threat("blue").count.tolist() == free.threat("blue").count.tolist()


def test_a_wide_enemy_reaches_every_tile_that_it_could_cover():
    board, units = posted("AA..\nAA..\n....", A={"profile": MoveProfile(size=2), "move": 1})
    threat = board.threat("blue")
    assert threat.count.tolist() == [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 0]]
    assert {cell[:2] for cell in threat.cells} == set(zip(*threat.count.nonzero(), strict=True))
    assert threat.by((2, 1)) == (units["A"],)


def test_a_unit_without_ground_threatens_nothing():
    board, _ = posted("a.B")
    with board.tilemap.edit() as edit:
        edit.add_deck([(0, 1)], level=4, kind="road")
    flyer = board.add(Unit("Ilka", (0, 1, 1), "red"))
    assert flyer in board.threat("blue").by((0, 1))
    with board.tilemap.edit() as edit:
        edit.remove_deck([(0, 1)], deck=1)
    assert flyer not in board.threat("blue").by((0, 1))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("move", 1),
        ("team", "blue"),
        ("profile", MoveProfile(max_climb=0)),
        ("has_zoc", False),
    ],
)
def test_threat_is_found_again_only_if_something_has_changed(name, value):
    board, units = posted("a.B..\n....C", "00000\n10000", all={"move": 3})
    before = board.threat("blue")
    board.reach(units["a"])
    assert board.threat("blue") is before
    setattr(units["B"], name, value)
    after = board.threat("blue")
    assert after is not before
    twin = Board(board.tilemap)
    for u in board.units:
        twin.add(Unit(u.name, u.cell, u.team, u.profile, u.move, has_zoc=u.has_zoc))
    assert after.count.tolist() == twin.threat("blue").count.tolist()


def test_the_count_is_read_only():
    board, _ = posted("a.B")
    with pytest.raises(ValueError, match="read-only"):
        board.threat("blue").count[0, 0] = 7
