"""The table of figures by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from terrain3d.core.checks import one_of
from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.acrobat import acrobat
from terrain3d.mesh.figures.flyer import flyer
from terrain3d.mesh.figures.knight import knight
from terrain3d.mesh.figures.mage import mage
from terrain3d.mesh.figures.parts import boot, dark
from terrain3d.mesh.figures.raider import raider
from terrain3d.mesh.figures.scout import scout
from terrain3d.mesh.solids import mirrored


@dataclass(frozen=True)
class Figure:
    """A figure that looks along +y; (0, 0, 0) is between its feet."""

    body: MeshData
    feet: tuple[MeshData, ...]
    """Left and right, if any: the parts that move in a stride, in the coordinates of the body."""


_BODIES: dict[str, tuple[Callable[[Color, Color], list[MeshData]], float]] = {
    "scout": (scout, 1.0),
    "knight": (knight, 1.3),
    "mage": (mage, 0.0),
    "flyer": (flyer, 0.9),
    "acrobat": (acrobat, 0.9),
    "raider": (raider, 1.3),
}

SHAPES = tuple(_BODIES)
"""Names of figures: light foot, heavy foot, floating, flying, climbing, heavy foot."""


@cache
def figure(shape: str, team: Color) -> Figure:
    """Return a standing figure, about 1.1 tiles tall, in clothes of a team's color.

    `ValueError` if the shape is not one of SHAPES.
    """
    make, boots = _BODIES[one_of("shape", shape, SHAPES)]
    body = MeshData.join(make(team, dark(team)))
    if not boots:
        return Figure(body, ())
    right = boot(boots)
    return Figure(body, (mirrored(right), right))
