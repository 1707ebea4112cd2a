"""Protocol of the recorded searches that a search theatre plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from terrain3d.grid.grid import Cell


class ReplayLike(Protocol):
    """A recorded search, at one of its steps.

    A tile is a node number: (deck * rows + row) * cols + col.
    """

    title: str
    state: NDArray[np.uint8]
    """(n,) 0 for a tile not yet met, 1 for an open one, 2 for a closed one."""
    g: NDArray[np.float64]
    h: NDArray[np.float64]
    parent: NDArray[np.int32]
    """(n,) the previous tile on the path to each; -1 without one."""

    @property
    def n_steps(self) -> int:
        """Number of steps; each closes a tile."""

    @property
    def step(self) -> int:
        """The current step."""

    @property
    def n_open(self) -> int:
        """Number of open tiles."""

    @property
    def closed(self) -> int:
        """The tile that the latest step closed; -1 before the first."""

    @property
    def opened(self) -> NDArray[np.int32]:
        """(n,) tiles that the latest step opened."""

    @property
    def cheaper(self) -> NDArray[np.int32]:
        """(n,) tiles that the latest step made cheaper."""

    @property
    def met(self) -> NDArray[np.int32]:
        """(n,) all tiles that are open at some step, each once."""

    @property
    def ends(self) -> tuple[int, int]:
        """The tiles of start and goal."""

    @property
    def path(self) -> list[Cell]:
        """The path that the search finds; empty if there is none."""

    @property
    def outcome(self) -> str:
        """The result of the search as text."""

    def f_of(self, nodes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return (n,) values f of nodes: the open tile with the lowest f is closed next."""

    def seek(self, step: int) -> NDArray[np.int32]:
        """Go to a step; return the (n,) tiles whose state has changed."""
