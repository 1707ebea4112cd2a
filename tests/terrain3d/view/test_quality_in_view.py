"""What a quality changes in the scene, while it runs, and what a window is opened with."""

import subprocess
import sys

import numpy as np
import pytest

from terrain3d import TileMap, landscape
from terrain3d.look.settings import HIGH, LOW
from terrain3d.view import OrbitCamera3D, Terrain3D
from tests.support.paths import ROOT
from tests.support.window_pictures import picture


def shadow_sizes(base):
    windows = base.graphics_engine.get_windows()
    return [window.get_x_size() for window in windows if window.get_name() == "shadow"]


def triangles(terrain):
    nodes = [path.node() for path in terrain.np.find("ground").find_all_matches("**/+GeomNode")]
    geoms = [node.get_geom(i) for node in nodes for i in range(node.get_num_geoms())]
    return sum(geom.get_primitive(0).get_num_primitives() for geom in geoms)


@pytest.mark.usefixtures("needs_shaders")
def test_a_quality_chosen_while_it_runs_holds_from_the_next_frame_on(base, tree):
    terrain = tree.root.add_child(Terrain3D(landscape(20, 20, 7)))
    tree.root.add_child(OrbitCamera3D(target=terrain))
    assert terrain.quality is HIGH
    high = picture(base, tree)
    assert shadow_sizes(base) == [HIGH.shadow_size]
    before = triangles(terrain)
    terrain.quality = "low"
    assert terrain.quality is LOW
    terrain.build_visible()
    low = picture(base, tree)
    assert shadow_sizes(base) == [LOW.shadow_size]
    assert triangles(terrain) < 0.9 * before
    assert 0.0 < np.abs(low - high).mean() < 0.03
    terrain.quality = "high"
    terrain.build_visible()
    assert triangles(terrain) == before
    assert np.abs(picture(base, tree) - high).max() == 0.0


def test_a_quality_chosen_at_first_meshes_once():
    tilemap = landscape(20, 20, 7)
    terrain = Terrain3D(tilemap, quality="low")
    changed = Terrain3D(tilemap)
    changed.quality = LOW
    changed.build_visible()
    assert triangles(terrain) == triangles(changed)


def test_an_unknown_quality_leaves_all_as_it_is(terrain):
    with pytest.raises(ValueError, match="a quality must be one of"):
        terrain.quality = "best"
    assert terrain.quality is HIGH


def test_an_edit_keeps_the_quality(tree):
    tilemap = TileMap(np.zeros((12, 12), dtype=int))
    terrain = tree.root.add_child(Terrain3D(tilemap, quality="low"))
    before = triangles(terrain)
    with tilemap.edit() as edit:
        edit.set_kind((5, 5), "dirt")
    tree.advance(0.0)
    assert triangles(terrain) == before


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("samples", [0, 4])
def test_a_window_has_the_samples_it_is_opened_with(samples):
    code = (
        "from terrain3d.view.window import window\n"
        f"base = window.open_offscreen(64, 64, samples={samples})\n"
        "print(base.win.get_fb_properties().get_multisamples())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == samples
