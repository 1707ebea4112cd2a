"""Links of known kinds are built on the edge that they cross; the ends of all others are marked."""

import numpy as np
import pytest

from terrain3d import TOPOLOGIES, Rect, TileMap
from terrain3d.mesh.data import GLOW, MeshData
from terrain3d.mesh.structures import TileEdges, doors, links, stairs
from tests.support.map_pictures import by_tiles, drawn, from_above, insides, picture
from tests.support.meshes import facing

CLIFF = "0400\n0400\n0400"
BUILT = ("ladder", "stairs", "door", "ledge")


def linked(*ends, kind, text=CLIFF, one_way=False, topology="square"):
    tilemap = TileMap.from_text(text, topology=topology)
    with tilemap.edit() as edit:
        edit.add_deck((0, 3), level=5)
        for start, end in ends:
            edit.add_link(start, end, cost=4, kind=kind, one_way=one_way)
    return tilemap


def meshed(tilemap):
    return links(tilemap, Rect(0, 0, tilemap.rows, tilemap.cols))


def points_of(meshes):
    return MeshData.join(meshes).positions.T


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
    x, y, z = points_of(meshed(linked(ends, kind="ladder")))
    assert 0.8 < x.min() <= x.max() < 1.0
    assert -0.7 < y.min() <= y.max() < -0.3
    assert z.min() == 0
    assert 2.0 < z.max() < 2.3


def test_a_ladder_has_rungs_up_to_its_top():
    *_, rungs = meshed(linked(((0, 0), (0, 1)), kind="ladder"))
    z = np.unique(rungs.positions[:, 2])
    assert np.diff(z).max() < 0.15
    assert z.max() > 1.9


def test_a_ladder_to_a_deck_above_stands_in_the_same_column():
    x, y, z = points_of(meshed(linked(((0, 3), (0, 3, 1)), kind="ladder")))
    assert ((x > 3.0) & (x < 4.0) & (y > -1.0) & (y < 0.0)).all()
    assert np.hypot(x - 3.5, y + 0.5).min() > 0.25  # a figure stands in the middle
    assert z.min() == 0
    assert z.max() > 2.5


def test_stairs_rise_step_by_step_to_the_cliff():
    tilemap = linked(((0, 0), (0, 1)), kind="stairs", text="0100")
    (mesh,) = stairs(TileEdges.between(tilemap, [(tilemap.cell((0, 0)), tilemap.cell((0, 1)))]))
    x, _, z = insides([mesh]).T
    # From the south: steps of a fifth of the level, on the last 0.36 of the lower tile.
    assert drawn(x - 0.635, 0.51 - z, (0.09, 0.1), (5, 4)) == picture("""
        ....
        ...#
        ..##
        .###
        ####
    """)


@pytest.mark.parametrize("levels", [1, 2, 5, 40])
def test_stairs_up_any_cliff_are_few_and_reach_its_top(levels):
    level = np.array([[0, levels]])
    tilemap = TileMap(level)
    with tilemap.edit() as edit:
        edit.add_link((0, 1), (0, 0), cost=1, kind="stairs")
    (mesh,) = meshed(tilemap)
    assert len(mesh.triangles) <= 24 * 12  # a box for each step
    assert (len(mesh.triangles) == 24 * 12) == (levels > 5)
    assert 0.7 * levels * 0.5 < mesh.positions[:, 2].max() < levels * 0.5
    assert mesh.positions[:, 0].max() == pytest.approx(1.0)


def test_a_door_has_a_frame_with_room_for_a_figure():
    tilemap = linked(((1, 2), (1, 3)), kind="door")
    frame = doors(TileEdges.between(tilemap, [(tilemap.cell((1, 2)), tilemap.cell((1, 3)))]))[:3]
    _, y, z = insides(frame).T
    assert drawn(y + 1.875, 1.0 - z, (0.15, 0.25), (4, 5)) == picture("""
        #####
        #...#
        #...#
        #...#
    """)


@pytest.mark.parametrize(("start", "end", "side"), [((1, 2), (1, 3), 1), ((1, 3), (1, 2), -1)])
def test_a_door_opens_towards_its_end(start, end, side):
    leaf = meshed(linked((start, end), kind="door"))[3].positions
    assert np.abs(leaf[:, 0] - 3.0).max() == pytest.approx(np.abs(side * (leaf[:, 0] - 3.0)).max())
    assert (side * (leaf[:, 0] - 3.0)).max() > 0.2


@pytest.mark.parametrize("ends", [((1, 2), (1, 3)), ((1, 3), (1, 2)), ((0, 3), (1, 3))])
def test_the_leaf_of_a_door_hangs_on_the_inner_face_of_a_post(ends):
    hinge, latch, _, leaf, _ = (
        part.positions.astype(float) for part in meshed(linked(ends, kind="door"))
    )
    to_latch = latch.mean(axis=0) - hinge.mean(axis=0)
    to_latch /= np.linalg.norm(to_latch)
    start = leaf.reshape(-1, 4, 3)[4].mean(axis=0)  # the face at the start of a beam
    face = ((hinge - hinge.mean(axis=0)) @ to_latch).max()
    assert (start - hinge.mean(axis=0)) @ to_latch == pytest.approx(face, abs=1e-5)


def test_a_door_in_a_cliff_stands_on_the_higher_side():
    for ends in (((0, 0), (0, 1)), ((0, 1), (0, 0))):
        x, _, z = points_of(meshed(linked(ends, kind="door"))[:3])
        assert 1.9 < z.min() < 2.0
        assert x.min() > 1.0


@pytest.mark.parametrize("ends", [((1, 1), (1, 2)), ((1, 2), (1, 1))])
def test_the_arrow_of_a_ledge_points_over_the_edge_and_down(ends):
    x, y, z = points_of(meshed(linked(ends, kind="ledge")))
    on_top = z > 2.0
    assert (x[~on_top] > 2.0).all()  # before the cliff, not in it
    assert x[on_top].min() < 1.7
    tip = z == z.min()
    assert np.abs(y[tip] + 1.5).max() < 1e-6
    assert 1.5 < z.min() < 1.8


def test_an_arrow_stays_above_the_ground_on_a_low_cliff():
    tilemap = TileMap(np.array([[1, 0]]), step_height=0.1)
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 1), cost=0, kind="ledge")
    assert points_of(meshed(tilemap))[2].min() > 0.0


def test_a_teleporter_glows_on_both_ends_and_floats_shards_where_it_leads_on():
    both = linked(((0, 0), (2, 3)), kind="teleporter")
    one = linked(((0, 0), (2, 3)), kind="teleporter", one_way=True)
    assert from_above(meshed(both), 3, 4).count("#") > 10
    assert (MeshData.join(meshed(both)).uv[:, 2] // 4096 == GLOW).any()
    for tilemap, rises in ((both, (True, True)), (one, (True, False))):
        x, _, z = points_of(meshed(tilemap))
        assert tuple((z[side] > 0.2).any() for side in (x < 2.0, x > 2.0)) == rises


def test_ends_of_a_link_have_the_same_color_and_rings_on_a_tile_are_nested():
    tilemap = linked(((0, 0), (2, 0)), ((0, 0), (2, 3)), ((0, 0), (0, 2)), kind="lift")
    mesh = MeshData.join(meshed(tilemap))
    x, y, _ = mesh.positions.T
    tile, here = np.stack([np.floor(-y), np.floor(x)], axis=1), (x < 1.0) & (y > -1.0)

    def colors(row, col):
        return set(map(tuple, mesh.colors[(tile == (row, col)).all(axis=1)].tolist()))

    assert colors(0, 0) == colors(2, 0) | colors(2, 3) | colors(0, 2)
    reach = np.hypot(x[here] - 0.5, y[here] + 0.5)
    assert len(np.unique(np.round(reach, 3))) == 6  # an inner and an outer rim each


@pytest.mark.parametrize("kind", [*BUILT, "teleporter", "lift"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_all_faces_look_outwards_on_every_edge(kind, topology):
    level = np.ones((3, 3), dtype=int)
    level[1, 1] = 3
    tilemap = TileMap(level, topology=topology)
    with tilemap.edit() as edit:
        for near in tilemap.grid.neighbors((1, 1)):
            edit.add_link((1, 1), near, cost=1, kind=kind)
    for mesh in meshed(tilemap):
        assert (facing(mesh) > 0).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)


def test_structures_are_in_the_chunk_of_their_start_and_marks_in_their_own():
    tilemap = linked(((0, 0), (0, 1)), kind="ladder")
    assert links(tilemap, Rect(0, 0, 3, 1))
    assert links(tilemap, Rect(0, 1, 3, 3)) == []
    tilemap = linked(((0, 0), (2, 3)), kind="lift")
    parts = [
        links(tilemap, rect) for rect in (Rect(0, 0, 3, 1), Rect(0, 1, 3, 2), Rect(0, 3, 3, 1))
    ]
    assert [bool(part) for part in parts] == [True, False, True]
