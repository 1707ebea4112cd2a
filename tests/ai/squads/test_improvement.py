"""Tests of how the improvement of a plan divides its work between sizes of groups."""

from collections import Counter

import numpy as np
import pytest

from ai.squads.planners import lacam
from ai.squads.planners.lacam import _CROWD_WORK, improve_plan
from ai.squads.task import Budget

WORK = {0: 500, 1: 100, 2: 200, 4: 400, 8: 800, 16: 10_000}


@pytest.mark.parametrize("best", [None, 1, 16])
def test_work_is_divided_by_what_sizes_save_for_it(monkeypatch, best):
    spent = Counter()

    class SavesByWork:
        """A plan in which an attempt saves in proportion to its work, or 100 times as much."""

        def __init__(self, *_):
            self.delays, self.costs, self.paths = np.array([1e10]), np.array([1e10]), []

        def replan_group(self, size, budget):
            budget.spend(WORK[size])
            work = WORK[size] * (1 if size else _CROWD_WORK)
            spent[size] += work
            self.delays = self.delays - work * (100 if size == best else 1)

        def replan_all(self, budget):
            self.replan_group(0, budget)

    monkeypatch.setattr(lacam, "_Plan", SavesByWork)
    improve_plan([None], (), Budget(10_000_000, 1e9), 0)
    shares = {size: spent[size] / spent.total() for size in WORK}
    if best is None:
        assert min(shares.values()) > 0.12, shares
        assert max(shares.values()) < 0.25, shares
    else:
        assert 0.4 < shares[best] < 0.9, shares
