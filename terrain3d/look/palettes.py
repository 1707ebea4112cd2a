"""Color palettes for marks and teams, some of them for color-blind players.

Color is never the only cue: the reach is hatched and outlined, a refused path is dashed and ends
in a cross, the cursor is a frame of brackets, and text names the teams.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from terrain3d.grid.kinds import Color
from terrain3d.mesh.figures.team import TEAM_COLORS, team_color


@dataclass(frozen=True)
class Palette:
    """Colors of marks and teams; each color is (red, green, blue) in 0..1.

    Parameters
    ----------
    name : str
    reach, path, refused, cursor : color
        Colors of tiles within reach, of allowed and of refused paths, and of the tile cursor.
    teams : mapping of str to color
        Colors by team name. Other teams have the color of `team_color`.

    Raises
    ------
    ValueError
        A color is not three numbers in 0..1.
    """

    name: str
    reach: Color
    path: Color
    refused: Color
    cursor: Color
    teams: Mapping[str, Color]

    def __post_init__(self) -> None:
        """Check the colors and freeze the mapping."""
        marks = {name: getattr(self, name) for name in ("reach", "path", "refused", "cursor")}
        for name, color in {**marks, **self.teams}.items():
            if len(color) != 3 or not all(0 <= part <= 1 for part in color):
                raise ValueError(f"{name} of {self.name!r} must be 3 numbers in 0..1, got {color}")
        object.__setattr__(self, "teams", MappingProxyType(dict(self.teams)))

    def of_team(self, team: str) -> Color:
        """Return the color of a team."""
        return self.teams[team] if team in self.teams else team_color(team)


def _hex(digits: str) -> Color:
    red, green, blue = bytes.fromhex(digits)
    return red / 255, green / 255, blue / 255


PAINTED = Palette(
    "painted",
    reach=(0.20, 0.62, 1.00),
    path=(1.00, 0.84, 0.25),
    refused=(0.94, 0.24, 0.10),
    cursor=(1.00, 0.99, 0.93),
    teams=TEAM_COLORS,
)
"""The default colors, made for the scene."""

OKABE_ITO = Palette(
    "Okabe-Ito",
    reach=_hex("56B4E9"),
    path=_hex("F0E442"),
    refused=_hex("D55E00"),
    cursor=(1.0, 1.0, 1.0),
    teams={
        "blue": _hex("0072B2"),
        "red": _hex("D55E00"),
        "green": _hex("009E73"),
        "yellow": _hex("F0E442"),
        "purple": _hex("CC79A7"),
        "orange": _hex("E69F00"),
        "teal": _hex("56B4E9"),
        "white": (1.0, 1.0, 1.0),
        "black": (0.0, 0.0, 0.0),
    },
)
"""Okabe, Ito, "Color Universal Design" (2008), https://jfly.uni-koeln.de/color/"""

HIGH_CONTRAST = Palette(
    "high contrast",
    reach=(0.10, 0.30, 1.00),
    path=(1.00, 0.90, 0.00),
    refused=(0.75, 0.00, 0.15),
    cursor=(1.0, 1.0, 1.0),
    teams={
        "blue": (0.00, 0.20, 1.00),
        "red": (0.72, 0.00, 0.05),
        "green": (0.00, 0.68, 0.40),
        "yellow": (1.00, 0.90, 0.00),
        "purple": (0.55, 0.25, 0.75),
        "orange": (1.00, 0.50, 0.00),
        "white": (1.0, 1.0, 1.0),
        "black": (0.0, 0.0, 0.0),
    },
)
"""Colors far apart in lightness, for dim screens and low vision."""

PALETTES = MappingProxyType(
    {palette.name: palette for palette in (PAINTED, OKABE_ITO, HIGH_CONTRAST)}
)
"""Palettes by name, the default first."""
