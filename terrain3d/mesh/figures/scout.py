"""The figure of a scout: a feathered cap, a short cape, a bow and a quiver."""

import numpy as np

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.parts import CLOTH, GOLD, LEATHER, WOOD, arms, belt, cape, face
from terrain3d.mesh.solids import ball, lathe, moved, rod, tilted


def scout(team: Color, dark: Color) -> list[MeshData]:
    """Return the body of a scout."""
    tunic = (
        (0.150, 0.17),
        (0.205, 0.18),
        (0.185, 0.25),
        (0.145, 0.33),
        (0.125, 0.40),
        (0.138, 0.48),
        (0.132, 0.56),
        (0.080, 0.61),
    )
    collar = ((0.09, 0.54), (0.150, 0.55), (0.150, 0.585), (0.09, 0.62))
    return [
        lathe(tunic, team, front=CLOTH),
        *belt(0.142),
        lathe(collar, dark),
        cape(dark, hem=0.27, wide=0.95),
        *arms(team),
        *face(),
        *_cap(team, dark),
        *_quiver(dark),
        *_bow(),
    ]


def _cap(team: Color, dark: Color) -> list[MeshData]:
    crown = ((0.150, 0.800), (0.156, 0.835), (0.130, 0.900), (0.075, 0.945), (0.0, 0.955))
    feather = ball((0.0, 0.0, 0.13), (0.012, 0.036, 0.15), CLOTH)
    return [
        lathe(crown, team),
        lathe(((0.152, 0.785), (0.170, 0.80), (0.168, 0.835), (0.150, 0.845)), dark),
        moved(tilted(ball((0.0, 0.11, 0.0), (0.105, 0.13, 0.016), dark), -8.0), (0.0, 0.06, 0.81)),
        moved(tilted(feather, -42.0, -12.0), (0.145, -0.02, 0.83)),
        ball((0.152, -0.01, 0.835), (0.016, 0.022, 0.022), GOLD),
    ]


def _quiver(dark: Color) -> list[MeshData]:
    tube = lathe(((0.0, 0.0), (0.045, 0.0), (0.052, 0.30), (0.0, 0.30)), LEATHER)
    band = lathe(((0.050, 0.255), (0.058, 0.26), (0.058, 0.285), (0.050, 0.29)), dark)
    parts = [tube, band]
    for x, y in ((0.022, 0.012), (-0.022, 0.010), (0.0, -0.024)):
        parts.append(rod([(x, y, 0.25), (x, y, 0.36)], 0.008, WOOD))
        parts.append(ball((x, y, 0.375), (0.008, 0.020, 0.036), CLOTH))
    return [moved(tilted(part, -6.0, -24.0), (-0.02, -0.20, 0.30)) for part in parts]


def _bow() -> list[MeshData]:
    bend = np.linspace(-1.0, 1.0, 13)
    wood = np.stack([0.0 * bend, 0.085 * (1.0 - bend**2) - 0.05, 0.27 * bend], axis=1)
    string = np.stack([0.0 * bend[:2], 0.0 * bend[:2] - 0.05, (-0.27, 0.27)], axis=1)
    parts = [rod(wood, 0.017 - 0.008 * bend**2, WOOD), rod(string, 0.005, CLOTH)]
    return [moved(tilted(part, 8.0, 14.0), (-0.232, 0.165, 0.40)) for part in parts]
