"""The topologies of maps by name, and the grid of each."""

from terrain3d.grid.grid import Grid, SquareGrid
from terrain3d.grid.hexgrid import LAYOUTS, HexGrid

TOPOLOGIES = ("square", *LAYOUTS)
"""Names of all topologies: squares, and hexagons in offset rows or columns."""


def make_grid(topology: str, rows: int, cols: int) -> Grid:
    """Return a grid of a topology.

    Raises
    ------
    ValueError
        The topology is unknown, or there are no cells.
    """
    if topology not in TOPOLOGIES:
        raise ValueError(f"topology must be one of {TOPOLOGIES}, got {topology!r}")
    return SquareGrid(rows, cols) if topology == "square" else HexGrid(rows, cols, topology)
