"""Movement profiles: the abilities of a mover and the costs of its steps, as data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from terrain3d import TileKind, TileMap
from terrain3d.core.checks import (
    MAX_COST,
    check_cost,
    check_pickle,
    instance_of,
    listed,
    number_within,
    one_of,
    quoted,
    true_or_false,
    whole_number,
)
from terrain3d.grid.columns import MAX_LEVEL

DIAGONAL_MODES = ("never", "always", "at_least_one_walkable", "only_if_no_obstacles")
MAX_SIZE = 3
MAX_WARP = 253

_TABLES = ("kind_cost", "link_cost")
_PICKLE_VERSION = 1


def _checked_number(name: str, value: int, low: int, high: int, unit: str) -> int:
    try:
        number = whole_number(name, value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number of {unit}, got {quoted(value)}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} must be in {low}..{high} {unit}, got {quoted(number)}")
    return number


def _checked_table(name: str, table: Mapping[str, float | None]) -> Mapping[str, float | None]:
    if not isinstance(table, Mapping):
        raise TypeError(f"{name} must map names to costs, got {quoted(table)}")
    costs = dict(table)
    for key, cost in table.items():
        if not isinstance(key, str):
            raise TypeError(f"{name} goes by the names of kinds, got {quoted(key)}")
        if key == "void":
            raise ValueError(f"{name} cannot price 'void': there is no ground to enter")
        if cost is not None:
            costs[key] = check_cost(f"{name}[{key!r}]", cost)
    return MappingProxyType(costs)


def _checked_names(name: str, names: Iterable[str]) -> frozenset[str]:
    given = listed(name, names)
    for entry in given:
        if not isinstance(entry, str):
            raise TypeError(f"{name} goes by the names of kinds, got {quoted(entry)}")
    return frozenset(given)


def _checked_surcharge(
    name: str, value: float | Sequence[float], n_levels: int
) -> float | tuple[float, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        return number_within(name, cast(float, value), 0, MAX_COST)
    surcharges = tuple(listed(name, value))
    if len(surcharges) != n_levels:
        raise ValueError(
            f"{name} needs a surcharge for each of 1..{n_levels} levels, got {len(surcharges)}"
        )
    return tuple(
        number_within(f"{name} of {levels} levels", surcharge, 0, MAX_COST)
        for levels, surcharge in enumerate(surcharges, start=1)
    )


@dataclass(frozen=True, repr=False)
class MoveProfile:
    """The abilities of a mover and the costs of its steps, as data.

    A name stands for one kind of ground, as in "swamp", or for all kinds with a tag, as in
    "#liquid". A name overrides tags; of several tags the most expensive counts, and None above all.

    Parameters
    ----------
    max_climb, max_drop : int, in levels
        The tallest step up and down, 0..MAX_LEVEL. Anything taller is a wall.
    climb_cost, drop_cost : number, or sequence of numbers
        Cost of each level up and down, 0..MAX_COST, in addition to the cost to enter. A sequence
        has the whole surcharge of a step by 1 level, by 2 levels, ... up to the tallest.
    kind_cost : mapping of str to number or None
        Costs to enter kinds of ground where they differ from the map's table; None: cannot be
        entered. One profile serves several maps: names of kinds and tags of `terrain3d.KINDS`,
        "water" and "tree" are legal on all. Queries raise `ValueError` for other unknown names.
    diagonal : str
        Whether steps across a corner are legal, on square tiles: "never", "always",
        "at_least_one_walkable" (one of the two-step detours around the corner is legal) or
        "only_if_no_obstacles" (both are), heights included. Godot's names.
    diagonal_cost : number
        Factor of the cost to enter on a diagonal step, MIN_COST..MAX_COST; the whole cost for
        a flyer.
    body_height : int, in levels
        Headroom that it needs, together with `hover`. On a step it counts from the higher surface
        to the lower ceiling; it also counts above the end of a link or warp and where it stops.
    link_cost : mapping of str to number or None
        Costs of links by kind where they differ from those of the map; None: cannot be used.
    can_fly : bool
        It passes everything, void too, where it has headroom; each step costs 1, and rises, kinds
        and walls have no effect. It stops only where a walker with the same profile can stop.
    warp : int, in tiles
        Distance that it can warp, 0..MAX_WARP. If not 0, it makes no steps and uses no links, but
        warps to any surface within this distance on which it can stop. The cost is the distance, at
        least 1. The distance counts steps over edges, never diagonal ones.
    size : int, in tiles
        It covers size x size square tiles, 1..MAX_SIZE; its cell is the north-west one. If it is
        above 1, it uses the ground only, and makes no diagonal steps or warps; a wall blocks it if
        any of its tiles would cross the wall.
    size_tolerance : int, in levels
        The largest difference of level of the tiles under it.
    hover : int, in levels
        Height at which it floats; adds to `body_height`.
    no_stop : iterable of str
        Kinds that it may pass but not stop on, besides those of the map.
    ignores_zoc : bool
        Whether it moves on through zones of control.

    Raises
    ------
    TypeError, ValueError
        A limit or cost has the wrong type or is out of range, or two abilities exclude each other.
    """

    max_climb: int = 2
    max_drop: int = 3
    climb_cost: float | Sequence[float] = 1
    drop_cost: float | Sequence[float] = 0
    kind_cost: Mapping[str, float | None] = field(default_factory=dict)
    diagonal: str = "never"
    diagonal_cost: float = 1
    body_height: int = field(default=1, kw_only=True)
    link_cost: Mapping[str, float | None] = field(default_factory=dict, kw_only=True)
    can_fly: bool = field(default=False, kw_only=True)
    warp: int = field(default=0, kw_only=True)
    size: int = field(default=1, kw_only=True)
    size_tolerance: int = field(default=0, kw_only=True)
    hover: int = field(default=0, kw_only=True)
    no_stop: Iterable[str] = field(default=frozenset(), kw_only=True)
    ignores_zoc: bool = field(default=False, kw_only=True)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check every field and freeze the tables."""
        levels = ("max_climb", "max_drop", "body_height", "size_tolerance", "hover")
        limits = [(name, 0, MAX_LEVEL, "levels") for name in levels]
        limits += [("warp", 0, MAX_WARP, "tiles"), ("size", 1, MAX_SIZE, "tiles")]
        for name, low, high, unit in limits:
            self._set(name, _checked_number(name, getattr(self, name), low, high, unit))
        one_of("diagonal", self.diagonal, DIAGONAL_MODES)
        self._set("climb_cost", _checked_surcharge("climb_cost", self.climb_cost, self.max_climb))
        self._set("drop_cost", _checked_surcharge("drop_cost", self.drop_cost, self.max_drop))
        self._set("diagonal_cost", check_cost("diagonal_cost", self.diagonal_cost))
        for name in _TABLES:
            self._set(name, _checked_table(name, getattr(self, name)))
        for name in ("can_fly", "ignores_zoc"):
            self._set(name, true_or_false(name, getattr(self, name)))
        self._set("no_stop", _checked_names("no_stop", self.no_stop))
        if self.size > 1 and (self.warp or self.diagonal != "never"):
            raise ValueError(f"a mover of size {self.size} makes no warps or diagonal steps")
        # Every query looks its profile up, so the hash is computed once.
        self._set("_hash", hash(tuple(_hashable(getattr(self, name)) for name in self._names())))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    def _names(cls) -> list[str]:
        return [each.name for each in fields(cls) if each.init]

    @classmethod
    def classic(cls, uphill: float | Sequence[float] = 1) -> Self:
        """Return the rule of the tutorial: each level up costs `uphill`, more than 2 is a wall."""
        return cls(max_climb=2, max_drop=2, climb_cost=uphill, drop_cost=0)

    def __hash__(self) -> int:
        """Hash by value, so that equal profiles share a graph."""
        return self._hash

    def __repr__(self) -> str:
        """Show the fields that differ from their defaults."""
        values = {name: getattr(self, name) for name in self._names()}
        shown = [
            f"{name}={dict(value) if name in _TABLES else value!r}"
            for name, value in values.items()
            if value != getattr(DEFAULT_PROFILE, name)
        ]
        return f"MoveProfile({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a read-only mapping cannot be pickled itself."""
        values = {name: getattr(self, name) for name in self._names()}
        values |= {name: dict(values[name]) for name in _TABLES}
        return _remade, (type(self), values, _PICKLE_VERSION)

    def entry_cost(self, tilemap: TileMap) -> NDArray[np.float64]:
        """(n_kinds,) costs to enter each kind of the map's table; infinity: cannot be entered."""
        instance_of("tilemap", tilemap, TileMap)
        costs = [self.cost_to_enter(kind) for kind in tilemap.kinds]
        return np.array([math.inf if cost is None else cost for cost in costs])

    def can_stop_on(self, kind: TileKind) -> bool:
        """Return whether a path may end on a kind of ground."""
        instance_of("kind", kind, TileKind)
        is_barred = kind.name in self.no_stop or any(f"#{tag}" in self.no_stop for tag in kind.tags)
        return kind.can_stop and not is_barred and self.cost_to_enter(kind) is not None

    def cost_to_enter(self, kind: TileKind) -> float | None:
        """Return the cost to enter a kind, without heights; None: it cannot be entered."""
        instance_of("kind", kind, TileKind)
        if kind.name == "void":  # even if the table of the map has a price for it
            return None
        if kind.name in self.kind_cost:
            return self.kind_cost[kind.name]
        tags = [f"#{tag}" for tag in kind.tags if f"#{tag}" in self.kind_cost]
        if not tags:
            return kind.cost
        costs = [self.kind_cost[tag] for tag in tags]
        return None if None in costs else max(cost for cost in costs if cost is not None)

    @property
    def headroom(self) -> int:
        """Levels of free air that it needs above a surface."""
        return self.body_height + self.hover

    def rise_cost(self) -> NDArray[np.float64]:
        """(max_drop + max_climb + 1,) surcharge of each legal rise, from the deepest drop up."""
        drops = _surcharges(self.drop_cost, self.max_drop)[::-1]
        climbs = _surcharges(self.climb_cost, self.max_climb)
        return np.concatenate([drops, [0.0], climbs])


def _surcharges(cost: float | Sequence[float], n_levels: int) -> NDArray[np.float64]:
    if isinstance(cost, Sequence):
        return np.array(cost, dtype=np.float64)
    return np.arange(1.0, n_levels + 1) * np.float64(cost)


def _hashable(value: object) -> object:
    return frozenset(value.items()) if isinstance(value, Mapping) else value


def _remade(kind: type[MoveProfile], values: dict[str, Any], version: int) -> MoveProfile:
    check_pickle("MoveProfile", version, _PICKLE_VERSION)
    return kind(**values)


def checked_profile(value: object, name: str = "profile") -> MoveProfile:
    """Return a profile after checking its type; `TypeError` for another type."""
    hint = f"; MoveProfile(**{name}) makes one of a dict" * isinstance(value, dict)
    if not isinstance(value, MoveProfile):
        raise TypeError(f"{name} must be a MoveProfile, got {quoted(value)}{hint}")
    return value


DEFAULT_PROFILE = MoveProfile()
"""The profile of queries that name none."""
