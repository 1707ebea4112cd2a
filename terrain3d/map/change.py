"""Changes of one map, which can be applied, reversed and combined."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

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

Data = Mapping[tuple[str, Hashable], Any]
"""Values, None for none, by "extras" or "unknown_fields" of a map and the key in it."""


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
    """Patches by field, the removed and added links and walls, and data before and after.

    In a patch, a deck that does not exist has level 0, kind void and thickness 0.
    """

    name: str
    patches: dict[Field, Patch]
    links: Swap[Link] = NO_SWAP
    walls: Swap[Wall] = NO_SWAP
    data: tuple[Data, Data] = {}, {}

    def inverse(self) -> "Change":
        """Return the change that reverts this one."""
        patches = {name: patch.inverse() for name, patch in self.patches.items()}
        swaps = self.links[::-1], self.walls[::-1], self.data[::-1]
        return Change(self.name, patches, *swaps)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        is_bare = self.links == NO_SWAP and self.walls == NO_SWAP and self.data[0] == self.data[1]
        return is_bare and not self.patches

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
        if not surfaces:  # data lies nowhere, but listeners take a place
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
    before = {key: value for change in changes[::-1] for key, value in change.data[0].items()}
    after = {key: value for change in changes for key, value in change.data[1].items()}
    return Change(name, patches, links, walls, (before, after))


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
