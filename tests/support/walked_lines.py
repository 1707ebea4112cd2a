"""Straight lines of bodies over maps, sampled densely and checked by the rulebook."""

import functools
import itertools
import math

import numpy as np

from tests.support import rulebook
from tests.support.plain_map import columns, kind

RADIUS = 0.2
"""How far a body of one tile extends, by the page on agents."""

_EVERY = 0.01
_AROUND = [
    (share * math.cos(turn), share * math.sin(turn))
    for share in (RADIUS / 2, RADIUS - 2e-3)
    for turn in np.linspace(0, 2 * math.pi, 16, endpoint=False)
]


class Lines:
    """Checks lines between the points of a body's path, on a map as it is now."""

    def __init__(self, tilemap, profile, blocked=()):
        self._tilemap, self._profile = tilemap, profile
        self._blocked = set(map(tuple, blocked))
        self._columns = columns(tilemap)
        self._centers = np.array([tilemap.surface_point(column)[:2] for column in self._columns])
        shift = (profile.size - 1) / 2
        self._shift = np.array([shift, -shift])
        self.level_steps = functools.cache(self._level_steps)

    def _level_steps(self, cell):
        steps = rulebook.straight_steps(self._tilemap, self._profile, cell, self._blocked)
        return {
            end for end, cost in steps if cost < math.inf and self._level(end) == self._level(cell)
        }

    def _level(self, cell):
        inside = [
            tile
            for tile in rulebook.tiles(self._profile, cell)
            if tile[0] < self._tilemap.rows and tile[1] < self._tilemap.cols
        ]
        return max(int(self._tilemap.surface_level[deck, row, col]) for row, col, deck in inside)

    def column(self, point):
        """Return the column whose center is nearest: tiles are the regions of their centers."""
        away = self._centers + self._shift - point
        return self._columns[int((away * away).sum(axis=1).argmin())]

    def is_middle(self, point):
        row, col = self.column(point[:2])
        center = self._centers[self._columns.index((row, col))] + self._shift
        return math.dist(center, point[:2]) < 1e-9

    def check(self, cells, points):
        """Fail if a line touches what a body cannot step on.

        From the middle of a cell to the middle of the next it is a step, which has to be legal.
        """
        for start, end, here, there in zip(cells, cells[1:], points, points[1:], strict=False):
            if self.is_middle(here) and self.is_middle(there):
                steps = rulebook.steps_from(self._tilemap, self._profile, start, self._blocked)
                assert end in {tuple(step) for step, _ in steps}, (start, end)
                continue
            self.check_line(start, end, here, there)

    def check_line(self, start, end, here, there):
        """Fail if a straight line between two cells is not one over level, legal ground."""
        cell = tuple(start)
        n_samples = 2 + int(math.dist(here[:2], there[:2]) / _EVERY)
        for share in np.linspace(0, 1, n_samples):
            point = np.array(here[:2]) + share * (np.array(there[:2]) - here[:2])
            cell = self._follow(cell, self._crossable(point))
            touched = {self.column(point + around) for around in _AROUND} - {cell[:2]}
            self._check_touched(cell, touched)
        at_end = self._crossable(np.array(there[:2]))
        assert {cell[:2], tuple(end)[:2]} <= at_end, (cell, end)

    def _crossable(self, point):
        """Return the columns at a point, several on a border."""
        away = np.hypot(*(self._centers + self._shift - point).T)
        return {self._columns[n] for n in np.flatnonzero(away < away.min() + 1e-6)}

    def _follow(self, cell, found):
        if cell[:2] in found:
            return cell
        for end in self.level_steps(cell):
            if end[:2] in found:
                return end
        for middle in self.level_steps(cell):  # exactly over a corner
            for end in self.level_steps(middle):
                if end[:2] in found:
                    return end
        raise AssertionError(f"no legal, level step leads from {cell} to {found}")

    def _check_touched(self, cell, touched):
        reached = {end for end in self.level_steps(cell) if end[:2] in touched}
        reached |= {
            end for each in set(reached) for end in self.level_steps(each) if end[:2] in touched
        }
        missing = touched - {end[:2] for end in reached}
        assert not missing, (cell, missing)


def length(points):
    """Return the length of a line seen from above."""
    return sum(math.dist(a[:2], b[:2]) for a, b in itertools.pairwise(points))


def weighted_length(tilemap, profile, points):
    """Return the length of a line, each part times the cost to enter its ground.

    The cost of a tile that cannot be entered, where a path may start, is 0.
    """
    lines, total = Lines(tilemap, profile), 0.0
    for here, there in itertools.pairwise(points):
        n_parts = 1 + int(math.dist(here[:2], there[:2]) / _EVERY)
        part = math.dist(here[:2], there[:2]) / n_parts
        for number in range(n_parts):
            share = (number + 0.5) / n_parts
            point = np.array(here[:2]) + share * (np.array(there[:2]) - here[:2])
            column = lines.column(point)
            under = [tile[:2] for tile in rulebook.tiles(profile, (*column, 0))]
            costs = [
                rulebook.entry_cost(profile, kind(tilemap, (*tile, 0)))
                for tile in under
                if tile[0] < tilemap.rows and tile[1] < tilemap.cols
            ]
            cost = 1 if profile.can_fly else max(costs)
            total += part * cost if cost < math.inf else 0
    return total
