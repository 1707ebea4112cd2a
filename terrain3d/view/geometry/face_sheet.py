"""Faces of many tiles in few Geoms, updated in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from terrain3d.mesh.overlays.search_tiles import HIDDEN, Faces
from terrain3d.view.geometry.geom import make_geom_node, packed, rewrite

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from panda3d.core import GeomNode, NodePath

    from terrain3d.grid.grid import Grid


class FaceSheet:
    """Draws the faces of tiles below `parent`, in its coordinates; all are hidden at first.

    `middle` (n, 3) are the centers of the tiles' tops. `chunk` (n,) is the Geom of each tile: only
    Geoms with a change are written.
    """

    def __init__(
        self,
        parent: NodePath,
        grid: Grid,
        middle: NDArray[np.float64],
        chunk: NDArray[np.integer],
    ) -> None:
        self._faces = Faces(grid)
        self._middle, self._chunk = middle, chunk
        self._slot = np.zeros(len(chunk), np.int64)
        self._nodes: dict[int, GeomNode] = {}
        self._vertices: dict[int, NDArray[np.void]] = {}
        for number in np.unique(chunk).tolist():
            members = np.flatnonzero(chunk == number)
            self._slot[members] = np.arange(len(members))
            count = len(members)
            mesh = self._faces.mesh(
                middle[members],
                np.full(count, HIDDEN),
                np.zeros((count, 2)),
                np.zeros(count, np.bool_),
            )
            self._vertices[number] = packed(mesh).reshape(count, -1)
            self._nodes[number] = make_geom_node("faces", mesh)
            parent.attach_new_node(self._nodes[number])

    def draw(
        self,
        which: NDArray[np.integer],
        look: NDArray[np.integer],
        toward: NDArray[np.float64],
        is_near: NDArray[np.bool_],
    ) -> None:
        """Redraw the faces of tiles by their indices in `middle`, each once; see `Faces.mesh`."""
        mesh = self._faces.mesh(self._middle[which], look, toward, is_near)
        vertices = packed(mesh).reshape(len(which), -1)
        chunk = self._chunk[which]
        for number in np.unique(chunk).tolist():
            at = chunk == number
            self._vertices[number][self._slot[which[at]]] = vertices[at]
            rewrite(self._nodes[number], self._vertices[number])
