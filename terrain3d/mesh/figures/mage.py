"""The figure of a mage: a wide hat, a robe that ends in a wisp, a staff with a light."""

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.parts import CLOTH, GLOW, GOLD, WOOD, arms, belt, cape, face
from terrain3d.mesh.solids import ball, bent_back, glowing, lathe, moved, rod, tilted


def mage(team: Color, dark: Color) -> list[MeshData]:
    """Return the body of a mage."""
    robe = (
        (0.205, 0.225),
        (0.180, 0.29),
        (0.150, 0.35),
        (0.130, 0.40),
        (0.140, 0.48),
        (0.135, 0.56),
        (0.085, 0.61),
    )
    wisp = (
        (0.0, 0.02),
        (0.035, 0.04),
        (0.080, 0.09),
        (0.150, 0.145),
        (0.205, 0.185),
        (0.215, 0.205),
        (0.205, 0.225),
    )
    return [
        lathe(wisp, dark),
        lathe(robe, team, front=CLOTH),
        *belt(),
        lathe(((0.09, 0.53), (0.165, 0.545), (0.168, 0.575), (0.10, 0.625)), dark),
        cape(dark, hem=0.13),
        *arms(team),
        *face(),
        *_hat(team, dark),
        *_staff(),
    ]


def _hat(team: Color, dark: Color) -> list[MeshData]:
    below = ((0.10, 0.835), (0.245, 0.800), (0.258, 0.812))
    above = ((0.258, 0.812), (0.245, 0.826), (0.12, 0.862))
    cone = ((0.145, 0.85), (0.128, 0.92), (0.092, 1.00), (0.050, 1.09), (0.016, 1.15), (0.0, 1.16))
    return [
        lathe(below, dark),
        lathe(above, team),
        bent_back(lathe(cone, team), start=0.90),
        lathe(((0.140, 0.850), (0.150, 0.856), (0.143, 0.895), (0.130, 0.900)), GOLD),
    ]


def _staff() -> list[MeshData]:
    parts = [
        rod([(0.0, 0.0, -0.30), (0.0, 0.0, 0.50)], 0.019, WOOD),
        lathe(((0.022, 0.49), (0.045, 0.505), (0.022, 0.525)), GOLD),
        glowing(ball((0.0, 0.0, 0.57), (0.055, 0.055, 0.055), GLOW)),
    ]
    return [moved(tilted(part, 7.0, -5.0), (0.235, 0.165, 0.385)) for part in parts]
