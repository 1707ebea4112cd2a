"""Kinds of ground: what a tile is made of, what entering it costs, how it is colored."""

import math
from dataclasses import dataclass

Color = tuple[float, float, float]


@dataclass(frozen=True)
class TileKind:
    """One kind of ground.

    Parameters
    ----------
    name : str
        The name by which maps, edits and movement profiles refer to it.
    cost : number or None
        What a step onto such a tile costs before heights count, >= 0.
        None: it cannot be entered.
    color : (red, green, blue), each 0..1
        Color of its top, as seen in full light.

    Raises
    ------
    ValueError
        The name is empty, the cost negative or not finite, a color outside 0..1.
    """

    name: str
    cost: float | None = 1
    color: Color = (0.6, 0.6, 0.6)

    def __post_init__(self) -> None:
        """Refuse what could never be walked or drawn."""
        if not self.name:
            raise ValueError("a tile kind needs a name")
        if self.cost is not None and not (math.isfinite(self.cost) and self.cost >= 0):
            raise ValueError(f"cost of {self.name!r} must be None or finite >= 0, got {self.cost}")
        if len(self.color) != 3 or not all(0 <= part <= 1 for part in self.color):
            raise ValueError(f"color of {self.name!r} must be 3 numbers in 0..1, got {self.color}")


VOID = TileKind("void", cost=None, color=(0.0, 0.0, 0.0))
"""No ground at all. Every map knows this kind, whatever its own table says."""

KINDS = (
    TileKind("grass", color=(0.50, 0.66, 0.29)),
    TileKind("dirt", color=(0.61, 0.47, 0.33)),
    TileKind("sand", color=(0.90, 0.80, 0.58)),
    TileKind("rock", color=(0.60, 0.58, 0.56)),
    TileKind("snow", color=(0.86, 0.89, 0.94)),
    TileKind("road", color=(0.72, 0.66, 0.56)),
    VOID,
)
"""The kinds of a map that names none of its own. All cost 1, so heights alone decide."""
