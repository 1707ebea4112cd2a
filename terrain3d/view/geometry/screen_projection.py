"""Positions and sizes on screen, for many points at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase
    from numpy.typing import NDArray
    from panda3d.core import NodePath


WHOLE, LEFT, RIGHT = (0.0, 1.0), (0.0, 0.5), (0.5, 0.5)
"""Parts of the window: the left edge and the width, in 0..1."""


@dataclass(frozen=True, eq=False)  # arrays are not compared by ==
class ScreenProjection:
    """The projection of one node's coordinates into the window, of a size in pixels.

    `matrix` (4, 4) maps rows (x, y, z, 1) to homogeneous coordinates on the lens's film. `unit` is
    the size of a unit at a depth of 1, in half widths of the part of the window. `part` is WHOLE,
    LEFT or RIGHT.
    """

    matrix: NDArray[np.float64]
    unit: float
    window: tuple[int, int]
    part: tuple[float, float] = WHOLE

    @classmethod
    def of(
        cls, base: ShowBase, np_: NodePath, part: tuple[float, float] = WHOLE
    ) -> ScreenProjection:
        """Return the current projection of a node's coordinates into a part of the window."""
        to_film = np.array(base.camLens.get_projection_mat(), np.float64).reshape(4, 4)
        to_camera = np.array(np_.get_mat(base.cam), np.float64).reshape(4, 4)
        size = float(np.linalg.norm(to_camera[0, :3]))
        window = max(1, base.win.get_x_size()), max(1, base.win.get_y_size())
        return cls(to_camera @ to_film, float(to_film[0, 0]) * size, window, part)

    def __eq__(self, other: object) -> bool:
        """Return whether both project every point alike."""
        return (
            isinstance(other, ScreenProjection)
            and (self.window, self.part) == (other.window, other.part)
            and self.unit == other.unit
            and np.array_equal(self.matrix, other.matrix)
        )

    def unit_px(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n,) sizes of a unit at points, in pixels; 0 behind the camera."""
        depth = self._on_film(points)[:, 3]
        size = self.unit * self.window[0] * self.part[1] / 2
        return np.divide(size, depth, out=np.zeros(len(points)), where=depth > 0)

    def is_seen(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return (n,) whether points are inside the window; they may be hidden there."""
        x, y, _, depth = self._on_film(points).T
        seen: NDArray[np.bool_] = (np.abs(x) <= depth) & (np.abs(y) <= depth)
        return seen

    def in_window(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 2) positions of points, in pixels from the window's top left corner."""
        x, y, _, depth = self._on_film(points).T
        depth = np.maximum(depth, 1e-9)
        width, height = self.window
        start, share = self.part
        across = start + (x / depth + 1) / 2 * share
        return np.stack([across * width, (1 - y / depth) / 2 * height], axis=1)

    def _on_film(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        film: NDArray[np.float64] = points @ self.matrix[:3] + self.matrix[3]
        return film
