"""What a search theatre plays: a recorded search, whoever recorded it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from terrain3d.grid.grid import Cell


class ReplayLike(Protocol):
    """A search that was recorded, at one of its steps.

    Tiles are known by numbers: (deck * rows + row) * cols + col.
    """

    title: str
    state: NDArray[np.uint8]
    """(n,) 0 where a tile was not yet met, 1 where it is open, 2 where it is closed."""
    g: NDArray[np.float64]
    h: NDArray[np.float64]
    parent: NDArray[np.int32]
    """(n,) the tile before each on its way; -1 without one."""

    @property
    def n_steps(self) -> int:
        """How many steps there are; each closes a tile."""

    @property
    def step(self) -> int:
        """The step it is at."""

    @property
    def n_open(self) -> int:
        """How many tiles are open."""

    @property
    def closed(self) -> int:
        """The tile that the latest step closed; -1 before the first."""

    @property
    def opened(self) -> NDArray[np.int32]:
        """(n,) what the latest step opened."""

    @property
    def cheaper(self) -> NDArray[np.int32]:
        """(n,) what the latest step made cheaper."""

    @property
    def met(self) -> NDArray[np.int32]:
        """(n,) all tiles that are open at any step, each once."""

    @property
    def ends(self) -> tuple[int, int]:
        """The tiles of start and goal."""

    @property
    def path(self) -> list[Cell]:
        """The way that is found in the end; empty if there is none."""

    @property
    def outcome(self) -> str:
        """What is found in the end, in words."""

    def f_of(self, nodes: NDArray[np.integer]) -> NDArray[np.float64]:
        """(n,) what decides which tile is closed next."""

    def seek(self, step: int) -> NDArray[np.int32]:
        """Go to a step; (n,) the tiles that are known otherwise now."""
