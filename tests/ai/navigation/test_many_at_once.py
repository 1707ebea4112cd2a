"""Many reaches and next steps in one call: the same as one by one, on all maps, for all movers."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.support.mixed_maps import cases, cells_to_ask
from tests.support.reference import costs, thoroughly

NOWHERE = [-1, -1, -1]


@thoroughly(200)
@given(cases(), costs, st.booleans(), st.booleans())
def test_they_equal_those_one_by_one(case, budget, is_priced, is_array):
    case.tell()
    navigation, profile = Navigation(case.tilemap), case.profile
    starts = cells_to_ask(case.tilemap)
    prices = np.arange(case.tilemap.rows * case.tilemap.cols) % 4
    how = {"extra_cost": prices.reshape(case.tilemap.rows, -1)} if is_priced else {}
    given = np.array(starts, np.int16) if is_array else starts
    many = navigation.reaches(given, budget, profile, **how)
    assert many.offsets[0] == 0
    assert many.offsets[-1] == len(many.cells) == len(many.costs)
    for start, (first, last) in zip(starts, pairwise(many.offsets), strict=True):
        one = navigation.reach(start, budget, profile, **how)
        assert [*map(tuple, many.cells[first:last].tolist())] == one.cells
        assert many.costs[first:last].tolist() == [one.cost_to(cell) for cell in one]
    field = navigation.cost_field(case.start, profile, blocked=case.blocked, **how)
    singly = [field.next_step(start) for start in starts]
    expected = [NOWHERE if step is None else [*step] for step in singly]
    assert field.next_steps(given).tolist() == expected


def test_more_starts_than_a_frontier_holds_at_once():
    navigation = Navigation(TileMap([[0] * 90] * 90))
    starts = [(row, col) for row in range(90) for col in range(0, 90, 30)]
    many = navigation.reaches(starts, 1000)
    assert (np.diff(many.offsets) == 90 * 90).all()
    assert navigation.reaches([], 3).offsets.tolist() == [0]


def test_mistakes_name_the_cell():
    navigation = Navigation(TileMap.from_text("000\n000"))
    for starts in ([(0, 0), (2, 0)], np.array([(0, 0), (2, 0)]), np.array([(0, 0), (-1, 0)])):
        with pytest.raises(IndexError, match=r"starts\[1\]: "):
            navigation.reaches(starts, 3)
    with pytest.raises(TypeError, match=r"cells must be \(n, 2\) or \(n, 3\), got \(3, 4\)"):
        navigation.cost_field((0, 0), MoveProfile()).next_steps(np.zeros((3, 4), int))
