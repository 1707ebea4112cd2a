"""Changes of one map, which can be applied and reversed, and its undo history and version."""

from collections import deque
from collections.abc import Sequence
from functools import reduce
from itertools import chain, islice
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from terrain3d.core.checks import instance_of, whole_number
from terrain3d.grid.grid import Grid, Rect
from terrain3d.grid.links import Link, P, Wall

Field = Literal["level", "kind", "thickness"]
FIELDS: tuple[Field, ...] = ("level", "kind", "thickness")

_BLOCK, _MAX_RECTS = 32, 16
"""Rows and columns of a block; changes in more blocks than this have one rectangle."""

Swap = tuple[tuple[P, ...], tuple[P, ...]]
"""The removed and the added entries."""

NO_SWAP: tuple[tuple[()], tuple[()]] = (), ()


class Patch(NamedTuple):
    """Values of one field at n surfaces, before and after; each array is (n,)."""

    surface: NDArray[np.intp]
    """Position of each surface in the flat array of a field: (deck * rows + row) * cols + col."""
    before: NDArray[Any]
    after: NDArray[Any]

    def inverse(self) -> "Patch":
        """Return the patch that reverts this one."""
        return Patch(self.surface, self.after, self.before)

    def where(self, chosen: NDArray[np.bool_]) -> "Patch":
        """Return the part of the patch at some of its surfaces; `chosen` is (n,)."""
        return Patch(self.surface[chosen], self.before[chosen], self.after[chosen])


class Change(NamedTuple):
    """Patches by field, and the removed and added links and walls.

    In a patch, a deck that does not exist has level 0, kind void and thickness 0.
    """

    name: str
    patches: dict[Field, Patch]
    links: Swap[Link] = NO_SWAP
    walls: Swap[Wall] = NO_SWAP

    def inverse(self) -> "Change":
        """Return the change that reverts this one."""
        patches = {name: patch.inverse() for name, patch in self.patches.items()}
        return Change(self.name, patches, self.links[::-1], self.walls[::-1])

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return not self.patches and self.links == NO_SWAP and self.walls == NO_SWAP

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
    links = _combine_swaps([change.links for change in changes])
    walls = _combine_swaps([change.walls for change in changes])
    return Change(name, patches, links, walls)


def _combine_patches(parts: Sequence[Patch]) -> Patch | None:
    """Return the patch from the first to the last values; None if they are equal."""
    every, before, after = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    surface, first = np.unique(every, return_index=True)
    _, from_end = np.unique(every[::-1], return_index=True)
    patch = Patch(surface, before[first], after[len(every) - 1 - from_end])
    differs = patch.before != patch.after
    return patch.where(differs) if differs.any() else None


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


_MAX_CHANGES = 64


class History:
    """The applied and undone changes, without limit, and a version that counts every change."""

    def __init__(self, grid: Grid) -> None:
        self.version = 0
        self._grid = grid
        self._done: list[Change] = []
        self._undone: list[Change] = []
        self._recent: deque[tuple[Rect, ...]] = deque(maxlen=_MAX_CHANGES)
        self._stroke: list[Change] | None = None
        self._stroke_name = ""
        self._has_edit = False

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore a copied state; an open edit or stroke stays open in the original only."""
        vars(self).update(state)
        self._has_edit = False
        if self.has_stroke:
            self.end_stroke()

    def open_edit(self) -> None:
        """Begin an edit; `RuntimeError` if another is open."""
        if self._has_edit:
            raise RuntimeError("this map has an open edit; edits do not nest")
        self._has_edit = True

    def close_edit(self) -> None:
        """End the open edit."""
        self._has_edit = False

    def add(self, change: Change) -> None:
        """Record an applied change as the latest, or as part of the open stroke."""
        if self._stroke is None:
            self._add_entry(change)
        else:
            self._stroke.append(change)
        self._count(change)

    @property
    def has_stroke(self) -> bool:
        """Whether a stroke is open."""
        return self._stroke is not None

    def begin_stroke(self, name: str) -> None:
        """Collect changes into one entry; `RuntimeError` if an edit or stroke is open."""
        if self._has_edit or self.has_stroke:
            raise RuntimeError("this map has an open edit or stroke; strokes do not nest")
        self._stroke, self._stroke_name = [], instance_of("name", name, str)

    def end_stroke(self) -> bool:
        """Record the stroke as one entry; return False, without an entry, if nothing changed."""
        change = self._close_stroke()
        if not change.is_empty:
            self._add_entry(change)
        return not change.is_empty

    def cancel_stroke(self) -> Change | None:
        """Drop the stroke and return the change that reverts it; None if nothing changed."""
        change = self._close_stroke()
        if change.is_empty:
            return None
        self._count(change)
        return change.inverse()

    def undo(self) -> Change | None:
        """Return the change that reverts the latest entry; None if there is none."""
        self._refuse_inside("undo")
        change = self._move(self._done, self._undone)
        return None if change is None else change.inverse()

    def redo(self) -> Change | None:
        """Return the change that applies the latest undone entry; None if there is none."""
        self._refuse_inside("redo")
        return self._move(self._undone, self._done)

    @property
    def undo_name(self) -> str:
        """Name of the entry that `undo` reverts; "" if there is none."""
        return self._done[-1].name if self._done else ""

    @property
    def redo_name(self) -> str:
        """Name of the entry that `redo` applies; "" if there is none."""
        return self._undone[-1].name if self._undone else ""

    @property
    def latest_rect(self) -> Rect:
        """The smallest rectangle that holds the latest change."""
        return reduce(Rect.union, self._recent[-1])

    def changed_rects(self, version: int) -> tuple[Rect, ...]:
        """Return rectangles that together hold all changes since a version."""
        count = self.version - whole_number("version", version)
        if count > len(self._recent):
            return (Rect(0, 0, self._grid.rows, self._grid.cols),)
        if count == 1:  # a fast path, as queries usually follow single edits
            return self._recent[-1]
        recent = islice(self._recent, len(self._recent) - max(0, count), None)
        return tuple(dict.fromkeys(chain.from_iterable(recent)))

    def clear(self) -> None:
        """Forget what could be undone and redone; the version stays."""
        self._refuse_inside("clear_history")
        self._done.clear()
        self._undone.clear()

    def _close_stroke(self) -> Change:
        if self._has_edit or self._stroke is None:
            raise RuntimeError("there is no open stroke, or an edit in it is open")
        change = combine(self._stroke_name, self._stroke)
        self._stroke = None
        return change

    def _refuse_inside(self, action: str) -> None:
        if self._has_edit or self.has_stroke:
            scope = "edit" if self._has_edit else "stroke"
            raise RuntimeError(f"{action} cannot run inside an open {scope}")

    def _add_entry(self, change: Change) -> None:
        self._done.append(change)
        self._undone.clear()

    def _move(self, source: list[Change], target: list[Change]) -> Change | None:
        if not source:
            return None
        change = source.pop()
        target.append(change)
        self._count(change)
        return change

    def _count(self, change: Change) -> None:
        self.version += 1
        self._recent.append(change.rects(self._grid))
