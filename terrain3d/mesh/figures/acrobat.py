"""The figure of an acrobat: a ponytail, a flying scarf and two short swords."""

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.parts import CLOTH, GOLD, HEAD_Z, STEEL, arms, belt, face
from terrain3d.mesh.solids import ball, lathe, mirrored, moved, rod, tilted

_HAIR = (0.74, 0.34, 0.14)


def acrobat(team: Color, dark: Color) -> list[MeshData]:
    """Return the body of an acrobat."""
    tunic = (
        (0.120, 0.23),
        (0.165, 0.24),
        (0.140, 0.32),
        (0.112, 0.40),
        (0.126, 0.48),
        (0.122, 0.56),
        (0.075, 0.61),
    )
    scarf = ((0.09, 0.56), (0.165, 0.575), (0.165, 0.62), (0.09, 0.645))
    sword = _sword()
    return [
        lathe(tunic, team, front=CLOTH),
        *belt(0.130),
        lathe(scarf, dark),
        *arms(team),
        *face(_HAIR),
        lathe(((0.152, 0.775), (0.166, 0.78), (0.164, 0.815), (0.150, 0.82)), team),
        *_ponytail(),
        *_scarf_ends(dark),
        sword,
        mirrored(sword),
    ]


def _ponytail() -> list[MeshData]:
    tail = [(0.0, -0.13, 0.88), (0.0, -0.24, 0.98), (0.0, -0.33, 0.90), (0.0, -0.37, 0.72)]
    return [
        ball((0.0, -0.02, HEAD_Z + 0.12), (0.135, 0.13, 0.085), _HAIR),
        lathe(((0.0, 0.90), (0.035, 0.93), (0.045, 0.98), (0.0, 1.03)), GOLD),
        rod(tail, (0.050, 0.075, 0.060, 0.012), _HAIR),
    ]


def _scarf_ends(color: Color) -> list[MeshData]:
    return [
        rod(
            [(side * 0.06, -0.14, 0.60), (side * 0.16, -0.27, 0.56), (side * 0.24, -0.40, 0.62)],
            (0.030, 0.042, 0.012),
            color,
        )
        for side in (-1.0, 1.0)
    ]


def _sword() -> MeshData:
    parts = [
        rod([(0.0, 0.0, -0.06), (0.0, 0.0, 0.05)], 0.018, GOLD),
        ball((0.0, 0.0, 0.06), (0.055, 0.022, 0.014), GOLD),
        rod([(0.0, 0.0, 0.06), (0.0, 0.03, 0.25), (0.0, 0.10, 0.40)], (0.026, 0.024, 0.004), STEEL),
    ]
    return moved(tilted(MeshData.join(parts), -38.0, -22.0), (0.230, 0.160, 0.385))
