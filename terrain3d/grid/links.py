"""Links, which connect two surfaces, and walls, which block the edge between two."""

import copy
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, fields
from itertools import product
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from terrain3d.core.checks import check_cost, instance_of, quoted, true_or_false
from terrain3d.grid.grid import Cell, Rect

Pair = tuple[Cell, Cell]

_BLOCK = 16
"""Rows and columns of the blocks that index pairs by position."""
_NO_EXTRAS: Mapping[str, Any] = MappingProxyType({})


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

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to make a copy, as a read-only mapping cannot be pickled."""
        return _made_again(self)


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

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to make a copy, as a read-only mapping cannot be pickled."""
        return _made_again(self)


P = TypeVar("P", Link, Wall)


class Pairs(Generic[P]):
    """Links or walls of a map, at most one for each ordered pair of surfaces."""

    def __init__(self, entry_type: type[P]) -> None:
        self._type: type[P] = entry_type
        self._by_pair: dict[Pair, P] = {}
        self._sorted: tuple[P, ...] | None = ()
        self._by_block: dict[tuple[int, int], list[P]] | None = {}

    @property
    def all(self) -> tuple[P, ...]:
        """All entries, sorted by their ends."""
        if self._sorted is None:
            found = set(self._by_pair.values())
            self._sorted = tuple(sorted(found, key=lambda entry: (entry.start, entry.end)))
        return self._sorted

    def within(self, rect: Rect) -> list[P]:
        """Return the entries with an end in a rectangle, sorted by their ends."""
        if self._by_block is None:
            self._by_block = {}
            for entry in self.all:
                for block in {_block(entry.start), _block(entry.end)}:
                    self._by_block.setdefault(block, []).append(entry)
        if not self._by_block:
            return []
        row, col = _block(Cell(rect.row, rect.col))
        last_row, last_col = _block(Cell(rect.row + rect.rows - 1, rect.col + rect.cols - 1))
        blocks = product(range(row, last_row + 1), range(col, last_col + 1))
        nearby = {entry for block in blocks for entry in self._by_block.get(block, ())}
        found = (entry for entry in nearby if rect.holds(entry.start) or rect.holds(entry.end))
        return sorted(found, key=lambda entry: (entry.start, entry.end))

    def copy(self) -> "Pairs[P]":
        """Return a copy that can be changed independently."""
        copy = Pairs(self._type)
        copy._by_pair, copy._sorted = dict(self._by_pair), self._sorted
        copy._by_block = self._by_block
        return copy

    def add(self, entry: P) -> None:
        """Add an entry; `ValueError` if one exists between these ends in this direction."""
        pairs = _pairs(entry)
        for pair in pairs:
            if pair in self._by_pair:
                raise ValueError(f"there is a {self._title(*pair)} already")
        self._by_pair.update(dict.fromkeys(pairs, entry))
        self._sorted = self._by_block = None

    def remove(self, start: Cell, end: Cell) -> None:
        """Remove the entry from start to end; `ValueError` if there is none."""
        entry = self._by_pair.get((start, end))
        if entry is None:
            raise ValueError(f"there is no {self._title(start, end)}")
        for pair in _pairs(entry):
            del self._by_pair[pair]
        self._sorted = self._by_block = None

    def _title(self, start: Cell, end: Cell) -> str:
        return f"{self._type.__name__.lower()} from {start} to {end}"

    def remove_at(self, cells: Set[Cell]) -> None:
        """Remove all entries with an end at one of the cells."""
        for entry in self.all if cells else ():
            if entry.start in cells or entry.end in cells:
                self.remove(entry.start, entry.end)

    def replace(self, rect: Rect, entries: Iterable[P]) -> None:
        """Replace all entries with both ends in a rectangle."""
        for entry in self.within(rect):
            if rect.holds(entry.start) and rect.holds(entry.end):
                self.remove(entry.start, entry.end)
        self.swap((), entries)

    def swap(self, removed: Iterable[P], added: Iterable[P]) -> None:
        """Remove some entries, then add others."""
        for entry in removed:
            self.remove(entry.start, entry.end)
        for entry in added:
            self.add(entry)


def _check_pair(entry: Link | Wall) -> None:
    """Check the fields of both, and make extras read-only."""
    instance_of("start", entry.start, Cell)
    instance_of("end", entry.end, Cell)
    true_or_false("one_way", entry.one_way)
    if entry.extras is _NO_EXTRAS:  # nearly always
        return
    extras, taken = dict(instance_of("extras", entry.extras, Mapping)), field_names(type(entry))
    for name in extras:
        if instance_of("a name in extras", name, str) in taken:
            what = f"extras of a {type(entry).__name__.lower()} have other names than its fields"
            raise ValueError(f"{what} {', '.join(taken)}, got {quoted(name)}")
    object.__setattr__(entry, "extras", MappingProxyType(copy.deepcopy(extras)))


def field_names(entry_type: type[Link] | type[Wall]) -> tuple[str, ...]:
    """Return the names of the fields of a link or a wall, which its extras cannot have."""
    return tuple(field.name for field in fields(entry_type) if field.name != "extras")


def _made_again(entry: Link | Wall) -> tuple[object, ...]:
    return type(entry), (*list(vars(entry).values())[:-1], dict(entry.extras))


def _block(cell: Cell) -> tuple[int, int]:
    return cell.row // _BLOCK, cell.col // _BLOCK


def _pairs(entry: Link | Wall) -> tuple[Pair, ...]:
    pair = entry.start, entry.end
    return (pair,) if entry.one_way else (pair, pair[::-1])
