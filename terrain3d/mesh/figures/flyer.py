"""The figure of a flyer: two wings, a circlet and a long spear."""

import numpy as np

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.parts import CLOTH, GOLD, STEEL, WOOD, arms, belt, face
from terrain3d.mesh.solids import ball, both_sides, lathe, mirrored, moved, rod, tilted


def flyer(team: Color, dark: Color) -> list[MeshData]:
    """Return the body of a flyer."""
    tunic = (
        (0.130, 0.19),
        (0.180, 0.20),
        (0.150, 0.30),
        (0.122, 0.40),
        (0.134, 0.48),
        (0.128, 0.56),
        (0.080, 0.61),
    )
    wing = _wing(dark)
    return [
        lathe(tunic, team, front=CLOTH),
        *belt(0.140),
        lathe(((0.09, 0.54), (0.150, 0.55), (0.150, 0.585), (0.09, 0.62)), GOLD),
        *arms(team),
        *face(hair=(0.80, 0.64, 0.34)),
        lathe(((0.150, 0.785), (0.162, 0.79), (0.160, 0.82), (0.148, 0.825)), GOLD),
        ball((0.0, 0.160, 0.805), (0.026, 0.014, 0.030), team),
        wing,
        mirrored(wing),
        *_spear(team),
    ]


def _wing(color: Color) -> MeshData:
    """Return a right wing: feathers of different length below a bent arm, paler at the tips."""
    part = np.linspace(0.0, 1.0, 13)
    top = np.stack(
        [
            0.06 + 0.38 * part,
            -0.13 - 0.16 * part + 0.10 * part**2,
            0.54 + 0.42 * np.sin(2.1 * part) - 0.16 * part**2,
        ],
        axis=1,
    )
    ragged = 1.0 + 0.16 * np.cos(part * 12.0 * np.pi)
    drop = (0.34 + 0.20 * np.sin(np.pi * part) - 0.14 * part) * ragged
    hang = np.stack([0.07 * part, -0.09 + 0.0 * part, -drop], axis=1)
    down = np.array((0.0, 0.3, 0.65, 1.0))[:, None, None]
    points = top + down * hang
    pale = 0.25 + 0.65 * down
    colors = np.array(color) * (1.0 - pale) + np.array(CLOTH) * pale
    shades = np.broadcast_to(colors, points.shape)
    return both_sides(points, shades, 0.86 * shades[:, ::-1])


def _spear(team: Color) -> list[MeshData]:
    parts = [
        rod([(0.0, 0.0, -0.36), (0.0, 0.0, 0.62)], 0.016, WOOD),
        lathe(((0.0, 0.60), (0.034, 0.65), (0.0, 0.80)), STEEL),
        lathe(((0.018, 0.575), (0.030, 0.585), (0.030, 0.605), (0.018, 0.615)), team),
    ]
    return [moved(tilted(part, 10.0, -6.0), (0.235, 0.165, 0.385)) for part in parts]
