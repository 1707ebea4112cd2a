"""Pictures: colors, edges, lines, values and legends, for squares and hexagons."""

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from terrain3d import TOPOLOGIES, Cell, TileKind, TileMap
from terrain3d.picture import MAX_TILES, Line, Picture, draw_svg

SVG = "{http://www.w3.org/2000/svg}"
GRASS, ROCK = TileKind("grass", 1, (0.2, 0.6, 0.2)), TileKind("rock", 1, (0.5, 0.5, 0.5))


def texts(svg: str) -> list[str]:
    """Return the texts of a document, which must be XML."""
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_edges_lie_between_neighbors_of_different_levels(topology):
    tilemap = TileMap.from_noise(7, 6, 3, topology=topology)
    grid, level = tilemap.grid, tilemap.level
    expected: dict[bool, set] = {False: set(), True: set()}
    for row, col in itertools.product(range(7), range(6)):
        for near in grid.neighbors((row, col)):
            rise = abs(int(level[row, col]) - int(level[near.row, near.col]))
            ends = [np.round(grid.corners(cell), 6).tolist() for cell in ((row, col), near)]
            shared = {*map(tuple, ends[0])} & {*map(tuple, ends[1])}
            assert len(shared) == 2
            if rise:
                expected[rise > 1].add(frozenset(shared))
    for lines, is_tall in zip(Picture(tilemap, "").rises(), (False, True), strict=True):
        found = [frozenset((round(x, 6), round(y, 6)) for x, y in line.tolist()) for line in lines]
        assert len(found) == len(set(found))
        assert set(found) == expected[is_tall]


def test_higher_tiles_of_a_kind_are_lighter_and_voids_are_left_out():
    tilemap = TileMap([[0, 3, 9], [0, 0, 0]], [[0, 0, 0], [1, 1, 2]], [GRASS, ROCK])
    picture = Picture(tilemap, "")
    brightness = picture.colors.sum(axis=1)
    assert brightness[0] < brightness[1] < brightness[2]
    assert picture.is_drawn.tolist() == [True] * 5 + [False]
    assert ("", "levels 0 (dark) to 9 (light)") in picture.legend()


def test_values_have_a_scale_and_are_written_on_large_tiles():
    tilemap = TileMap(np.zeros((2, 3), int))
    values = np.array([[0.0, 1.5, np.inf], [4, np.nan, 7]])
    svg = draw_svg(Picture(tilemap, "Costs", values, "cost"))
    written = texts(svg)
    assert written[:1] == ["Costs"]
    assert written[1:5] == ["0", "1.5", "4", "7"]
    assert "cost 0" in written
    colors = Picture(tilemap, "", values).colors
    assert (colors[2] == colors[4]).all()
    assert len(np.unique(colors, axis=0)) == 5


def test_texts_of_a_map_cannot_become_markup():
    kind = TileKind("<script>&", 1, (0.1, 0.2, 0.3))
    line = Line((Cell(0, 0), Cell(0, 1)), '"<b>')
    svg = draw_svg(Picture(TileMap([[0, 1]], kinds=[kind]), "<i>", lines=(line,)))
    assert texts(svg)[:3] == ["<i>", '"<b>', "<script>&"]


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_large_map_is_sampled_over_its_whole_extent(topology):
    tilemap = TileMap.from_noise(MAX_TILES + 1, 3 * MAX_TILES, 1, topology=topology)
    picture = Picture(tilemap, "", np.zeros(tilemap.level.shape))
    assert len(picture.polygons) == MAX_TILES * MAX_TILES
    x0, y0, x1, y1 = tilemap.extent
    corners = picture.polygons.reshape(-1, 2)
    assert np.allclose([*corners.min(axis=0), *corners.max(axis=0)], [x0, y0, x1, y1])
    assert len(draw_svg(picture)) < 400_000
    assert picture.labels() == []


def test_a_deck_is_drawn_over_the_ground():
    tilemap = TileMap([[0, 0]], kinds=[GRASS, ROCK])
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=4, kind="rock")
    ground, deck = Picture(tilemap, "").colors
    assert deck[0] == deck[1] == deck[2]
    assert ground[1] > ground[0]
