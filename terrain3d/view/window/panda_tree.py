"""Drive a tree of nodes by Panda3D's task manager: the tree, and base classes of its nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

import numpy as np
from direct.showbase.DirectObject import DirectObject
from panda3d.core import (
    ClockObject,
    CS_zup_right,
    DisplayRegion,
    LVecBase3,
    NodePath,
    PGEntry,
    PGItem,
    Point2,
    Point3,
    TransparencyAttrib,
    format_coordinate_system,
    get_default_coordinate_system,
)

from terrain3d.core.checks import finite_numbers, quoted, true_or_false
from terrain3d.core.node import Node, SceneTree
from terrain3d.core.signals import Signal
from terrain3d.look.orbit import Point
from terrain3d.view.command import GAMEPAD, Command
from terrain3d.view.font import font_file
from terrain3d.view.geometry import set_plain
from terrain3d.view.window.input_map import InputMap
from terrain3d.view.window.pointer import Pointer
from terrain3d.view.window.viewport import ScreenPoint, Viewport

if TYPE_CHECKING:
    from direct.showbase.ShowBase import ShowBase

    from terrain3d.look.layout import Box, Boxes

MOST_FRAME_S = 0.1
"""So much time passes in a frame at most: after a slow one all that plays goes on from there."""
_CLOSING = "escape", f"{GAMEPAD}face_b"
"""Events that do nothing else while they close the help."""


class LabelLike(Protocol):
    """Texts in the scene that cover neither panels nor other texts."""

    @property
    def label_rank(self) -> int:
        """Texts of a lower rank have room first."""

    def place(self, viewport: Viewport, taken: Boxes) -> Boxes:
        """Hide texts over taken boxes; return these and the boxes of the other texts."""


class HasBoxes(Protocol):
    """Something that is drawn on the window."""

    @property
    def boxes(self) -> Sequence[Box]:
        """Its boxes in pixels from the viewport's top left corner."""


class Resource(Protocol):
    """Graphics memory that one node can take over from another."""

    def close(self) -> None:
        """Free it."""


class PandaTree(SceneTree):
    """A `SceneTree` that advances with the frames of a Panda3D window; made by `attach`.

    Points on screen are (x, y) in -1..1, from left to right and from bottom to top of the viewport.
    """

    processed = Signal()
    """All nodes are where this frame shows them."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__()
        self.viewport = viewport
        """The camera that shows the scene, and its region of the window."""
        self.base = base = viewport.base
        self.pointer = Pointer(viewport)
        self.input = InputMap(base, self.hears)
        """Which keys, mouse buttons and gamepad buttons cause which commands."""
        self.panels: list[HasBoxes] = []
        """What is drawn on the window: texts in the scene keep clear of it."""
        self.labels: list[LabelLike] = []
        """Texts in the scene, the last added first: of one rank these have room first."""
        self.is_help_open = False
        """Whether the help covers the scene: captions are hidden, and Esc does nothing else."""
        self.modal: WindowNode | None = None
        """The node that alone receives keys and gamepad, such as an open menu."""
        self.spares: list[Resource] = []
        """Resources left in this frame for the nodes that replace others; then they are freed."""
        font_file()  # before the first text: without a font for its language all is English
        self._typed = False, False  # in this frame and in the one before
        self._task: Any = base.task_mgr.add(self._frame, "terrain3d-tree", sort=-10)
        base.finalExitCallbacks.insert(0, self.close)  # `base.destroy` calls it first

    def _frame(self, task: Any) -> int:  # noqa: ANN401 - Panda3D's task has no useful type
        if self.base.win is not None:  # else the game has closed it, and may open another
            self.viewport.update()
            # Enter ends the typing before its own event arrives.
            self._typed = self._typed[1], isinstance(PGItem.get_focus_item(), PGEntry)
            self.pointer.poll()
            dt_s = min(ClockObject.get_global_clock().get_dt(), MOST_FRAME_S)
            self.input.poll(dt_s)
            self.advance(dt_s)
        return int(task.cont)

    def advance(self, dt_s: float) -> None:
        """Process a frame of `dt_s` seconds, then place the labels, clear of all panels."""
        super().advance(dt_s)
        self.processed.emit()
        self._free_spares()
        if not self.has_camera:
            return
        boxes = [box for panel in self.panels for box in panel.boxes]
        taken = np.array(boxes, np.float64).reshape(-1, 4)
        for label in sorted(self.labels, key=lambda label: label.label_rank):
            taken = label.place(self.viewport, taken)

    @property
    def has_camera(self) -> bool:
        """Whether there are a camera and its lens; a game may have removed them."""
        return self.viewport.is_ready

    @property
    def has_keys(self) -> bool:
        """Whether keys are for the scene: they are on, and no text is being typed."""
        is_typing = any(self._typed) or isinstance(PGItem.get_focus_item(), PGEntry)
        return self.input.is_enabled and not is_typing

    def hears(self, node: object, event: str) -> bool:
        """Return whether an event of a key is for a node of the tree now."""
        is_closing = event in _CLOSING and self.is_help_open
        return self.has_keys and self.modal in (None, node) and not is_closing

    def _free_spares(self) -> None:
        while self.spares:
            self.spares.pop().close()

    def ray(self, point: ScreenPoint, reference: NodePath) -> tuple[Point, Point] | None:
        """Return the ray (origin, direction) through a point on screen, as of `Pointer`.

        It is in the coordinates of `reference`. None if the lens cannot see the point.
        """
        near, far = Point3(), Point3()
        if not self.has_camera or reference.is_empty():
            return None
        if not self.viewport.lens.extrude(Point2(*point), near, far):
            return None
        start = reference.get_relative_point(self.viewport.camera, near)
        along = reference.get_relative_point(self.viewport.camera, far) - start
        return (start.x, start.y, start.z), (along.x, along.y, along.z)

    def project(self, point: Point, reference: NodePath) -> ScreenPoint | None:
        """Return the point on screen that shows a point of `reference`.

        None if it is behind the camera or outside the picture.
        """
        seen = Point2()
        if not self.has_camera or reference.is_empty():
            return None
        in_camera = self.viewport.camera.get_relative_point(reference, Point3(*point))
        return (seen.x, seen.y) if self.viewport.lens.project(in_camera, seen) else None

    def close(self) -> None:
        """Free every node and stop; no task, event or geometry of the tree is left.

        `base.destroy` closes it, too. A tree that is closed already stays as it is.
        """
        if self.close not in self.base.finalExitCallbacks:
            return
        self.base.finalExitCallbacks.remove(self.close)
        try:
            super().close()
        finally:
            self._free_spares()
            self.pointer.ignore_all()
            self.input.close()
            self.viewport.close()
            self.base.task_mgr.remove(self._task)
            self._task = None  # it would keep the tree


def attach(
    base: ShowBase, camera: NodePath | None = None, region: DisplayRegion | None = None
) -> PandaTree:
    """Return a new node tree that the task manager of `base` advances each frame.

    A window has one tree; other cameras may show its scene in other regions.

    Parameters
    ----------
    base : ShowBase
        The running application, with a window or a buffer.
    camera : NodePath, optional
        The camera that the nodes are seen by and picked through; its scene is where they are added.
        By default that of the region, or else the window's.
    region : DisplayRegion, optional
        The part of the window that shows the camera. By default its first one there.

    Raises
    ------
    RuntimeError
        It has no window, or a tree already, or Panda3D's coordinate system is not the usual one,
        with z up.
    TypeError, ValueError
        The camera or the region cannot be used; see `Viewport`.
    """
    if not hasattr(base, "finalExitCallbacks"):
        raise TypeError(f"base must be a ShowBase, got {quoted(base)}")
    system = get_default_coordinate_system()
    if system != CS_zup_right:
        got = format_coordinate_system(system).replace("_", "-")
        raise RuntimeError(f"terrain3d needs coordinate-system zup-right, got {got}")
    if base.win is None:
        how = "base.open_default_window(type='offscreen') or another windowType"
        raise RuntimeError(f"a tree needs a window: open one with {how}")
    at_exit = base.finalExitCallbacks
    if any(isinstance(getattr(call, "__self__", None), PandaTree) for call in at_exit):
        how = "add nodes to that one, or close() it first"
        raise RuntimeError(f"this window has a tree already: {how}")
    if not any(getattr(call, "func", None) is _free_graphics for call in at_exit):
        at_exit.append(partial(_free_graphics, base))
    return PandaTree(Viewport(base, camera, region))


def _free_graphics(base: ShowBase) -> None:
    """Free the graphics memory of a window that closes; the engine would do so a frame later."""
    gsg = base.win.get_gsg() if base.win is not None else None
    if gsg is not None:
        gsg.get_prepared_objects().release_all()
        base.graphics_engine.render_frame()


class WindowNode(Node):
    """A node with access to its window and the window's events."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._events = DirectObject()
        self._heard: list[tuple[Signal, Callable[..., object]]] = []

    @property
    def panda(self) -> PandaTree:
        """The tree of the node, with its window."""
        tree = self.tree
        if not isinstance(tree, PandaTree):
            raise RuntimeError(f"{self!r} needs a tree made by attach(base)")
        return tree

    def accept(self, event: str, call: Callable[..., object], *values: object) -> None:
        """Call `call(*values)` for each Panda3D event of a name, until the node leaves the tree.

        Use it in `_enter_tree`: `_ready` runs only once, even if the node is added again.
        """
        self._events.accept(event, self._answer, [event, call, *values])

    def _answer(self, event: str, call: Callable[..., object], *values: object) -> None:
        if event.endswith("-up") or self.panda.hears(self, event):
            call(*values)  # the key may have been pressed before

    def accept_actions(
        self,
        commands: Iterable[Command],
        heading: str = "",
        is_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """Let keys, buttons and menus cause commands, until the node leaves the tree.

        The keys are those that `PandaTree.input` binds to each.

        Parameters
        ----------
        commands : iterable of Command
        heading : str
            Heading of their rows in the help; without one they are not listed there.
        is_on : callable, optional
            Returns whether they work now, as while a tool is active.

        Raises
        ------
        TypeError
            The call of a command is not callable.
        ValueError
            A command has an unknown event, or the name of another one.
        """
        self.panda.input.accept(self, commands, heading, is_on)

    def ignore_actions(self) -> None:
        """Accept none of its commands any more."""
        self.panda.input.drop(self)

    def ignore(self, event: str) -> None:
        """Stop listening to an event."""
        self._events.ignore(event)

    def listen(self, signal: Signal, call: Callable[..., object]) -> None:
        """Connect `call` to a signal, until the node leaves the tree; see `accept`.

        The signal does not keep the node alive by one of its own methods.
        """
        signal.connect(call, weak=getattr(call, "__self__", None) is self)
        self._heard.append((signal, call))

    def _exit(self) -> None:
        tree = self._tree
        try:
            super()._exit()
        finally:
            self._events.ignore_all()
            if isinstance(tree, PandaTree):
                tree.input.drop(self)
            for signal, call in self._heard:
                if signal.is_connected(call):
                    signal.disconnect(call)
            self._heard.clear()


class _OwnPath(NodePath):
    """The NodePath of a node: removing it is freeing the node, which uses it until it is freed."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.name)
        self._node = ref(node)  # a cycle would keep textures of a freed node for a while

    def remove_node(self, *thread: Any, **named: Any) -> None:  # noqa: ANN401 - passed on
        """Take it out of the scene at once, and free its node at the end of the frame."""
        self.detach_node(*thread, **named)
        node = self._node()
        if node is not None:
            node.queue_free()

    removeNode = remove_node  # noqa: N815 - the engine's second name of it


class _PlacedNode(WindowNode):
    """A node with a NodePath `np`, below that of the nearest node above of its kind.

    `np.remove_node()` takes it out of the scene and does what `queue_free` does.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.np: NodePath = _OwnPath(self)
        self.np.set_texture_off()  # of what is above

    def _top(self) -> NodePath:
        """Return what `np` becomes a child of."""
        raise NotImplementedError

    def _enter(self, tree: SceneTree) -> None:
        self._tree = tree
        self.np.reparent_to(self._top())
        super()._enter(tree)

    def _exit(self) -> None:
        try:
            super()._exit()
        finally:
            self.np.detach_node()

    def _freed(self) -> None:
        NodePath.remove_node(self.np)


class Node3D(_PlacedNode):
    """A node in Panda3D's scene graph.

    `np` is its NodePath. In the tree it is a child of the `np` of the nearest Node3D above, or of
    `render`. Subclasses attach their geometry to `np`.
    """

    @property
    def visible(self) -> bool:
        """Whether it and what is below it are drawn, unless a node above is hidden."""
        return not self.np.node().is_overall_hidden()

    @visible.setter
    def visible(self, value: bool) -> None:
        self.np.show() if true_or_false("visible", value) else self.np.hide()

    @property
    def position(self) -> Point:
        """Where `np` is in the coordinates of its parent: (x, y, z)."""
        return _numbers(self.np.get_pos())

    @position.setter
    def position(self, value: Point) -> None:
        self.np.set_pos(*finite_numbers("position", value, 3))

    @property
    def rotation_degrees(self) -> Point:
        """How `np` is turned: heading, pitch and roll, as Panda3D's."""
        return _numbers(self.np.get_hpr())

    @rotation_degrees.setter
    def rotation_degrees(self, value: Point) -> None:
        self.np.set_hpr(*finite_numbers("rotation_degrees", value, 3))

    @property
    def scale(self) -> Point:
        """How large `np` is along its axes: (x, y, z), none of them 0."""
        return _numbers(self.np.get_scale())

    @scale.setter
    def scale(self, value: Point) -> None:
        numbers = finite_numbers("scale", value, 3)
        if not all(numbers):
            raise ValueError(f"scale must not have a 0, got {quoted(value)}")
        self.np.set_scale(*numbers)

    def _top(self) -> NodePath:
        above = self.find_ancestor(Node3D)
        return self.panda.viewport.scene if above is None else above.np


def _numbers(values: LVecBase3) -> Point:
    x, y, z = values
    return x, y, z


class Control(_PlacedNode):
    """A node on the window, whose `np` is below the nearest Control above, or the viewport."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        set_plain(self.np)
        self.np.set_bin("fixed", 0)
        self.np.set_transparency(TransparencyAttrib.M_alpha)

    def _top(self) -> NodePath:
        above = self.find_ancestor(Control)
        return self.panda.viewport.render2d if above is None else above.np
