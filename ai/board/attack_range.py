"""Find the surfaces that a weapon hits from others."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ai.navigation.line_of_sight import LineOfSight
from ai.rules.weapon import MAX_TILES, Weapon
from terrain3d import Cell, TileMap, make_grid


class AttackRange:
    """The surfaces that a weapon hits from each surface; kept until an edit in range."""

    def __init__(self, tilemap: TileMap, weapon: Weapon) -> None:
        self._tilemap, self._weapon = tilemap, weapon
        self._sight = LineOfSight(tilemap)
        self._class = make_grid(tilemap.topology, 2, 2).cell_class()
        self._version, self._far = tilemap.version, self._farthest(tilemap.top_level)
        self._hits: dict[Cell, NDArray[np.int64]] = {}

    def hits(self, cells: Sequence[Cell]) -> list[NDArray[np.int64]]:
        """Return (n, 3) row, column and deck of the surfaces hit from each of several surfaces."""
        self._drop_outdated()
        unknown = [cell for cell in dict.fromkeys(cells) if cell not in self._hits]
        if unknown:
            self._hits.update(zip(unknown, self._found(np.array(unknown)), strict=True))
        return [self._hits[cell] for cell in cells]

    def _found(self, starts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return what is hit from each of (n, 3) surfaces, in reading order."""
        tilemap = self._tilemap
        levels, is_void = tilemap.surface_level.astype(np.int64), tilemap.surface_void
        rows, cols, decks = starts.T
        far = self._farthest(int(levels[decks, rows, cols].max()))
        classes = self._class[rows & 1, cols & 1]
        numbers, ends = [np.zeros(0, dtype=np.int64)], [np.zeros((0, 3), dtype=np.int64)]
        for cell_class in np.unique(classes).tolist():
            here = np.flatnonzero(classes == cell_class)
            for down, right, steps in self._offsets(cell_class, far):
                row, col = rows[here] + down, cols[here] + right
                inside = (row >= 0) & (row < tilemap.rows) & (col >= 0) & (col < tilemap.cols)
                for deck in range(len(levels)):
                    exists = np.flatnonzero(inside)
                    exists = exists[~is_void[deck, row[exists], col[exists]]]
                    end = np.stack([row[exists], col[exists], np.full(len(exists), deck)], axis=1)
                    number = here[exists]
                    hit = self._is_hit(starts[number], end, steps, levels)
                    numbers.append(number[hit])
                    ends.append(end[hit])
        number, end = np.concatenate(numbers), np.concatenate(ends)
        order = np.argsort(number, kind="stable")
        return np.split(end[order], np.cumsum(np.bincount(number, minlength=len(starts)))[:-1])

    def _farthest(self, level: int) -> int:
        """Return how many tiles away a target can be at most from a surface of a level."""
        tilemap, weapon = self._tilemap, self._weapon
        far = weapon.max_tiles + weapon.tiles_per_level_down * level
        return math.floor(min(far, MAX_TILES, tilemap.rows + tilemap.cols))

    def _drop_outdated(self) -> None:
        """Drop the answers that edits since the last call could have changed."""
        tilemap, before = self._tilemap, self._far
        if self._version == tilemap.version:
            return
        rects, self._far = tilemap.changed_rects(self._version), self._farthest(tilemap.top_level)
        shape = max(before, self._far), tilemap.rows, tilemap.cols
        near = [rect.grown(*shape) for rect in rects]
        self._version = tilemap.version
        self._hits = {
            cell: hits
            for cell, hits in self._hits.items()
            if not any(rect.holds(cell) for rect in near)
        }

    def _offsets(self, cell_class: int, far: int) -> Iterator[tuple[int, int, int]]:
        """Yield rows down, columns right and steps to all tiles in range of cells of a class."""
        center = np.argwhere(self._class == cell_class)[0] + far + far % 2
        grid = make_grid(self._tilemap.topology, *(center + far + 1).tolist())
        plane = grid.plane()
        steps = grid.lengths(plane - plane[tuple(center)])
        for place in np.argwhere((steps >= self._weapon.min_tiles) & (steps <= far)):
            yield *(place - center).tolist(), int(steps[tuple(place)])

    def _is_hit(
        self,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        steps: int,
        levels: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """(n,) bool, which of several ends at one offset are hit from their starts."""
        weapon = self._weapon
        drop = levels[tuple(starts.T[[2, 0, 1]])] - levels[tuple(ends.T[[2, 0, 1]])]
        gained = weapon.tiles_per_level_down * np.maximum(drop, 0)
        lost = weapon.tiles_per_level_up * np.maximum(-drop, 0)
        is_hit = (drop >= -weapon.max_up) & (drop <= weapon.max_down)
        is_hit &= steps <= weapon.max_tiles + gained - lost
        rest = np.flatnonzero(is_hit)
        if len(rest) and weapon.arc != math.inf:
            is_hit[rest] = self._sight.are_open(starts[rest], ends[rest], arc=int(weapon.arc))
        result: NDArray[np.bool_] = is_hit
        return result
