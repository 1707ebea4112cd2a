"""The map's changes: edits, strokes of several edits, undo, redo and copies."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from terrain3d.core.signals import Signal
from terrain3d.grid.grid import Rect
from terrain3d.grid.kinds import TileKind
from terrain3d.map.change import Change
from terrain3d.map.content import Content
from terrain3d.map.draft import Draft
from terrain3d.map.edit import Edit
from terrain3d.map.history import History
from terrain3d.map.surface_map import SurfaceMap


class EditableMap(SurfaceMap):
    """A map that `edit`, strokes, `undo` and `redo` change, and nothing else."""

    changed = Signal("rect")
    """Cells in this `Rect` are different now."""

    def __init__(
        self, content: Content, kinds: tuple[TileKind, ...], step_height: float, topology: str
    ) -> None:
        super().__init__(content, kinds, step_height, topology)
        self._history = History()
        self._open: Edit | None = None

    def __copy__(self) -> Self:
        """Copy the map whole: two maps never share what either can change."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle the map with its history, without who listens to it."""
        return {name: value for name, value in vars(self).items() if name != "changed"}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take a copied state; an edit or stroke that was open is open for the first map only."""
        vars(self).update(state)
        self._open = None
        self._history.end_stroke()

    @property
    def version(self) -> int:
        """Counts the changes since the map was made."""
        return self._history.version

    @contextmanager
    def edit(self, name: str = "edit") -> Iterator[Edit]:
        """Change the map as one: all of it or nothing, one undo entry, one `changed` signal.

        Parameters
        ----------
        name : str
            What the undo entry is called.

        Raises
        ------
        RuntimeError
            Another edit of this map is open.
        """
        if self._open is not None:
            raise RuntimeError("this map has an open edit; edits do not nest")
        draft = Draft(self._content)
        edit = self._open = Edit(draft, self._kinds)
        try:
            yield edit
        finally:
            self._open = None
            edit.close()
        change = draft.change(name)
        if change is not None:
            self._content.apply(change)
            self._history.add(change)
            self.changed.emit(change.rect)

    @property
    def has_stroke(self) -> bool:
        """Whether a stroke is open."""
        return self._history.has_stroke

    def begin_stroke(self, name: str = "stroke") -> None:
        """Make one undo entry of all edits from now to `end_stroke`; each is seen at once.

        Parameters
        ----------
        name : str
            What the undo entry is called, whatever the edits are.

        Raises
        ------
        RuntimeError
            An edit or another stroke of this map is open.
        """
        if self._open is not None or self.has_stroke:
            raise RuntimeError("this map has an open edit or stroke; strokes do not nest")
        self._history.begin_stroke(name)

    def end_stroke(self) -> bool:
        """End the open stroke; False if it came to nothing, which is no undo entry.

        Raises
        ------
        RuntimeError
            No stroke is open, or an edit is.
        """
        self._need_stroke()
        return self._history.end_stroke()

    def cancel_stroke(self) -> None:
        """End the open stroke and take back what it did, as if it had never been.

        Raises
        ------
        RuntimeError
            No stroke is open, or an edit is.
        """
        self._need_stroke()
        change = self._history.drop_stroke()
        if not change.is_nothing:
            self._apply(change.turned())

    def undo(self) -> bool:
        """Take the latest edit back; False if there is none."""
        self._refuse_inside("undo")
        change = self._history.step_back()
        if change is not None:
            self._apply(change.turned())
        return change is not None

    def redo(self) -> bool:
        """Make the latest undone edit again; False if there is none."""
        self._refuse_inside("redo")
        change = self._history.step_forward()
        if change is not None:
            self._apply(change)
        return change is not None

    @property
    def undo_name(self) -> str:
        """What the edit that `undo` would take back is called; "" if there is none."""
        return self._history.undo_name

    @property
    def redo_name(self) -> str:
        """What the edit that `redo` would make again is called; "" if there is none."""
        return self._history.redo_name

    def changed_since(self, version: int) -> Rect | None:
        """Give the rectangle that holds all changes since `version`; None if there were none."""
        return self._history.since(version, Rect(0, 0, self.rows, self.cols))

    def _refuse_inside(self, what: str) -> None:
        if self._open is not None or self.has_stroke:
            which = "edit" if self._open is not None else "stroke"
            raise RuntimeError(f"{what} cannot run inside an open {which}")

    def _need_stroke(self) -> None:
        if self._open is not None or not self.has_stroke:
            raise RuntimeError("there is no open stroke, or an edit in it is open")

    def _apply(self, change: Change) -> None:
        self._content.apply(change)
        self.changed.emit(change.rect)
