"""Maps too large to be shown in full, and those at the limits of the step height."""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from terrain3d import KINDS, Cell, Rect, TileMap, landscape
from terrain3d.grid.columns import MAX_LEVEL, STEP_HEIGHTS
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.ground.coarse import coarse_mesh
from terrain3d.view import OrbitCamera3D, Terrain3D, TileCursor3D, TileOverlay3D
from terrain3d.view.geometry import make_geom_node
from tests.support.boards import one_edit
from tests.support.selection import rest_nightly
from tests.support.window_pictures import color_at, in_window, picture

SIDE = 300
MAGENTA = (1.0, 0.0, 1.0)


@cache
def levels():
    return landscape(SIDE, SIDE, 7).level


@pytest.fixture
def large():
    return TileMap(levels())


@pytest.fixture
def terrain(tree, large):
    return tree.root.add_child(Terrain3D(large))


def nodes(terrain):
    return [path.node() for path in terrain.np.find("ground").get_children()]


def top(terrain):
    return terrain.np.find("ground").get_tight_bounds()[1].z


@pytest.fixture
def look(tree, terrain, camera):
    """Return a function that changes the view, and builds what is seen if it is to."""

    def look(*target, is_built=True, **parts):
        camera.look(replace(camera.home, target=target, **parts))
        tree.advance(0.0)
        if is_built:
            terrain.build_visible()

    return look


def n_vertices(terrain):
    geoms = [geom for node in nodes(terrain) for geom in node.get_geoms()]
    return sum(geom.get_vertex_data().get_num_rows() for geom in geoms)


def test_a_large_map_is_shown_at_once_and_built_as_it_is_seen(tree, terrain, look):
    assert len(nodes(terrain)) == 1
    look(150, -150, 2, distance=20, is_built=False)
    assert not terrain.is_built
    frames = 0
    while not terrain.is_built:
        tree.advance(0.0)
        frames += 1
    assert frames > 1
    near = n_vertices(terrain)
    terrain.build_visible()
    assert n_vertices(terrain) == near


def test_a_walk_around_keeps_a_limited_number_of_chunks(terrain, look):
    count = []
    for x, y in itertools.product(range(20, 280, 40), repeat=2):
        look(x, -y, 2, distance=12)
        count.append(len(terrain._chunks._nodes) - len(nodes(terrain)))
    assert max(count) <= 200 > 128 <= count[-1]


def test_edits_in_every_frame_do_not_keep_the_view_from_being_built(tree, terrain, look, large):
    look(150, -150, 2, distance=20, is_built=False)
    frames = 0
    while terrain._chunks._plan.missing and frames < 200:
        one_edit(large).set_level((150, 150), 5 + frames % 2)
        tree.advance(0.0)
        frames += 1
    assert 1 < frames < 200


@pytest.mark.parametrize("distance", [15, 700])
def test_an_edit_is_seen_in_the_next_frame(tree, terrain, look, large, distance):
    look(160, -160, 2, distance=distance)
    before = top(terrain)
    one_edit(large).set_level((160, 160), 40)
    assert not terrain.is_built
    tree.advance(0.0)
    assert before < 10 < top(terrain)
    terrain.build_visible()
    large.undo()
    tree.advance(0.0)
    assert top(terrain) == pytest.approx(before)


def test_an_edit_far_away_is_seen_once_one_comes_there(tree, terrain, look, large):
    look(40, -40, 2, distance=15)
    look(260, -260, 2, distance=15)
    one_edit(large).set_level((40, 40), 40)
    look(40, -40, 2, distance=15)
    fresh = tree.root.add_child(Terrain3D(large))
    fresh.build_visible()
    assert n_vertices(fresh) == n_vertices(terrain)


@pytest.mark.usefixtures("needs_shaders")
def test_nothing_shows_through_where_strides_meet(base, tree, terrain, look):
    terrain.daylight.np.hide()
    base.set_background_color(*MAGENTA)
    for heading in (0, 90, 180):
        look(150, -150, 0, heading_deg=heading, pitch_deg=45, distance=550)
        strides = {chunk.stride for chunk in terrain._chunks._shown}
        assert {1, 2} <= strides
        seen = picture(base, tree)
        quarter = seen.shape[1] // 4
        # The edges of the map are around this part.
        ground = seen[len(seen) // 10 : len(seen) * 3 // 5, quarter:-quarter]
        assert not (np.abs(ground - MAGENTA).max(axis=-1) < 0.2).any()


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("topology", rest_nightly(["square", "hex_odd_r"], 1))
@pytest.mark.parametrize("kind", ["grass", "dirt", "forest", "swamp"])
def test_coarse_ground_is_as_dark_as_full_ground(base, tree, kind, topology):
    kinds = np.full((64, 64), [each.name for each in KINDS].index(kind))
    terrain = tree.root.add_child(Terrain3D(TileMap(kinds * 0, kinds, topology=topology)))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    ground = terrain.np.find("ground")
    for pitch_deg in (35, 60):
        camera.look(replace(camera.home, pitch_deg=pitch_deg, distance=70, target=(32, -32, 0)))
        full = mean_color(base, tree)
        chunks = ground.get_children()
        chunks.stash()
        for stride in (1, 2, 4):
            mesh = coarse_mesh(terrain.tilemap, Rect(0, 0, 64, 64), stride)
            node = ground.attach_new_node(make_geom_node("coarse", mesh))
            coarse = mean_color(base, tree)
            np.testing.assert_allclose(coarse, full, rtol=0.06)
            node.remove_node()
        chunks.unstash()


def mean_color(base, tree):
    """Return the mean color of the middle of the picture."""
    seen = picture(base, tree)
    rows, cols = (slice(size * 2 // 5, size * 3 // 5) for size in seen.shape[:2])
    return seen[rows, cols].mean(axis=(0, 1))


@pytest.mark.parametrize("step_height", STEP_HEIGHTS)
@pytest.mark.parametrize("top", [9, 36, 1000, MAX_LEVEL])
def test_the_tallest_and_the_lowest_tile_are_drawn_and_found(base, tree, step_height, top):
    level = np.zeros((12, 12), int)
    level[6:, 6:] = top
    tilemap = TileMap(level, step_height=step_height)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    cursor = terrain.add_child(TileCursor3D())
    overlay = terrain.add_child(TileOverlay3D())
    overlay.show([(0, 0), (11, 11)], ["1", "2"])
    overlay.shows_labels = True
    camera = tree.root.add_child(OrbitCamera3D(terrain))
    for cell in (Cell(2, 2), Cell(8, 8)):
        point = tilemap.surface_point(cell)
        camera.look(OrbitView(0.0, 89.0, 12.0, point))
        image = picture(base, tree, 0.1)
        assert terrain.cell_at(in_window(base, terrain, point)) == cell
        cursor.go_to(cell)
        red, green, blue = color_at(base, terrain, image, point, 6)
        assert green - max(red, blue) > 0.1  # grass, neither sky nor soil
    camera.look(camera.home)
    numbers = (*camera.view.eye, *camera.limits.distance, base.camLens.get_far())
    assert np.isfinite(numbers).all()
    assert np.isfinite(picture(base, tree, 0.1)).all()
