"""Hexagons and decks on the screen: what is seen of them and what a click on them means."""

import numpy as np
import pytest

from terrain3d import KINDS, TOPOLOGIES, Cell, TileKind, TileMap
from tests.support.window_pictures import color_at, picture, shown_from


def shown(tree, tilemap, *view):
    """Show a map from a view; give the terrain and (height, width, 3) in 0..1."""
    terrain, _ = shown_from(tree, tilemap, *view)
    return terrain, picture(tree.base, tree)


def bridge(topology="square"):
    """Make a canyon of sand, and a wooden bridge over it, in row 3."""
    level, kind = np.full((7, 9), 4), np.zeros((7, 9), dtype=int)
    level[:, 2:7] = 0
    kind[:, 2:7] = [entry.name for entry in KINDS].index("sand")
    tilemap = TileMap(level, kind, topology=topology)
    with tilemap.edit() as edit:
        edit.add_deck([(3, col) for col in range(2, 7)], level=4)
    return tilemap


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_tops_show_their_kind_and_seams_between_them(tree, topology):
    kind = [entry.name for entry in KINDS].index("sand")
    tilemap = TileMap(np.zeros((7, 9), dtype=int), np.full((7, 9), kind), topology=topology)
    x, y, _ = tilemap.surface_point((3, 4))
    terrain, image = shown(tree, tilemap, 0.0, 89.0, 6.0, (x, y, 0.0))
    middle = color_at(tree.base, terrain, image, (x, y, 0.0), reach=6)
    assert np.abs(middle - np.array(KINDS[kind].color)).max() < 0.17
    for east, north in tilemap.grid.headings:
        edge = color_at(tree.base, terrain, image, (x + 0.5 * east, y + 0.5 * north, 0.0), reach=0)
        inside = color_at(
            tree.base, terrain, image, (x + 0.3 * east, y + 0.3 * north, 0.0), reach=0
        )
        assert edge.sum() < inside.sum() - 0.15


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_bridge_is_seen_and_clicked_from_above(tree, topology):
    tilemap = bridge(topology)
    over = tilemap.surface_point((3, 4, 1))
    terrain, image = shown(tree, tilemap, 0.0, 70.0, 12.0, over)
    wood, sand = (
        color_at(tree.base, terrain, image, tilemap.surface_point(cell))
        for cell in ((3, 4, 1), (5, 4))
    )
    assert wood.sum() < sand.sum() - 0.5
    clicks = []
    terrain.tile_clicked.connect(lambda cell, _button: clicks.append(cell))
    for cell in ((3, 4, 1), (5, 4, 0)):
        tree.pointer.clicked.emit("left", tree.project(tilemap.surface_point(cell), terrain.np))
    assert clicks == [Cell(3, 4, 1), Cell(5, 4, 0)]


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_one_sees_and_clicks_through_below_a_bridge(tree, topology):
    tilemap = bridge(topology)
    ground = tilemap.surface_point((3, 4))
    terrain, image = shown(tree, tilemap, 0.0, 12.0, 9.0, ground)
    color = color_at(tree.base, terrain, image, ground)
    assert color[0] > color[2] + 0.05  # warm: sand in the shade, not the sky
    clicks = []
    terrain.tile_clicked.connect(lambda cell, _button: clicks.append(cell))
    tree.pointer.clicked.emit("left", tree.project(ground, terrain.np))
    assert clicks == [Cell(3, 4)]


@pytest.mark.usefixtures("large_window")
@pytest.mark.usefixtures("needs_shaders")
def test_a_teleporter_glows_in_the_shade_as_in_the_sun(tree):
    """Its light is its own; the stone around it is darker where a tower takes the sun away."""
    level = np.ones((7, 9), dtype=int)
    level[4, 2] = 6
    tilemap = TileMap(level)
    with tilemap.edit() as edit:
        edit.add_link((3, 3), (5, 6), cost=1, kind="teleporter")
    terrain, image = shown(tree, tilemap, 0.0, 89.0, 12.0, (4.5, -4.5, 0.0))
    shaded, lit = (tilemap.surface_point(cell) for cell in ((3, 3), (5, 6)))
    discs = [color_at(tree.base, terrain, image, point) for point in (shaded, lit)]
    ground = [
        color_at(tree.base, terrain, image, (x + 0.46, y + 0.46, z), 1) for x, y, z in (shaded, lit)
    ]
    assert ground[0].sum() < 0.8 * ground[1].sum()
    np.testing.assert_allclose(discs[0], discs[1], atol=0.05)
    assert min(disc.max() for disc in discs) > 0.9


@pytest.mark.usefixtures("needs_shaders")
def test_water_foams_along_its_shore_as_earth_of_its_color_does_not(tree):
    color = (0.2, 0.4, 0.55)
    kinds = [TileKind("brine", color=color, texture="water", depth=1), TileKind("clay", 1, color)]
    shore = []
    for kind in (0, 1):
        level, index = np.zeros((7, 9), dtype=int), np.full((7, 9), kind)
        level[0] = 2
        tilemap = TileMap(level, index, kinds)
        terrain, image = shown(tree, tilemap, 0.0, 75.0, 9.0, (4.5, -3.0, 0.0))
        line = [
            color_at(tree.base, terrain, image, (px, -1.02, 0.0), 0) for px in np.linspace(2, 7, 21)
        ]
        shore.append(np.mean(line))
        terrain.queue_free()
    assert shore[0] > shore[1] + 0.1
