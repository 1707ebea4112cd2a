"""Undo history of one map: its changes, the open edit or stroke, and the version."""

from collections import deque
from functools import reduce
from itertools import chain, islice

from terrain3d.core.checks import instance_of, whole_number
from terrain3d.grid.grid import Grid, Rect
from terrain3d.map.change import Change, combine

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
