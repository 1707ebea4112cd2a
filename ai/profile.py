"""What a mover can do and what its steps cost: a profile, as data."""

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from terrain3d import TileKind, TileMap
from terrain3d.checks import check_cost
from terrain3d.edit import MAX_LEVEL

DIAGONAL_MODES = ("never", "always", "at_least_one_walkable", "only_if_no_obstacles")


def _checked_levels(name: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number of levels, got {value!r}") from None
    if isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number of levels, got {value!r}")
    if not 0 <= number <= MAX_LEVEL:
        raise ValueError(f"{name} must be in 0..{MAX_LEVEL} levels, got {number}")
    return number


@dataclass(frozen=True)
class MoveProfile:
    """What a mover can do and what its steps cost, as data.

    Parameters
    ----------
    max_climb, max_drop : int, in levels
        The tallest step up and down, 0..MAX_LEVEL. Anything taller is a wall.
    climb_cost, drop_cost : number
        Cost of each level up and down, 0..MAX_COST, on top of the cost to enter.
    kind_cost : mapping of str to number or None
        Costs to enter kinds of ground by name where they differ from the map's table; None: cannot
        be entered. Names that a map does not have do not matter there.
    diagonal : str
        Whether steps across a corner are legal, on square tiles: "never", "always",
        "at_least_one_walkable" (one of the two-step detours around the corner is legal) or
        "only_if_no_obstacles" (both are), heights included. Godot's names.
    diagonal_cost : number
        What the cost to enter is multiplied by on a diagonal step, 0..MAX_COST.

    Raises
    ------
    TypeError, ValueError
        A limit or cost is of the wrong type or out of its range.
    """

    max_climb: int = 2
    max_drop: int = 3
    climb_cost: float = 1
    drop_cost: float = 0
    kind_cost: Mapping[str, float | None] = field(default_factory=dict)
    diagonal: str = "never"
    diagonal_cost: float = 1
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check every field and freeze the table."""
        for name in ("max_climb", "max_drop"):
            object.__setattr__(self, name, _checked_levels(name, getattr(self, name)))
        if self.diagonal not in DIAGONAL_MODES:
            raise ValueError(f"diagonal must be one of {DIAGONAL_MODES}, got {self.diagonal!r}")
        for name in ("climb_cost", "drop_cost", "diagonal_cost"):
            check_cost(name, getattr(self, name))
        if not isinstance(self.kind_cost, Mapping):
            raise TypeError(f"kind_cost must map names to costs, got {self.kind_cost!r}")
        for kind, cost in self.kind_cost.items():
            if not isinstance(kind, str):
                raise TypeError(f"kind_cost goes by the names of kinds, got {kind!r}")
            if kind == "void":
                raise ValueError("kind_cost cannot price 'void': there is no ground to enter")
            if cost is not None:
                check_cost(f"kind_cost[{kind!r}]", cost)
        object.__setattr__(self, "kind_cost", MappingProxyType(dict(self.kind_cost)))
        table = frozenset(self.kind_cost.items())
        numbers = (self.max_climb, self.max_drop, self.climb_cost, self.drop_cost)
        # Every query looks its profile up, so the hash is worked out once.
        object.__setattr__(self, "_hash", hash((numbers, table, self.diagonal, self.diagonal_cost)))

    @classmethod
    def classic(cls, uphill: float = 1) -> Self:
        """Give the tutorial's printed rule: each level up costs `uphill`, over 2 is a wall."""
        return cls(max_climb=2, max_drop=2, climb_cost=uphill, drop_cost=0)

    def __hash__(self) -> int:
        """Hash by value, so that equal profiles share what was prepared for one."""
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a read-only mapping cannot be pickled itself."""
        values = (self.max_climb, self.max_drop, self.climb_cost, self.drop_cost)
        table = dict(self.kind_cost)
        return type(self), (*values, table, self.diagonal, self.diagonal_cost)

    def entry_cost(self, tilemap: TileMap) -> NDArray[np.float64]:
        """(n_kinds,) costs to enter each kind of the map's table; infinity: cannot be entered."""
        costs = [self._cost_to_enter(kind) for kind in tilemap.kinds]
        return np.array([math.inf if cost is None else cost for cost in costs])

    def _cost_to_enter(self, kind: TileKind) -> float | None:
        if kind.name == "void":  # a map's own table may price it; still there is no ground
            return None
        return self.kind_cost.get(kind.name, kind.cost)

    def rise_cost(self) -> NDArray[np.float64]:
        """(max_drop + max_climb + 1,) surcharge of each legal rise, from the deepest drop up."""
        rise = np.arange(-self.max_drop, self.max_climb + 1)
        surcharge: NDArray[np.float64] = np.where(
            rise > 0, self.climb_cost * rise, -self.drop_cost * rise
        ).astype(np.float64)
        return surcharge
