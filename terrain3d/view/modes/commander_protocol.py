"""What knows who is selected and what an order would come to, as `Commander3D` needs to know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from terrain3d.grid.grid import Cell, CellLike
from terrain3d.view.scene.unit_3d import Pose


class SelectedUnit(Protocol):
    """Who takes orders."""

    @property
    def cell(self) -> Cell:
        """The tile it holds."""

    @property
    def is_moving(self) -> bool:
        """Whether it is still on the way there."""

    @property
    def pose(self) -> Pose:
        """How it stands now."""


class StepLike(Protocol):
    """One step of a way."""

    @property
    def cost(self) -> float:
        """What it costs."""


class PathLike(Protocol):
    """Cells from start to goal; none if there is no way."""

    @property
    def steps(self) -> Sequence[StepLike]:
        """The steps between the cells."""

    def __iter__(self) -> Iterator[Cell]:
        """Give the cells."""


class PlanLike(Protocol):
    """What an order would come to."""

    @property
    def is_allowed(self) -> bool:
        """Whether it would be carried out."""

    @property
    def path(self) -> PathLike:
        """The way it would take, or, if it is refused, the way there as far as there is one."""


class ReachLike(Protocol):
    """All that one order can come to."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells, that of the unit in front."""

    def cost_to(self, cell: CellLike) -> float:
        """Give what a cell costs."""


class CommanderLike(Protocol):
    """What knows who is selected, what is aimed at and what would come of it."""

    changed: Any
    """Signal: any of that may differ."""

    @property
    def selected(self) -> SelectedUnit | None:
        """Who takes the next order."""

    @property
    def aim(self) -> Cell | None:
        """The tile aimed at."""

    @property
    def reach(self) -> ReachLike | None:
        """All that it can be sent to now."""

    @property
    def plan(self) -> PlanLike | None:
        """What an order to the tile aimed at would come to."""

    def select(self, unit: None) -> None:
        """Select nobody."""

    def select_next(self, step: int) -> None:
        """Select the unit `step` after the selected one."""

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a tile, or at none."""

    def act_on(self, cell: CellLike) -> None:
        """Do what a click on a tile means."""

    def undo(self) -> None:
        """Take the latest order back."""

    def redo(self) -> None:
        """Give it again."""
