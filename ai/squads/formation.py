"""Goals for several units around one cell, in the shape of their formation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ai.navigation.blockers import NO_CELLS
from ai.navigation.navigation import Navigation
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike

Ints = NDArray[np.int64]


def formation(
    navigation: Navigation,
    starts: Sequence[CellLike],
    target: CellLike,
    profile: MoveProfile | Sequence[MoveProfile] = DEFAULT_PROFILE,
    *,
    blocked: Iterable[CellLike] = NO_CELLS,
) -> list[Cell]:
    """Return a different goal for each unit around a cell.

    The most central unit leads: its wanted goal is the target. The wanted goals of the others have
    the same offsets from the target as the units have from the leader. A unit that cannot reach its
    wanted goal or stop there gets the nearest free cell by grid distance. Ties go to the cell
    nearest to the target, then nearest to its level, then the first by deck, row and column. The
    assignment is greedy and does not minimize the sum of distances. First each unit whose wanted
    goal is open gets it; then the others choose, those nearest to the target first.

    Parameters
    ----------
    starts : sequence of cells
        One per unit.
    profile : MoveProfile, or sequence of MoveProfile
        One for all units, or one per unit. Each unit covers one tile.
    blocked : cells
        Cells of other units.

    Returns
    -------
    list of Cell
        One per unit; the unit's own cell if it can reach no free cell.
    """
    tilemap = instance_of("navigation", navigation, Navigation).tilemap
    cells = [tilemap.cell(cell) for cell in listed("starts", starts)]
    center = tilemap.cell(target)
    profiles = profiles_of(profile, len(cells))
    if len(profiles) != len(cells):
        raise ValueError(f"got {len(cells)} starts and {len(profiles)} profiles")
    if not cells:
        return []
    others = sorted({tilemap.cell(cell) for cell in listed("blocked", blocked)} - {*cells})
    offsets = _offsets(tilemap, cells)
    order = np.argsort(tilemap.grid.lengths(offsets), kind="stable").tolist()
    stay: list[int] = []
    while True:
        assignment = _Assignment(navigation, center, [*others, *(cells[unit] for unit in stay)])
        found = {unit: cells[unit] for unit in stay}
        for is_exact, unit in itertools.product((True, False), order):
            if unit not in found:
                goal = assignment.take(
                    cells[unit], profiles[unit], offsets[unit], is_exact=is_exact
                )
                if goal is not None:
                    found[unit] = goal
        lost = [unit for unit in order if unit not in found]
        if not lost:
            return [found[unit] for unit in range(len(cells))]
        stay += lost  # their own cell, the only one they can reach, went to another unit


def profiles_of(profile: MoveProfile | Sequence[MoveProfile], n_units: int) -> list[MoveProfile]:
    """Return one profile per unit.

    Raises `TypeError` for what is not a MoveProfile, `ValueError` if its units cover several tiles.
    """
    profiles = listed("profile", profile) if isinstance(profile, Iterable) else [profile] * n_units
    for each in profiles:
        if instance_of("a profile", each, MoveProfile).size > 1:
            raise ValueError(f"units of a squad cover 1 tile, got one of size {each.size}")
    return profiles


def _offsets(tilemap: TileMap, cells: Sequence[Cell]) -> Ints:
    """Return (n_units, 2) the offset of each unit from the most central one on the grid's plane."""
    plane = tilemap.grid.plane().astype(np.int64)
    at = np.array([plane[cell.row, cell.col] for cell in cells])
    distance = np.abs(at[:, None] - at[None]).sum(axis=(1, 2))
    offsets: Ints = at - at[int(np.argmin(distance))]
    return offsets


class _Assignment:
    """Assigns the free cells around a target to units; units on blocked cells do not move."""

    def __init__(self, navigation: Navigation, target: Cell, blocked: list[Cell]) -> None:
        self._navigation, self._blocked = navigation, blocked
        tilemap, graph = navigation.tilemap, navigation.profile_graph()
        self._cell_of, self._node_of = graph.nodes.cell, graph.nodes.of
        self._taken = {*np.flatnonzero(graph.is_void), *map(graph.nodes.of, blocked)}
        plane = tilemap.grid.plane().astype(np.int64)
        offsets = (plane - plane[target.row, target.col]).reshape(-1, 2)
        self._offsets = np.tile(offsets, (tilemap.n_decks + 1, 1))
        level = graph.level.astype(np.int64)
        self._level_difference = np.abs(level - level[graph.nodes.of(target)])
        self._ordered: dict[bytes, list[int]] = {}
        self._is_reached: dict[tuple[Cell, MoveProfile], NDArray[np.bool_]] = {}

    def take(
        self, start: Cell, profile: MoveProfile, offset: Ints, *, is_exact: bool
    ) -> Cell | None:
        """Take the best free cell for a unit; with `is_exact` only one at the wanted offset."""
        nodes = self._nodes_at(offset) if is_exact else self._nodes_by_distance(offset)
        for node in nodes:
            if node not in self._taken and self._is_open(start, self._cell_of(node), profile):
                self._taken.add(node)
                return self._cell_of(node)
        return None

    def _nodes_at(self, offset: Ints) -> list[int]:
        """Return the surfaces at an offset, the nearest to the target's level first."""
        nodes = np.flatnonzero((self._offsets == offset).all(axis=1))
        difference = self._level_difference[nodes]
        order: list[int] = nodes[np.argsort(difference, kind="stable")].tolist()
        return order

    def _nodes_by_distance(self, offset: Ints) -> list[int]:
        key = offset.tobytes()
        if key not in self._ordered:
            lengths = self._navigation.tilemap.grid.lengths
            from_offset, from_target = lengths(self._offsets - offset), lengths(self._offsets)
            order = np.lexsort((self._level_difference, from_target, from_offset))
            self._ordered[key] = order.tolist()
        return self._ordered[key]

    def _is_open(self, start: Cell, cell: Cell, profile: MoveProfile) -> bool:
        """Return whether a unit can reach a cell and stop there."""
        navigation = self._navigation
        if start != cell and navigation.explain_stop(cell, profile):
            return False
        if not navigation.is_reachable(start, cell, profile):
            return False
        if not self._blocked:
            return True
        if (start, profile) not in self._is_reached:
            reach = navigation.reach(start, math.inf, profile, blocked=self._blocked)
            self._is_reached[start, profile] = np.isfinite(reach.as_costs(decks=True)).reshape(-1)
        return bool(self._is_reached[start, profile][self._node_of(cell)])
