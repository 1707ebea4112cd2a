"""How much work a picture may cost: the size of the shadow map, smooth edges, small things."""

from dataclasses import dataclass

from terrain3d.core.checks import whole_number

MAX_SHADOW_SIZE, MAX_SAMPLES = 8192, 16


@dataclass(frozen=True)
class Quality:
    """What a picture is made with.

    Parameters
    ----------
    name : str
    shadow_size : int, in texels
        Edge of the shadow map, 64..MAX_SHADOW_SIZE.
    samples : int
        How often each pixel is looked at along edges, 0..MAX_SAMPLES; a window has what it was
        opened with.
    has_herbs : bool
        Whether tufts, flowers and stones lie about; woods and reeds always do.

    Raises
    ------
    TypeError, ValueError
        A number is not whole or out of its limits.
    """

    name: str
    shadow_size: int
    samples: int
    has_herbs: bool

    def __post_init__(self) -> None:
        """Check the numbers."""
        for what, low, high in (("shadow_size", 64, MAX_SHADOW_SIZE), ("samples", 0, MAX_SAMPLES)):
            if not low <= whole_number(what, getattr(self, what)) <= high:
                raise ValueError(f"{what} must be in {low}..{high}, got {getattr(self, what)}")


HIGH = Quality("high", shadow_size=4096, samples=4, has_herbs=True)
MEDIUM = Quality("medium", shadow_size=2048, samples=2, has_herbs=True)
LOW = Quality("low", shadow_size=1024, samples=0, has_herbs=False)

QUALITIES = {quality.name: quality for quality in (HIGH, MEDIUM, LOW)}
"""By name, the best first."""


def quality_of(quality: Quality | str) -> Quality:
    """Look a quality up by its name; a `Quality` is its own.

    Raises
    ------
    TypeError, ValueError
        It is neither a quality nor text, or none has that name.
    """
    if isinstance(quality, Quality):
        return quality
    if not isinstance(quality, str):
        raise TypeError(f"a quality must be a Quality or the name of one, got {quality!r}")
    if quality not in QUALITIES:
        raise ValueError(f"a quality must be one of {', '.join(QUALITIES)}, got {quality!r}")
    return QUALITIES[quality]
