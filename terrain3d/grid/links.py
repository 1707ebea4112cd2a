"""Links, which connect two surfaces, and walls, which block the edge between two."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from terrain3d.core.checks import check_cost, instance_of, quoted, true_or_false
from terrain3d.grid.grid import Cell


class _Copied(Mapping[str, Any]):
    """Read-only data by name, of which each access returns a copy."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = copy.deepcopy(dict(values))

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - JSON-like
        return copy.deepcopy(self._values[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


_NO_EXTRAS = _Copied({})


@dataclass(frozen=True)
class Link:
    """A connection from one surface to any other: a ladder, a portal, a lift.

    Parameters
    ----------
    start, end : Cell
        Two surfaces.
    cost : number
        Total cost of using it, MIN_COST..MAX_COST.
    kind : str
        Name for movement profiles. The view draws "ladder", "stairs", "door", "teleporter" and
        "ledge"; any other kind is marked at both ends.
    one_way : bool
        Whether it can be used from start to end only.
    extras : mapping of str
        JSON-like data of a game, such as a name, that is saved with the link; none of the names
        above. It is copied, and read-only.

    Raises
    ------
    TypeError, ValueError
        The cost is out of its limits, the kind is empty or not text, both ends are the same, or
        extras have the name of a field.
    """

    start: Cell
    end: Cell
    cost: float
    kind: str = "link"
    one_way: bool = False
    extras: Mapping[str, Any] = field(default_factory=lambda: _NO_EXTRAS, hash=False)

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_pair(self)
        object.__setattr__(self, "cost", check_cost("cost of a link", self.cost))
        if not isinstance(self.kind, str):
            raise TypeError(f"a link's kind must be text, got {quoted(self.kind)}")
        if not self.kind:
            raise ValueError("a link's kind needs a name")
        if self.start == self.end:
            raise ValueError(f"a link needs two different ends, got {self.start} twice")


@dataclass(frozen=True)
class Wall:
    """A wall on the edge between two columns, between one surface of each.

    Parameters
    ----------
    start, end : Cell
        Surfaces of columns that share an edge.
    one_way : bool
        Whether it blocks steps from start only, not from end.
    extras : mapping of str
        JSON-like data of a game, such as a name, that is saved with the wall; none of the names
        above. It is copied, and read-only.

    Raises
    ------
    TypeError, ValueError
        An end is no cell, or extras have the name of a field.
    """

    start: Cell
    end: Cell
    one_way: bool = False
    extras: Mapping[str, Any] = field(default_factory=lambda: _NO_EXTRAS, hash=False)

    def __post_init__(self) -> None:
        """Check the fields."""
        _check_pair(self)


P = TypeVar("P", Link, Wall)


def _check_pair(entry: Link | Wall) -> None:
    """Check the fields of both, and make extras read-only."""
    instance_of("start", entry.start, Cell)
    instance_of("end", entry.end, Cell)
    object.__setattr__(entry, "one_way", true_or_false("one_way", entry.one_way))
    if entry.extras is _NO_EXTRAS:  # nearly always
        return
    taken = field_names(type(entry))
    for name in instance_of("extras", entry.extras, Mapping):
        if instance_of("a name in extras", name, str) in taken:
            what = f"extras of a {type(entry).__name__.lower()} have other names than its fields"
            raise ValueError(f"{what} {', '.join(taken)}, got {quoted(name)}")
    extras = _Copied(entry.extras) if entry.extras else _NO_EXTRAS
    object.__setattr__(entry, "extras", extras)


def field_names(entry_type: type[Link] | type[Wall]) -> tuple[str, ...]:
    """Return the names of the fields of a link or a wall, which its extras cannot have."""
    return tuple(field.name for field in fields(entry_type) if field.name != "extras")
