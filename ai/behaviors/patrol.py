"""Patrol: visit posts one after the other."""

from collections.abc import Sequence

from ai.behaviors.behavior import Behavior, Stay
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.core.checks import listed, number_within, true_or_false
from terrain3d.grid.grid import CellLike, as_cell


class Patrol(Behavior):
    """Go from post to post on cheapest paths and wait at each, forever.

    A post that cannot be reached at the moment is skipped.

    Parameters
    ----------
    posts : sequence of cells
        In the order of the visits; at least one.
    back_and_forth : bool
        Whether to turn around at the last post, instead of going on to the first.
    wait_s : float
        The time at each post, in seconds.

    Raises
    ------
    TypeError, ValueError
        A post is not a cell, there is no post, or the time is negative.
    """

    def __init__(
        self, posts: Sequence[CellLike], *, back_and_forth: bool = False, wait_s: float = 0
    ) -> None:
        round_trip = [as_cell(post) for post in listed("posts", posts)]
        if not round_trip:
            raise ValueError("a patrol needs at least 1 post, got none")
        is_reversed = true_or_false("back_and_forth", back_and_forth)
        self._posts = round_trip + (round_trip[-2:0:-1] if is_reversed else [])
        self._wait_s = number_within("wait_s", wait_s, 0)
        self._number = 0
        self._waited_s: float | None = None  # since its arrival at the post; None before
        self._path = PlannedPath()

    @property
    def post(self) -> Cell:
        """The post where it goes or waits."""
        return self._posts[self._number]

    def advance(self, dt_s: float) -> None:
        """Let time pass, which counts while it waits at a post."""
        super().advance(dt_s)
        if self._waited_s is not None:
            self._waited_s += dt_s

    def _choose(self, situation: Situation) -> Cell | str:
        if situation.here == self.post:
            self._waited_s = self._waited_s or 0.0
            if self._waited_s < self._wait_s:
                return Stay("waits at {}", self.post)
            self._leave()
        reasons = []
        for _ in self._posts:
            if situation.here != self.post:
                choice = self._path.towards(situation, self.post)
                if isinstance(choice, Cell):
                    return choice
                reasons.append(choice)
            self._leave()
        return reasons[0] if reasons else Stay("stays at its only post {}", self.post)

    def _leave(self) -> None:
        self._number = (self._number + 1) % len(self._posts)
        self._waited_s = None
