"""Colors and shapes of teams; the shape identifies a team without its color."""

import colorsys
import zlib

from terrain3d.grid.kinds import Color

TEAM_COLORS: dict[str, Color] = {
    "blue": (0.05, 0.14, 0.86),
    "red": (0.70, 0.02, 0.12),
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
"""Number of corners, and angle of the first one in turns: disk, square, triangle, diamond."""


def team_shape(team: str) -> tuple[int, float]:
    """Return the number of corners of a team's shape, and the angle of the first one in turns."""
    names = list(TEAM_COLORS)
    number = names.index(team) if team in names else zlib.crc32(team.encode())
    return _SHAPES[number % len(_SHAPES)]


def team_color(team: str) -> Color:
    """Return a team's color: a fixed one for common names, else one that depends on the name."""
    if team in TEAM_COLORS:
        return TEAM_COLORS[team]
    bits = zlib.crc32(team.encode())
    # Whole steps of hue, so that the hues of two unknown teams differ clearly or not at all.
    hue, strength = (bits % 24) / 24.0, 0.55 + 0.1 * (bits // 24 % 3)
    return colorsys.hsv_to_rgb(hue, strength, 0.74)
