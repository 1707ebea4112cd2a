"""Points at places of random views, and the hovered tiles beside those found by NumPy.

Each view has a random lens, and a random region of the window.
The expected tile is found by NumPy alone: the point is taken through the inverse of all matrices
between the window and the map, and the ray is followed on the map.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from panda3d.core import Camera, NodePath, OrthographicLens, PerspectiveLens

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.view import Node3D, Terrain3D, attach
from terrain3d.view.window.window import open_offscreen
from tests.long import Check, Kind, by_seed
from tests.support.scenes import Watcher

VIEWS_PER_MAP = 25
POINTS_PER_VIEW = 4
_NEAR_PX = 0.02


class Scene:
    """A random map in a tree with a camera of its own; its views are replaced as it runs."""

    def __init__(self, base, seed):
        self.base, self.rng = base, np.random.default_rng(seed)
        shape = self.rng.integers(4, 15, 2).tolist()
        topology = str(self.rng.choice(TOPOLOGIES))
        self.tilemap = TileMap.from_noise(*shape, seed=seed, levels=5, topology=topology)
        self.camera = NodePath(Camera("random"))
        self.camera.reparent_to(NodePath("scene") if seed % 2 else base.render)
        self.region = base.win.make_display_region(0, 1, 0, 1)
        self.tree = attach(base, self.camera, self.region)
        self.parent = self.tree.root.add_child(Node3D("parent"))
        self.terrain = self.parent.add_child(Terrain3D(self.tilemap, quality="low"))

    def close(self):
        self.tree.close()
        self.base.win.remove_display_region(self.region)
        self.camera.remove_node()

    def look(self):
        """Show the map in another way, with about half of the picture around it."""
        rng = self.rng
        self.parent.np.set_pos(*rng.uniform(-50, 50, 3))
        self.parent.np.set_hpr(*rng.uniform(-180, 180, 3))
        self.parent.np.set_scale(*rng.uniform(0.3, 3.0, 3))
        sides = np.tile((0.0, 1.0), (2, 1))
        if rng.random() < 0.5:
            sides = np.sort(rng.uniform(0, 1, (2, 2))) * (1, 0.8) + (0, 0.2)
        self.region.set_dimensions(*sides.ravel().tolist())
        west, south, east, north = self.tilemap.extent
        target = np.array([rng.uniform(west, east), rng.uniform(south, north), 1.0])
        away = float(rng.uniform(4, 60))
        turn, tilt = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.5)
        flat = np.cos(tilt)
        eye = target + away * np.array([flat * np.cos(turn), flat * np.sin(turn), np.sin(tilt)])
        if rng.random() < 0.5:
            lens = PerspectiveLens(float(rng.uniform(10, 100)), float(rng.uniform(10, 100)))
            lens.set_near_far(away / 100, away * 100)
        else:
            lens = OrthographicLens()
            lens.set_film_size(*rng.uniform(3, 40, 2).tolist())
            lens.set_near_far(-200 if rng.random() < 0.5 else 0.1, 3000)
        if rng.random() < 0.3:
            lens.set_film_offset(*(rng.uniform(-0.4, 0.4, 2) * lens.get_film_size()).tolist())
        self.camera.node().set_lens(lens)
        self.camera.set_pos(self.terrain.np, *eye)
        self.camera.look_at(self.terrain.np, *target)

    def point(self):
        """Return a point of the window in 0..1, mostly one near the middle of the region."""
        rng, region = self.rng, self.region
        left, right, bottom, top = region.get_dimensions()
        low, high = np.array([left, bottom]), np.array([right, top])
        if rng.random() < 0.2:
            return rng.uniform(0, 1, 2)
        return np.clip((low + high) / 2 + (high - low) * rng.normal(0, 0.15, 2), 0, 1)

    def expected(self, at):
        """Return the cells at a point of the window in 0..1, and as near as rounding goes."""
        left, right, bottom, top = self.region.get_dimensions()
        size = np.array([self.base.win.get_x_size(), self.base.win.get_y_size()])
        film = np.array(self.camera.node().get_lens().get_projection_mat()).reshape(4, 4)
        to_world = np.array(self.terrain.np.get_net_transform().get_mat()).reshape(4, 4)
        to_camera = np.linalg.inv(np.array(self.camera.get_net_transform().get_mat()).reshape(4, 4))
        back = np.linalg.inv(to_world @ to_camera @ film)
        found = []
        for shift in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = np.array(at) + _NEAR_PX * np.array(shift) / size
            on_film = (2 * (x - left) / (right - left) - 1, 2 * (y - bottom) / (top - bottom) - 1)
            ends = np.array([(*on_film, -1.0, 1.0), (*on_film, 1.0, 1.0)]) @ back
            near, far = ends[:, :3] / ends[:, 3:]
            found.append(self.tilemap.pick(tuple(near), tuple(far - near)))
        return found


def check_scene(base, seed, n_views=VIEWS_PER_MAP):
    """Point at places of random views of a map; return how many of them show the map."""
    n_hits = 0
    scene, mouse = Scene(base, seed), Watcher()
    with _mouse(base, mouse):
        try:
            for view in range(n_views):
                scene.look()
                for _ in range(POINTS_PER_VIEW):
                    at = scene.point()
                    mouse.at = tuple((2 * at - 1).tolist())
                    base.task_mgr.step()
                    viewport = scene.tree.viewport
                    expected = scene.expected(at) if viewport.from_window(*mouse.at) else [None]
                    hovered = scene.terrain.hovered
                    assert hovered in expected, f"view {view}: {hovered}, expected {expected}"
                    n_hits += hovered is not None
        finally:
            scene.close()
    return n_hits


@contextmanager
def _mouse(base, mouse) -> Iterator[None]:
    own, base.mouseWatcherNode = base.mouseWatcherNode, mouse
    try:
        yield
    finally:
        base.mouseWatcherNode = own


def checks(options: Namespace) -> Iterator[tuple[str, Check]]:
    """Yield a check for each seed, all in one window."""
    base = open_offscreen(640, 360)

    def check(seed: int) -> Counter[str]:
        return Counter({"views": VIEWS_PER_MAP, "points on a map": check_scene(base, seed)})

    yield from by_seed(check)(options)


KIND = Kind("views", 100, checks)
