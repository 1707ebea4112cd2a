"""Moods of light: where the sun stands, and the colors of sun, sky, ground and distance.

Colors of light are linear: what they fall on is multiplied by them, and the square root is shown.
Colors of the sky are as shown.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

from terrain3d.grid.kinds import Color

Direction = tuple[float, float, float]

SKY_STOPS_DEG = (-90.0, -42.0, -32.0, -22.0, -8.0, 14.0, 60.0, 90.0)
"""Elevations at which a mood names the sky's color; it blends between them.

Most lie below the horizon: a camera that looks down on a map sees the sky there.
"""


@dataclass(frozen=True)
class Mood:
    """How a scene is lit.

    Parameters
    ----------
    name : str
    sun : (x, y, z)
        Where the key light comes from, in the map's coordinates; from above, of any length.
    sun_color, sky_light, ground_light : (red, green, blue), linear, each >= 0
        Of the key light, and of what comes from above and from below everywhere.
    rim_light : (red, green, blue), linear
        What shines around the outline of figures.
    fade_color : (red, green, blue), linear
        What distance fades to.
    sky : (red, green, blue) for each of SKY_STOPS_DEG, as shown, each 0..1
    stars : float in 0..1
        How bright stars are.

    Raises
    ------
    ValueError
        The sun is not above the ground, or the sky has not a color for each stop.
    """

    name: str
    sun: Direction
    sun_color: Color
    sky_light: Color
    ground_light: Color
    rim_light: Color
    fade_color: Color
    sky: tuple[Color, ...]
    stars: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what could not be lit."""
        if not self.sun[2] > 0:
            raise ValueError(f"the sun of {self.name!r} must be above the ground, got {self.sun}")
        if len(self.sky) != len(SKY_STOPS_DEG):
            raise ValueError(
                f"the sky of {self.name!r} needs {len(SKY_STOPS_DEG)} colors, got {len(self.sky)}"
            )

    @property
    def mirrored(self) -> Color:
        """What a flat mirror shows of the sky, as linear light."""
        red, green, blue = self.sky[SKY_STOPS_DEG.index(14.0)]
        return red * red, green * green, blue * blue

    def mixed(self, other: Self, part: float) -> Self:
        """Give the mood that is a part, 0..1, of the way to another."""
        return replace(
            other,
            sun=_mix(self.sun, other.sun, part),
            sun_color=_mix(self.sun_color, other.sun_color, part),
            sky_light=_mix(self.sky_light, other.sky_light, part),
            ground_light=_mix(self.ground_light, other.ground_light, part),
            rim_light=_mix(self.rim_light, other.rim_light, part),
            fade_color=_mix(self.fade_color, other.fade_color, part),
            sky=tuple(_mix(a, b, part) for a, b in zip(self.sky, other.sky, strict=True)),
            stars=self.stars + (other.stars - self.stars) * part,
        )


def _mix(now: Color, then: Color, part: float) -> Color:
    x, y, z = (a + (b - a) * part for a, b in zip(now, then, strict=True))
    return x, y, z


NOON = Mood(
    "noon",
    sun=(-0.55, -0.45, 0.70),
    sun_color=(1.10, 0.95, 0.72),
    sky_light=(0.27, 0.33, 0.45),
    ground_light=(0.30, 0.24, 0.19),
    rim_light=(0.20, 0.22, 0.26),
    fade_color=(0.62, 0.66, 0.70),
    sky=(
        (0.86, 0.77, 0.64),
        (0.92, 0.84, 0.71),
        (0.89, 0.84, 0.77),
        (0.73, 0.79, 0.85),
        (0.61, 0.73, 0.87),
        (0.45, 0.62, 0.84),
        (0.30, 0.47, 0.73),
        (0.27, 0.43, 0.68),
    ),
)

DUSK = Mood(
    "dusk",
    sun=(-0.78, -0.30, 0.42),
    sun_color=(1.35, 0.66, 0.30),
    sky_light=(0.22, 0.21, 0.38),
    ground_light=(0.26, 0.16, 0.14),
    rim_light=(0.42, 0.22, 0.12),
    fade_color=(0.52, 0.34, 0.33),
    sky=(
        (0.34, 0.25, 0.36),
        (0.52, 0.35, 0.42),
        (0.74, 0.47, 0.45),
        (0.92, 0.62, 0.45),
        (0.96, 0.72, 0.50),
        (0.72, 0.52, 0.60),
        (0.36, 0.34, 0.56),
        (0.26, 0.27, 0.48),
    ),
    stars=0.15,
)

NIGHT = Mood(
    "night",
    sun=(0.20, -0.62, 0.72),
    sun_color=(0.25, 0.34, 0.54),
    sky_light=(0.052, 0.075, 0.155),
    ground_light=(0.035, 0.035, 0.065),
    rim_light=(0.10, 0.16, 0.30),
    fade_color=(0.022, 0.034, 0.078),
    sky=(
        (0.045, 0.050, 0.105),
        (0.060, 0.075, 0.150),
        (0.080, 0.105, 0.200),
        (0.105, 0.145, 0.260),
        (0.130, 0.185, 0.310),
        (0.090, 0.135, 0.270),
        (0.045, 0.070, 0.170),
        (0.030, 0.050, 0.130),
    ),
    stars=1.0,
)

MOODS = {mood.name: mood for mood in (NOON, DUSK, NIGHT)}
"""By name, in the order of the day."""


def mood_of(mood: Mood | str) -> Mood:
    """Look a mood up by its name; a `Mood` is its own.

    Raises
    ------
    TypeError, ValueError
        It is neither a mood nor text, or no mood has that name.
    """
    if isinstance(mood, Mood):
        return mood
    if not isinstance(mood, str):
        raise TypeError(f"a mood must be a Mood or the name of one, got {mood!r}")
    if mood not in MOODS:
        raise ValueError(f"a mood must be one of {', '.join(MOODS)}, got {mood!r}")
    return MOODS[mood]


@dataclass(frozen=True)
class Lamps:
    """A mood's light for renderers that multiply shown colors: no square root is taken there.

    `key` shines from the sun, `above` and `below` straight down and up, `everywhere` on all.
    """

    key: Color
    above: Color
    below: Color
    everywhere: Color


def lamps_of(mood: Mood) -> Lamps:
    """Give the light under which a white body looks as it does under a mood.

    It agrees on what faces the sun, straight up and straight down, but for the sun's part there.
    """
    above, below, key, everywhere = [], [], [], []
    for sun, sky, ground in zip(mood.sun_color, mood.sky_light, mood.ground_light, strict=True):
        up, down = math.sqrt(sky), math.sqrt(ground)
        around = math.sqrt((sky + ground) / 2.0)
        everywhere.append(min(up, down))
        above.append(max(up - down, 0.0))
        below.append(max(down - up, 0.0))
        key.append(math.sqrt(sun + (sky + ground) / 2.0) - around)
    return Lamps(_color(key), _color(above), _color(below), _color(everywhere))


def _color(parts: list[float]) -> Color:
    red, green, blue = parts
    return red, green, blue
