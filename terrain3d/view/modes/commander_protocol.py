"""Protocols of the objects that `Commander3D` shows: commander, unit, plan, path and reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from terrain3d.grid.grid import Cell, CellLike
from terrain3d.view.scene.unit_3d import UnitLike


class SelectedUnit(UnitLike, Protocol):
    """A unit that takes orders."""

    @property
    def is_moving(self) -> bool:
        """Whether it is still moving to its tile."""


class StepLike(Protocol):
    """One step of a path."""

    @property
    def cost(self) -> float:
        """The cost of the step."""


class PathLike(Protocol):
    """Cells from start to goal; empty if there is no path."""

    @property
    def steps(self) -> Sequence[StepLike]:
        """The steps between the cells."""

    def __iter__(self) -> Iterator[Cell]:
        """Iterate over the cells."""


class PlanLike(Protocol):
    """The result that an order would have."""

    @property
    def is_allowed(self) -> bool:
        """Whether the order would be carried out."""

    @property
    def path(self) -> PathLike:
        """The cheapest path to the tile, which may be empty; the order may be its first part."""

    @property
    def turn_ends(self) -> Sequence[int]:
        """The number of the cell of the path on which each turn ends."""


class ReachLike(Protocol):
    """The cells that one order can reach."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells."""

    def cost_to(self, cell: CellLike) -> float:
        """Return the cost of reaching a cell."""


class SquadPlanLike(Protocol):
    """The result that an order to several units would have."""

    @property
    def goals(self) -> Sequence[Cell]:
        """The goal of each unit that goes."""

    @property
    def paths(self) -> Mapping[Any, Sequence[Cell]]:
        """The cell of each of them at every tick."""


class CommanderLike(Protocol):
    """Holds the selection, the tile aimed at, and the plan of an order there."""

    changed: Any
    """Signal: selection, aim, reach or plan may have changed."""

    @property
    def selected(self) -> SelectedUnit | None:
        """The unit that takes the next order."""

    @property
    def aim(self) -> Cell | None:
        """The tile aimed at."""

    @property
    def reach(self) -> ReachLike | None:
        """The cells that each selected unit can be sent to now."""

    @property
    def plan(self) -> PlanLike | None:
        """The plan of an order to the tile aimed at."""

    @property
    def squad_plan(self) -> SquadPlanLike | None:
        """The plan of an order to several selected units, once it is made."""

    def poll(self) -> None:
        """Announce a plan for several units once it is made; called every frame."""

    def select(self, unit: None) -> None:
        """Clear the selection."""

    def select_next(self, step: int) -> None:
        """Select the unit `step` after the selected one."""

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a tile; None aims at no tile."""

    def act_on(self, cell: CellLike) -> None:
        """Select the unit on a tile, or send the selected unit there."""

    def face_aim(self) -> None:
        """Turn the selected unit toward the tile aimed at."""

    def undo(self) -> None:
        """Undo the latest order."""

    def redo(self) -> None:
        """Redo the latest order that was undone."""
