"""An order that was carried out, as plain data that can be written down."""

from collections.abc import Sequence
from dataclasses import dataclass

from terrain3d import Cell
from terrain3d.core.checks import whole_number
from terrain3d.grid.grid import CellLike, as_cell


@dataclass(frozen=True)
class Order:
    """One order of a log, as plain data.

    Parameters
    ----------
    unit : int
        Who went: its place in `Board.units`.
    cells : sequence of cells
        The way it took, both ends included; kept as a tuple of `Cell`.

    Raises
    ------
    TypeError, ValueError
        The unit is no whole number >= 0, or there are fewer than two cells.
    """

    unit: int
    cells: Sequence[CellLike]

    def __post_init__(self) -> None:
        """Check the place and freeze the cells."""
        unit = whole_number("an order's unit", self.unit)
        if unit < 0:
            raise ValueError(f"an order's unit must be >= 0, got {unit}")
        cells = tuple(as_cell(cell) for cell in self.cells)
        if len(cells) < 2:
            raise ValueError(f"an order's way needs at least 2 cells, got {len(cells)}")
        object.__setattr__(self, "unit", int(unit))  # of whichever type of whole numbers
        object.__setattr__(self, "cells", cells)

    @property
    def start(self) -> Cell:
        """Where the unit set out from."""
        return as_cell(self.cells[0])

    @property
    def goal(self) -> Cell:
        """Where it went."""
        return as_cell(self.cells[-1])
