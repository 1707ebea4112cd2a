"""The base class of behaviors: asked for the next cell, a behavior returns it or says why not."""

from abc import ABC, abstractmethod

from ai.behaviors.situation import Situation
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, number_within
from terrain3d.grid.grid import CellLike, as_cell


class Stay(Reason):
    """A reason to stay on purpose: the mover is where its behavior wants it.

    Any other text is a reason why a behavior cannot or need not act; `FirstOf` then asks the next.
    """


class Behavior(ABC):
    """Chooses the next cell of one mover, again and again.

    To write a behavior, implement `_choose`, and extend `advance` if it depends on time. A behavior
    keeps state about its mover, so each mover needs its own. It should not raise when the map or
    the other units change: without a cell to go to, the mover stays.
    """

    reason: str = ""
    """Why the mover stays, by the last answer, as a `Stay` if on purpose; "" if it moves on."""

    def next_cell(self, situation: Situation) -> Cell | None:
        """Return the next cell: one step away, or a few steps if the mover cannot stop before.

        Returns
        -------
        Cell or None
            None if the mover stays; `reason` says why.

        Raises
        ------
        TypeError
            `_choose` returned neither a cell nor a reason.
        """
        choice = self._choose(instance_of("situation", situation, Situation))
        self.reason = choice if isinstance(choice, str) else ""
        return None if isinstance(choice, str) else as_cell(choice)

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass; any split of a time gives the same result.

        Raises
        ------
        TypeError, ValueError
            `dt_s` is not a number >= 0.
        """
        number_within("dt_s", dt_s, 0)

    @abstractmethod
    def _choose(self, situation: Situation) -> CellLike | str:
        """Return the next cell, or the reason why the mover stays: a `Stay` if on purpose.

        `situation.steps()` returns the cells one step away where the mover may stop.
        """
