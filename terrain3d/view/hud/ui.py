"""Show widgets on the window: docked in its corners, in front of all else, or at the pointer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from direct.showbase.DirectObject import DirectObject
from panda3d.core import (
    MouseButton,
    MouseWatcher,
    PGItem,
    PGTop,
    Point3,
)

from terrain3d.core.checks import one_of
from terrain3d.core.signals import export
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import CORNERS, Box, Item, Size, arrange, place_beside
from terrain3d.mesh.overlays.flat_shapes import card
from terrain3d.view.geometry import make_geom_node
from terrain3d.view.hud.widgets import (
    PLATE,
    Button,
    Call,
    Group,
    Panel,
    Part,
    Picture,
    Slider,
    Space,
    Text,
    Widget,
    fit_to_pixels,
    mouse_item,
    plate,
    size_of,
    space_of,
)
from terrain3d.view.window.panda_tree import Control

Version = tuple[Widget, Space]
Content = Widget | Call | None
"""What a dock shows: a widget, nothing, or a call that returns versions of it for a `Space`.

Versions are widgets with their letters, the best first. Calls that are equal show the same.
"""
_MOUSE = {"left": MouseButton.one(), "right": MouseButton.three()}
_AWAY, _AWAY_FROM_TILE = 1.3, 2.6  # from pointer or tile, in heights of the text
_LINE_PART = 0.5  # of the window's width, at most, for the text beside the pointer
_SHADE = 0.55  # how dark the scene is behind a menu
_numbers = itertools.count()


@dataclass(frozen=True)
class Front:
    """What is shown in the middle, in front of all else and alone, such as a menu."""

    content: Content
    close: Callable[[], object]
    """Called when another one takes its place."""
    press: Callable[[], object] | None = None
    """Called by a press beside its buttons."""


class Dock:
    """A panel in a corner of the window, with what it shows."""

    def __init__(self, panel: Panel, corner: str, rank: int) -> None:
        self.panel, self.corner, self.rank = panel, corner, rank
        self.content: Content = None
        self.versions: Sequence[Version] = ()
        self.sizes: Sequence[Size] = ()
        self.box: Box | None = None
        """Where it is; None while it is hidden."""
        self.space: Space | None = None
        """The letters that it is shown with."""
        self._measured: tuple[object, ...] = ()

    def measure(self, space: Space) -> Sequence[Size]:
        """Return the sizes of all versions for a window."""
        content = self.content
        if self._measured != (content, space):
            self._measured = content, space
            if isinstance(content, Call):
                self.versions = content(space)
            else:
                self.versions = [] if content is None else [(content, space)]
            self.sizes = [size_of(*version) for version in self.versions]
        return self.sizes

    def show(self, choice: int = 0, box: Box | None = None) -> None:
        """Show a version at a box, or hide it without one."""
        self.box = box
        if box is None:
            self.panel.np.hide()
            return
        widget, self.space = self.versions[choice]
        self.panel.show(widget, self.space)
        self.panel.place(box.left, box.top)
        self.panel.np.show()


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
        self.beside: tuple[str, Color] = "", PLATE
        """A text beside the pointer, over no dock, and the color of its bar."""
        self.kept_clear: Sequence[Box] = ()
        """Boxes in pixels that the text does not cover, where there is room beside them."""
        self.is_bare = False
        """Whether all docks and texts are hidden, as while something else needs the window."""
        self._ids = f"ui{next(_numbers)}"
        self._root = self.np.attach_new_node(PGTop("docks"))
        self._root.clear_bin()  # it is drawn below what other nodes show on the window
        self._docks: dict[str, Dock] = {}
        self._shade = self._root.attach_new_node(mouse_item(f"{self._ids}-shade", (1, 1)))
        self._shade.attach_new_node(make_geom_node("dark", card((0, 1, -1, 0), PLATE, _SHADE)))
        self._shade.hide()  # until something is in front
        self._front_dock = Dock(Panel(self._root, "front", f"{self._ids}-front"), "", 0)
        self._label = Panel(self.np.attach_new_node("over", 20), "pointer")
        self._label_place: tuple[object, ...] = ()
        self._label_box: Box | None = None
        self._front: Front | None = None
        self._arranged: object = None
        self._mouse, self._known = DirectObject(), set[str]()
        self._hovered = self._held = ""
        self._mouse_at: tuple[float, float] | None = None

    def show(self, name: str, content: Content, corner: str | None = None, rank: int = 5) -> None:
        """Show something in the dock of a name, which is made if there is none; None hides it.

        A new dock is the last of its corner, from the window's edge inward, by default the top
        left. With another `corner` a dock moves there. `ValueError` if there is no such corner.
        """
        place = None if corner is None else one_of("corner", corner, CORNERS)
        if name not in self._docks:
            panel = Panel(self._root, name, f"{self._ids}-{name}")
            self._docks[name] = Dock(panel, place or CORNERS[0], rank)
        dock = self._docks[name]
        if place not in (None, dock.corner):
            dock.corner, self._arranged = place, None
        if dock.content != content:
            dock.content, self._arranged = content, None

    def dock(self, name: str) -> Dock:
        """Return the dock of a name."""
        return self._docks[name]

    @property
    def front(self) -> Front | None:
        """What is shown in front of all else; setting another one closes what was there."""
        return self._front

    @front.setter
    def front(self, front: Front | None) -> None:
        before, self._front = self._front, front
        if before is not None and (front is None or front.close != before.close):
            before.close()

    @property
    def front_boxes(self) -> list[Box]:
        """The boxes of the buttons that are shown in front of all else, in their order."""
        parts = self._front_dock.panel.parts.values()
        return [part.box for part in parts if isinstance(part.widget, Button)]

    def close_front(self, close: Callable[[], object]) -> None:
        """Show nothing in front of all else any more, if that is what this call closes."""
        if self._front is not None and self._front.close == close:
            self._front = None

    @property
    def boxes(self) -> list[Box]:
        """The boxes of all that is shown, in pixels."""
        shown = [dock.box for dock in (*self._docks.values(), self._front_dock)]
        return [box for box in (*shown, self._label_box) if box is not None]

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

    @property
    def _watcher(self) -> MouseWatcher | None:
        """What reports the mouse; a window without a screen has none."""
        watcher = self.panda.base.mouseWatcherNode
        return watcher if isinstance(watcher, MouseWatcher) else None

    def _enter_tree(self) -> None:
        self._arranged = None
        self.panda.panels.append(self)

    def _exit_tree(self) -> None:
        self.panda.panels.remove(self)
        self._mouse.ignore_all()
        self._known.clear()
        self._hovered = self._held = ""
        self.front = None
        self._gui.set_mouse_watcher(MouseWatcher("none"))  # the engine finds nothing here

    @property
    def _gui(self) -> PGTop:
        top = self._root.node()
        assert isinstance(top, PGTop)
        return top

    def _process(self, _dt_s: float) -> None:
        space = self.space
        wanted = space, self.is_bare, self._front
        if wanted != self._arranged:
            self._arrange(space)
            self._arranged = wanted
        if self._watcher is not None:
            self._follow_mouse(self._watcher)
        self._follow_pointer(space)

    def _arrange(self, space: Space) -> None:
        """Measure and place all docks, and what is in front of them."""
        width, height = window = space.window
        fit_to_pixels(self.np, window)
        edge, docks = space.edge_px, [*self._docks.values()]
        is_hidden = self.is_bare or self._front is not None
        items = [
            Item(dock.corner, () if is_hidden else dock.measure(space), dock.rank) for dock in docks
        ]
        for dock, place in zip(docks, arrange(window, items, edge, edge / 2), strict=True):
            dock.show(*(place or ()))
        front = self._front_dock
        front.content = None if self._front is None else self._front.content
        if sizes := front.measure(space):
            fits = (n for n, size in enumerate(sizes) if size[0] < width and size[1] < height)
            choice = next(fits, len(sizes) - 1)
            wide, high = sizes[choice]
            front.show(choice, Box((width - wide) / 2, max(0.0, (height - high) / 2), wide, high))
        else:
            front.show()
        self._shade.set_scale(width, 1, height)
        self._shade.show() if front.box else self._shade.hide()
        parts = (dock.panel.parts for dock in (*docks, front))
        for name in {f"{self._ids}-shade", *itertools.chain(*parts)} - self._known:
            self._known.add(name)
            for button, mouse in _MOUSE.items():
                event = f"{PGItem.get_press_prefix()}{mouse}-{name}"
                self._mouse.accept(event, self._press_part, [button, name])
        self._label_place = ()

    def _found(self, name: str) -> tuple[Panel, Part] | None:
        """Return the part of a name, and the panel that it is on."""
        panels = (dock.panel for dock in (*self._docks.values(), self._front_dock))
        return next(((each, each.parts[name]) for each in panels if name in each.parts), None)

    def _widget(self, name: str) -> Widget | None:
        found = self._found(name)
        return None if found is None else found[1].widget

    def _press_part(self, button: str, name: str, _param: object) -> None:
        """Do what a press on a part does, in the end: it may free this node."""
        widget, call = self._widget(name), None
        if isinstance(widget, Button):
            call = widget.on_press if button == "left" else widget.on_right_press
            call = call if widget.is_enabled else None
        elif button == "left":
            self._held = name
            self._drag(name)
            call = widget.on_press if isinstance(widget, Group) else None
            if not (call or isinstance(widget, Slider | Picture)) and self._front is not None:
                call = self._front.press
        if call is not None:
            call()

    def _drag(self, name: str) -> None:
        """Give the point under the mouse to a slider or a picture."""
        found, watcher = self._found(name), self._watcher
        if found is None or watcher is None or not watcher.has_mouse():
            return
        part, mouse = found[1], watcher.get_mouse()
        at = part.np.get_relative_point(self.panda.base.render2d, Point3(mouse.x, 0, mouse.y))
        across, down = at.x / part.box.width, -at.z / part.box.height
        if isinstance(part.widget, Slider):
            part.widget.move_to(across)
        elif isinstance(part.widget, Picture) and part.widget.on_point is not None:
            part.widget.on_point(across, down)

    def _follow_mouse(self, watcher: MouseWatcher) -> None:
        """Find the part that the mouse is on, and let it drag the one that it holds."""
        if self._gui.get_mouse_watcher() != watcher:
            self._gui.set_mouse_watcher(watcher)
        if not watcher.is_button_down(MouseButton.one()):
            self._held = ""
        at, name = None, ""
        if watcher.has_mouse():
            mouse, region = watcher.get_mouse(), watcher.get_over_region()
            at, name = (mouse.x, mouse.y), "" if region is None else region.name
        if name != self._hovered:
            self._hovered, self._label_place = name, ()
        if at == self._mouse_at:
            return
        self._mouse_at, widget = at, self._widget(name)
        if self._held:
            self._drag(self._held)
        elif isinstance(widget, Button) and widget.on_hover is not None:
            widget.on_hover()

    def _tip(self) -> tuple[str, tuple[float, float]] | None:
        """Return the help of the button under the mouse, and the button's center."""
        found = self._found(self._hovered)
        if found is None or not isinstance(found[1].widget, Button) or not found[1].widget.help:
            return None
        place, box = found[0].np.get_pos(), found[1].box
        center = place.x + box.left + box.width / 2, -place.z + box.top + box.height / 2
        return found[1].widget.help, center

    def _follow_pointer(self, space: Space) -> None:
        """Place the text beside the pointer, or the tip beside its button."""
        point = self.pointer_place or self.panda.pointer.scene_point
        at = None if point is None else self.in_pixels(point)
        wanted = at, self.beside, [*self.kept_clear]
        if wanted == self._label_place:
            return
        self._label_place, self._label_box = wanted, None
        self._label.np.hide()
        tip, (text, bar) = self._tip(), self.beside
        away = _AWAY if tip or self.pointer_place is None else _AWAY_FROM_TILE
        if tip is not None:
            text, at = tip
        if not text or at is None or self.is_bare or self._front is not None:
            return
        lines = Text("\n".join(space.wrapped(text, _LINE_PART)))
        self._label.show(plate(lines, bar=None if tip else bar), space)
        boxes, size = self.boxes, self._label.size
        for taken in ([*boxes, *self.kept_clear], boxes):
            box = place_beside(at, size, space.window, taken, away * space.px)
            if box is not None:
                self._label_box = box
                self._label.place(box.left, box.top)
                self._label.np.show()
                return
