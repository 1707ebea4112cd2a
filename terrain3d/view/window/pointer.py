"""Mouse input: pointing, clicks, drags and the wheel.

A press that moves less than `CLICK_RADIUS` before its release is a click, any other is a drag.
Points are (x, y) in -1..1 from left to right and bottom to top, at any size of the window. The
engine keeps presses on its GUI, such as our panels, from the scene.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from direct.showbase.DirectObject import DirectObject

from terrain3d.core.signals import Signal
from terrain3d.view.window.viewport import ScreenPoint, box_of

if TYPE_CHECKING:
    from panda3d.core import GraphicsWindow

    from terrain3d.view.window.viewport import Viewport


BUTTONS = {"mouse1": "left", "mouse2": "middle", "mouse3": "right"}
CLICK_RADIUS = 0.012
"""In half window heights: about 4 pixels of 720."""

_MODIFIERS = ("", "shift-", "control-", "alt-")


class Pointer(DirectObject):
    """Reports the mouse of one window as signals."""

    moved = Signal("point")
    """The pointer has moved to (x, y), or left the window: None."""
    pressed = Signal("button", "point", "modifier")
    """A button was pressed: "left", "middle" or "right"; modifier "shift", "" and so on."""
    released = Signal("button")
    """The button was released, wherever the pointer is now."""
    clicked = Signal("button", "point")
    """A button was pressed and released at one point: "left", "middle" or "right"."""
    dragged = Signal("button", "dx", "dy", "modifier")
    """The pointer moved with a button down, by (dx, dy) in half window heights."""
    wheel_turned = Signal("steps", "point")
    """The wheel was turned: steps > 0 away from the user, < 0 toward the user."""
    focus_lost = Signal()
    """The window has lost the keyboard; releases of keys no longer arrive."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__()
        self._viewport = viewport
        self.catch: Callable[[], object] | None = None
        """Called by a press, which then does nothing in the scene, as while it is shown around."""
        self._point: ScreenPoint | None = None
        self._is_on_gui = False
        self._button = self._modifier = ""
        self._start: ScreenPoint = 0.0, 0.0
        self._is_drag = False
        for modifier in _MODIFIERS:
            for event, button in BUTTONS.items():
                self.accept(modifier + event, self._press, [button, modifier.rstrip("-")])
            self.accept(modifier + "wheel_up", self._turn_wheel, [1])
            self.accept(modifier + "wheel_down", self._turn_wheel, [-1])
        for event, button in BUTTONS.items():
            self.accept(event + "-up", self._release, [button])
        self.accept("window-event", self._check_focus)

    @property
    def point(self) -> ScreenPoint | None:
        """The pointer's position, or None outside the tree's part of the window."""
        return self._point

    @property
    def scene_point(self) -> ScreenPoint | None:
        """The pointer's position in the scene; None also on panels and buttons."""
        return None if self._is_on_gui or self.catch is not None else self._point

    def poll(self) -> None:
        """Update the position; called once a frame and before each button event."""
        watcher, point = self._viewport.base.mouseWatcherNode, None
        self._is_on_gui = watcher is not None and watcher.is_over_region()
        if watcher is not None and watcher.has_mouse():
            mouse = watcher.get_mouse()
            x, y = float(mouse.x), float(mouse.y)
            region = watcher.get_display_region()  # of a game that has given the mouse only a part
            if region is not None:
                left, right, bottom, top = box_of(region)
                x = left + right - 1 + x * (right - left)
                y = bottom + top - 1 + y * (top - bottom)
            point = self._viewport.from_window(x, y)
        if point == self._point:
            return
        before, self._point = self._point, point
        if self._button and point is not None:
            self._drag(before or point, point)
        self.moved.emit(point)

    def _scaled(self, start: ScreenPoint, end: ScreenPoint) -> ScreenPoint:
        """Return the vector between two points in half heights of the viewport."""
        return (end[0] - start[0]) * self._viewport.aspect, end[1] - start[1]

    def _press(self, button: str, modifier: str) -> None:
        self.poll()
        # If the same button is pressed again, its release never reached the window.
        if self._point is None or self._button not in {"", button}:
            return
        if self.catch is not None:
            self.catch()
            return
        self._button, self._modifier = button, modifier
        self._start, self._is_drag = self._point, False
        self.pressed.emit(button, self._point, modifier)

    def _drag(self, start: ScreenPoint, end: ScreenPoint) -> None:
        if not self._is_drag:
            dx, dy = self._scaled(self._start, end)
            if dx * dx + dy * dy < CLICK_RADIUS**2:
                return
            self._is_drag = True
            start = self._start
        self.dragged.emit(self._button, *self._scaled(start, end), self._modifier)

    def _release(self, button: str) -> None:
        self.poll()
        if button != self._button:
            return
        self._button = ""
        self.released.emit(button)
        if not self._is_drag and self._point is not None:
            self.clicked.emit(button, self._point)

    def _check_focus(self, window: GraphicsWindow) -> None:
        """End a press without a click when the window loses the keyboard."""
        if window == self._viewport.base.win and not window.get_properties().foreground:
            self._button = ""
            self.focus_lost.emit()

    def _turn_wheel(self, steps: int) -> None:
        self.poll()
        if self.scene_point is not None:
            self.wheel_turned.emit(steps, self.scene_point)
