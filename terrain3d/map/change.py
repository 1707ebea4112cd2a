"""Changes of one map, which can be applied, reversed and combined."""

import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Grid, Rect
from terrain3d.grid.links import Link, P, Wall

Field = Literal["level", "kind", "thickness"]
FIELDS: tuple[Field, ...] = ("level", "kind", "thickness")

_BLOCK, _MAX_RECTS = 32, 16
"""Rows and columns of a block; changes in more blocks than this have one rectangle."""

Swap = tuple[tuple[P, ...], tuple[P, ...]]
"""The removed and the added entries."""

NO_SWAP: tuple[tuple[()], tuple[()]] = (), ()

K = TypeVar("K")

Values = tuple[Mapping[K, Any], Mapping[K, Any]]
"""JSON-like values before and after by the same keys, None for none; copies, never to change."""


class Patch(NamedTuple):
    """Values of one field at n surfaces, before and after; each array is (n,)."""

    surface: NDArray[np.intp]
    """Position of each surface in the flat array of a field: (deck * rows + row) * cols + col."""
    before: NDArray[Any]
    after: NDArray[Any]

    def __eq__(self, other: object) -> bool:
        """Return whether the other is a patch with equal values."""
        return isinstance(other, Patch) and all(map(np.array_equal, self, other))

    def __hash__(self) -> int:
        """Return a hash, equal for equal patches."""
        return hash((self.surface.tobytes(), len(self.after)))

    def inverse(self) -> "Patch":
        """Return the patch that reverts this one."""
        return Patch(self.surface, self.after, self.before)

    def where(self, chosen: NDArray[np.bool_]) -> "Patch":
        """Return the part of the patch at some of its surfaces; `chosen` is (n,)."""
        return Patch(self.surface[chosen], self.before[chosen], self.after[chosen])


class Change(NamedTuple):
    """Patches by field, the removed and added links and walls, and values before and after.

    In a patch, a deck that does not exist has level 0, kind void and thickness 0.
    """

    name: str
    patches: dict[Field, Patch]
    links: Swap[Link] = NO_SWAP
    walls: Swap[Wall] = NO_SWAP
    extras: Values[str] = {}, {}
    """Of `TileMap.extras`, by name."""
    unknown_fields: Values[tuple[str, Any]] = {}, {}
    """Of `TileMap.unknown_fields`, by "decks" and the cell of one."""

    def inverse(self) -> "Change":
        """Return the change that reverts this one."""
        patches = {name: patch.inverse() for name, patch in self.patches.items()}
        swaps = self.links[::-1], self.walls[::-1], self.extras[::-1], self.unknown_fields[::-1]
        return Change(self.name, patches, *swaps)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        is_bare = not self.patches and self.links == NO_SWAP and self.walls == NO_SWAP
        return is_bare and all(a == b for a, b in (self.extras, self.unknown_fields))

    def rects(self, grid: Grid) -> tuple[Rect, ...]:
        """Return rectangles that together hold every changed cell and the ends of links and walls.

        There is one in each changed block, if they are few.
        """
        surfaces = [patch.surface for patch in self.patches.values()]
        ends = [
            end.row * grid.cols + end.col
            for side in (*self.links, *self.walls)
            for pair in side
            for end in (pair.start, pair.end)
        ]
        if ends:
            surfaces.append(np.array(ends, dtype=np.intp))
        if not surfaces:  # extras lie nowhere, but listeners take a place
            return (Rect(0, 0, 1, 1),)
        if len(surfaces) == 1 and len(surfaces[0]) == 1:  # fast path for an edit of one tile
            row, col = divmod(surfaces[0].item(), grid.cols)
            return (Rect(row % grid.rows, col, 1, 1),)
        every = np.concatenate(surfaces)
        rows, cols = every // grid.cols % grid.rows, every % grid.cols
        block = (rows // _BLOCK << 32) + cols // _BLOCK
        blocks = np.unique(block)
        if len(blocks) > _MAX_RECTS:
            return (_rect_around(rows, cols),)
        return tuple(_rect_around(rows[block == each], cols[block == each]) for each in blocks)


def _rect_around(row: NDArray[np.intp], col: NDArray[np.intp]) -> Rect:
    """Return the smallest rectangle that holds some cells."""
    top, left = int(row.min()), int(col.min())
    return Rect(top, left, int(row.max()) - top + 1, int(col.max()) - left + 1)


def combine(name: str, changes: Sequence[Change]) -> Change:
    """Return one change with the effect of several applied in order."""
    patches: dict[Field, Patch] = {}
    for key in FIELDS:
        parts = [c.patches[key] for c in changes if key in c.patches]
        patch = _combine_patches(parts) if parts else None
        if patch is not None:
            patches[key] = patch
    links = net_swap(change.links for change in changes)
    walls = net_swap(change.walls for change in changes)
    extras = _net_values([change.extras for change in changes])
    fields = _net_values([change.unknown_fields for change in changes])
    return Change(name, patches, links, walls, extras, fields)


def set_values(target: dict[K, Any], after: Mapping[K, Any]) -> None:
    """Give a dictionary copies of the values after a change."""
    for key, value in after.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = copy.deepcopy(value)


def _net_values(values: Sequence[Values[K]]) -> Values[K]:
    """Return the values before all changes, and after them."""
    before = {key: value for each in values[::-1] for key, value in each[0].items()}
    return before, {key: value for each in values for key, value in each[1].items()}


def _combine_patches(parts: Sequence[Patch]) -> Patch | None:
    """Return the patch from the first to the last values; None if they are equal."""
    every, before, after = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    surface, first = np.unique(every, return_index=True)
    _, from_end = np.unique(every[::-1], return_index=True)
    patch = Patch(surface, before[first], after[len(every) - 1 - from_end])
    differs = patch.before != patch.after
    return patch.where(differs) if differs.any() else None


def net_swap(swaps: Iterable[Swap[P]]) -> Swap[P]:
    """Return the joint effect of swaps in order; removing and adding an entry cancel out."""
    count: Counter[P] = Counter()
    for removed, added in swaps:
        count.subtract(removed)
        count.update(added)
    return (
        tuple(entry for entry, times in count.items() if times < 0),
        tuple(entry for entry, times in count.items() if times > 0),
    )
