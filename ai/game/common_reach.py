"""The cells that each of several units can reach with one order."""

from collections.abc import Sequence

from ai.navigation.reach import Reach
from terrain3d import Cell
from terrain3d.grid.grid import CellLike


class CommonReach:
    """The cells that each of several units can reach, without the cells they stand on.

    Parameters
    ----------
    reaches : sequence of Reach
        One per unit, at least one.
    """

    def __init__(self, reaches: Sequence[Reach]) -> None:
        self._reaches = reaches
        first, *others = reaches
        self.cells: list[Cell] = [
            cell for cell in first.cells if all(cell in other for other in others)
        ]
        """The cells, those that the first unit reaches cheapest first."""

    def cost_to(self, cell: CellLike) -> float:
        """Return the highest cost at which a unit reaches a cell; infinity if one does not."""
        return max(reach.cost_to(cell) for reach in self._reaches)
