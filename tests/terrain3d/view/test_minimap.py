"""The small map: its image, its place among panels, dots, and clicks on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from panda3d.core import Point3

from ai.view import Unit3D
from terrain3d import KINDS, TOPOLOGIES, TileKind, TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.figures import team_shape
from terrain3d.view import Hud, MiniMap, OrbitCamera3D, Terrain3D
from terrain3d.view.hud.minimap import MAX_TILES, REDRAW_S, dot_outline, minimap
from tests.support.boards import one_edit
from tests.support.scenes import Mover
from tests.support.window_pictures import picture_255 as picture


def pixel_at(tilemap, picture, x, y):
    """Return the pixel that shows a point of the world."""
    x0, y0, x1, y1 = tilemap.extent
    height, width, _ = picture.shape
    return picture[int((y1 - y) / (y1 - y0) * height), int((x - x0) / (x1 - x0) * width)]


def color_of(kind):
    """Return the color of a map with a single tile of a kind."""
    return minimap(TileMap([[0]], [[kind]]))[0, 0]


@pytest.mark.parametrize("topology", TOPOLOGIES)
@given(rows=st.integers(1, 5), cols=st.integers(1, 5), data=st.data())
def test_every_tile_is_drawn_at_its_position(topology, rows, cols, data):
    n_grounds = len(KINDS) - 1
    shape = rows, cols
    kind = st.integers(0, n_grounds - 1)
    kinds = data.draw(st.lists(kind, min_size=rows * cols, max_size=rows * cols))
    tilemap = TileMap(np.zeros(shape, int), np.reshape(kinds, shape), topology=topology)
    picture = minimap(tilemap)
    for index, kind in enumerate(kinds):
        x, y, _ = tilemap.surface_point(divmod(index, cols))
        for dx, dy in ((0.0, 0.0), (0.2, 0.1), (-0.2, -0.1)):
            assert pixel_at(tilemap, picture, x + dx, y + dy).tolist() == color_of(kind).tolist()


def test_higher_ground_is_brighter_as_documented_and_slopes_face_the_north_west():
    gray = TileKind("gray", color=(0.5, 0.5, 0.5))
    picture = minimap(TileMap.from_text("0044\n0044", kinds=[gray])).astype(int)
    assert np.abs(picture[:, 0, :3] - round(0.72 * 127.5)).max() <= 1
    assert np.abs(picture[1, 3, :3] - round(1.08 * 127.5)).max() <= 1
    hill = minimap(TileMap.from_text("00000\n00220\n00220\n00000")).sum(axis=2, dtype=int)
    assert hill[1, 2] > hill[2, 3] > hill[0, 0] > hill[3, 4]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_void_tiles_are_transparent(topology):
    picture = minimap(TileMap.from_text("0#\n00", topology=topology))
    assert set(np.unique(picture[..., 3])) == {0, 255}
    assert not picture[picture[..., 3] == 0].any()


def test_a_bridge_hides_the_ground_below_it():
    tilemap = TileMap.from_text("202")
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "deep")
        edit.add_deck([(0, 1)], 2, kind="wood")
    names = [kind.name for kind in KINDS]
    flat = TileMap([[2, 2, 2]], [[0, names.index("wood"), 0]])
    assert minimap(tilemap).tolist() == minimap(flat).tolist()
    tilemap.undo()
    assert minimap(tilemap).tolist() != minimap(flat).tolist()


def test_large_maps_are_sampled():
    kind = np.tile(np.arange(4 * MAX_TILES) // MAX_TILES, (3, 1))
    picture = minimap(TileMap(kind * 0, kind))
    assert picture.shape == (3, MAX_TILES, 4)
    quarter = MAX_TILES // 4
    for part in range(4):
        assert picture[1, quarter * part + 3].tolist() == color_of(part).tolist()


def test_the_first_teams_have_dots_of_different_shapes_in_the_same_place():
    dots = [dot_outline(team_shape(team)) for team in ("blue", "red", "green", "yellow")]
    assert len({(len(dot), round(float(dot[0, 1]), 3)) for dot in dots}) == 4
    for dot in (*dots, dot_outline(team_shape("the third army"))):
        assert dot.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)


see_pixels = pytest.mark.usefixtures("large_window")


@pytest.fixture
def small(tree, terrain, camera, hud):
    small = hud.add_child(MiniMap(terrain, camera))
    for _ in range(2):  # its place is known in the frame after the first one
        tree.advance(0.0)
    return small


def in_window(base, small, x, y):
    """Give where a point of the map is drawn, (x, y) in -1..1."""
    place = base.render2d.get_relative_point(small.np, Point3(*small._in_pixels(x, y)))
    return place.x, place.z


def pixel_of(base, small, x, y):
    """Give the pixel of the window, from its top left corner, that shows a point of the map."""
    across, up = in_window(base, small, x, y)
    width, height = base.win.get_size()
    return (across + 1) / 2 * width, (1 - up) / 2 * height


def color_at(base, tree, small, x, y):
    col, row = pixel_of(base, small, x, y)
    return picture(base, tree)[::-1][round(row - 0.5), round(col - 0.5)]


@see_pixels
def test_it_shows_ground_where_it_lies_and_can_be_hidden(base, tree, terrain, camera, small, hud):
    camera.look(camera.home)  # all of the map is seen, so all of it is as bright
    drawn = minimap(terrain.tilemap).astype(int)
    for row, col in ((1, 2), (1, 12), (6, 3), (7, 8)):
        seen = color_at(base, tree, small, col + 0.5, -(row + 0.5))
        whitened = drawn[row, col, :3] + 0.14 * (255 - drawn[row, col, :3])
        assert abs(seen - whitened).max() < 14
    for small.is_shown in (True, False, True):
        for _ in range(2):
            tree.advance(0.0)
        assert small.np.is_hidden() is not small.is_shown
        assert len(hud.boxes) == small.is_shown


@see_pixels
def test_it_follows_edits_after_a_moment_and_units_at_once_as_dots(base, tree, terrain, small):
    place = (3.5, -9.5)
    before = color_at(base, tree, small, *place)
    one_edit(terrain.tilemap).set_kind((9, 3), "lava")
    assert np.array_equal(color_at(base, tree, small, *place), before)
    for number in range(5):  # of a stroke, of which each frame has an edit
        one_edit(terrain.tilemap).set_level((0, 0), number % 2)
        tree.advance(REDRAW_S / 4)
    after = color_at(base, tree, small, *place)
    assert after[0] - after[2] > 60
    while terrain.tilemap.undo():
        pass
    tree.advance(REDRAW_S)
    assert np.array_equal(color_at(base, tree, small, *place), before)
    mover = Mover((3.5, -3.5, 0.0), "red")
    figure = terrain.add_child(Unit3D(mover))
    red = color_at(base, tree, small, 3.5, -3.5)
    assert red[0] > red[1] + 80
    mover.pose.point = (12.5, -8.5, 0.0)
    assert np.array_equal(color_at(base, tree, small, 12.5, -8.5), red)
    assert not np.array_equal(color_at(base, tree, small, 3.5, -3.5), red)
    figure.color = (0.0, 0.0, 1.0)
    assert color_at(base, tree, small, 12.5, -8.5)[2] > 200


@see_pixels
def test_a_click_moves_the_camera_there_and_nothing_else(base, terrain, camera, small, mouse):
    clicked = []
    terrain.tile_clicked.connect(lambda *values: clicked.append(values))
    before = camera.goal
    for place in ((2.5, -2.5), (13.5, -9.5)):
        mouse.click(*pixel_of(base, small, *place))
        assert camera.goal.target[:2] == pytest.approx(place, abs=0.2)
    assert (camera.goal.heading_deg, camera.goal.distance) == (before.heading_deg, before.distance)
    target = camera.goal.target
    mouse.click(*pixel_of(base, small, 8, -6), "right")
    assert camera.goal.target == target
    assert clicked == []


@see_pixels
@pytest.mark.parametrize("heading_deg", [0.0, 180.0])
@pytest.mark.parametrize("distance", [8.0, 60.0])
def test_a_wedge_opens_to_what_the_camera_sees(base, tree, camera, small, heading_deg, distance):
    camera.look(OrbitView(heading_deg, 60.0, distance, (8.0, -6.0, 0.0)))
    tree.advance(0.0)
    wide, high = (round(size / 2) for size in small._size)
    x, y = in_window(base, small, 8.0, -6.0)
    shot = picture(base, tree)
    height, width, _ = shot.shape
    row, col = round((y + 1) / 2 * height), round((x + 1) / 2 * width)
    plate = (shot == 255).all(axis=2)[row - high : row + high, col - wide : col + wide]
    spans = [np.ptp(np.flatnonzero(line)) for line in plate if line.any()]
    near, far = (spans[0], spans[-1]) if heading_deg == 0.0 else (spans[-1], spans[0])
    assert far > near + 3  # rows are counted from below, and north is up


@see_pixels
def test_the_map_of_a_corridor_can_be_clicked(base, tree, mouse):
    corridor = tree.root.add_child(Terrain3D(TileMap.from_text("0" * 1000)))
    camera = tree.root.add_child(OrbitCamera3D(target=corridor))
    small = tree.root.add_child(Hud()).add_child(MiniMap(corridor, camera))
    for _ in range(2):
        tree.advance(0.0)
    before = camera.goal
    mouse.click(*pixel_of(base, small, 900.5, -0.5))
    assert camera.goal.target[0] > before.target[0] + 100
