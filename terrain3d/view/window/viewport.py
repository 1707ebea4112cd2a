"""The picture of one camera in a region of a window, and where it shows the points of a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import Camera, DisplayRegion, NodePath, PerspectiveLens, Point3

from terrain3d.core.checks import instance_of
from terrain3d.look.orbit import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

    from direct.showbase.ShowBase import ShowBase
    from numpy.typing import NDArray
    from panda3d.core import Lens

ScreenPoint = tuple[float, float]

_FAR_AWAY = 1e6


class Viewport:
    """A camera, its lens, and the region of the window that shows what it sees; see `attach`.

    All are looked up when they are used, so a game may replace them at any time. Points on screen
    are (x, y) in -1..1, from left to right and from bottom to top of the region; pixels count from
    its top left corner.
    """

    def __init__(
        self, base: ShowBase, camera: NodePath | None = None, region: DisplayRegion | None = None
    ) -> None:
        if camera is not None:
            is_there = not instance_of("camera", camera, NodePath).is_empty()
            if not (is_there and isinstance(camera.node(), Camera)):
                raise TypeError(f"camera must be the NodePath of a Camera, got {camera}")
        if region is not None:
            _check_region(instance_of("region", region, DisplayRegion), base, camera)
        self.base, self._camera, self._region = base, camera, region
        self._found: DisplayRegion | None = None
        if camera is not None or region is not None:
            if self.region is None:
                raise ValueError("camera is in no region of base.win: pass region=, too")
            if self.scene == self.camera:
                raise ValueError("camera is in no scene: use camera.reparent_to(base.render)")
        self.render2d = base.render2d.attach_new_node("viewport")
        """Parent of what is drawn on the window: -1..1 across the region."""
        self.update()

    @property
    def is_ready(self) -> bool:
        """Whether there are a camera and a lens; a game may have removed them."""
        return self._lens is not None

    @property
    def camera(self) -> NodePath:
        """The NodePath of the camera, which is empty if a game has removed it."""
        if self._region is not None:
            return self._region.get_camera()
        return (self.base.cam if self._camera is None else self._camera) or NodePath()

    @property
    def node(self) -> Camera:
        """The camera's node."""
        node = self.camera.node()
        assert isinstance(node, Camera)
        return node

    @property
    def lens(self) -> Lens:
        """The lens that the scene is seen through; `RuntimeError` if it was removed."""
        if self._lens is None:
            raise RuntimeError("the lens of the viewport was removed, or its camera")
        return self._lens

    @property
    def _lens(self) -> Lens | None:
        region = self.region
        index = 0 if region is None else region.lens_index
        return None if self.camera.is_empty() else self.node.get_lens(index)

    @property
    def region(self) -> DisplayRegion | None:
        """The region of the window that shows the camera, if there is one now."""
        camera, window, found = self.camera, self.base.win, self._found
        if self._region is not None or camera.is_empty() or window is None:
            return self._region
        if found is None or found.get_window() != window or found.get_camera() != camera:
            # Not those of the camera: it keeps pointers to regions of a window that was replaced.
            regions = (each for each in window.display_regions if each.get_camera() == camera)
            found = self._found = next(regions, None)
        return found

    @property
    def rig(self) -> NodePath:
        """What moves with the camera: the window's `base.camera`, or another camera itself."""
        is_usual = self.camera == self.base.cam and bool(self.base.camera)
        return self.base.camera if is_usual else self.camera

    @property
    def scene(self) -> NodePath:
        """The top of the scene that the camera sees."""
        is_usual = self.camera.is_empty() or self.camera == self.base.cam
        return self.base.render if is_usual else _scene_of(self.camera, self.node)

    @property
    def is_perspective(self) -> bool:
        """Whether what is far away looks smaller."""
        return isinstance(self._lens, PerspectiveLens)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the region in the window, in 0..1."""
        region = self.region
        return (0.0, 1.0, 0.0, 1.0) if region is None else box_of(region)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the region in pixels; at least 1."""
        left, right, bottom, top = self.box
        width, height = self.base.win.get_x_size(), self.base.win.get_y_size()
        return max(1, round(width * (right - left))), max(1, round(height * (top - bottom)))

    @property
    def aspect(self) -> float:
        """Width of the region, divided by its height; that of the lens while it is empty."""
        left, right, bottom, top = self.box
        if self.is_empty:
            return self.lens.get_aspect_ratio()
        return float(self.base.get_aspect_ratio() * (right - left) / (top - bottom))

    @property
    def is_empty(self) -> bool:
        """Whether the region has no size now."""
        left, right, bottom, top = self.box
        return left >= right or bottom >= top

    def eye(self, np_: NodePath) -> Point:
        """Return where lines of sight start, in the coordinates of a node.

        Without perspective all lines are parallel: they start far away behind the camera.
        """
        y = 0.0 if self.is_perspective else -_FAR_AWAY
        eye = np_.get_relative_point(self.camera, Point3(0.0, y, 0.0))
        return eye.x, eye.y, eye.z

    def update(self) -> None:
        """Follow the region's place in the window; called once a frame."""
        left, right, bottom, top = self.box
        self.render2d.set_pos(left + right - 1.0, 0.0, bottom + top - 1.0)
        self.render2d.set_scale(max(right - left, 1e-6), 1.0, max(top - bottom, 1e-6))

    def fit_lens(self) -> None:
        """Give the lens the aspect of the region."""
        if abs(self.lens.get_aspect_ratio() - self.aspect) > 1e-6:
            self.lens.set_aspect_ratio(self.aspect)

    def from_window(self, x: float, y: float) -> ScreenPoint | None:
        """Return the point at (x, y) of the window, in -1..1; None outside the region."""
        left, right, bottom, top = self.box
        if self.is_empty:
            return None
        point = (x - (left + right - 1)) / (right - left), (y - (bottom + top - 1)) / (top - bottom)
        return point if max(map(abs, point)) <= 1 else None

    def shows(self, np_: NodePath) -> bool:
        """Return whether a NodePath is in the scene, and neither hidden nor stashed, also above."""
        if np_.is_empty() or not self.scene.is_ancestor_of(np_) or np_.is_stashed():
            return False
        masks = () if self.camera.is_empty() else (self.node.get_camera_mask(),)
        return np_.get_hidden_ancestor(*masks).is_empty()

    def close(self) -> None:
        """Remove what is drawn on the window."""
        self.render2d.remove_node()


def _check_region(region: DisplayRegion, base: ShowBase, camera: NodePath | None) -> None:
    """Raise `ValueError` unless a region of the window shows a camera, or can show it."""
    if region.get_window() != base.win:
        raise ValueError("region must be one of base.win, got that of another window")
    if region.get_camera().is_empty() and camera is not None:
        region.set_camera(camera)
    if region.get_camera().is_empty():
        raise ValueError("region shows no camera: pass camera=, too")
    if camera is not None and region.get_camera() != camera:
        raise ValueError(f"region shows another camera, {region.get_camera()}")


def cameras_of(base: ShowBase, np_: NodePath) -> Iterator[tuple[NodePath, Lens]]:
    """Yield each camera, with its lens, that shows a node in any window or buffer."""
    for window in base.graphics_engine.get_windows():
        for region in window.get_active_display_regions():
            camera = region.get_camera()
            node = None if camera.is_empty() else camera.node()
            if not isinstance(node, Camera) or not node.is_active():
                continue
            lens = node.get_lens(region.get_lens_index())
            is_shown = np_.get_hidden_ancestor(node.get_camera_mask()).is_empty()
            if lens is not None and is_shown and _scene_of(camera, node).is_ancestor_of(np_):
                yield camera, lens


def _scene_of(camera: NodePath, node: Camera) -> NodePath:
    """Return the top of the scene that a camera sees."""
    scene = node.get_scene()
    return camera.get_top() if scene.is_empty() else scene


def box_of(region: DisplayRegion) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of a region in its window, in 0..1."""
    return region.get_left(), region.get_right(), region.get_bottom(), region.get_top()


@dataclass(frozen=True, eq=False)  # arrays are not compared by ==
class ScreenProjection:
    """The projection of one node's coordinates into a viewport, of a size in pixels.

    `matrix` (4, 4) maps rows (x, y, z, 1) to homogeneous coordinates on the lens's film. `unit` is
    the size of a unit at a depth of 1, in half widths of the picture.
    """

    matrix: NDArray[np.float64]
    unit: float
    size_px: tuple[int, int]

    @classmethod
    def of(cls, viewport: Viewport, np_: NodePath) -> ScreenProjection:
        """Return the current projection of a node's coordinates into a viewport."""
        to_film = np.array(viewport.lens.get_projection_mat(), np.float64).reshape(4, 4)
        to_camera = np.array(np_.get_mat(viewport.camera), np.float64).reshape(4, 4)
        size = float(np.linalg.norm(to_camera[0, :3]))
        return cls(to_camera @ to_film, float(to_film[0, 0]) * size, viewport.size_px)

    def __eq__(self, other: object) -> bool:
        """Return whether both project every point alike."""
        return (
            isinstance(other, ScreenProjection)
            and (self.size_px, self.unit) == (other.size_px, other.unit)
            and np.array_equal(self.matrix, other.matrix)
        )

    def unit_px(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n,) sizes of a unit at points, in pixels; 0 behind the camera."""
        depth = self._on_film(points)[:, 3]
        size = self.unit * self.size_px[0] / 2
        return np.divide(size, depth, out=np.zeros(len(points)), where=depth > 0)

    def is_seen(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return (n,) whether points are inside the picture; they may be hidden there."""
        x, y, _, depth = self._on_film(points).T
        seen: NDArray[np.bool_] = (np.abs(x) <= depth) & (np.abs(y) <= depth)
        return seen

    def in_pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 2) positions of points, in pixels from the viewport's top left corner."""
        x, y, _, depth = self._on_film(points).T
        depth = np.maximum(depth, 1e-9)
        width, height = self.size_px
        return np.stack([(x / depth + 1) / 2 * width, (1 - y / depth) / 2 * height], axis=1)

    def _on_film(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        film: NDArray[np.float64] = points @ self.matrix[:3] + self.matrix[3]
        return film
