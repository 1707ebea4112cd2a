"""The plan of a valley: where its river, roads, bridge and cliff are relative to each other."""

import numpy as np
import pytest

from terrain3d.generate.relief import MIN_SIZE, plan_valley

VALLEYS = [
    plan_valley(rows, cols, seed)
    for seed in range(60)
    for rows, cols in ((18, 18), (20, 31), (33, 24), (24, 48))
]


def column_of(mask):
    (column,) = np.nonzero(mask.any(axis=0))[0]
    return column


def test_the_bridge_is_in_the_middle_third_and_spans_the_bed():
    for valley in VALLEYS:
        cols, at = valley.bridge.shape[1], column_of(valley.bridge)
        assert cols // 3 <= at <= 2 * cols // 3
        assert (valley.bridge[:, at] == valley.bed[:, at]).all()
        assert valley.deep[:, at - 1 : at + 2].any(axis=0).all()  # no ford beside it


def test_the_bridge_is_as_short_as_any_between_the_same_fords():
    for valley in VALLEYS:
        at = column_of(valley.bridge)
        span = valley.bed.sum(axis=0)
        for near in (at - 1, at + 1):
            is_ford = not valley.deep[:, [near - 1, near, near + 1]].any(axis=0).all()
            inside = valley.bridge.shape[1] // 3 <= near <= 2 * valley.bridge.shape[1] // 3
            too_near = not valley.deep[:, near - 2 : near + 3].any(axis=0).all()
            assert is_ford or too_near or not inside or span[near] >= span[at]


def test_water_and_roads_are_apart_but_for_the_bridge():
    for valley in VALLEYS:
        assert not (valley.deep & valley.shallow).any()
        assert not (valley.road & valley.bed).any()
        assert not (valley.towpath & valley.water).any()
        assert (valley.bridge <= valley.bed).all()
        assert (valley.bridgeheads <= valley.road).all()
        at = column_of(valley.bridge)
        rows = np.nonzero(valley.bridge[:, at])[0]
        assert {rows[0] - 1, rows[-1] + 1} <= set(np.nonzero(valley.bridgeheads[:, at])[0])


def test_the_river_and_its_towpath_fill_every_column_once():
    for valley in VALLEYS:
        for mask in (valley.water, valley.towpath):
            for column in mask.T:
                (rows,) = np.nonzero(column)
                assert rows[-1] - rows[0] + 1 == len(rows)
        north = valley.towpath.argmax(axis=0) + valley.towpath.sum(axis=0)
        assert (north == valley.water.argmax(axis=0)).all()


def test_the_cliff_is_at_the_north_border_on_the_wider_side_of_the_road():
    for valley in VALLEYS:
        cols, at = valley.bridge.shape[1], column_of(valley.bridge)
        (behind,) = np.nonzero(valley.plateau.any(axis=0))
        assert (np.diff(behind) == 1).all()
        assert min(5, cols) <= len(behind) <= max(5, cols // 3)
        assert (behind > at).all() if 2 * at < cols else (behind < at).all()
        assert 0 <= behind[0] <= behind[-1] < cols
        assert not (valley.plateau & (valley.road | valley.bed)).any()
        for column in behind:
            rows = np.nonzero(valley.plateau[:, column])[0]
            assert rows.tolist() == list(range(len(rows)))  # from the border on
            assert (valley.below[:, column] == ~valley.plateau[:, column]).all()
        assert not valley.below[:, ~valley.plateau.any(axis=0)].any()


@pytest.mark.parametrize("size", [(MIN_SIZE - 1, 40), (40, MIN_SIZE - 1)])
def test_a_small_map_has_no_valley(size):
    valley = plan_valley(*size, 3)
    masks = valley.deep, valley.shallow, valley.road, valley.towpath, valley.bridge, valley.plateau
    assert not any(mask.any() for mask in masks)
    assert plan_valley(MIN_SIZE, MIN_SIZE, 3).road.any()
