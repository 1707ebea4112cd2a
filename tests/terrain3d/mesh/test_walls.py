"""Walls are on the edges that they close, at the height of the higher side."""

import numpy as np
import pytest

from terrain3d import KINDS, TOPOLOGIES, Rect, TileKind, TileMap
from terrain3d.mesh.chunks import chunk_mesh
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.structures import HALF_WIDTH, walls
from tests.support.map_pictures import from_above, insides, picture
from tests.support.meshes import facing

FLAT = "111\n111"


def walled(*pairs, text=FLAT, kinds=KINDS, topology="square", one_way=False):
    tilemap = TileMap.from_text(text, kinds, topology=topology)
    with tilemap.edit() as edit:
        for start, end in pairs:
            edit.add_wall(start, end, one_way=one_way)
    return tilemap


def whole(tilemap):
    return Rect(0, 0, tilemap.rows, tilemap.cols)


def meshed(tilemap):
    return walls(tilemap, whole(tilemap))


@pytest.mark.parametrize(
    ("pair", "seen"),
    [
        (
            ((0, 0), (0, 1)),
            """
            ...#......
            ...#......
            ...#......
            ...#......
            ..........
            ..........
            ..........
            """,
        ),
        (
            ((1, 2), (0, 2)),
            """
            ..........
            ..........
            ..........
            ......####
            ..........
            ..........
            ..........
            """,
        ),
    ],
)
def test_a_wall_stands_on_the_edge_between_its_tiles(pair, seen):
    assert from_above(meshed(walled(pair)), 2, 3) == picture(seen)


def test_walls_join_at_the_corners():
    room = [((0, 1), (0, 0)), ((0, 1), (0, 2)), ((1, 1), (0, 1))]
    assert from_above(meshed(walled(*room)), 2, 3) == picture("""
        ...#..#...
        ...#..#...
        ...#..#...
        ...####...
        ..........
        ..........
        ..........
    """)


def test_without_walls_there_is_nothing():
    assert meshed(walled()) == []


@pytest.mark.parametrize("pair", [((0, 0), (0, 1)), ((0, 1), (0, 0))])
@pytest.mark.parametrize("one_way", [False, True])
def test_on_a_cliff_it_stands_on_the_higher_side(pair, one_way):
    points = MeshData.join(meshed(walled(pair, text="14", one_way=one_way))).positions
    assert 1.9 < points[:, 2].min() < 2.0
    assert 2.25 < points[:, 2].max() < 2.5
    if not one_way:
        assert points[:, 0].min() >= 1.0


def test_a_wall_between_decks_stands_on_the_deck():
    tilemap = TileMap.from_text("111\n111\n111")
    with tilemap.edit() as edit:
        edit.add_deck([(1, 0), (1, 1), (1, 2)], level=5)
        edit.add_wall((1, 0, 1), (1, 1, 1))
        edit.add_wall((1, 2, 1), (1, 1, 1))
        edit.add_wall((0, 2), (1, 2, 1))
    z = MeshData.join(meshed(tilemap)).positions[:, 2]
    assert 2.4 < z.min() < 2.5
    assert z.max() < 3.0
    with tilemap.edit() as edit:
        edit.remove_wall((0, 2), (1, 2, 1))
    assert from_above(meshed(tilemap), 3, 3) == picture("""
        ..........
        ..........
        ..........
        ...#..#...
        ...#..#...
        ...#..#...
        ...#..#...
        ..........
        ..........
        ..........
    """)


def test_a_one_way_wall_leans_toward_the_closed_side():
    for start, end, side in (((0, 0), (0, 1), -1), ((0, 1), (0, 0), 1)):
        x, _, z = MeshData.join(meshed(walled((start, end), one_way=True))).positions.T
        tips = x[z == z.max()]
        assert (np.sign(tips - 1.0) == side).all()
    both = meshed(walled(((0, 0), (0, 1)), ((0, 1), (0, 0)), one_way=True))
    x, _, z = MeshData.join(both).positions.T
    assert set(np.sign(x[z > z.max() - 1e-4] - 1.0)) == {-1, 1}


def test_a_door_leaves_a_gap_in_its_wall_and_in_no_other():
    tilemap = walled(((0, 0), (1, 0)), ((0, 1), (1, 1)))
    with tilemap.edit() as edit:
        edit.add_link((1, 1), (0, 1), cost=1, kind="door")
        edit.add_link((0, 0), (1, 0), cost=1, kind="ladder")
    x = insides(meshed(tilemap))[:, 0]
    low, high = 1.5 - HALF_WIDTH, 1.5 + HALF_WIDTH
    assert not ((low + 1e-6 < x) & (x < high - 1e-6)).any()
    assert np.diff(np.sort(x[x < low])).max() < 0.1
    assert ((high < x) & (x < high + 0.1)).any()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_it_is_on_the_edge_to_every_neighbor(topology):
    tilemap = TileMap(np.ones((3, 3), dtype=int), topology=topology)
    x, y = tilemap.grid.center((1, 1))
    for near in tilemap.grid.neighbors((1, 1)):
        with tilemap.edit() as edit:
            edit.add_wall((1, 1), near)
        points = MeshData.join(meshed(tilemap)).positions[:, :2].astype(float)
        out = np.array(tilemap.grid.center(near)) - (x, y)
        away = (points - (x, y)) @ out
        assert np.abs(away - 0.5).max() < 0.12
        aside = np.abs((points - (x, y)) @ (-out[1], out[0])).max()
        corners = np.array(tilemap.grid.corners((1, 1))) - (x, y)
        edge = np.sort(np.linalg.norm(corners - out, axis=1))[0]
        half = np.sqrt(edge**2 - 0.25)
        assert half <= aside < half + 0.12
        tilemap.undo()


def test_walls_are_of_wood_on_planks_and_of_stone_elsewhere():
    table = [TileKind("lawn", texture="grass"), TileKind("pier", texture="planks")]
    tilemap = TileMap([[1, 1]], [[0, 1]], table)
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1))
        edit.set_level((0, 1), 2)
    wooden = MeshData.join(meshed(tilemap)).colors.astype(int)
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 3)
    stone = MeshData.join(meshed(tilemap)).colors.astype(int)
    assert (wooden[:, 0] > 1.5 * wooden[:, 2]).all()
    assert (stone[:, 0] < 1.4 * stone[:, 2]).all()


@pytest.mark.parametrize("topology", ["square", "hex_even_q"])
def test_all_faces_look_outwards(topology):
    tilemap = walled(((0, 0), (0, 1)), ((1, 1), (1, 2)), text="131\n111", topology=topology)
    with tilemap.edit() as edit:
        edit.add_wall((0, 1), (0, 2), one_way=True)
    for mesh in meshed(tilemap):
        assert (facing(mesh) > 0).all()


def test_a_wall_is_part_of_the_mesh_of_the_chunk_of_its_start_only():
    tilemap = walled(((0, 0), (0, 1)))
    assert walls(tilemap, Rect(0, 0, 2, 1))
    assert walls(tilemap, Rect(0, 1, 2, 2)) == []
    plain = TileMap.from_text(FLAT)
    more = sum(len(part.positions) for part in meshed(tilemap))
    with_wall, without = (len(chunk_mesh(each, whole(each)).positions) for each in (tilemap, plain))
    assert with_wall - without == more
