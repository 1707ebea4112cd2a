"""Mouse input: pointing, clicks, drags and the wheel.

A press that moves less than `CLICK_RADIUS` before its release is a click, any other is a drag.
Points are (x, y) in -1..1 from left to right and bottom to top, at any size of the window.

Positions and sizes on screen, for many points at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from direct.showbase.DirectObject import DirectObject

from terrain3d.core.signals import Signal
from terrain3d.look.layout import Box

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase
    from numpy.typing import NDArray
    from panda3d.core import GraphicsWindow, NodePath


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

    def __init__(self, base: ShowBase) -> None:
        self._base = base
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
        """The pointer's position in the scene; None outside the window and on overlays."""
        return None if self._point is None or self._overlay_at(self._point) else self._point

    def remove_overlay(self, overlay: PointerOverlay) -> None:
        """Remove an overlay and end a press on it; does nothing if it is not in `overlays`."""
        if overlay in self.overlays:
            self.overlays.remove(overlay)
        if overlay is self._pressed_overlay:
            self._pressed, self._pressed_overlay = "", None

    def poll(self) -> None:
        """Update the position; called once a frame and before each button event."""
        watcher = self._base.mouseWatcherNode
        point = None
        if watcher is not None and watcher.has_mouse():
            mouse = watcher.get_mouse()
            point = (float(mouse.x), float(mouse.y))
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

    def _scaled(self, start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
        """Return the vector between two points in half window heights."""
        return (end[0] - start[0]) * self._base.get_aspect_ratio(), end[1] - start[1]

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
        if window == self._base.win and not window.get_properties().foreground:
            self._pressed = ""
            self.focus_lost.emit()

    def _turn_wheel(self, steps: int) -> None:
        self.poll()
        if self.scene_point is not None:
            self.wheel_turned.emit(steps, self.scene_point)

    def _overlay_at(self, point: tuple[float, float]) -> PointerOverlay | None:
        return next((overlay for overlay in self.overlays if overlay.covers(point)), None)


WHOLE, LEFT, RIGHT = (0.0, 1.0), (0.0, 0.5), (0.5, 0.5)
"""Parts of the window: the left edge and the width, in 0..1."""


@dataclass(frozen=True, eq=False)  # arrays are not compared by ==
class ScreenProjection:
    """The projection of one node's coordinates into the window, of a size in pixels.

    `matrix` (4, 4) maps rows (x, y, z, 1) to homogeneous coordinates on the lens's film. `unit` is
    the size of a unit at a depth of 1, in half widths of the part of the window. `part` is WHOLE,
    LEFT or RIGHT.
    """

    matrix: NDArray[np.float64]
    unit: float
    window: tuple[int, int]
    part: tuple[float, float] = WHOLE

    @classmethod
    def of(
        cls, base: ShowBase, np_: NodePath, part: tuple[float, float] = WHOLE
    ) -> ScreenProjection:
        """Return the current projection of a node's coordinates into a part of the window."""
        to_film = np.array(base.camLens.get_projection_mat(), np.float64).reshape(4, 4)
        to_camera = np.array(np_.get_mat(base.cam), np.float64).reshape(4, 4)
        size = float(np.linalg.norm(to_camera[0, :3]))
        window = max(1, base.win.get_x_size()), max(1, base.win.get_y_size())
        return cls(to_camera @ to_film, float(to_film[0, 0]) * size, window, part)

    def __eq__(self, other: object) -> bool:
        """Return whether both project every point alike."""
        return (
            isinstance(other, ScreenProjection)
            and (self.window, self.part) == (other.window, other.part)
            and self.unit == other.unit
            and np.array_equal(self.matrix, other.matrix)
        )

    def unit_px(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n,) sizes of a unit at points, in pixels; 0 behind the camera."""
        depth = self._on_film(points)[:, 3]
        size = self.unit * self.window[0] * self.part[1] / 2
        return np.divide(size, depth, out=np.zeros(len(points)), where=depth > 0)

    def is_seen(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return (n,) whether points are inside the window; they may be hidden there."""
        x, y, _, depth = self._on_film(points).T
        seen: NDArray[np.bool_] = (np.abs(x) <= depth) & (np.abs(y) <= depth)
        return seen

    def in_window(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 2) positions of points, in pixels from the window's top left corner."""
        x, y, _, depth = self._on_film(points).T
        depth = np.maximum(depth, 1e-9)
        width, height = self.window
        start, share = self.part
        across = start + (x / depth + 1) / 2 * share
        return np.stack([across * width, (1 - y / depth) / 2 * height], axis=1)

    def _on_film(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        film: NDArray[np.float64] = points @ self.matrix[:3] + self.matrix[3]
        return film
