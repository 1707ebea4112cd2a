"""Short texts that stand in the scene and face the viewer, as vertex arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from terrain3d.grid.kinds import Color
from terrain3d.mesh import MeshData
from terrain3d.mesh.overlays.flat_shapes import quads

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Glyph:
    """One sign of a font whose lines are 1 high.

    Parameters
    ----------
    box : (left, bottom, right, top)
        Around what is drawn; the base line is at 0. All 0 if nothing is.
    place : (left, bottom, right, top)
        In the font's texture.
    advance : float
        From its start to that of the next sign.
    """

    box: tuple[float, float, float, float]
    place: tuple[float, float, float, float]
    advance: float


@dataclass(frozen=True)
class Lettering:
    """Texts laid out in a plane, each in the middle of its own place.

    Parameters
    ----------
    owner : (q,) int
        To which text each sign belongs.
    corners : (q, 4, 2), in heights of a line
        Counter-clockwise from the lower left.
    places : (q, 4, 2)
        The corners in the font's texture.
    """

    owner: NDArray[np.int64]
    corners: Reals
    places: Reals

    @classmethod
    def of(cls, texts: Sequence[str], glyphs: Mapping[str, Glyph]) -> "Lettering":
        """Lay texts out.

        Raises
        ------
        KeyError
            A text has a sign that is not among the glyphs.
        """
        owner, boxes, places = [], [], []
        for index, text in enumerate(texts):
            signs = [glyphs[sign] for sign in text]
            starts = np.cumsum([0.0, *(sign.advance for sign in signs)])
            for sign, start in zip(signs, starts - starts[-1] / 2, strict=False):
                left, bottom, right, top = sign.box
                owner.append(index)
                boxes.append((left + start, bottom, right + start, top))
                places.append(sign.place)
        return cls(np.array(owner, np.int64), _corners(boxes), _corners(places))

    def facing(
        self,
        points: ArrayLike,
        axes: ArrayLike,
        eye: ArrayLike,
        size: float,
        color: Color,
        nearer: float = 0.0,
        raised: float = 0.0,
    ) -> MeshData:
        """Stand the texts up at points.

        Parameters
        ----------
        points : (n, 3), in world units
            Where the middle of each text's base line is seen.
        axes : (2, 3)
            The unit vectors to the right and up the picture.
        eye : (3,), in world units
            Where the viewer is.
        size : float, in world units
            Height of a line.
        color : (red, green, blue) in 0..1
        nearer : float, in world units
            How much nearer to the viewer they stand than their points, seen at the same place.
        raised : float, in heights of a line
            How far up the picture they are from there.
        """
        anchors = np.asarray(points, np.float64).reshape(-1, 3)
        toward = np.asarray(eye, np.float64) - anchors
        distance = np.maximum(np.linalg.norm(toward, axis=1, keepdims=True), 1e-9)
        part = np.minimum(nearer / distance, 0.5)
        anchors = anchors + toward * part
        # What stands nearer is drawn smaller, so that it is seen as large as at its point.
        plane = (self.corners + np.array([0.0, raised])) * size * (1.0 - part)[self.owner][:, None]
        corners = anchors[self.owner][:, None] + plane @ np.asarray(axes, np.float64)
        return quads(corners, color, texcoords=self.places)


def _corners(boxes: Sequence[tuple[float, float, float, float]]) -> Reals:
    left, bottom, right, top = np.array(boxes, np.float64).reshape(-1, 4).T
    around = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return np.stack([np.stack(corner, axis=1) for corner in around], axis=1)
