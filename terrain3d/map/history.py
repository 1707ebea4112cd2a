"""What was changed in which order: steps back and forth, and what is new since a version."""

from collections import deque

from terrain3d.grid.grid import Rect
from terrain3d.map.change import Change, joined

_REMEMBERED_RECTS = 64


class History:
    """The changes of one map, without limit, and its version, which counts every one made."""

    def __init__(self) -> None:
        self.version = 0
        self._done: list[Change] = []
        self._undone: list[Change] = []
        self._recent: deque[Rect] = deque(maxlen=_REMEMBERED_RECTS)
        self._stroke: list[Change] | None = None
        self._stroke_name = ""

    def add(self, change: Change) -> None:
        """Take a new change as the latest, or into the open stroke."""
        if self._stroke is None:
            self._enter(change)
        else:
            self._stroke.append(change)
        self._count(change)

    @property
    def has_stroke(self) -> bool:
        """Whether a stroke is open."""
        return self._stroke is not None

    def begin_stroke(self, name: str) -> None:
        """Gather changes that shall be one of that name."""
        self._stroke, self._stroke_name = [], name

    def end_stroke(self) -> bool:
        """Take what was gathered as one change; False if it comes to nothing."""
        if self._stroke is None:
            return False
        change = joined(self._stroke_name, self._stroke)
        self._stroke = None
        if not change.is_nothing:
            self._enter(change)
        return not change.is_nothing

    def drop_stroke(self) -> Change:
        """Forget what was gathered and give it as one change, to be taken back."""
        change = joined(self._stroke_name, self._stroke or ())
        self._stroke = None
        if not change.is_nothing:
            self._count(change)
        return change

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

    def _enter(self, change: Change) -> None:
        """Take the latest change; what was undone before cannot be redone any more."""
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
        self._recent.append(change.rect)
