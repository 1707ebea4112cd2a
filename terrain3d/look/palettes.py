"""Color palettes for marks and teams, some of them for color-blind players.

Color is never the only cue: the border of a threat is dashed and its tiles have a sign, a refused
path is dashed and ends in a cross, the cursor is a frame of brackets, and text names the teams.
Palettes for color-blind players also hatch tiles. Reach, both paths,
threat, cursor and the teams blue and red differ from each other and from every kind of ground.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from terrain3d.grid.kinds import Color, checked_color
from terrain3d.mesh.figures import TEAM_COLORS, team_color

MARKS = ("reach", "path", "first_path", "refused", "threat", "cursor")
"""Names of the colors of marks in a palette."""


@dataclass(frozen=True)
class Palette:
    """Colors of marks and teams; `ValueError` if one is not three numbers in 0..1."""

    name: str
    reach: Color
    path: Color
    first_path: Color
    """Of a path by the rules before a change."""
    refused: Color
    threat: Color
    """Of tiles that enemies could reach."""
    cursor: Color
    teams: Mapping[str, Color]
    """By team name. Other teams have the color of `team_color`."""
    is_hatched: bool = False
    """Whether marked tiles are hatched."""

    def __post_init__(self) -> None:
        """Check the colors and freeze the mapping."""
        marks = {name: getattr(self, name) for name in MARKS}
        for name, color in {**marks, **self.teams}.items():
            checked_color(f"{name} of {self.name!r}", color)
        object.__setattr__(self, "teams", MappingProxyType(dict(self.teams)))

    def of_team(self, team: str) -> Color:
        """Return the color of a team."""
        return self.teams[team] if team in self.teams else team_color(team)


def _hex(digits: str) -> Color:
    red, green, blue = bytes.fromhex(digits)
    return red / 255, green / 255, blue / 255


PAINTED = Palette(
    "painted",
    reach=(0.34, 0.50, 1.00),
    path=(1.00, 0.90, 0.10),
    first_path=(0.80, 0.75, 1.00),
    refused=(0.94, 0.24, 0.10),
    threat=(0.85, 0.05, 0.55),
    cursor=(0.35, 1.00, 0.75),
    teams=TEAM_COLORS,
)
"""The default colors, made for the scene."""

_SAFE_MARKS: dict[str, Color] = {
    "reach": (0.62, 0.14, 1.00),
    "path": (0.76, 1.00, 0.02),
    "first_path": (0.357, 0.292, 0.315),
    "refused": _hex("D55E00"),
    "threat": (0.92, 0.48, 1.00),
    "cursor": (0.05, 0.03, 0.05),
}
_SAFE_SIDES: dict[str, Color] = {"blue": (0.05, 0.05, 0.70), "red": (0.55, 0.02, 0.02)}
"""Colors that also differ from all ground with protanopia, deuteranopia and tritanopia."""

OKABE_ITO = Palette(
    "Okabe-Ito",
    **_SAFE_MARKS,
    is_hatched=True,
    teams={
        **_SAFE_SIDES,
        "green": _hex("009E73"),
        "yellow": _hex("F0E442"),
        "purple": _hex("CC79A7"),
        "orange": _hex("E69F00"),
        "teal": _hex("56B4E9"),
        "white": (1.0, 1.0, 1.0),
        "black": (0.0, 0.0, 0.0),
    },
)
"""After Okabe, Ito, "Color Universal Design" (2008), https://jfly.uni-koeln.de/color/"""

HIGH_CONTRAST = Palette(
    "high contrast",
    **_SAFE_MARKS,
    is_hatched=True,
    teams={
        **_SAFE_SIDES,
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


def bar_color(part: float) -> Color:
    """Return the color of a bar of hit points of which a part is left."""
    return 1.0 - part**2, 0.25 + 0.6 * part, 0.2
