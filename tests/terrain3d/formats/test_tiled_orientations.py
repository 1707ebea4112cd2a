"""Orientations of Tiled maps as topologies, and infinite maps."""

import itertools

import numpy as np
import pytest

from terrain3d.formats.tiled.objects import Layout
from tests.support.tiled_files import (
    PICTURE,
    ROWS,
    SQUARE,
    csv,
    gids_of,
    objects,
    one_layer,
    picture_of,
    tmx,
)


def attributes(orientation, axis="", index="", side=0):
    fields = f'orientation="{orientation}" tilewidth="8" tileheight="8"'
    return f'{fields} staggeraxis="{axis}" staggerindex="{index}" hexsidelength="{side}"'


@pytest.mark.parametrize(
    ("shown", "topology"),
    [
        (attributes("hexagonal", "y", "odd", 4), "hex_odd_r"),
        (attributes("hexagonal", "y", "even", 4), "hex_even_r"),
        (attributes("hexagonal", "x", "odd", 4), "hex_odd_q"),
        (attributes("hexagonal", "x", "even", 4), "hex_even_q"),
        ('orientation="isometric" tilewidth="8" tileheight="4"', "square"),
        ('orientation="orthogonal" tilewidth="8" tileheight="8"', "square"),
    ],
)
def test_orientations_are_topologies_of_the_same_rows(load, shown, topology):
    tilemap = load(one_layer(PICTURE, attributes=shown))
    assert tilemap.topology == topology
    assert picture_of(tilemap) == ROWS


def center_of(place, axis, index, side_px=0):
    """Return a tile's center in pixels as the reference of the format describes it, for 8 x 8."""
    across, down = place[::-1]
    line = down if axis == "y" else across
    shove = 4 * (line % 2 == (1 if index == "odd" else 0))
    pitch = (8 + side_px) / 2
    if axis == "y":
        return 8 * across + shove + 4, pitch * down + 4
    return pitch * across + 4, 8 * down + shove + 4


def numbered(shape, shown, *parts):
    """Write a map each tile of which is of another kind, and name them all."""
    gids = np.arange(1, shape[0] * shape[1] + 1).reshape(shape).tolist()
    text = f'<layer name="a" width="{shape[1]}" height="{shape[0]}"><data encoding="csv">'
    whole = f"{text}{csv(gids)}</data></layer>"
    named = [chr(96 + gid) if gid <= 8 else f"t {gid - 1}" for row in gids for gid in row]
    return tmx(whole, *parts, shape=shape, attributes=shown), named


OFFSET = pytest.mark.parametrize(("axis", "index"), list(itertools.product("xy", ["odd", "even"])))


@OFFSET
def test_objects_of_offset_tiles_stand_on_the_tile_they_are_drawn_on(load, axis, index):
    shape, side_px = (4, 5), 4
    for shift_x, shift_y in [(0, 0), (1.5, 0), (-1.5, 0), (0, 1.5), (0, -1.5)]:
        centers = [center_of(place, axis, index, side_px) for place in np.ndindex(shape)]
        marks = "".join(
            f'<object id="{number}" x="{x + shift_x}" y="{y + shift_y}"><point/></object>'
            for number, (x, y) in enumerate(centers)
        )
        shown = attributes("hexagonal", axis, index, side_px)
        text, named = numbered(shape, shown, objects(marks))
        tilemap = load(text)
        cells = [mark["cell"] for mark in tilemap.extras["waypoints"]]
        assert [tilemap.kind_at(cell).name for cell in cells] == named


def hexagon(row, col, size, side_px, axis, is_odd):
    """Return the corners of a tile, clockwise, of any height, width and length of its edges."""
    if axis == "x":
        flipped = hexagon(col, row, size[::-1], side_px, "y", is_odd)
        return [(x, y) for y, x in reversed(flipped)]
    width, height = size
    left = width * (col + (row % 2 == is_odd) / 2)
    top, inset = row * (height + side_px) / 2, (height - side_px) / 2
    x, right, end = left + width / 2, left + width, top + height
    near, far = top + inset, end - inset
    return [(x, top), (right, near), (right, far), (x, end), (left, far), (left, near)]


@OFFSET
@pytest.mark.parametrize("size", [(40, 40), (64, 24), (20, 60)])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 1])
def test_a_point_is_on_the_tile_whose_outline_is_around_it(axis, index, size, share):
    side_px = round(share * size[axis == "y"])
    is_odd = index == "odd"
    layout = Layout("hexagonal", size, axis, is_odd, side_px)
    rng = np.random.default_rng(5)
    n_inside = 0
    for place in itertools.product(range(2, 4), repeat=2):
        corners = np.array(hexagon(*place, size, side_px, axis, is_odd))
        for point in rng.uniform(corners.min(axis=0), corners.max(axis=0), (60, 2)):
            (x, y), (next_x, next_y) = (corners - point).T, (np.roll(corners, -1, axis=0) - point).T
            if (x * next_y - y * next_x > -1e-9).all():
                n_inside += 1
                assert layout.position_at(*point) == place
    assert n_inside > 100


@OFFSET
def test_tiled_draws_offset_tiles_at_whole_even_numbers_of_pixels(axis, index):
    is_odd = index == "odd"
    along = Layout("hexagonal", (41, 35) if axis == "y" else (35, 41), axis, is_odd, 13)
    row, col = 3, 5  # along the axis, and across it
    across_px, along_px = 40 * col + 20 * is_odd + 20, (34 + 13) // 2 * row + 17
    if axis == "y":
        assert along.center_px((row, col)) == (across_px, along_px)
    else:
        assert along.center_px((col, row)) == (along_px, across_px)


def infinite(*chunks, shown=SQUARE):
    parts = "".join(
        f'<chunk x="{x}" y="{y}" width="{len(gids_of(picture)[0])}" '
        f'height="{len(gids_of(picture))}">{csv(gids_of(picture))}</chunk>'
        for x, y, picture in chunks
    )
    text = f'<layer name="a" width="9" height="9"><data encoding="csv">{parts}</data></layer>'
    return tmx(text, shape=(7, 9), attributes=f'infinite="1" {shown}')


def test_an_infinite_map_ends_where_its_tiles_end(load):
    text = infinite((-2, 3, "..\n.a"), (0, 5, "b.\n.."), (16, 16, "..\n.."))
    assert picture_of(load(text)) == ["a.", ".b"]


def test_an_infinite_map_without_tiles_has_its_size(load):
    text = infinite().replace('<data encoding="csv"></data>', '<data encoding="csv"/>')
    tilemap = load(text)
    assert tilemap.level.shape == (7, 9)
    assert tilemap.void.all()


@pytest.mark.parametrize("first", [-3, -2, 0, 1])
@pytest.mark.parametrize(("axis", "end"), [("y", "r"), ("x", "q")])
def test_the_offset_lines_of_an_infinite_map_stay_the_same(load, first, axis, end):
    x, y = (0, first) if axis == "y" else (first, 0)
    tilemap = load(infinite((x, y, "ab\ncd"), shown=attributes("hexagonal", axis, "odd", 4)))
    assert tilemap.topology == f"hex_{'even' if first % 2 else 'odd'}_{end}"
