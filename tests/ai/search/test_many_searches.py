"""Many searches in one call, on graphs so large that few fit between two clearings."""

import numpy as np
import pytest

from ai.search import Course, Graph, Plane
from ai.search.workspace import WholeScratch


@pytest.mark.parametrize("n_eras", [1, 7, 255])
def test_all_ways_are_found_however_few_searches_fit(n_eras):
    count = 50
    steps = np.full((count, 2), 1, dtype=np.uint8)
    steps[0, 0] = steps[-1, 1] = 255
    offset = np.array([[-1, 1]])
    plane = Plane(count, np.zeros(count, dtype=np.int16))
    course = Course(Graph(steps, offset, None, None, plane))
    scratch = WholeScratch(count)
    scratch._first_era, scratch.era = n_eras, n_eras + 1
    rng = np.random.default_rng(3)
    starts, goals = rng.integers(0, count, (2, 600), dtype=np.int32)
    for _ in range(2):
        found = course.search_many(scratch, starts, goals)
        assert [len(way) for way in found] == (abs(starts - goals) + 1).tolist()
        scratch.one_source[0] = 3
        course.search(scratch, scratch.one_source, scratch.no_cost, 9)
        assert len(scratch.found_path()) == 7
