"""Links and walls: pairs of surfaces with a way between them, or with none across their edge."""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

from terrain3d.core.checks import check_cost
from terrain3d.grid.grid import Cell, Rect

Pair = tuple[Cell, Cell]

_BLOCK = 16
"""Rows and columns of the blocks by which pairs are found."""


@dataclass(frozen=True)
class Link:
    """A way from one surface to another, wherever they lie: a ladder, a portal, a lift.

    Parameters
    ----------
    start, end : Cell
        Two surfaces.
    cost : number
        The whole price of using it, 0..MAX_COST.
    kind : str
        The name by which movement profiles refer to it. The view knows how a "ladder", "stairs",
        a "door", a "teleporter" and a "ledge" look; any other is marked at both of its ends.
    one_way : bool
        Whether it leads from start to end only.

    Raises
    ------
    TypeError, ValueError
        The cost is out of its limits, the kind is empty or no text, both ends are the same.
    """

    start: Cell
    end: Cell
    cost: float
    kind: str = "link"
    one_way: bool = False

    def __post_init__(self) -> None:
        """Refuse what nobody could use."""
        check_cost("cost of a link", self.cost)
        if not isinstance(self.kind, str):
            raise TypeError(f"a link's kind must be text, got {self.kind!r}")
        if not self.kind:
            raise ValueError("a link's kind needs a name")
        if self.start == self.end:
            raise ValueError(f"a link needs two different ends, got {self.start} twice")

    @staticmethod
    def title(start: Cell, end: Cell) -> str:
        """Name the link that leads from `start` to `end`."""
        return f"link from {start} to {end}"


@dataclass(frozen=True)
class Wall:
    """A wall on the edge between two columns, as seen from one surface of each.

    Parameters
    ----------
    start, end : Cell
        Surfaces of columns that share an edge.
    one_way : bool
        Whether it stops steps from start across the edge only, not those from end.
    """

    start: Cell
    end: Cell
    one_way: bool = False

    @staticmethod
    def title(start: Cell, end: Cell) -> str:
        """Name the wall that stops steps from `start` towards `end`."""
        return f"wall from {start} to {end}"


P = TypeVar("P", Link, Wall)


class Pairs(Generic[P]):
    """Links or walls of a map, at most one for each ordered pair of surfaces."""

    def __init__(self, wanted: type[P]) -> None:
        self._wanted: type[P] = wanted
        self._by_pair: dict[Pair, P] = {}
        self._sorted: tuple[P, ...] | None = ()
        self._by_block: dict[tuple[int, int], list[P]] | None = {}

    @property
    def all(self) -> tuple[P, ...]:
        """All of them in the order of their ends, however they came to be."""
        if self._sorted is None:
            found = set(self._by_pair.values())
            self._sorted = tuple(sorted(found, key=lambda entry: (entry.start, entry.end)))
        return self._sorted

    def within(self, rect: Rect) -> list[P]:
        """List those that have an end in a rectangle, in the order of their ends."""
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
        near = {entry for block in blocks for entry in self._by_block.get(block, ())}
        found = (entry for entry in near if rect.holds(entry.start) or rect.holds(entry.end))
        return sorted(found, key=lambda entry: (entry.start, entry.end))

    def copy(self) -> "Pairs[P]":
        """Give a collection of its own that holds the same."""
        twin = Pairs(self._wanted)
        twin._by_pair, twin._sorted = dict(self._by_pair), self._sorted
        twin._by_block = self._by_block
        return twin

    def add(self, entry: P) -> None:
        """Take one more; `ValueError` where there is one already, in that order of its ends."""
        pairs = _pairs(entry)
        for pair in pairs:
            if pair in self._by_pair:
                raise ValueError(f"there is a {self._wanted.title(*pair)} already")
        self._by_pair.update(dict.fromkeys(pairs, entry))
        self._sorted = self._by_block = None

    def remove(self, start: Cell, end: Cell) -> None:
        """Take away the one that leads from start to end; `ValueError` if there is none."""
        entry = self._by_pair.get((start, end))
        if entry is None:
            raise ValueError(f"there is no {self._wanted.title(start, end)}")
        for pair in _pairs(entry):
            del self._by_pair[pair]
        self._sorted = self._by_block = None

    def remove_at(self, cells: Set[Cell]) -> None:
        """Take away all that have one of the cells as an end."""
        for entry in self.all if cells else ():
            if entry.start in cells or entry.end in cells:
                self.remove(entry.start, entry.end)

    def swap(self, gone: Iterable[P], new: Iterable[P]) -> None:
        """Take some away, then take others up."""
        for entry in gone:
            self.remove(entry.start, entry.end)
        for entry in new:
            self.add(entry)


def _block(cell: Cell) -> tuple[int, int]:
    return cell.row // _BLOCK, cell.col // _BLOCK


def _pairs(entry: Link | Wall) -> tuple[Pair, ...]:
    there = entry.start, entry.end
    return (there,) if entry.one_way else (there, there[::-1])
