"""Look at the map from a camera that orbits it, or twice side by side in one window."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import NodePath, Point3

from terrain3d.core.checks import (
    finite_number,
    finite_numbers,
    finite_points,
    instance_of,
    number_within,
    quoted,
)
from terrain3d.core.translation import tr
from terrain3d.look.orbit import (
    NEAR_DISTANCE,
    OrbitLimits,
    OrbitView,
    Point,
    frame_box,
    ground_height,
    map_box,
    pan_into_view,
)
from terrain3d.view.command import SIDES, Command
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


FOV_DEG = 28.0
"""Field of view along the picture's shorter side; a small one looks almost axonometric."""
_FLAT_FOV_DEG = 0.05
"""Field of view of the distant camera that stands in for a lens without perspective."""
HOME_HEADING_DEG = 38.0
HOME_PITCH_DEG = 30.0
TOP_PITCH_DEG = 89.9

_MOVES = {"up": (0, 1), "left": (-1, 0), "down": (0, -1), "right": (1, 0)}
_DRAG_HEADING_DEG = 70.0
_DRAG_PITCH_DEG = 45.0
_PITCH_KEY_DEG = 10.0
_WHEEL_FACTOR = 0.86
_KEY_FACTOR = 0.8
_LEAST_OUT = 4.5  # a whole tile is seen from there
_FARTHEST = 1e6
"""Points farther away are framed as if they were there; the engine's numbers hold no more."""
_MOST_OUT = 1.4
"""Greatest distance, relative to the one that shows the whole map."""


class OrbitCamera3D(Node3D):
    """Lets a player look around a map: orbit, move, zoom to the pointer, snap, focus.

    It moves the camera of its tree, in perspective or with an orthographic lens.

    Parameters
    ----------
    target : Terrain3D
        Terrain to look at. The camera follows it if it is moved.
    name : str
    follow : Node3D or NodePath, optional
        What the view moves along with, such as a `Unit3D`; it starts near it.

    Notes
    -----
    `follow` may be set at any time; a node that was removed is not followed any more.
    `focus_point` is the point that F goes to: (x, y, z) in the map's coordinates, or None;
    `focus_heading_deg` is the heading of the view of it from near, or None for that of `home`. A
    drag with one of `orbit_buttons` orbits; remove "left" to use that button for something else.
    """

    def __init__(
        self, target: Terrain3D, name: str = "", *, follow: Node3D | NodePath | None = None
    ) -> None:
        super().__init__(name)
        self._follow: NodePath | None = None
        self._followed: Point | None = None
        self.follow = follow
        self.focus_point: Point | None = None
        self.focus_heading_deg: float | None = None
        self.orbit_buttons = {"left", "right"}
        self._target = instance_of("target", target, Terrain3D)
        self._held: set[str] = set()
        self._before_top: OrbitView | None = None
        self._measured: tuple[object, ...] = ()
        self._box: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self._limits = OrbitLimits(*self._box)
        self._view = self._goal = OrbitView(HOME_HEADING_DEG, HOME_PITCH_DEG, 1.0, self._box[0])
        self._whole: OrbitView | None = None  # the latest goal that shows the whole map

    @property
    def view(self) -> OrbitView:
        """The current view, which eases toward `goal`; `look` sets it at once."""
        return self._view

    @property
    def goal(self) -> OrbitView:
        """The view that the camera moves to; setting it applies the limits."""
        return self._goal

    @goal.setter
    def goal(self, view: OrbitView) -> None:
        instance_of("view", view, OrbitView)
        self._goal = self._above_ground(self.limits.clamped(view))

    @property
    def home(self) -> OrbitView:
        """The view that shows the whole map in this window."""
        return self.framing(HOME_HEADING_DEG, HOME_PITCH_DEG)

    @property
    def near(self) -> OrbitView:
        """The view of `focus_point` from near, by `focus_heading_deg`; without a point `home`."""
        home, heading_deg = self.home, self.focus_heading_deg
        if self.focus_point is None:
            return home
        distance = min(home.distance, NEAR_DISTANCE)
        heading_deg = home.heading_deg if heading_deg is None else heading_deg
        return OrbitView(heading_deg, home.pitch_deg, distance, self.focus_point)

    @property
    def follow(self) -> NodePath | None:
        """The NodePath that the view moves along with, or None; may be set to a Node3D."""
        return self._follow

    @follow.setter
    def follow(self, node: Node3D | NodePath | None) -> None:
        np_ = node.np if isinstance(node, Node3D) else node
        if np_ is not None and not isinstance(np_, NodePath):
            raise TypeError(f"follow must be a Node3D or a NodePath, got {quoted(node)}")
        self._check_apart(np_)
        self._follow, self._followed = np_, None

    def _check_apart(self, np_: NodePath | None) -> None:
        """Raise ValueError if a node moves along with the camera itself."""
        is_known = np_ and self.is_inside_tree and self.panda.has_camera
        camera = self.panda.viewport.camera if is_known else None
        if np_ and camera and (np_ == camera or np_.is_ancestor_of(camera)):
            raise ValueError(f"follow must not move with the camera, got {np_}")

    def framing(
        self, heading_deg: float, pitch_deg: float, points: ArrayLike | None = None
    ) -> OrbitView:
        """Return the view from a direction that shows the whole map in this window.

        If `points` (n, 3) are given, it shows the box around them instead. The pitch is clamped to
        the limits. `TypeError` or `ValueError` if a number is not finite, or there are no points.
        """
        least, most = self.limits.pitch_deg
        pitch_deg = min(max(finite_number("pitch_deg", pitch_deg), least), most)
        heading_deg = finite_number("heading_deg", heading_deg)
        if points is None:
            return self._framing(heading_deg, pitch_deg, self._box)
        corners = finite_points("points", points)
        if not len(corners):
            raise ValueError("points must be at least one, got none")
        corners = np.clip(corners, -_FARTHEST, _FARTHEST)
        low, high = corners.min(axis=0), corners.max(axis=0)
        high = np.maximum(high, low + 1.0)  # a tile, if it is a single point
        return self._framing(heading_deg, pitch_deg, (_point(low), _point(high)))

    def in_perspective(self, view: OrbitView) -> tuple[OrbitView, float, float]:
        """Return a view, the vertical field of view in degrees, and the aspect of the picture.

        The view of an orthographic lens is returned as that from far away through a narrow lens.
        """
        instance_of("view", view, OrbitView)
        if not (self.is_inside_tree and self.panda.has_camera):
            return view, FOV_DEG, 1.0
        lens = self.panda.viewport.lens
        aspect = lens.get_aspect_ratio()
        if not self._is_flat:
            return view, lens.get_vfov(), aspect
        far = replace(view, distance=view.distance * _slope(aspect) / _FLAT_SLOPE)
        return far, _FLAT_FOV_DEG, aspect

    @property
    def limits(self) -> OrbitLimits:
        """The limits of every view, for this map in this window."""
        self._measure()
        return self._limits

    def look(self, view: OrbitView) -> None:
        """Show a view at once."""
        self.goal = view
        self._view = self._goal
        self._place()

    def _enter_tree(self) -> None:
        if not self.panda.has_camera:
            raise RuntimeError(f"{self!r} needs the window's camera, which was removed")
        viewport = self.panda.viewport
        self._check_apart(self._follow)
        self.panda.base.disable_mouse()
        viewport.fit_lens()
        if viewport.is_perspective:
            viewport.lens.set_min_fov(FOV_DEG)
        self._listen()
        self._go_home()
        self._move_along()
        self._view = self._goal
        self._place()

    def _exit_tree(self) -> None:
        self._held.clear()

    def _process(self, dt_s: float) -> None:
        self._measure()
        self._move_along()
        held = self._held if self.panda.input.is_enabled else ()
        strength = self.panda.input.strength  # of "camera_up" and so on
        right = sum(_MOVES[side][0] * strength(f"camera_{side}") for side in held)
        forward = sum(_MOVES[side][1] * strength(f"camera_{side}") for side in held)
        if right or forward:
            length = self._goal.distance * 0.5 * dt_s
            self.goal = self._goal.panned(right * length, forward * length)
        if self._view.is_near(self._goal):
            self._view = self._goal
        else:
            self._view = self._above_ground(self._view.eased(self._goal, dt_s))
        self._place()

    def _move_along(self) -> None:
        """Move as far as the followed node has moved inside the limits; at first near it."""
        node, ground = self._follow, self._target.np
        if node is None or node.is_empty() or ground.is_empty():
            return
        at = ground.get_relative_point(node, Point3(0.0, 0.0, 0.0))
        before, self._followed = self._followed, (at.x, at.y, at.z)
        if before is None:
            self.focus(self._followed)
        elif before != self._followed:
            low, high = self.limits.low, self.limits.high  # else the way back would lead too far
            moved = np.clip(self._followed, low, high) - np.clip(before, low, high)
            x, y, z = (np.array(self._goal.target) + moved).tolist()
            self.goal = replace(self._goal, target=(x, y, z))

    def _above_ground(self, view: OrbitView) -> OrbitView:
        return self.limits.above_ground(view, partial(ground_height, self._target.tilemap))

    def _listen(self) -> None:
        pointer = self.panda.pointer
        self.listen(pointer.dragged, self._drag)
        self.listen(pointer.wheel_turned, self._turn_wheel)
        self.listen(pointer.focus_lost, self._held.clear)
        orbit = Command(
            "camera_orbit", text="turn and tilt the camera", shown_keys="Left or right drag"
        )
        self.accept_actions([orbit], "Camera", lambda: "left" in self.orbit_buttons)
        self.accept_actions(self._commands(), "Camera")

    def _commands(self) -> list[Command]:
        first, *others = (
            Command(
                f"camera_{side}",
                f"{key} shift-{key} gamepad-right_stick_{side}",
                call=partial(self._held.add, side),
                release=partial(self._held.discard, side),
            )
            for side, key in zip(SIDES, "wasd", strict=True)
        )
        snap, tilt = self._snap, partial(self._orbit, 0.0)
        turn, far = "turn by 45 degrees", "turn by 90 degrees"
        drag, zoom = "Middle drag, Shift + left drag", "+ = shift-= gamepad-rtrigger"
        return [
            Command("camera_zoom", text="zoom to the pointer", shown_keys="Wheel"),
            Command("camera_drag", text="move the view", shown_keys=drag),
            Command("camera_pinch", text="zoom", shown_keys="Two fingers on a touchpad"),
            replace(first, text="move the view", shown_keys="W A S D"),
            *others,
            Command("camera_turn_left", "q gamepad-lshoulder", turn, partial(snap, 45.0, 1)),
            Command("camera_turn_right", "e gamepad-rshoulder", "", partial(snap, 45.0, -1)),
            Command("camera_turn_far_left", "shift-q", far, partial(snap, 90.0, 1)),
            Command("camera_turn_far_right", "shift-e", "", partial(snap, 90.0, -1)),
            Command(
                "camera_tilt_up",
                "page_up",
                "tilt the camera up, down",
                partial(tilt, _PITCH_KEY_DEG),
                shown_keys="Page Up / Page Down",
                repeats=True,
            ),
            Command(
                "camera_tilt_down", "page_down", "", partial(tilt, -_PITCH_KEY_DEG), repeats=True
            ),
            Command(
                "camera_zoom_in", zoom, "zoom", partial(self._zoom, _KEY_FACTOR), "", "+ / -", True
            ),
            Command(
                "camera_zoom_out",
                "- shift-- gamepad-ltrigger",
                call=partial(self._zoom, 1 / _KEY_FACTOR),
                repeats=True,
            ),
            Command("camera_top", "t gamepad-rstick", "look from above, or back", self._toggle_top),
            Command(
                "camera_focus",
                "f",
                "look at the selected unit",
                self.focus,
                why_not=self._why_no_focus,
            ),
            Command(
                "camera_home",
                "home gamepad-lstick",
                "show the whole map, or the selected unit",
                self._toggle_home,
            ),
        ]

    def _go_home(self) -> None:
        """Move to the view that shows the whole map."""
        self._frame(self._goal.turned_to(HOME_HEADING_DEG).heading_deg, HOME_PITCH_DEG)

    def _toggle_home(self) -> None:
        """Move to the view that shows the whole map, or from there to `near`."""
        if self._goal == self._whole and self.focus_point is not None:
            near = self.near
            turned = self._goal.turned_to(near.heading_deg)
            self.goal = replace(near, heading_deg=turned.heading_deg)
        else:
            self._go_home()

    def focus(self, point: Point | None = None) -> None:
        """Move near a point of the map; if not given, near `focus_point`, if there is one."""
        if point is not None:
            finite_numbers("point", point, 3)
        target = self.focus_point if point is None else point
        if target is not None:
            distance = min(self._goal.distance, NEAR_DISTANCE)
            self.goal = replace(self._goal, target=target, distance=distance)

    def _why_no_focus(self) -> str:
        return "" if self.focus_point is not None else tr("There is no unit to look at")

    def go_to(self, x: float, y: float) -> None:
        """Move to a point of the map, in the same direction."""
        finite_number("x", x)
        finite_number("y", y)
        self.goal = replace(self._goal, target=(x, y, ground_height(self._target.tilemap, x, y)))

    def reveal(self, point: Point, part: float = 0.75) -> None:
        """Move sideways just far enough that a point of the map is well inside the picture.

        Does nothing if the point is inside the central `part` of the picture's width and height.
        """
        finite_numbers("point", point, 3)
        number_within("part", part, 0, 1)
        view, fov_deg, aspect = self.in_perspective(self._goal)
        panned = pan_into_view(view, point, fov_deg, aspect, part)
        if panned != view:
            self.goal = replace(self._goal, target=panned.target)

    def _toggle_top(self) -> None:
        """Look straight down with north up, or return to the view before."""
        before = self._before_top
        if before is not None and self._goal.pitch_deg > TOP_PITCH_DEG - 1.0:
            back = self._goal.turned_to(before.heading_deg)
            self._turn(replace(back, pitch_deg=before.pitch_deg))
            self._before_top = None
            return
        self._before_top = self._goal
        self._turn(replace(self._goal.turned_to(0.0), pitch_deg=TOP_PITCH_DEG))

    def _drag(self, button: str, dx: float, dy: float, modifier: str) -> None:
        if button == "middle" or modifier == "shift":
            # The ground follows the pointer, as measured on the plane of the target.
            view, fov_deg, _ = self.in_perspective(self._goal)
            unit = view.distance * math.tan(math.radians(fov_deg) / 2)
            tilt = max(math.sin(math.radians(self._goal.pitch_deg)), 0.3)
            self.goal = self._goal.panned(-dx * unit, -dy * unit / tilt)
        elif button in self.orbit_buttons and modifier != "control":
            self._orbit(-dx * _DRAG_HEADING_DEG, -dy * _DRAG_PITCH_DEG)

    def _orbit(self, dheading_deg: float, dpitch_deg: float) -> None:
        self._turn(self._goal.orbited(dheading_deg, dpitch_deg))

    def _snap(self, step_deg: float, direction: int) -> None:
        self._turn(self._goal.snapped(step_deg, direction))

    def _zoom(self, factor: float, toward: Point | None = None) -> None:
        self.goal = self._goal.zoomed(self.limits.clamped_zoom(self._goal, factor), toward)

    def _turn_wheel(self, steps: int, point: tuple[float, float]) -> None:
        self._zoom(_WHEEL_FACTOR**steps, self._ground_point(point))

    def _ground_point(self, point: tuple[float, float]) -> Point | None:
        """Return the point where the pointer's ray meets the height of the tile under it."""
        ray = self.panda.ray(point, self._target.np)
        if ray is None:
            return None
        origin, direction = ray
        tilemap = self._target.tilemap
        cell = tilemap.pick(origin, direction)
        if cell is None:
            return None
        z = tilemap.surface_point(cell)[2]
        part = (z - origin[2]) / direction[2] if direction[2] < 0 else 0.0
        if part <= 0:
            return None
        return origin[0] + part * direction[0], origin[1] + part * direction[1], z

    def _measure(self) -> None:
        """Update the limits, if the map's box or the window has changed."""
        low, high = map_box(self._target.tilemap)
        measured = low, high, *self.in_perspective(self._view)[1:]
        if self._measured == measured:
            return
        self._measured = measured
        west, south, _ = low
        is_whole = self._goal == self._whole
        self._box = low, high
        most = _MOST_OUT * max(
            self._framing(heading_deg, pitch_deg, self._box).distance
            for heading_deg in (0.0, 45.0, 90.0, 135.0)
            for pitch_deg in (HOME_PITCH_DEG, TOP_PITCH_DEG)
        )
        self._limits = OrbitLimits((west, south, 0.0), high, (min(_LEAST_OUT, most), most))
        if is_whole:
            self._frame(self._goal.heading_deg, self._goal.pitch_deg)

    def _framing(self, heading_deg: float, pitch_deg: float, box: tuple[Point, Point]) -> OrbitView:
        """Return the view from a direction that shows a whole box; limits are up to date."""
        _, fov_deg, aspect = self.in_perspective(self._view)
        framed = frame_box(*box, heading_deg, pitch_deg, fov_deg, aspect)
        if not self._is_flat:
            return framed
        return replace(framed, distance=framed.distance * _FLAT_SLOPE / _slope(aspect))

    @property
    def _is_flat(self) -> bool:
        """Whether the lens is one without perspective."""
        is_known = self.is_inside_tree and self.panda.has_camera
        return is_known and not self.panda.viewport.is_perspective

    def _frame(self, heading_deg: float, pitch_deg: float) -> None:
        """Move to the view from a direction that shows the whole map."""
        self.goal = self.framing(heading_deg, pitch_deg)
        self._whole = self._goal

    def _turn(self, view: OrbitView) -> None:
        """Move to a view from another direction; if the whole map is shown, show it all again."""
        self._measure()
        if self._goal == self._whole:
            self._frame(view.heading_deg, view.pitch_deg)
        else:
            self.goal = view

    def _place(self) -> None:
        viewport, view = self.panda.viewport, self._view
        ground = self._target.np
        if ground.is_empty() or not self.panda.has_camera:  # it was freed, or removed
            return
        viewport.rig.set_pos(ground, *view.eye)
        viewport.rig.set_hpr(ground, view.heading_deg, -view.pitch_deg, 0.0)
        viewport.fit_lens()
        lens, around = viewport.lens, 2.0 * math.dist(*self._box)
        if viewport.is_perspective:
            # A near plane far from the eye keeps depths precise at any distance.
            near = max(0.1, view.distance * 0.05)
        else:
            aspect, near = lens.get_aspect_ratio(), view.distance - around
            height = 2.0 * view.distance * _slope(aspect)
            lens.set_film_size(height * aspect, height)
        lens.set_near_far(near, view.distance + around)


def _point(numbers: NDArray[np.float64]) -> Point:
    x, y, z = numbers.tolist()
    return x, y, z


def _slope(aspect: float) -> float:
    """Return half the height of a picture at a distance of 1, for its aspect."""
    return math.tan(math.radians(FOV_DEG) / 2) / min(aspect, 1.0)


_FLAT_SLOPE = math.tan(math.radians(_FLAT_FOV_DEG) / 2)
