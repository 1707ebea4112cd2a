"""Base class of the panels of a Hud that the mouse can use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from panda3d.core import NodePath, Point3

from terrain3d.look.layout import Box, Size
from terrain3d.view.hud.hud import Hud
from terrain3d.view.hud.panel import Letters
from terrain3d.view.window.panda_tree import WindowNode


class HudPanel(WindowNode, ABC):
    """A panel in a corner of the window that receives clicks; a child of a `Hud`."""

    _corner = "top right"
    _rank = 1
    _is_first = False

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.np = NodePath(self.name)
        self._size: Size | None = None  # while it is shown as one rectangle

    @abstractmethod
    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:
        """Return its possible sizes in pixels, the best first; empty if it is not shown."""

    @abstractmethod
    def show_as(self, choice: int | None) -> None:
        """Take one of the sizes returned last; hide the panel if None."""

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether it lies at a point of the window."""
        if self._size is None or self.np.is_hidden():
            return False
        x, y = self._on_plate(point)
        return 0 <= x < self._size[0] and 0 <= y < self._size[1]

    @abstractmethod
    def press(self, button: str, point: tuple[float, float]) -> None:
        """Handle a press on it, or a move of the pointer while the button is down."""

    @property
    def boxes(self) -> Sequence[Box]:
        """Empty: the Hud lists the panel's box."""
        return ()

    def _rearrange(self) -> None:
        """Have the Hud arrange its panels again, after a change of size."""
        hud = self.find_ancestor(Hud)
        if hud is not None:
            hud.rearrange()

    def _on_plate(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return a point of the window in pixels right of and below the panel's corner."""
        place = self.np.get_relative_point(self.panda.base.render2d, Point3(point[0], 0, point[1]))
        return place.x, -place.z

    def _enter_tree(self) -> None:
        hud = self.find_ancestor(Hud)
        if hud is None:
            raise RuntimeError(f"{self!r} must be below a Hud")
        hud.dock(self, self._corner, self._rank, is_first=self._is_first)
        self.panda.pointer.overlays.insert(0, self)  # before the Hud, which takes no clicks

    def _exit_tree(self) -> None:
        hud = self.find_ancestor(Hud)
        if hud is not None:
            hud.undock(self)
        self.panda.pointer.remove_overlay(self)
        self.np.detach_node()
        self._size = None

    def _freed(self) -> None:
        self.np.remove_node()
