"""Go to fixed places: straight, with random sidesteps at obstacles, or from post to post."""

import math
from collections.abc import Sequence

import numpy as np

from ai.behaviors.behavior import Behavior, PathBehavior, Stay, TargetLike, target_of
from ai.behaviors.explore import MAX_TURN_DEG, Wander
from ai.board.situation import Situation
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, listed, number_within, whole_within
from terrain3d.grid.grid import CellLike, as_cell


class Seek(Behavior):
    """Go straight toward a goal without a search: targeted random movement.

    Each step is the one that ends nearest to the goal, by the straight line seen from above. Where
    no step ends nearer, an obstacle is in between: it walks at random for 1 to `max_side_steps`
    steps, turning back only at a dead end, and then goes straight again. It gets around small
    obstacles, and stays in large concave ones until it gives up.

    Parameters
    ----------
    goal : cell, callable or Unit
        A function returns the goal's cell now, or None if it is gone.
    rng : numpy.random.Generator
        Source of the random steps and of their number; equal generators give equal walks.
    max_side_steps : int
        The most random steps at one obstacle, >= 1.
    max_detours : int
        How many obstacles it tries to get around, >= 0; at the next one it gives up.

    References
    ----------
    Bourg and Seemann, "AI for Game Developers" (2004), chapter 6, random movement at obstacles.
    """

    def __init__(
        self,
        goal: TargetLike,
        rng: np.random.Generator,
        *,
        max_side_steps: int = 8,
        max_detours: int = 20,
    ) -> None:
        self._target = target_of("goal", goal)
        self._rng = instance_of("rng", rng, np.random.Generator)
        self._max_side_steps = whole_within("max_side_steps", max_side_steps, 1)
        self._max_detours = whole_within("max_detours", max_detours, 0)
        self._wander = Wander(rng, MAX_TURN_DEG)
        self._side_steps = 0  # left of this detour
        self.n_detours = 0
        """How many obstacles it has met."""

    def _choose(self, situation: Situation) -> Cell | str:
        target = self._target()
        if target is None:
            return Reason("no_target")
        goal = as_cell(target)
        if goal in situation.tiles:
            return Stay("has_arrived", cell=goal)
        if not situation.has(goal):
            return Reason("off_the_map", cell=goal)
        if not self._side_steps:
            nearer = self._nearer(situation, goal)
            if nearer is not None:
                return nearer
            if self.n_detours == self._max_detours:
                return Reason("detours_over", cell=situation.here, n_detours=self.n_detours)
            self.n_detours += 1
            self._side_steps = int(self._rng.integers(1, self._max_side_steps + 1))
            self._wander = Wander(self._rng, MAX_TURN_DEG)
        cell = self._wander.next_cell(situation)
        if cell is None:
            return self._wander.reason
        self._side_steps -= 1
        return cell

    def _nearer(self, situation: Situation, goal: Cell) -> Cell | None:
        """Return the end of a step that is nearest to the goal, if it is nearer than the mover."""
        center = situation.navigation.tilemap.grid.center
        point = center(goal[:2])

        def distance(cell: Cell) -> float:
            tiles = situation.tiles_at(cell)
            away = min(math.dist(center(tile[:2]), point) for tile in tiles)
            return round(away, 9)  # centers of hexagons are rounded

        ends = situation.steps()
        nearest = min(ends, key=lambda end: (distance(end), ends[end], end), default=None)
        if nearest is None or distance(nearest) >= distance(situation.here):
            return None
        return nearest


class Patrol(PathBehavior):
    """Go from post to post on cheapest paths and wait at each, forever.

    A post that cannot be reached at the moment is skipped.

    Parameters
    ----------
    posts : sequence of cells
        In the order of the visits; at least one.
    wait_s : float
        The time at each post, in seconds.
    """

    def __init__(self, posts: Sequence[CellLike], *, wait_s: float = 0) -> None:
        self._posts = [as_cell(post) for post in listed("posts", posts)]
        if not self._posts:
            raise ValueError("a patrol needs at least 1 post, got none")
        self._wait_s = number_within("wait_s", wait_s, 0)
        self._number = 0
        self._arrived_s: float | None = None  # when it came to the post; None before

    @property
    def post(self) -> Cell:
        """The post where it goes or waits."""
        return self._posts[self._number]

    def _choose(self, situation: Situation) -> Cell | str:
        if self.post in situation.tiles:
            if self._arrived_s is None:
                self._arrived_s = self._now_s
            if self._now_s - self._arrived_s < self._wait_s:
                return Stay("waits_at", cell=self.post)
            self._leave()
        paths = []
        for _ in self._posts:
            if self.post not in situation.tiles:
                cell = self._next_on_path(situation)
                if cell is None:
                    paths.append(situation.find_path(situation.covering([self.post])))
                    cell = self._follow(situation, paths[-1])
                if cell is not None:
                    return cell
            self._leave()
        return paths[0].reason if paths else Stay("only_post", cell=self.post)

    def _leave(self) -> None:
        self._number = (self._number + 1) % len(self._posts)
        self._arrived_s = None
