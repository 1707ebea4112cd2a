"""Walking a round of posts."""

from collections.abc import Sequence

from ai.behaviors.behavior import Behavior
from ai.behaviors.planned_path import PlannedPath
from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.core.checks import number_within
from terrain3d.grid.grid import CellLike, as_cell


class Patrol(Behavior):
    """Go from post to post by cheapest ways and wait a while at each, for ever.

    A post that cannot be reached as things are is left out.

    Parameters
    ----------
    posts : sequence of cells
        In the order of the round; at least one.
    back_and_forth : bool
        Turn around at the last post, instead of going on to the first.
    wait_s : float
        How long to stay at each post, in seconds.

    Raises
    ------
    TypeError, ValueError
        A post is no cell, there is none, or the time is negative.
    """

    def __init__(
        self, posts: Sequence[CellLike], *, back_and_forth: bool = False, wait_s: float = 0
    ) -> None:
        if not len(posts):
            raise ValueError("a patrol needs at least 1 post, got none")
        round_trip = [as_cell(post) for post in posts]
        self._posts = round_trip + (round_trip[-2:0:-1] if back_and_forth else [])
        self._wait_s = number_within("wait_s", wait_s, 0)
        self._number = 0
        self._waited_s: float | None = None  # since it came to the post; None on the way there
        self._walk = PlannedPath()

    @property
    def post(self) -> Cell:
        """Where it goes or waits."""
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
                return f"waits at {self.post}"
            self._leave()
        whys = []
        for _ in self._posts:
            if situation.here != self.post:
                choice = self._walk.towards(situation, self.post)
                if isinstance(choice, Cell):
                    return choice
                whys.append(choice)
            self._leave()
        return whys[0] if whys else f"stays at its only post {self.post}"

    def _leave(self) -> None:
        self._number = (self._number + 1) % len(self._posts)
        self._waited_s = None
