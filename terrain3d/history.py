"""What was changed in which order: steps back and forth, and what is new since a version."""

from collections import deque

from terrain3d.change import Change
from terrain3d.grid import Rect

_REMEMBERED_RECTS = 64


class History:
    """The changes of one map, without limit, and its version, which counts every one made."""

    def __init__(self) -> None:
        self.version = 0
        self._done: list[Change] = []
        self._undone: list[Change] = []
        self._recent: deque[Rect] = deque(maxlen=_REMEMBERED_RECTS)

    def add(self, change: Change) -> None:
        """Take a new change as the latest; what was undone before cannot be redone any more."""
        self._done.append(change)
        self._undone.clear()
        self._count(change)

    def step_back(self) -> Change | None:
        """Give the latest change, to be taken back; None if there is none."""
        return self._move(self._done, self._undone)

    def step_forward(self) -> Change | None:
        """Give the latest change that was taken back, to be made again; None if there is none."""
        return self._move(self._undone, self._done)

    @property
    def undo_name(self) -> str:
        """Name of what `step_back` would give; "" if there is none."""
        return self._done[-1].name if self._done else ""

    @property
    def redo_name(self) -> str:
        """Name of what `step_forward` would give; "" if there is none."""
        return self._undone[-1].name if self._undone else ""

    def since(self, version: int, whole: Rect) -> Rect | None:
        """Give what holds all changes since a version: None, a part, or the whole map."""
        count = self.version - version
        if count <= 0:
            return None
        if count > len(self._recent):
            return whole
        first, *others = list(self._recent)[-count:]
        for rect in others:
            first = first.union(rect)
        return first

    def _move(self, source: list[Change], target: list[Change]) -> Change | None:
        if not source:
            return None
        change = source.pop()
        target.append(change)
        self._count(change)
        return change

    def _count(self, change: Change) -> None:
        self.version += 1
        self._recent.append(change.rect)
