"""Lighting presets, called moods: sun direction and the colors of sun, sky, ground and haze.

Colors of light are linear: a surface color is multiplied by them and the square root is displayed.
Colors of the sky are display colors.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import named
from terrain3d.grid.kinds import Color

Direction = tuple[float, float, float]

SKY_STOPS_DEG = (-90.0, -42.0, -32.0, -22.0, -8.0, 14.0, 60.0, 90.0)
"""Elevations of a mood's sky colors, which are interpolated in between.

Most are below the horizon, because a camera that looks down on a map sees the sky there.
"""


@dataclass(frozen=True)
class Mood:
    """A lighting preset; colors are linear, but for those of the sky.

    `ValueError` if the sun is not above the ground, or the number of sky colors is wrong.
    """

    name: str
    sun: Direction
    """Direction to the key light in map coordinates, of any length; z must be > 0."""
    sun_color: Color
    """Key light."""
    sky_light: Color
    """Ambient light from above."""
    ground_light: Color
    """Ambient light from below."""
    rim_light: Color
    """Light around the outline of figures."""
    fade_color: Color
    """Color that distant ground fades to."""
    sky: tuple[Color, ...]
    """Display colors in 0..1, one for each of SKY_STOPS_DEG."""
    stars: float = 0.0
    """Brightness of the stars, 0..1."""

    def __post_init__(self) -> None:
        """Check the sun and the sky."""
        if not self.sun[2] > 0:
            raise ValueError(f"the sun of {self.name!r} must be above the ground, got {self.sun}")
        if len(self.sky) != len(SKY_STOPS_DEG):
            raise ValueError(
                f"the sky of {self.name!r} needs {len(SKY_STOPS_DEG)} colors, got {len(self.sky)}"
            )

    @property
    def mirrored(self) -> Color:
        """Linear color of the sky in a flat mirror."""
        red, green, blue = self.sky[SKY_STOPS_DEG.index(14.0)]
        return red * red, green * green, blue * blue

    def mixed(self, other: Self, part: float) -> Self:
        """Return the interpolation to another mood; part is in 0..1."""
        mixed: dict[str, Any] = {
            name: _mix(getattr(self, name), getattr(other, name), part)
            for name in ("sun", "sun_color", "sky_light", "ground_light", "rim_light", "fade_color")
        }
        return replace(
            other,
            **mixed,
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
"""Moods by name, in the order of the day."""


def mood_of(mood: Mood | str) -> Mood:
    """Return the mood of a name; a `Mood` is returned as it is.

    `TypeError` or `ValueError` if it is neither a Mood nor the name of one.
    """
    return named("mood", mood, Mood, MOODS)


def lamps_of(mood: Mood) -> tuple[Color, Color]:
    """Return the colors of a sun and of an ambient light, for renderers that take no square root.

    White surfaces that face the sun look as they do under the mood.
    """
    sun, sky, ground = np.array([mood.sun_color, mood.sky_light, mood.ground_light])
    around = 0.75 * sky + 0.25 * ground  # most of what is seen faces up
    return _color(np.sqrt(sun + around) - np.sqrt(around)), _color(np.sqrt(around))


def _color(parts: NDArray[np.float64]) -> Color:
    red, green, blue = parts.tolist()
    return red, green, blue
