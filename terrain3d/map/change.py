"""Differences between two states of a map, which can be applied and reverted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.grid.grid import Rect
from terrain3d.grid.links import Link, P, Wall

Field = Literal["level", "kind", "thickness"]
FIELDS: tuple[Field, ...] = ("level", "kind", "thickness")

_BLOCK, _MAX_RECTS = 32, 16
"""Rows and columns of a block; changes in more blocks than this have one rectangle."""

Swap = tuple[tuple[P, ...], tuple[P, ...]]
"""The removed and the added entries."""


class Patch(NamedTuple):
    """Values of one field at n surfaces, before and after; each array is (n,)."""

    deck: NDArray[np.intp]
    row: NDArray[np.intp]
    col: NDArray[np.intp]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    highest: int
    """The highest deck of the surfaces."""

    def inverse(self) -> "Patch":
        """Return the patch that reverts this one."""
        return self._replace(before=self.after, after=self.before)

    def where(self, chosen: NDArray[np.bool_]) -> "Patch":
        """Return the part of the patch at some of its surfaces; `chosen` is (n,)."""
        deck, row, col = self.deck[chosen], self.row[chosen], self.col[chosen]
        return Patch(deck, row, col, self.before[chosen], self.after[chosen], self.highest)


@dataclass(frozen=True)
class Change:
    """Patches by field, and the removed and added links and walls.

    In a patch, a deck that does not exist has level 0, kind void and thickness 0.
    """

    name: str
    patches: dict[Field, Patch] = field(default_factory=dict)
    links: Swap[Link] = ((), ())
    walls: Swap[Wall] = ((), ())

    def inverse(self) -> "Change":
        """Return the change that reverts this one."""
        patches = {name: patch.inverse() for name, patch in self.patches.items()}
        return Change(self.name, patches, self.links[::-1], self.walls[::-1])

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return not (self.patches or any(self.links) or any(self.walls))

    @property
    def rect(self) -> Rect:
        """The smallest rectangle that holds every changed cell and the ends of links and walls."""
        return bounding_rect(self.rects)

    @cached_property
    def rects(self) -> tuple[Rect, ...]:
        """Rectangles that together hold these cells: one in each changed block, if they are few."""
        rows = [patch.row for patch in self.patches.values()]
        cols = [patch.col for patch in self.patches.values()]
        pairs = [pair for side in (*self.links, *self.walls) for pair in side]
        if pairs:
            ends = [end for pair in pairs for end in (pair.start, pair.end)]
            rows.append(np.array([end.row for end in ends], dtype=np.intp))
            cols.append(np.array([end.col for end in ends], dtype=np.intp))
        if len(rows) == 1 and len(rows[0]) == 1:  # fast path for an edit of one tile
            return (Rect(int(rows[0][0]), int(cols[0][0]), 1, 1),)
        row, col = np.concatenate(rows), np.concatenate(cols)
        block = (row // _BLOCK << 32) + col // _BLOCK
        blocks = np.unique(block)
        if len(blocks) > _MAX_RECTS:
            return (_rect_around(row, col),)
        return tuple(_rect_around(row[block == each], col[block == each]) for each in blocks)


def bounding_rect(rects: Sequence[Rect]) -> Rect:
    """Return the smallest rectangle that holds some others."""
    return reduce(Rect.union, rects)


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
    links = _combine_swaps([change.links for change in changes])
    walls = _combine_swaps([change.walls for change in changes])
    return Change(name, patches, links, walls)


def _combine_patches(parts: Sequence[Patch]) -> Patch | None:
    """Return the patch from the first to the last values; None if they are equal."""
    *position, before, after = (
        np.concatenate(arrays) for arrays in zip(*(part[:5] for part in parts), strict=True)
    )
    ids = np.ravel_multi_index(position, [int(indices.max()) + 1 for indices in position])
    _, first = np.unique(ids, return_index=True)
    _, from_end = np.unique(ids[::-1], return_index=True)
    after = after[len(ids) - 1 - from_end]
    differs = before[first] != after
    if not differs.any():
        return None
    deck, row, col = (indices[first] for indices in position)
    highest = max(part.highest for part in parts)
    return Patch(deck, row, col, before[first], after, highest).where(differs)


def _combine_swaps(swaps: Sequence[Swap[P]]) -> Swap[P]:
    """Return the removed and added entries; removing and adding the same entry cancel out."""
    removed: dict[P, None] = {}
    added: dict[P, None] = {}
    for old, new in swaps:
        for entries, opposite, own in ((old, added, removed), (new, removed, added)):
            for entry in entries:
                if entry in opposite:
                    del opposite[entry]
                else:
                    own[entry] = None
    return tuple(removed), tuple(added)
