"""The topologies of maps by name, and the grid of each."""

from terrain3d.core.checks import one_of
from terrain3d.grid.grid import Grid, SquareGrid
from terrain3d.grid.hexgrid import LAYOUTS, HexGrid

TOPOLOGIES = ("square", *LAYOUTS)
"""Names of all topologies: squares, and hexagons in offset rows or columns."""


def make_grid(topology: str, rows: int, cols: int) -> Grid:
    """Return a grid of a topology.

    Raises
    ------
    TypeError, ValueError
        The topology is unknown, or there are no cells.
    """
    one_of("topology", topology, TOPOLOGIES)
    return SquareGrid(rows, cols) if topology == "square" else HexGrid(rows, cols, topology)
