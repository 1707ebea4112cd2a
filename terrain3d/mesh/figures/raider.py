"""The figure of a raider: a horned helmet, a beard, a fur collar, an axe and a round shield."""

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.parts import CLOTH, GOLD, IRON, STEEL, WOOD, arms, belt, cape, face
from terrain3d.mesh.solids import ball, box, lathe, mirrored, moved, rod, tilted

_FUR, _BEARD, _HORN = (0.30, 0.24, 0.20), (0.62, 0.30, 0.12), (0.90, 0.85, 0.70)


def raider(team: Color, dark: Color) -> list[MeshData]:
    """Return the body of a raider."""
    coat = (
        (0.165, 0.17),
        (0.230, 0.18),
        (0.200, 0.29),
        (0.172, 0.40),
        (0.196, 0.50),
        (0.186, 0.57),
        (0.100, 0.63),
    )
    fur = [
        ball((0.15 * x, 0.14 * y, 0.585), (0.105, 0.095, 0.065), _FUR)
        for x, y in ((1.0, 0.35), (-1.0, 0.35), (0.85, -0.6), (-0.85, -0.6), (0.0, -1.0))
    ]
    return [
        lathe(coat, team, front=CLOTH),
        lathe(((0.222, 0.175), (0.246, 0.18), (0.232, 0.225), (0.215, 0.23)), dark),
        *belt(0.190),
        *arms(team),
        *fur,
        cape(_FUR, hem=0.12, wide=1.3),
        *face(_BEARD),
        ball((0.0, 0.105, 0.645), (0.105, 0.075, 0.095), _BEARD),
        *_helmet(),
        *_shield(team),
        *_axe(dark),
    ]


def _helmet() -> list[MeshData]:
    dome = ((0.158, 0.775), (0.166, 0.82), (0.135, 0.895), (0.070, 0.94), (0.0, 0.95))
    bend = [(0.14, 0.0, 0.845), (0.25, 0.01, 0.87), (0.31, 0.06, 0.96), (0.30, 0.12, 1.08)]
    horn = rod(bend, (0.045, 0.042, 0.030, 0.005), _HORN)
    return [
        lathe(dome, IRON),
        lathe(((0.160, 0.77), (0.174, 0.775), (0.172, 0.805), (0.158, 0.81)), GOLD),
        horn,
        mirrored(horn),
    ]


def _shield(team: Color) -> list[MeshData]:
    parts = [
        ball((0.0, -0.006, 0.0), (0.195, 0.028, 0.195), WOOD),
        ball((0.0, 0.006, 0.0), (0.165, 0.030, 0.165), team),
        ball((0.0, 0.024, 0.0), (0.055, 0.034, 0.055), IRON),
    ]
    return [moved(tilted(part, -4.0, 6.0), (-0.285, 0.205, 0.42)) for part in parts]


def _axe(dark: Color) -> list[MeshData]:
    parts = [
        rod([(0.0, 0.0, -0.26), (0.0, 0.0, 0.46)], 0.020, WOOD),
        moved(ball((0.0, 0.0, 0.0), (0.018, 0.105, 0.125), STEEL), (0.0, 0.10, 0.38)),
        box((0.0, 0.0, 0.38), (0.034, 0.040, 0.055), dark),
    ]
    return [moved(tilted(part, 30.0, -8.0), (0.245, 0.160, 0.40)) for part in parts]
