"""Targets: what a unit can hit from its cell and after a move, and the threat of weapons."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Weapon
from ai.board.attack import AttackRange
from tests.ai.board.test_threat import boards, covered
from tests.support.boards import posted
from tests.support.reference import thoroughly

SWORD = Weapon(max_up=2, max_down=3)
BOW = Weapon(min_tiles=2, max_tiles=4, tiles_per_level_down=0.5, tiles_per_level_up=0.5)
weapons = st.sampled_from([SWORD, BOW, Weapon(2, 3, arc=3), Weapon(1, 2, arc=math.inf)])


def test_a_bow_hits_farther_from_the_hill_and_a_sword_only_after_a_step():
    board, units = posted("a.....B..", "400000000", all={"move": 2})
    archer, enemy = units["a"], units["B"]
    from_hill = board.targets(archer, BOW)
    assert from_hill.units == (enemy,)
    assert (0, 6, 0) in from_hill.cells
    assert (0, 7, 0) not in from_hill.cells
    assert from_hill.from_cells == {enemy: ((0, 0, 0),)}  # the hill is too high to climb down
    assert board.targets(archer, SWORD).cells == ()


def test_cells_to_attack_from_are_sorted_by_cost():
    board, units = posted("a..B\n....", all={"move": 3}, B={"has_zoc": False})
    targets = board.targets(units["a"], SWORD)
    assert targets.units == ()
    assert targets.from_cells == {units["B"]: ((0, 2, 0),)}
    near = board.targets(units["a"], Weapon(max_tiles=2))
    assert near.from_cells[units["B"]] == ((0, 1, 0), (0, 2, 0), (1, 2, 0))
    assert repr(near) == "<Targets: 0 now, 1 after a move>"


def test_allies_and_the_own_body_are_no_targets():
    board, units = posted("aab\naa.\nC..", a={"profile": MoveProfile(size=2)})
    targets = board.targets(units["a"], SWORD)
    assert targets.units == (units["C"],)
    assert sorted(targets.cells) == [(0, 2, 0), (1, 2, 0), (2, 0, 0), (2, 1, 0)]


@pytest.mark.parametrize("gain", [0.5, 20])
def test_no_range_grows_beyond_the_longest_one(gain):
    board, units = posted("a" + "." * 79, "9" + "0" * 79)
    weapon = Weapon(max_tiles=60, tiles_per_level_down=gain)
    hit = board.targets(units["a"], weapon).cells
    assert max(col for _, col, _ in hit) == 64
    flat, on_flat = posted("a" + "." * 79, "0" * 79 + "9")
    assert max(col for _, col, _ in flat.targets(on_flat["a"], weapon).cells) == 60


def hits_from(board, unit, weapon, cell):
    """Return what a unit hits that stands on a cell, from each of its tiles."""
    size = unit.profile.size
    tiles = [
        board.tilemap.cell((cell.row + down, cell.col + right, cell.deck))
        for down in range(size)
        for right in range(size)
    ]
    hits = AttackRange(board.tilemap, weapon).hits(
        [tile for tile in tiles if not board.tilemap.is_void(tile)]
    )
    return {tuple(end) for found in hits for end in found.tolist()} - set(tiles)


@thoroughly(30)
@given(boards(), weapons)
def test_targets_are_those_of_each_cell_that_is_reached(board, weapon):
    for unit in board.units:
        targets = board.targets(unit, weapon)
        here = hits_from(board, unit, weapon, unit.cell)
        assert set(targets.cells) == here
        enemies = [other for other in board.units if other.team != unit.team]
        assert targets.units == tuple(other for other in enemies if here & set(other.cells))
        reach = board.reach(unit)
        stands = {cell: hits_from(board, unit, weapon, cell) for cell in [unit.cell, *reach]}
        expected = {
            other: {cell for cell, hits in stands.items() if hits & set(other.cells)}
            for other in enemies
        }
        found = {other: set(cells) for other, cells in targets.from_cells.items()}
        assert found == {other: cells for other, cells in expected.items() if cells}
        for cells in targets.from_cells.values():
            costs = [reach.cost_to(cell) for cell in cells if cell in reach]
            assert costs == sorted(costs)


@thoroughly(30)
@given(boards(), weapons, weapons)
def test_threat_counts_what_enemies_could_reach_or_hit(board, weapon, other):
    armed = dict(zip(board.units[::2], [weapon, other] * 4, strict=False))
    threat = board.threat("blue", armed)
    enemies = [unit for unit in board.units if unit.team != "blue"]
    count = np.zeros(board.tilemap.level.shape, int)
    for unit in enemies:
        mask = covered(board.reach(unit), unit.profile.size)
        for cell in board.reach(unit).cells if unit in armed else ():
            for row, col, _ in hits_from(board, unit, armed[unit], cell):
                mask[row, col] = True
        count += mask
        for row, col in np.ndindex(mask.shape):
            assert (unit in threat.by((row, col))) == mask[row, col]
    assert threat.count.tolist() == count.tolist()
    assert {cell[:2] for cell in threat.cells} == set(zip(*count.nonzero(), strict=True))
    assert board.threat("blue", armed) is threat


def test_weapons_of_units_that_are_elsewhere_are_refused():
    board, _ = posted("a.B")
    _, others = posted("a.B")
    with pytest.raises(ValueError, match="a is not on this board"):
        board.threat("blue", {others["a"]: SWORD})
    with pytest.raises(TypeError, match="a weapon must be"):
        board.threat("blue", {board.units[0]: "sword"})
    with pytest.raises(TypeError, match="weapon must be"):
        board.targets(board.units[0], 3)
