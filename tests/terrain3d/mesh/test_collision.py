"""What is solid is closed, and as large as the columns and slabs of the map."""

import numpy as np
import pytest

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.map.tilemap import BASE_Z
from terrain3d.mesh.chunks import chunk_rects, collision_mesh
from tests.support.meshes import whole

TILE_AREA = {"square": 1.0}
"""Others are hexagons with their sides 1 apart."""


def volume(mesh):
    """Return what a mesh encloses, by the divergence theorem."""
    a, b, c = mesh.positions.astype(np.float64)[mesh.triangles].swapaxes(0, 1)
    return (a * np.cross(b, c)).sum() / 6.0


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_volume_is_that_of_the_columns_and_the_slabs(topology):
    rng = np.random.default_rng(2)
    tilemap = TileMap(rng.integers(0, 6, (20, 33)), topology=topology, step_height=0.4)
    with tilemap.edit() as edit:
        for cell in ((3, 3), (3, 4), (15, 16), (19, 32)):
            edit.set_kind(cell, "void")
        edit.add_deck([(8, 15), (8, 16), (9, 16)], level=12, kind="grass", thickness=2)
    area = TILE_AREA.get(topology, np.sqrt(0.75))
    columns = (tilemap.level * 0.4 - BASE_Z)[~tilemap.void].sum() + 3 * 2 * 0.4
    chunks = chunk_rects(tilemap.rows, tilemap.cols)
    found = sum(volume(collision_mesh(tilemap, rect)) for rect in chunks)
    assert found == pytest.approx(area * columns, rel=1e-5)


def test_walls_and_stairs_are_solid_marks_and_plants_are_not():
    tilemap = TileMap.from_text("0011\n0011")

    def count(**choices):
        return len(collision_mesh(tilemap, whole(tilemap), **choices).triangles)

    bare = count()
    with tilemap.edit() as edit:
        edit.add_link((1, 0), (0, 3), 1.0, "teleporter")
        edit.add_link((0, 2), (0, 1), 1.0, "ledge", one_way=True)
        edit.set_kind((0, 0), "forest")
    assert count() == bare < count(has_props=True)
    with tilemap.edit() as edit:
        edit.add_link((1, 1), (1, 2), 1.0, "stairs")
    stairs = count()
    assert stairs > bare
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1))
    assert count() > stairs


def test_void_is_empty():
    tilemap = TileMap.from_text("##")
    assert len(collision_mesh(tilemap, whole(tilemap)).triangles) == 0
