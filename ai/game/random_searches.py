"""Searches between random ends of a board's map, for the search theatre."""

from functools import partial

import numpy as np

from ai.board.board import Board
from ai.rules.profile import MoveProfile
from ai.trace.comparison import Begin

FARTHEST = 40
"""The most that a path between the ends costs."""

_TRIES = 100


class RandomSearches:
    """Draws a start where a mover may stand, and a goal that it can reach from there."""

    def __init__(self, board: Board, seed: int) -> None:
        self._board, self._random = board, np.random.default_rng(seed)

    def draw(self, profile: MoveProfile) -> Begin | None:
        """Return what begins the next search; None if no drawn start leads anywhere."""
        tilemap, navigation = self._board.tilemap, self._board.navigation
        for _ in range(_TRIES):
            start = tuple(self._random.integers((tilemap.rows, tilemap.cols)).tolist())
            if navigation.explain_stop(start, profile):
                continue
            reach = navigation.reach(start, FARTHEST, profile)
            if len(reach) > 1:
                least = reach.cost_to(reach.cells[-1]) / 2
                far = [cell for cell in reach if reach.cost_to(cell) >= least]
                goal = far[int(self._random.integers(len(far)))]
                return partial(navigation.begin_search, reach.cells[0], goal)
        return None
