"""What all ways of moving share: asked for the next cell, a behavior gives it or says why not."""

from abc import ABC, abstractmethod

from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.core.checks import number_within
from terrain3d.grid.grid import CellLike, as_cell


class Behavior(ABC):
    """Decides where a mover goes next, one cell after the other.

    It never raises on whatever became of the map, nor on who stands where: a mover that can go
    nowhere stays. What it remembers is its own, so that every mover needs one of its own.

    Whoever writes one gives `_choose`, and `advance` if it heeds time.
    """

    reason: str = ""
    """Why the mover stays, by the last answer; "" if it goes on."""

    def next_cell(self, situation: Situation) -> Cell | None:
        """Give where to go next: a cell one step away, or one a few steps on if it cannot stop.

        Returns
        -------
        Cell or None
            None if it stays; `reason` says why.

        Raises
        ------
        TypeError
            Whoever wrote the behavior chooses neither a cell nor a reason.
        """
        choice = self._choose(situation)
        self.reason = choice if isinstance(choice, str) else ""
        return None if isinstance(choice, str) else as_cell(choice)

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass; any split of a time gives the same result.

        Raises
        ------
        TypeError, ValueError
            It is no number >= 0.
        """
        number_within("dt_s", dt_s, 0)

    @abstractmethod
    def _choose(self, situation: Situation) -> CellLike | str:
        """Give the next cell, or the reason why there is none."""
