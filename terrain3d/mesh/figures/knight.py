"""The figure of a knight: broad shoulders, a closed helmet, a tall shield and a hammer."""

from terrain3d.grid.kinds import Color
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures.parts import CLOTH, GOLD, INK, IRON, STEEL, WOOD, belt
from terrain3d.mesh.solids import ball, box, lathe, moved, rod, tilted


def knight(team: Color, dark: Color) -> list[MeshData]:
    """Return the body of a knight."""
    surcoat = (
        (0.170, 0.16),
        (0.245, 0.17),
        (0.215, 0.28),
        (0.185, 0.40),
        (0.215, 0.50),
        (0.205, 0.58),
        (0.110, 0.64),
    )
    parts = [
        lathe(surcoat, team, front=CLOTH),
        lathe(((0.235, 0.165), (0.255, 0.17), (0.240, 0.205), (0.225, 0.21)), dark),
        *belt(0.205),
        lathe(((0.11, 0.585), (0.175, 0.595), (0.165, 0.635), (0.11, 0.65)), IRON),
    ]
    for side in (-1.0, 1.0):
        parts += [
            ball((0.235 * side, 0.0, 0.565), (0.105, 0.115, 0.085), STEEL),
            ball((0.250 * side, 0.0, 0.545), (0.112, 0.122, 0.050), dark),
            ball((0.262 * side, 0.05, 0.45), (0.062, 0.075, 0.085), IRON),
            ball((0.272 * side, 0.145, 0.395), (0.054, 0.058, 0.050), STEEL),
        ]
    return [*parts, *_helmet(team), *_shield(team), *_hammer(dark)]


def _helmet(team: Color) -> list[MeshData]:
    dome = (
        (0.125, 0.615),
        (0.158, 0.64),
        (0.163, 0.76),
        (0.155, 0.83),
        (0.115, 0.895),
        (0.055, 0.925),
        (0.0, 0.93),
    )
    return [
        lathe(dome, STEEL),
        lathe(((0.160, 0.795), (0.170, 0.80), (0.168, 0.825), (0.156, 0.83)), IRON),
        box((0.0, 0.152, 0.762), (0.098, 0.022, 0.014), INK),
        box((0.0, 0.162, 0.715), (0.014, 0.014, 0.090), GOLD),
        box((0.0, 0.162, 0.785), (0.060, 0.014, 0.011), GOLD),
        ball((0.0, -0.015, 0.955), (0.034, 0.165, 0.075), team),
        ball((0.0, -0.150, 0.90), (0.030, 0.075, 0.10), team),
    ]


def _shield(team: Color) -> list[MeshData]:
    parts = [
        ball((0.0, -0.006, 0.0), (0.172, 0.030, 0.245), GOLD),
        ball((0.0, 0.008, 0.0), (0.150, 0.034, 0.222), team),
        box((0.0, 0.036, 0.02), (0.018, 0.010, 0.150), CLOTH),
        box((0.0, 0.034, 0.06), (0.095, 0.010, 0.018), CLOTH),
    ]
    return [moved(tilted(part, -4.0, 6.0), (-0.285, 0.215, 0.40)) for part in parts]


def _hammer(dark: Color) -> list[MeshData]:
    parts = [
        rod([(0.0, 0.0, -0.26), (0.0, 0.0, 0.44)], 0.020, WOOD),
        box((0.0, 0.0, 0.44), (0.062, 0.125, 0.062), STEEL),
        box((0.0, 0.0, 0.44), (0.068, 0.030, 0.068), dark),
        ball((0.0, 0.0, -0.27), (0.032, 0.032, 0.032), GOLD),
    ]
    return [moved(tilted(part, -8.0, -10.0), (0.285, 0.175, 0.40)) for part in parts]
