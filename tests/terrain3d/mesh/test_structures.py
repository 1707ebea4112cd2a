"""Walls and links on the edges that they cross, and the marks of other links at their ends."""

import numpy as np
import pytest

from terrain3d import KINDS, TOPOLOGIES, TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.structures import HALF_WIDTH, links, walls
from tests.support.boards import one_edit
from tests.support.meshes import by_tiles, facing, from_above, insides, picture, whole

FLAT = "111\n111"


def walled(*pairs, text=FLAT, kinds=KINDS, topology="square", one_way=False):
    tilemap = TileMap.from_text(text, kinds, topology=topology)
    with tilemap.edit() as edit:
        for start, end in pairs:
            edit.add_wall(start, end, one_way=one_way)
    return tilemap


def meshed(tilemap):
    return [part for build in (walls, links) for part in build(tilemap, whole(tilemap))]


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
    x = insides(walls(tilemap, whole(tilemap)))[:, 0]
    low, high = 1.5 - HALF_WIDTH, 1.5 + HALF_WIDTH
    assert not ((low + 1e-6 < x) & (x < high - 1e-6)).any()
    assert np.diff(np.sort(x[x < low])).max() < 0.1
    assert ((high < x) & (x < high + 0.1)).any()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_it_is_on_the_edge_to_every_neighbor(topology):
    tilemap = TileMap(np.ones((3, 3), dtype=int), topology=topology)
    x, y = tilemap.grid.center((1, 1))
    for near in tilemap.grid.neighbors((1, 1)):
        one_edit(tilemap).add_wall((1, 1), near)
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


CLIFF = "0400\n0400\n0400"
BUILT = ("ladder", "stairs", "door", "ledge")


def linked(*ends, kind, text=CLIFF, one_way=False, topology="square"):
    tilemap = TileMap.from_text(text, topology=topology)
    with tilemap.edit() as edit:
        edit.add_deck((0, 3), level=5)
        for start, end in ends:
            edit.add_link(start, end, cost=4, kind=kind, one_way=one_way)
    return tilemap


@pytest.mark.parametrize(
    ("kind", "start", "end", "seen"),
    [
        ("ladder", (1, 0), (1, 1), "....\n#...\n...."),
        ("ladder", (1, 1), (1, 0), "....\n#...\n...."),
        ("ladder", (0, 3), (0, 3, 1), "...#\n....\n...."),
        ("ladder", (1, 0), (1, 2), "....\n#.#.\n...."),
        ("ladder", (1, 2), (1, 3), "....\n..##\n...."),
        ("stairs", (1, 0), (1, 1), "....\n#...\n...."),
        ("stairs", (1, 2), (1, 3), "....\n..##\n...."),
        ("stairs", (0, 3), (0, 3, 1), "...#\n....\n...."),
        ("stairs", (0, 0), (2, 3), "#...\n....\n...#"),
        ("door", (1, 2), (1, 3), "....\n..##\n...."),
        ("door", (0, 2), (2, 2), "..#.\n....\n..#."),
        ("ledge", (1, 1), (1, 2), "....\n.##.\n...."),
        ("ledge", (1, 1), (1, 3), "....\n.#.#\n...."),
        ("teleporter", (0, 0), (2, 3), "#...\n....\n...#"),
        ("teleporter", (1, 2), (1, 3), "....\n..##\n...."),
        ("lift", (2, 0), (2, 1), "....\n....\n##.."),
        ("link", (0, 0), (2, 2), "#...\n....\n..#."),
    ],
)
@pytest.mark.parametrize("one_way", [False, True])
def test_parts_of_a_link_are_on_the_right_tiles(kind, start, end, seen, one_way):
    tilemap = linked((start, end), kind=kind, one_way=one_way)
    assert by_tiles(meshed(tilemap), tilemap) == picture(seen)


@pytest.mark.parametrize("ends", [((0, 0), (0, 1)), ((0, 1), (0, 0))])
def test_a_ladder_reaches_from_foot_to_head_before_the_wall(ends):
    x, y, z = MeshData.join(meshed(linked(ends, kind="ladder"))).positions.T
    assert 0.8 < x.min() <= x.max() < 1.0
    assert -0.7 < y.min() <= y.max() < -0.3
    assert z.min() == 0
    assert 2.0 < z.max() < 2.3


@pytest.mark.parametrize("levels", [1, 2, 5, 40])
def test_stairs_up_any_cliff_are_few_and_reach_its_top(levels):
    level = np.array([[0, levels]])
    tilemap = TileMap(level)
    one_edit(tilemap).add_link((0, 1), (0, 0), cost=1, kind="stairs")
    (mesh,) = meshed(tilemap)
    assert len(mesh.triangles) <= 24 * 12  # a box for each step
    assert (len(mesh.triangles) == 24 * 12) == (levels > 5)
    assert 0.7 * levels * 0.5 < mesh.positions[:, 2].max() < levels * 0.5
    assert mesh.positions[:, 0].max() == pytest.approx(1.0)


@pytest.mark.parametrize("kind", [*BUILT, "teleporter", "lift", "wall", "stakes"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_all_faces_look_outwards_on_every_edge(kind, topology):
    level = np.ones((3, 3), dtype=int)
    level[1, 1] = 3
    tilemap = TileMap(level, topology=topology)
    with tilemap.edit() as edit:
        for near in tilemap.grid.neighbors((1, 1)):
            if kind in ("wall", "stakes"):
                edit.add_wall((1, 1), near, one_way=kind == "stakes")
            else:
                edit.add_link((1, 1), near, cost=1, kind=kind)
    for mesh in meshed(tilemap):
        assert (facing(mesh) > 0).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)
