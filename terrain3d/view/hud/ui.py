"""Show widgets on the window: docked in its corners, in front of all else, or at the pointer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Protocol

from direct.showbase.DirectObject import DirectObject
from panda3d.core import (
    MouseButton,
    MouseWatcher,
    MouseWatcherRegion,
    NodePath,
    PGItem,
    PGTop,
    Point3,
)

from terrain3d.core.checks import one_of
from terrain3d.core.signals import export
from terrain3d.look.layout import CORNERS, Box, Item, Size, arrange, place_beside
from terrain3d.mesh.overlays.flat_shapes import card
from terrain3d.view.geometry import make_geom_node
from terrain3d.view.hud.widgets import (
    PLATE,
    Button,
    Panel,
    Part,
    Picture,
    Slider,
    Space,
    Text,
    Widget,
    fit_to_pixels,
    plate,
    size_of,
    space_of,
)
from terrain3d.view.window.panda_tree import Control

Version = tuple[Widget, Space]
_BUTTONS = {"left": MouseButton.one(), "right": MouseButton.three()}
_AWAY, _AWAY_FROM_TILE = 1.3, 2.6  # from pointer or tile, in heights of the text
_LINE_PART = 0.5  # of the window's width, at most, for the text beside the pointer
_SHADE = 0.55  # how dark the scene is behind a menu
_SHADE_ID = "shade"
_numbers = itertools.count()


class Content(Protocol):
    """What is shown in a dock, as large as there is room for; values that are equal look alike."""

    def versions(self, space: Space) -> Sequence[Version]:
        """Return widgets for a window, each with its letters, the best first; none to hide it."""


class Front(Protocol):
    """What is shown in front of all else, one at a time, such as a menu."""

    @property
    def content(self) -> Content:
        """What it shows now."""

    @property
    def is_shaded(self) -> bool:
        """Whether the scene is darker behind it."""

    def close(self) -> None:
        """Close it, since another one is opened."""

    def press(self) -> None:
        """Handle a press beside its buttons."""


class Dock:
    """A panel in a corner of the window, with what it may show."""

    def __init__(self, panel: Panel, corner: str, rank: int) -> None:
        self.panel, self.corner, self.rank = panel, corner, rank
        self.content: Content | Widget | None = None
        self.versions: Sequence[Version] = ()
        self.sizes: Sequence[Size] = ()
        self.box: Box | None = None
        """Where it is; None while it is hidden."""
        self.space: Space | None = None
        """The letters that it is shown with."""
        self._measured: tuple[object, ...] = ()

    def measure(self, space: Space) -> Sequence[Size]:
        """Return the sizes of all versions for a window."""
        if self._measured != (self.content, space):
            self._measured = self.content, space
            self.versions = versions_of(self.content, space)
            self.sizes = [size_of(*version) for version in self.versions]
        return self.sizes

    def show(self, choice: int | None, box: Box | None) -> None:
        """Show a version at a box, or hide it."""
        self.box = box
        if choice is None or box is None:
            self.panel.np.hide()
            return
        widget, self.space = self.versions[choice]
        self.panel.show(widget, self.space)
        self.panel.place(box.left, box.top)
        self.panel.np.show()


def versions_of(content: Content | Widget | None, space: Space) -> Sequence[Version]:
    """Return the versions of what a dock shows; a widget has one."""
    if content is None:
        return ()
    if isinstance(content, Widget):
        return [(content, space)]
    return content.versions(space)


class Ui(Control):
    """Shows widgets on the window, and rebuilds only what has changed.

    Docks of one corner are stacked, and never overlap: without room for all, those of a lower rank
    are shown smaller, then hidden. The engine finds which part the mouse is on.
    """

    text_scale = export(1.0, range=(0.5, 4.0), doc="scale of all text")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.pointer_place: tuple[float, float] | None = None
        """Point beside which `beside` is shown, (x, y) in -1..1; None for the pointer."""
        self.beside: Text | None = None
        """A text beside the pointer, over no dock; that about a button replaces it."""
        self.beside_bar: tuple[float, float, float] | None = None
        """The color of the bar at its edge."""
        self.kept_clear: Sequence[Box] = ()
        """Boxes in pixels that the text does not cover, where there is room beside them."""
        self.is_bare = False
        """Whether all docks and texts are hidden, as while something else needs the window."""
        self._docks: dict[str, Dock] = {}
        self._order: list[str] = []
        self._ids = f"ui{next(_numbers)}"
        self._root = self.np.attach_new_node("empty")
        self._mouse, self._known = DirectObject(), set[str]()
        self._hovered = self._held = ""
        self._mouse_at: tuple[float, float] | None = None
        self._label = Panel(self.np.attach_new_node("over", 20), "pointer")
        self._label_place: tuple[object, ...] = ()
        self._label_box: Box | None = None
        self._front: Front | None = None
        self._front_dock = Dock(Panel(NodePath("none"), "front", f"{self._ids}-front"), "", 0)
        self._shade = NodePath("none")
        self._arranged: object = None

    def show(
        self,
        name: str,
        content: Content | Widget | None,
        corner: str = "top left",
        rank: int = 5,
        *,
        is_first: bool = False,
    ) -> None:
        """Show something in a dock of a name, which is made if there is none; None hides it.

        A new dock is the last of its corner, from the window's edge inward, or the first one.
        `ValueError` if there is no such corner.
        """
        if name not in self._docks:
            panel = Panel(self._root, name, f"{self._ids}-{name}")
            self._docks[name] = Dock(panel, one_of("corner", corner, CORNERS), rank)
            self._order.insert(0 if is_first else len(self._order), name)
        dock = self._docks[name]
        if dock.content != content:
            dock.content, self._arranged = content, None

    def dock(self, name: str) -> Dock:
        """Return the dock of a name."""
        return self._docks[name]

    @property
    def front(self) -> Front | None:
        """What is shown in front of all else; setting it closes what was there."""
        return self._front

    @front.setter
    def front(self, front: Front | None) -> None:
        before, self._front = self._front, front
        if before is not None and before is not front:
            before.close()

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all that is shown, in pixels."""
        boxes = [dock.box for dock in self._docks.values() if dock.box is not None]
        if self._front_dock.box is not None:
            boxes.append(self._front_dock.box)
        return boxes if self._label_box is None else [*boxes, self._label_box]

    def covers(self, point: tuple[float, float]) -> bool:  # noqa: ARG002 - PointerOverlay
        """Return False: the engine keeps clicks on panels from the scene."""
        return False

    def press(self, button: str, point: tuple[float, float]) -> None:
        """Do nothing: it covers no point."""

    def drag(self, button: str, point: tuple[float, float]) -> None:
        """Do nothing: it covers no point."""

    def in_pixels(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return a point of the window in pixels from its top left corner."""
        width, height = self._window
        return (point[0] + 1) / 2 * width, (1 - point[1]) / 2 * height

    @property
    def _window(self) -> Size:
        return self.panda.viewport.size_px

    @property
    def space(self) -> Space:
        """The window, and letters for it."""
        return space_of(self._window, self.text_scale)

    def _enter_tree(self) -> None:
        self._root = self.np.attach_new_node(PGTop("top"), -1)
        self._root.clear_bin()  # it is drawn below what other nodes show on the window
        for dock in self._docks.values():
            dock.panel.np.reparent_to(self._root)
        shade = PGItem(_SHADE_ID)
        shade.set_id(f"{self._ids}-{_SHADE_ID}")
        shade.set_frame(0, 1, -1, 0)
        shade.set_active(True)
        shade.set_suppress_flags(MouseWatcherRegion.SF_mouse_button)
        self._shade = self._root.attach_new_node(shade, 10)
        self._shade.attach_new_node(make_geom_node("dark", card((0, 1, -1, 0), PLATE, _SHADE)))
        self._front_dock.panel.np.reparent_to(self._root, 11)
        self._arranged = None
        self.panda.pointer.overlays.append(self)
        self._hear(f"{self._ids}-{_SHADE_ID}")

    def _exit_tree(self) -> None:
        self.panda.pointer.remove_overlay(self)
        self._mouse.ignore_all()
        self._known.clear()
        self.front = None
        for dock in (*self._docks.values(), self._front_dock):
            dock.panel.np.detach_node()
        self._root.remove_node()  # the engine forgets what the mouse finds on it
        self._root = self.np.attach_new_node("empty")
        self._hovered = self._held = ""

    def _process(self, _dt_s: float) -> None:
        space, front = self.space, self._front
        content = None if front is None else front.content
        wanted = space, self.is_bare, content
        if wanted != self._arranged:
            self._arrange(space)
            self._arranged = wanted
        self._follow_mouse()
        self._follow_pointer(space)

    def _arrange(self, space: Space) -> None:
        """Measure and place all docks, and what is in front of them."""
        width, height = window = space.window
        fit_to_pixels(self.np, window)
        edge = min(space.px, 0.05 * min(window))
        docks = [self._docks[name] for name in self._order]
        is_hidden = self.is_bare or self._front is not None
        items = [
            Item(dock.corner, () if is_hidden else dock.measure(space), dock.rank) for dock in docks
        ]
        for dock, place in zip(docks, arrange(window, items, edge, edge / 2), strict=True):
            dock.show(*((None, None) if place is None else place))
        front = self._front_dock
        front.content = None if self._front is None else self._front.content
        choice = box = None
        if sizes := front.measure(space):
            fits = (n for n, size in enumerate(sizes) if size[0] < width and size[1] < height)
            choice = next(fits, len(sizes) - 1)
            wide, high = sizes[choice]
            box = Box((width - wide) / 2, max(0.0, (height - high) / 2), wide, high)
        front.show(choice, box)
        self._shade.show() if box else self._shade.hide()
        self._shade.set_scale(width, 1, height)
        if self._front is not None:
            dark = self._shade.get_child(0)
            dark.show() if self._front.is_shaded else dark.hide()
        for dock in (*docks, front):
            for name in dock.panel.parts.keys() - self._known:
                self._hear(name)
        self._label_place = ()

    def _hear(self, name: str) -> None:
        """Listen to presses on a part of a name."""
        self._known.add(name)
        for button, mouse in _BUTTONS.items():
            event = f"{PGItem.get_press_prefix()}{mouse}-{name}"
            self._mouse.accept(event, self._press_part, [button, name])

    def _panel_of(self, name: str) -> Panel | None:
        docks = (*self._docks.values(), self._front_dock)
        return next((dock.panel for dock in docks if name in dock.panel.parts), None)

    def _part(self, name: str) -> Part | None:
        panel = self._panel_of(name)
        return None if panel is None else panel.parts[name]

    def _light(self, name: str, state: str) -> None:
        if (panel := self._panel_of(name)) is not None:
            panel.light(name, state)

    def _press_part(self, button: str, name: str, _param: object = None) -> None:
        """Do what a press on a part does, in the end: it may free this node."""
        part = self._part(name)
        widget = None if part is None else part.widget
        call = None
        if isinstance(widget, Button) and widget.is_enabled:
            call = widget.on_press if button == "left" else widget.on_right_press
        elif not isinstance(widget, Button | Slider | Picture) and button == "left":
            call = None if self._front is None else self._front.press
        if button == "left":
            self._held = name
            self._light(name, "held")
            self._move(name)
        if call is not None:
            call()

    def _move(self, name: str) -> None:
        """Give the point under the mouse to a slider or a picture."""
        part, watcher = self._part(name), self._watcher
        if part is None or watcher is None or not watcher.has_mouse():
            return
        mouse = watcher.get_mouse()
        at = part.np.get_relative_point(self.panda.base.render2d, Point3(mouse.x, 0, mouse.y))
        x, y = at.x / part.box.width, -at.z / part.box.height
        if isinstance(part.widget, Slider):
            part.widget.move_to(x)
        elif isinstance(part.widget, Picture) and part.widget.on_point is not None:
            part.widget.on_point(x, y)

    @property
    def _watcher(self) -> MouseWatcher | None:
        """What reports the mouse; a window without a screen has none."""
        watcher = self.panda.pointer.watcher or self.panda.base.mouseWatcherNode
        return watcher if isinstance(watcher, MouseWatcher) else None

    def _follow_mouse(self) -> None:
        """Light the part that the mouse is on, and let it drag the one that it holds."""
        watcher, top = self._watcher, self._root.node()
        if watcher is None:
            return
        assert isinstance(top, PGTop)
        if top.get_mouse_watcher() != watcher:
            top.set_mouse_watcher(watcher)
        if self._held and not watcher.is_button_down(MouseButton.one()):
            held, self._held = self._held, ""
            self._light(held, "hover" if held == self._hovered else "")
        at: tuple[float, float] | None = None
        region: MouseWatcherRegion | None = None
        if watcher.has_mouse():
            mouse, region = watcher.get_mouse(), watcher.get_over_region()
            at = mouse.x, mouse.y
        name = "" if region is None else region.name
        has_moved, self._mouse_at = at != self._mouse_at, at
        if name != self._hovered:
            self._light(self._hovered, "")
            self._hovered = name
            self._light(name, "held" if name == self._held else "hover")
            self._label_place = ()
        if not has_moved:
            return
        if self._held:
            self._move(self._held)
            return
        part = self._part(name)
        if part is not None and isinstance(part.widget, Button) and part.widget.on_hover:
            part.widget.on_hover()

    def _tip(self) -> tuple[str, tuple[float, float]] | None:
        """Return what the button under the mouse tells, and where it is."""
        part, panel = self._part(self._hovered), self._panel_of(self._hovered)
        if part is None or panel is None or not isinstance(part.widget, Button):
            return None
        x, y = panel.np.get_x() + part.box.left, -panel.np.get_z() + part.box.top
        center = x + part.box.width / 2, y + part.box.height / 2
        return (part.widget.help, center) if part.widget.help else None

    def _follow_pointer(self, space: Space) -> None:
        """Place the text beside the pointer, or the tip beside its button."""
        point = self.pointer_place or self.panda.pointer.scene_point
        at = None if point is None else self.in_pixels(point)
        is_hidden = self.is_bare or self._front is not None
        wanted = at, self.beside, self.beside_bar, [*self.kept_clear], is_hidden
        if wanted == self._label_place:
            return
        self._label_place, self._label_box = wanted, None
        tip = None if is_hidden else self._tip()
        text, bar = self.beside, self.beside_bar
        if tip is not None:
            (words, at), bar = tip, None
            text = Text(words)
        if text is None or at is None or is_hidden:
            self._label.np.hide()
            return
        text = Text("\n".join(space.wrapped(text.text, _LINE_PART)))
        self._label.show(plate(text, bar=bar), space)
        boxes, size, window = self.boxes, self._label.size, space.window
        away = _AWAY if tip or self.pointer_place is None else _AWAY_FROM_TILE
        away *= space.px
        box = place_beside(at, size, window, [*boxes, *self.kept_clear], away)
        box = box or place_beside(at, size, window, boxes, away)
        self._label_box = box
        if box is None:
            self._label.np.hide()
        else:
            self._label.place(box.left, box.top)
            self._label.np.show()
