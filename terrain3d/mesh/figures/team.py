"""Which color a team has, and which shape: nobody has to tell two colors apart."""

import colorsys
import zlib

from terrain3d.grid.kinds import Color

TEAM_COLORS: dict[str, Color] = {
    "blue": (0.16, 0.36, 0.80),
    "red": (0.80, 0.17, 0.15),
    "green": (0.16, 0.55, 0.27),
    "yellow": (0.92, 0.70, 0.16),
    "purple": (0.49, 0.25, 0.68),
    "orange": (0.90, 0.45, 0.13),
    "teal": (0.10, 0.56, 0.58),
    "pink": (0.88, 0.42, 0.62),
    "white": (0.86, 0.86, 0.84),
    "black": (0.20, 0.20, 0.23),
}


_SHAPES = ((24, 0.0), (4, 0.125), (3, 0.25), (4, 0.0))
"""Corners, and where the first one is, in turns from +x: disk, square, triangle, diamond."""


def team_shape(team: str) -> tuple[int, float]:
    """Give the corners of a team's shape, and where the first one is, in turns from +x."""
    names = list(TEAM_COLORS)
    number = names.index(team) if team in names else zlib.crc32(team.encode())
    return _SHAPES[number % len(_SHAPES)]


def team_color(team: str) -> Color:
    """Give a team's color: a fixed one for common names, else always the same for the same text."""
    if team in TEAM_COLORS:
        return TEAM_COLORS[team]
    bits = zlib.crc32(team.encode())
    # Whole steps of hue, so that two unknown teams are either plainly different or the same.
    hue, strength = (bits % 24) / 24.0, 0.55 + 0.1 * (bits // 24 % 3)
    return colorsys.hsv_to_rgb(hue, strength, 0.74)
