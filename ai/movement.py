"""Who may step where, and at what price: the one owner of the step rule.

A step from u to a neighbor v rises by r = level(v) - level(u). It is legal if r <= max_climb and
-r <= max_drop, both are ground, and v's kind can be entered. It costs
entry(v) + climb_cost * max(0, r) + drop_cost * max(0, -r).
"""

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from terrain3d import Cell, Rect, TileKind, TileMap
from terrain3d.checks import check_cost
from terrain3d.edit import MAX_LEVEL


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

    def __post_init__(self) -> None:
        """Check every field and freeze the table."""
        for name in ("max_climb", "max_drop"):
            object.__setattr__(self, name, _checked_levels(name, getattr(self, name)))
        for name in ("climb_cost", "drop_cost"):
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

    @classmethod
    def classic(cls, uphill: float = 1) -> Self:
        """Give the tutorial's printed rule: each level up costs `uphill`, over 2 is a wall."""
        return cls(max_climb=2, max_drop=2, climb_cost=uphill, drop_cost=0)

    def __hash__(self) -> int:
        """Hash by value, so that equal profiles share what was prepared for one."""
        table = frozenset(self.kind_cost.items())
        return hash((self.max_climb, self.max_drop, self.climb_cost, self.drop_cost, table))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a read-only mapping cannot be pickled itself."""
        values = (self.max_climb, self.max_drop, self.climb_cost, self.drop_cost)
        return type(self), (*values, dict(self.kind_cost))

    def entry_cost(self, tilemap: TileMap) -> NDArray[np.float64]:
        """(n_kinds,) costs to enter each kind of the map's table; infinity: cannot be entered."""
        costs = [self._cost_to_enter(kind) for kind in tilemap.kinds]
        return np.array([math.inf if cost is None else cost for cost in costs])

    def _cost_to_enter(self, kind: TileKind) -> float | None:
        if kind.name == "void":  # a map's own table may price it; still there is no ground
            return None
        return self.kind_cost.get(kind.name, kind.cost)

    def price(self, rise: NDArray[np.int64], entry: NDArray[np.float64]) -> NDArray[np.float64]:
        """Price steps by their rise in levels and the entry cost of their end; infinity: illegal.

        Parameters
        ----------
        rise : int array, in levels
        entry : float64 array of the same shape
        """
        is_legal = (rise <= self.max_climb) & (-rise <= self.max_drop)
        surcharge = self.climb_cost * np.maximum(rise, 0) + self.drop_cost * np.maximum(-rise, 0)
        cost: NDArray[np.float64] = np.where(is_legal, entry + surcharge, np.inf)
        return cost


def node_offsets(tilemap: TileMap) -> NDArray[np.int64]:
    """(n_slots,) distance from a node to its neighbor in each direction of the grid."""
    return np.array([drow * tilemap.cols + dcol for drow, dcol in tilemap.grid.directions])


def bake(tilemap: TileMap, profile: MoveProfile, rect: Rect, out: NDArray[np.float64]) -> None:
    """Price every step that starts in `rect`.

    Parameters
    ----------
    out : (rows, cols, n_slots) float64
        The whole map's steps by the start's row and column; infinity where no step is legal.
        Only `rect` is written.
    """
    level, kind = tilemap.level, tilemap.kind
    entry = profile.entry_cost(tilemap)
    for slot, (drow, dcol) in enumerate(tilemap.grid.directions):
        # The part of rect whose neighbor in this direction is on the map.
        top, left = max(rect.row, -drow), max(rect.col, -dcol)
        bottom = min(rect.row + rect.rows, tilemap.rows - max(drow, 0))
        right = min(rect.col + rect.cols, tilemap.cols - max(dcol, 0))
        here = slice(top, bottom), slice(left, right)
        there = slice(top + drow, bottom + drow), slice(left + dcol, right + dcol)
        whole = slice(rect.row, rect.row + rect.rows), slice(rect.col, rect.col + rect.cols)
        out[(*whole, slot)] = np.inf
        if top >= bottom or left >= right:
            continue
        rise = level[there].astype(np.int64) - level[here]
        price = profile.price(rise, entry[kind[there]])
        out[(*here, slot)] = np.where(tilemap.void[here], np.inf, price)


def estimate(tilemap: TileMap, profile: MoveProfile, goal: Cell) -> NDArray[np.float64]:
    """(rows * cols,) lower bounds of the cost from each cell to `goal`, consistent for A*.

    At least the steps of the grid distance are needed, and of the net climb or drop at the tallest
    legal rise a step; each pays the cheapest entry. The net climb and drop are paid on top.
    """
    entry = profile.entry_cost(tilemap)
    cheapest = float(entry.min())
    if not math.isfinite(cheapest):
        return np.zeros(tilemap.rows * tilemap.cols)
    rise = int(tilemap.level[goal.row, goal.col]) - tilemap.level.astype(np.int64)
    climb, drop = np.maximum(rise, 0), np.maximum(-rise, 0)
    rows = np.abs(np.arange(tilemap.rows) - goal.row)
    cols = np.abs(np.arange(tilemap.cols) - goal.col)
    steps = rows[:, None] + cols[None, :]
    if profile.max_climb:
        steps = np.maximum(steps, -(-climb // profile.max_climb))
    if profile.max_drop:
        steps = np.maximum(steps, -(-drop // profile.max_drop))
    bound = cheapest * steps + profile.climb_cost * climb + profile.drop_cost * drop
    flat: NDArray[np.float64] = bound.astype(np.float64).ravel()
    return flat


def fault(tilemap: TileMap, profile: MoveProfile, start: Cell, end: Cell) -> str:
    """Say why the step between two neighbors is not legal; "" if it is."""
    if tilemap.is_void(start):
        return f"({start.row}, {start.col}) is void"
    why = entry_fault(tilemap, profile, end)
    if why:
        return why
    rise = tilemap.level_at(end) - tilemap.level_at(start)
    if rise > profile.max_climb:
        return f"climb {rise} > {profile.max_climb} at ({end.row}, {end.col})"
    if -rise > profile.max_drop:
        return f"drop {-rise} > {profile.max_drop} at ({end.row}, {end.col})"
    return ""


def entry_fault(tilemap: TileMap, profile: MoveProfile, cell: Cell) -> str:
    """Say why nobody with this profile can enter a cell, from wherever; "" if one can."""
    if tilemap.is_void(cell):
        return f"({cell.row}, {cell.col}) is void"
    kind = tilemap.kind_at(cell)
    if profile.kind_cost.get(kind.name, kind.cost) is None:
        return f"{kind.name} at ({cell.row}, {cell.col}) cannot be entered"
    return ""
