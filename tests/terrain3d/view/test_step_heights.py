"""Maps at the limits of the step height: what is seen of them, and the tile at its own place."""

import numpy as np
import pytest

from terrain3d import Cell, TileMap
from terrain3d.grid.columns import MAX_LEVEL, STEP_HEIGHTS
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Terrain3D, TileCursor3D, TileOverlay3D
from tests.support.window_pictures import color_at, in_window, picture


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
