"""Labels in the scene that face the viewer, as vertex arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import quads

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Glyph:
    """One character of a font whose lines are 1 high; boxes are (left, bottom, right, top)."""

    box: tuple[float, float, float, float]
    """Bounds of the drawn shape; the base line is at 0. All 0 for an empty shape."""
    texture_box: tuple[float, float, float, float]
    """Its position in the font's texture."""
    advance: float
    """Distance from its start to the start of the next character."""


@dataclass(frozen=True)
class Lettering:
    """Texts laid out in a plane, each centered on its own origin, in line heights."""

    owner: NDArray[np.int64]
    """(q,) text to which each character belongs."""
    corners: Reals
    """(q, 4, 2), counter-clockwise from the lower left."""
    texcoords: Reals
    """(q, 4, 2) corners in the font's texture."""
    widths: Reals
    """(n,) widths of the texts."""

    @classmethod
    def of(cls, texts: Sequence[str], glyphs: Mapping[str, Glyph]) -> "Lettering":
        """Lay out texts; `KeyError` if one has a character without a glyph."""
        owner, boxes, texture_boxes, widths = [], [], [], []
        for index, text in enumerate(texts):
            shapes = [glyphs[character] for character in text]
            widths.append(sum(glyph.advance for glyph in shapes))
            start = -widths[-1] / 2
            for glyph in shapes:
                left, bottom, right, top = glyph.box
                owner.append(index)
                boxes.append((left + start, bottom, right + start, top))
                texture_boxes.append(glyph.texture_box)
                start += glyph.advance
        outlines = _corners(boxes), _corners(texture_boxes)
        return cls(np.array(owner, np.int64), *outlines, np.array(widths, np.float64))

    def facing(
        self,
        points: ArrayLike,
        axes: ArrayLike,
        eye: ArrayLike,
        size: float | Reals,
        color: Color,
        nearer: float = 0.0,
        raised: float = 0.0,
    ) -> MeshData:
        """Return the texts, facing a viewer at `eye`, with their base lines centered on points.

        `axes` (2, 3) are the unit vectors to the right and up the picture. `size`, one number or
        (n, 1), is the height of a line in world units; 0 hides it. Texts are moved toward the
        viewer by `nearer`, in world units, without moving in the picture, and up the picture by
        `raised`, in line heights.
        """
        anchors = np.asarray(points, np.float64).reshape(-1, 3)
        toward = np.asarray(eye, np.float64) - anchors
        distance = np.maximum(np.linalg.norm(toward, axis=1, keepdims=True), 1e-9)
        part = np.minimum(nearer / distance, 0.5)
        anchors = anchors + toward * part
        # Nearer texts are drawn smaller, so that they look as large as at their points.
        scale = (size * (1.0 - part))[self.owner]
        plane = (self.corners + np.array([0.0, raised])) * scale[:, None]
        corners = anchors[self.owner][:, None] + plane @ np.asarray(axes, np.float64)
        return quads(corners, color, texcoords=self.texcoords)


def _corners(boxes: Sequence[tuple[float, float, float, float]]) -> Reals:
    left, bottom, right, top = np.array(boxes, np.float64).reshape(-1, 4).T
    around = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return np.stack([np.stack(corner, axis=1) for corner in around], axis=1)
