"""The costs f, g and h of a search, written on tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from terrain3d.view.scene.labels_3d import Labels3D
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE, SMALL_SIZE = 0.31, 0.175
"""Heights of the two sizes of text, in tiles."""

_SMALL_COLOR = (0.86, 0.93, 1.0)


class SearchNumbers3D(Node3D):
    """Writes f on tiles in large digits, and g and h below in small ones."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._large = self.add_child(Labels3D("f"))
        self._large.size, self._large.raised = SIZE, -0.15
        self._small = self.add_child(Labels3D("g h"))
        self._small.size, self._small.raised = SMALL_SIZE, -1.35
        self._small.color = _SMALL_COLOR
        for labels in (self._large, self._small):
            labels.keeps_clear = False  # each is inside its tile
            labels.no_depth_test = True  # neither trees nor terrain in front cut them

    def show(
        self,
        points: NDArray[np.float64],
        f: NDArray[np.float64],
        g: NDArray[np.float64],
        h: NDArray[np.float64],
    ) -> None:
        """Replace the numbers by (n,) finite `f`, `g`, `h` at (n, 3) centers of tiles' tops."""
        self._large.show(points, [f"f{short_number(number)}" for number in f.tolist()])
        pairs = zip(g.tolist(), h.tolist(), strict=True)
        self._small.show(
            points, [f"g{short_number(cost)} h{short_number(left)}" for cost, left in pairs]
        )

    def clear(self) -> None:
        """Remove all numbers."""
        for labels in (self._large, self._small):
            labels.clear()


def short_number(number: float) -> str:
    """Return a cost in few digits: with one decimal place if it is small and not whole."""
    if number >= 1e6:
        return f"{number:.1e}".replace("e+0", "e")
    return f"{number:.0f}" if number >= 1000 or number == int(number) else f"{number:.1f}"
