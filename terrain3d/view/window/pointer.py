"""Mouse input: pointing, clicks, drags and the wheel.

A press that moves less than `CLICK_RADIUS` before its release is a click, any other is a drag.
Points are (x, y) in -1..1 from left to right and bottom to top, at any size of the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from direct.showbase.DirectObject import DirectObject

from terrain3d.core.signals import Signal
from terrain3d.look.layout import Box
from terrain3d.view.window.viewport import box_of

if TYPE_CHECKING:
    from panda3d.core import GraphicsWindow, MouseWatcher

    from terrain3d.view.window.viewport import Viewport


BUTTONS = {"mouse1": "left", "mouse2": "middle", "mouse3": "right"}
CLICK_RADIUS = 0.012
"""In half window heights: about 4 pixels of 720."""

_MODIFIERS = ("", "shift-", "control-", "alt-")


class PointerOverlay(Protocol):
    """Something in front of the scene that receives mouse input instead of the scene."""

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether it lies at a point of the window."""

    @property
    def boxes(self) -> Sequence[Box]:
        """Its boxes in pixels; empty if another overlay lists them."""

    def press(self, button: str, point: tuple[float, float]) -> None:
        """Handle a button press on it."""

    def drag(self, button: str, point: tuple[float, float]) -> None:
        """Handle a move of the pointer while that button is down."""


class Pointer:
    """Reports the mouse of one window as signals; overlays receive input on them instead."""

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
        self._viewport = viewport
        self.watcher: MouseWatcher | None = None
        """Reports the position of the mouse; None: that of the window does."""
        self._is_on_gui = False
        self._point: tuple[float, float] | None = None
        self._pressed = ""
        self._modifier = ""
        self._press_point = (0.0, 0.0)
        self._is_drag = False
        self._pressed_overlay: PointerOverlay | None = None
        self.overlays: list[PointerOverlay] = []
        """Overlays in front of the scene; the first one at a point receives the input."""
        self._events = DirectObject()
        for modifier in _MODIFIERS:
            for event, button in BUTTONS.items():
                self._events.accept(modifier + event, self._press, [button, modifier.rstrip("-")])
            self._events.accept(modifier + "wheel_up", self._turn_wheel, [1])
            self._events.accept(modifier + "wheel_down", self._turn_wheel, [-1])
        for event, button in BUTTONS.items():
            self._events.accept(event + "-up", self._release, [button])
        self._events.accept("window-event", self._check_focus)

    @property
    def point(self) -> tuple[float, float] | None:
        """The pointer's position, or None outside the window."""
        return self._point

    @property
    def scene_point(self) -> tuple[float, float] | None:
        """The pointer's position in the scene; None outside the window, on overlays and buttons."""
        if self._point is None or self._is_on_gui or self._overlay_at(self._point):
            return None
        return self._point

    def remove_overlay(self, overlay: PointerOverlay) -> None:
        """Remove an overlay and end a press on it; does nothing if it is not in `overlays`."""
        if overlay in self.overlays:
            self.overlays.remove(overlay)
        if overlay is self._pressed_overlay:
            self._pressed, self._pressed_overlay = "", None

    def poll(self) -> None:
        """Update the position; called once a frame and before each button event."""
        watcher = self.watcher or self._viewport.base.mouseWatcherNode
        point = None
        self._is_on_gui = watcher is not None and watcher.is_over_region()
        if watcher is not None and watcher.has_mouse():
            point = self._viewport.from_window(*self._in_window(watcher))
        if point == self._point:
            return
        before, self._point = self._point, point
        if self._pressed and point is not None:
            if self._pressed_overlay is None:
                self._drag(before or point, point)
            else:
                self._pressed_overlay.drag(self._pressed, point)
        self.moved.emit(point)

    def close(self) -> None:
        """Stop listening to events."""
        self._events.ignore_all()

    @staticmethod
    def _in_window(watcher: MouseWatcher) -> tuple[float, float]:
        mouse = watcher.get_mouse()
        x, y = float(mouse.x), float(mouse.y)
        region = watcher.get_display_region()  # of a game that has given the mouse only a part
        if region is None:
            return x, y
        left, right, bottom, top = box_of(region)
        return left + right - 1 + x * (right - left), bottom + top - 1 + y * (top - bottom)

    def _scaled(self, start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
        """Return the vector between two points in half heights of the viewport."""
        return (end[0] - start[0]) * self._viewport.aspect, end[1] - start[1]

    def _press(self, button: str, modifier: str) -> None:
        self.poll()
        # If the same button is pressed again, its release never reached the window.
        if self._point is None or self._pressed not in {"", button}:
            return
        self._pressed, self._modifier = button, modifier
        self._press_point, self._is_drag = self._point, False
        self._pressed_overlay = self._overlay_at(self._point)
        if self._pressed_overlay is not None:
            self._pressed_overlay.press(button, self._point)
        else:
            self.pressed.emit(button, self._point, self._modifier)

    def _drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        if not self._is_drag:
            dx, dy = self._scaled(self._press_point, end)
            if dx * dx + dy * dy < CLICK_RADIUS**2:
                return
            self._is_drag = True
            start = self._press_point
        self.dragged.emit(self._pressed, *self._scaled(start, end), self._modifier)

    def _release(self, button: str) -> None:
        self.poll()
        if button != self._pressed:
            return
        self._pressed = ""
        self.released.emit(button)
        if not self._is_drag and self._pressed_overlay is None and self._point is not None:
            self.clicked.emit(button, self._point)

    def _check_focus(self, window: GraphicsWindow) -> None:
        """End a press without a click when the window loses the keyboard."""
        if window == self._viewport.base.win and not window.get_properties().foreground:
            self._pressed = ""
            self.focus_lost.emit()

    def _turn_wheel(self, steps: int) -> None:
        self.poll()
        if self.scene_point is not None:
            self.wheel_turned.emit(steps, self.scene_point)

    def _overlay_at(self, point: tuple[float, float]) -> PointerOverlay | None:
        return next((overlay for overlay in self.overlays if overlay.covers(point)), None)
