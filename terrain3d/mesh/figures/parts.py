"""Parts and colors that figures share: heads, arms, boots, belts and capes."""

import numpy as np
from numpy.typing import ArrayLike

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.solids import ball, both_sides, box, lathe, rod

SKIN, HAIR = (1.00, 0.82, 0.67), (0.36, 0.23, 0.15)
LEATHER, WOOD, GOLD = (0.33, 0.22, 0.15), (0.47, 0.32, 0.19), (0.93, 0.75, 0.33)
CLOTH, INK, GLOW = (0.93, 0.88, 0.76), (0.13, 0.10, 0.12), (0.80, 0.97, 1.00)
STEEL, IRON = (0.66, 0.69, 0.74), (0.42, 0.44, 0.49)

HEAD_Z = 0.735


def dark(team: Color) -> Color:
    """Return the darker shade of a team's color."""
    return 0.60 * team[0], 0.60 * team[1], 0.64 * team[2]


def boot(size: float) -> MeshData:
    """Return a right foot with the leg above it."""
    return MeshData.join(
        [
            ball((0.078, 0.035, 0.050), (0.056 * size, 0.092 * size, 0.048), LEATHER),
            rod([(0.078, 0.0, 0.05), (0.075, 0.0, 0.26)], (0.048 * size, 0.052 * size), LEATHER),
        ]
    )


def face(hair: Color = HAIR) -> list[MeshData]:
    """Return a bare head that looks along +y."""
    parts = [
        ball((0.0, 0.015, HEAD_Z), (0.148, 0.145, 0.140), SKIN),
        ball((0.0, -0.040, HEAD_Z - 0.005), (0.158, 0.135, 0.150), hair),
        ball((0.0, 0.162, HEAD_Z - 0.02), (0.020, 0.024, 0.020), (0.86, 0.62, 0.48)),
    ]
    for side in (-1.0, 1.0):
        parts += [
            ball((0.056 * side, 0.143, HEAD_Z + 0.022), (0.021, 0.018, 0.033), INK),
            ball((0.050 * side, 0.158, HEAD_Z + 0.034), (0.008, 0.006, 0.009), (1.0, 1.0, 1.0)),
        ]
    return parts


def arms(sleeve: ArrayLike) -> list[MeshData]:
    """Return two bent arms with the hands in front."""
    parts = []
    for side in (-1.0, 1.0):
        parts += [
            ball((0.168 * side, 0.03, 0.49), (0.062, 0.065, 0.085), sleeve),
            ball((0.205 * side, 0.085, 0.41), (0.050, 0.075, 0.055), sleeve),
            ball((0.222 * side, 0.150, 0.385), (0.040, 0.040, 0.040), SKIN),
        ]
    return parts


def belt(radius: float = 0.148) -> list[MeshData]:
    """Return a belt with a buckle in front."""
    ring = (
        (radius - 0.015, 0.375),
        (radius, 0.385),
        (radius, 0.415),
        (radius - 0.015, 0.425),
    )
    return [lathe(ring, LEATHER), box((0.0, radius, 0.40), (0.028, 0.014, 0.024), GOLD)]


def cape(color: Color, hem: float = 0.075, wide: float = 1.0) -> MeshData:
    """Return a cape around the back, wider at the hem and visible from both sides."""
    around = np.radians(np.linspace(198.0, 342.0, 15))
    height = 0.60 - (0.60 - hem) * np.array((0.0, 0.08, 0.29, 0.57, 0.84, 1.0))
    reach = np.array((0.11, 0.165, 0.185, 0.225, 0.265, 0.285)) * wide
    folds = 1.0 + 0.05 * np.cos(7.0 * (around - np.pi * 1.5)) * np.linspace(0, 1, 6)[:, None]
    points = np.stack(
        [
            np.cos(around) * reach[:, None] * folds,
            np.sin(around) * reach[:, None] * folds,
            np.broadcast_to(height[:, None], (6, 15)),
        ],
        axis=2,
    )
    return both_sides(points[:, ::-1], color, [0.7 * part for part in color])
