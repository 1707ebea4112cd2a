"""Tests of formations as pictures: units keep their shape where the ground allows it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation, formation
from terrain3d import TileMap
from tests.support import joint_moves_reference
from tests.support.plain_map import axial
from tests.support.strategies import cells_to_ask, profiles, tilemaps
from tests.support.walks import spanned


def assigned(picture, target, **more):
    """Draw the goals of the units in a picture, letters on level 0."""
    tilemap, cells = joint_moves_reference.read(picture)
    names = sorted(cells)
    goals = formation(Navigation(tilemap), [cells[name] for name in names], target, **more)
    rows = [list(row) for row in tilemap.to_text().split("\n")]
    for name, goal in zip(names, goals, strict=True):
        rows[goal.row][goal.col] = name
    return "\n".join(map("".join, rows))


def test_on_open_ground_the_shape_is_kept_around_the_central_unit():
    assert assigned("ba0000\n0c0000\n000000", (1, 4)) == "000000\n000ba0\n0000c0"


def test_a_unit_whose_wanted_goal_is_missing_takes_the_nearest_free_cell():
    # Ties: nearest to the target, then to its level, then the first cell.
    assert assigned("ba0000\n0c0000\n######", (1, 4)) == "0000c0\n000ba0\n######"
    assert assigned("ba0010\n0c0000\n######", (1, 4)) == "000010\n000bac\n######"


def test_goals_on_a_bridge_are_on_its_level():
    tilemap = spanned("30003\n30003\n30003", ([(1, 1), (1, 2), (1, 3)], 3))
    starts, target = [(1, 0), (0, 0)], (1, 2, 1)
    assert formation(Navigation(tilemap), starts, target) == [target, (0, 2, 0)]
    careful = MoveProfile(max_drop=2)
    assert formation(Navigation(tilemap), starts, target, careful) == [target, (1, 1, 1)]


def test_a_unit_that_can_reach_no_other_cell_keeps_its_own():
    pit = TileMap.from_text("0333")
    assert formation(Navigation(pit), [(0, 1), (0, 0)], (0, 0)) == [(0, 1, 0), (0, 0, 0)]


@pytest.mark.parametrize("target", [(4, 4), (5, 4)])
def test_on_hexagons_the_shape_is_kept_in_axial_coordinates(target):
    topology = "hex_odd_r"
    tilemap = TileMap.from_text("\n".join(["0" * 8] * 8), topology=topology)
    starts = [(1, 1), (1, 2), (2, 1), (0, 2)]
    goals = formation(Navigation(tilemap), starts, target)
    before, after = ([axial(topology, cell[:2]) for cell in each] for each in (starts, goals))
    assert len(np.unique(np.subtract(after, before), axis=0)) == 1
    assert target in {goal[:2] for goal in goals}


def test_invalid_arguments_raise_errors():
    navigation = Navigation(TileMap.from_text("000"))
    with pytest.raises(ValueError, match="got 1 starts and 2 profiles"):
        formation(navigation, [(0, 0)], (0, 1), [MoveProfile()] * 2)
    with pytest.raises(ValueError, match="cover 1 tile, got one of size 2"):
        formation(navigation, [(0, 0)], (0, 1), MoveProfile(size=2))
    assert formation(navigation, [], (0, 1)) == []


@given(st.data())
def test_every_unit_gets_a_different_reachable_goal(data):
    tilemap = data.draw(tilemaps(max_side=4))
    cells = cells_to_ask(tilemap)
    starts = data.draw(st.permutations(cells))[:5]
    mover = data.draw(profiles(tilemap.topology).filter(lambda each: each.size == 1))
    others = data.draw(st.sets(st.sampled_from(cells), max_size=3)) - {*starts}
    navigation, target = Navigation(tilemap), data.draw(st.sampled_from(cells))
    goals = formation(navigation, starts, target, mover, blocked=others)
    assert len(set(goals)) == len(starts)
    for start, goal in zip(starts, goals, strict=True):
        assert start == goal or navigation.find_path(start, goal, mover, blocked=others)
