"""Render quality levels: shadow map size, antialiasing and small ground cover."""

from dataclasses import dataclass

from terrain3d.core.checks import named, whole_number

MAX_SHADOW_SIZE, MAX_SAMPLES = 8192, 16


@dataclass(frozen=True)
class Quality:
    """Settings of the renderer; `TypeError` or `ValueError` if a number is out of its limits."""

    name: str
    shadow_size: int
    """Width and height of the shadow map in texels, 64..MAX_SHADOW_SIZE."""
    samples: int
    """Antialiasing samples per pixel, 0..MAX_SAMPLES; fixed when a window is opened."""
    has_ground_cover: bool
    """Whether grass tufts, flowers and stones are drawn; woods and reeds always are."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        for what, low, high in (("shadow_size", 64, MAX_SHADOW_SIZE), ("samples", 0, MAX_SAMPLES)):
            if not low <= whole_number(what, getattr(self, what)) <= high:
                raise ValueError(f"{what} must be in {low}..{high}, got {getattr(self, what)}")


HIGH = Quality("high", shadow_size=4096, samples=4, has_ground_cover=True)
MEDIUM = Quality("medium", shadow_size=2048, samples=2, has_ground_cover=True)
LOW = Quality("low", shadow_size=1024, samples=0, has_ground_cover=False)

QUALITIES = {quality.name: quality for quality in (HIGH, MEDIUM, LOW)}
"""Quality levels by name, the best first."""


def quality_of(quality: Quality | str) -> Quality:
    """Return the quality of a name; a `Quality` is returned as it is.

    `TypeError` or `ValueError` if it is neither a Quality nor the name of one.
    """
    return named("quality", quality, Quality, QUALITIES)
