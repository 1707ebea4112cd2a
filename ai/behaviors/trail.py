"""Follow the trail of crumbs that another mover drops, as far as the follower sees it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ai.behaviors.behavior import PathBehavior
from ai.behaviors.explore import Wander
from ai.board.situation import Situation
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import instance_of, number_within, optional, whole_within
from terrain3d.grid.grid import CellLike, as_cell


class Crumb(NamedTuple):
    """A cell where a mover was; crumbs are numbered from 0 in the order of dropping."""

    cell: Cell
    data: object
    number: int


class Trail:
    """The latest crumbs of one mover, the newest first, at most one on each cell.

    `unit.step_finished.connect(trail.drop)` makes a unit drop them as it walks.

    Parameters
    ----------
    max_crumbs : int
        The most crumbs to keep, >= 1; the oldest are removed first.
    spacing_tiles : number
        The least distance from the newest crumb to the next one, >= 0, as on open, flat ground. A
        step to another deck is always far enough.
    tilemap : TileMap, optional
        Measures the distances; needed if `spacing_tiles` is more than 1.
    """

    def __init__(
        self, max_crumbs: int = 32, *, spacing_tiles: float = 1, tilemap: TileMap | None = None
    ) -> None:
        self._max_crumbs = whole_within("max_crumbs", max_crumbs, 1)
        self._spacing_tiles = number_within("spacing_tiles", spacing_tiles, 0)
        self._tilemap = optional("tilemap", tilemap, TileMap)
        if spacing_tiles > 1 and tilemap is None:
            raise ValueError(
                f"spacing_tiles={spacing_tiles} needs a map to measure distances: pass tilemap="
            )
        self._crumbs: dict[Cell, Crumb] = {}  # the oldest first
        self._n_dropped = 0

    def __len__(self) -> int:
        """Count the crumbs."""
        return len(self._crumbs)

    def __iter__(self) -> Iterator[Crumb]:
        """Iterate over the crumbs, the newest first."""
        return reversed(self._crumbs.values())

    def drop(self, cell: CellLike, data: object = None) -> None:
        """Drop a crumb, with any data for a follower; `TypeError` if it is not a cell.

        A crumb that lies on the cell already is renewed: the new one takes its place. Otherwise
        nothing is dropped if the newest crumb is nearer than `spacing_tiles`.
        """
        cell = as_cell(cell)
        if self._crumbs.pop(cell, None) is None and self._is_too_near(cell):
            return
        self._crumbs[cell] = Crumb(cell, data, self._n_dropped)
        self._n_dropped += 1
        if len(self._crumbs) > self._max_crumbs:
            del self._crumbs[next(iter(self._crumbs))]

    def _is_too_near(self, cell: Cell) -> bool:
        newest = next(iter(self), None)
        if self._tilemap is None or newest is None or newest.cell.deck != cell.deck:
            return False
        return self._tilemap.grid.distance(newest.cell[:2], cell[:2]) < self._spacing_tiles


class FollowTrail(PathBehavior):
    """Go to the newest crumb that it can see or step to, which cuts corners; else wander.

    It does not go back to crumbs older than the newest it has reached. While units stand on all
    newer crumbs in sight, it waits.

    Parameters
    ----------
    rng : numpy.random.Generator
        For wandering while no crumb is in sight.
    sight_tiles : number
        The distance it can see, >= 0.
    """

    def __init__(self, trail: Trail, rng: np.random.Generator, *, sight_tiles: float = 8) -> None:
        self.trail = instance_of("trail", trail, Trail)
        """The trail that it follows."""
        self._sight_tiles = number_within("sight_tiles", sight_tiles, 0)
        self._wander = Wander(rng)
        self.crumb: Crumb | None = None
        """The newest crumb it has reached."""

    def _choose(self, situation: Situation) -> Cell | str:
        fresh = self._fresh(situation)
        if not fresh and self.crumb is not None:
            return Reason("trail_over", cell=self.crumb.cell)
        waits, beside = "", situation.steps() if fresh else {}
        for crumb in fresh:
            ends, is_goal = situation.covering([crumb.cell]), self._goals == [crumb.cell]
            is_known = is_goal or not beside.keys().isdisjoint(ends)
            if not (is_known or self._sees(situation, crumb.cell)):
                continue
            if all(map(situation.is_taken, ends)):
                waits = waits or Reason("unit_on_trail", cell=crumb.cell)
                continue
            cell = self._next_on_path(situation) if is_goal else None
            cell = cell or self._follow(situation, situation.find_path(ends), [crumb.cell])
            if cell is not None:
                return cell
        return waits or self._wander.next_cell(situation) or self._wander.reason

    def _fresh(self, situation: Situation) -> list[Crumb]:
        """Return the crumbs newer than the newest it has reached."""
        fresh = []
        for crumb in self.trail:
            if self.crumb is not None and crumb.number <= self.crumb.number:
                break
            if crumb.cell in situation.tiles:
                self.crumb = crumb
                break
            fresh.append(crumb)
        return fresh

    def _sees(self, situation: Situation, cell: Cell) -> bool:
        if not (situation.has(situation.here) and situation.has(cell)):
            return False
        tiles, own, _ = situation.nearest([cell])
        return tiles <= self._sight_tiles and situation.navigation.line_of_sight(own, cell)
