"""What the hand does with the mouse: points, clicks, drags and turns the wheel.

A press that moves less than `CLICK_RADIUS` before it ends is a click, any other is a drag.
Points are (x, y) in -1..1 from left to right and bottom to top, whatever the window's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from direct.showbase.DirectObject import DirectObject

from terrain3d.core.signals import Signal
from terrain3d.look.layout import Box

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase
    from panda3d.core import GraphicsWindow

BUTTONS = {"mouse1": "left", "mouse2": "middle", "mouse3": "right"}
CLICK_RADIUS = 0.012
"""In half window heights: about 4 pixels of 720."""

_MODIFIERS = ("", "shift-", "control-", "alt-")


class PointerOverlay(Protocol):
    """Something in front of the scene: what the hand does there is not meant for the scene."""

    def covers(self, point: tuple[float, float]) -> bool:
        """Tell whether it lies at a point of the window."""

    @property
    def boxes(self) -> Sequence[Box]:
        """Where it lies, in pixels; none if another cover tells of it."""

    def press(self, button: str, point: tuple[float, float]) -> None:
        """Heed that a button goes down on it, or that the pointer moves while it is down."""


class Pointer:
    """The mouse of one window, as gestures in the scene, where nothing covers it."""

    moved = Signal("point")
    """The pointer is somewhere else: (x, y), or None when it left the window."""
    pressed = Signal("button", "point", "modifier")
    """A button went down: "left", "middle" or "right", with "shift", "" and so on."""
    released = Signal("button")
    """That button is up again, wherever the pointer is now."""
    clicked = Signal("button", "point")
    """A press ended where it began: "left", "middle" or "right"."""
    dragged = Signal("button", "dx", "dy", "modifier")
    """The pointer moved with a button down, in half window heights; "shift", "" and so on."""
    wheel_turned = Signal("steps", "point")
    """+1 for each step away from the hand, -1 for each towards it."""
    focus_lost = Signal()
    """Another window has the keyboard now: what is let go there is not heard here."""

    def __init__(self, base: ShowBase) -> None:
        self._base = base
        self._point: tuple[float, float] | None = None
        self._pressed = ""
        self._modifier = ""
        self._press_point = (0.0, 0.0)
        self._is_drag = False
        self._pressed_cover: PointerOverlay | None = None
        self.overlays: list[PointerOverlay] = []
        """What lies in front of the scene."""
        self._events = DirectObject()
        for modifier in _MODIFIERS:
            for event, button in BUTTONS.items():
                self._events.accept(modifier + event, self._press, [button, modifier.rstrip("-")])
            self._events.accept(modifier + "wheel_up", self._turn_wheel, [1])
            self._events.accept(modifier + "wheel_down", self._turn_wheel, [-1])
        for event, button in BUTTONS.items():
            self._events.accept(event + "-up", self._release, [button])
        self._events.accept("window-event", self._heed_window)

    @property
    def point(self) -> tuple[float, float] | None:
        """Where it points, or None outside the window."""
        return self._point

    @property
    def scene_point(self) -> tuple[float, float] | None:
        """Where it points in the scene; None outside the window and on what covers the scene."""
        return None if self._point is None or self._cover_at(self._point) else self._point

    def poll(self) -> None:
        """Look where the pointer is; once a frame, and before each button event counts."""
        watcher = self._base.mouseWatcherNode
        point = None
        if watcher is not None and watcher.has_mouse():
            mouse = watcher.get_mouse()
            point = (float(mouse.x), float(mouse.y))
        if point == self._point:
            return
        before, self._point = self._point, point
        if self._pressed and point is not None:
            if self._pressed_cover is None:
                self._drag(before or point, point)
            else:
                self._pressed_cover.press(self._pressed, point)
        self.moved.emit(point)

    def close(self) -> None:
        """Hear no more events."""
        self._events.ignore_all()

    def _scaled(self, start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
        """Give the way between two points in half window heights."""
        return (end[0] - start[0]) * self._base.get_aspect_ratio(), end[1] - start[1]

    def _press(self, button: str, modifier: str) -> None:
        self.poll()
        # The same button again: the window never heard that it was let go.
        if self._point is None or self._pressed not in {"", button}:
            return
        self._pressed, self._modifier = button, modifier
        self._press_point, self._is_drag = self._point, False
        self._pressed_cover = self._cover_at(self._point)
        if self._pressed_cover is not None:
            self._pressed_cover.press(button, self._point)
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
        if not self._is_drag and self._pressed_cover is None and self._point is not None:
            self.clicked.emit(button, self._point)

    def _heed_window(self, window: GraphicsWindow) -> None:
        """End the press when the window loses the keyboard; it is no click."""
        if window == self._base.win and not window.get_properties().foreground:
            self._pressed = ""
            self.focus_lost.emit()

    def _turn_wheel(self, steps: int) -> None:
        self.poll()
        if self.scene_point is not None:
            self.wheel_turned.emit(steps, self.scene_point)

    def _cover_at(self, point: tuple[float, float]) -> PointerOverlay | None:
        return next((cover for cover in self.overlays if cover.covers(point)), None)
