"""Tests of the minimap image: positions of tiles, colors of kinds, shading of heights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import KINDS, TOPOLOGIES, TileKind, TileMap
from terrain3d.mesh.figures import team_shape
from terrain3d.view.hud.minimap import MAX_TILES, dot_outline, minimap


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
    kinds = data.draw(
        st.lists(st.integers(0, n_grounds - 1), min_size=rows * cols, max_size=rows * cols)
    )
    tilemap = TileMap(
        np.zeros((rows, cols), int), np.reshape(kinds, (rows, cols)), topology=topology
    )
    picture = minimap(tilemap)
    for index, kind in enumerate(kinds):
        x, y, _ = tilemap.surface_point(divmod(index, cols))
        for dx, dy in ((0.0, 0.0), (0.2, 0.1), (-0.2, -0.1)):
            assert pixel_at(tilemap, picture, x + dx, y + dy).tolist() == color_of(kind).tolist()


def test_squares_are_pixels_with_the_first_row_on_top():
    tilemap = TileMap([[0, 0, 0], [0, 0, 0]], [[0, 1, 2], [3, 4, 5]])
    picture = minimap(tilemap)
    assert picture.shape == (2, 3, 4)
    assert [[p.tolist() for p in row] for row in picture] == [
        [color_of(kind).tolist() for kind in row] for row in tilemap.kind
    ]


def test_kinds_keep_their_hue():
    for index, kind in enumerate(KINDS[:-1]):
        red, green, blue, alpha = color_of(index).astype(float)
        assert alpha == 255
        ratio = np.array([red, green, blue]) / np.array(kind.color)
        assert np.ptp(ratio) < 0.06 * ratio.mean() + 2.0


def test_level_ground_has_the_documented_brightness():
    gray = TileKind("gray", color=(0.5, 0.5, 0.5))
    picture = minimap(TileMap.from_text("0044\n0044", kinds=[gray])).astype(int)
    assert np.abs(picture[:, 0, :3] - round(0.72 * 127.5)).max() <= 1
    assert np.abs(picture[1, 3, :3] - round(1.08 * 127.5)).max() <= 1


def test_higher_ground_is_brighter_and_slopes_face_the_north_west():
    picture = minimap(TileMap.from_text("00000\n00220\n00220\n00000")).astype(int)
    brightness = picture[..., :3].sum(axis=2)
    plain, plateau = brightness[0, 0], brightness[2, 3]
    assert brightness[1, 2] > plateau > plain > brightness[3, 4]


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
    tilemap = TileMap(
        np.zeros((3, 4 * MAX_TILES), int),
        np.arange(4 * MAX_TILES)[None] // MAX_TILES + np.zeros((3, 1), int),
    )
    picture = minimap(tilemap)
    assert picture.shape == (3, MAX_TILES, 4)
    quarter = MAX_TILES // 4
    assert [picture[1, quarter * part + 3].tolist() for part in range(4)] == [
        color_of(kind).tolist() for kind in range(4)
    ]


def area(outline):
    x, y = outline.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_the_first_teams_have_dots_of_different_shapes_and_equal_size():
    dots = [dot_outline(team_shape(team)) for team in ("blue", "red", "green", "yellow")]
    assert len({(len(dot), round(float(dot[0, 1]), 3)) for dot in dots}) == 4
    assert [area(dot) for dot in dots] == pytest.approx([np.pi] * 4)
    for dot in (*dots, dot_outline(team_shape("the third army"))):
        assert dot.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert np.array_equal(
        dot_outline(team_shape("the third army")), dot_outline(team_shape("the third army"))
    )
