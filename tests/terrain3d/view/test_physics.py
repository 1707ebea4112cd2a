"""A terrain is solid in a Bullet world and for a CollisionTraverser, wherever it is placed."""

import numpy as np
import pytest
from panda3d.bullet import BulletRigidBodyNode, BulletSphereShape, BulletWorld
from panda3d.core import (
    BitMask32,
    CollisionHandlerQueue,
    CollisionNode,
    CollisionRay,
    CollisionTraverser,
    GeomNode,
    LMatrix4,
    Point3,
    Vec3,
)

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.view import Node3D, Terrain3D, TerrainBody3D, TerrainCollider3D

RADIUS = 0.15
N_RAYS = 150
PLACES = {
    "as it is": lambda np_: np_.set_pos(0, 0, 0),
    "moved and rotated": lambda np_: np_.set_pos_hpr(7, -3, 2, 40, 15, -20),
    "scaled": lambda np_: np_.set_scale(2, 0.5, 3),
    "mirrored": lambda np_: np_.set_scale(-1, 1, 1),
    "sheared": lambda np_: np_.set_shear(0.3, 0, 0.1),
}


@pytest.fixture
def world():
    world = BulletWorld()
    world.set_gravity(Vec3(0, 0, -9.81))
    return world


def shown(tree, tilemap):
    return tree.root.add_child(Terrain3D(tilemap, quality="low"))


def drop(base, world, point, speed=(0, 0, 0)):
    """Return the NodePath of a new ball that starts at a point of the scene."""
    body = BulletRigidBodyNode("ball")
    body.set_mass(1.0)
    body.add_shape(BulletSphereShape(RADIUS))
    body.set_linear_velocity(Vec3(*speed))
    ball = base.render.attach_new_node(body)
    ball.set_pos(*point)
    world.attach(body)
    return ball


def play(tree, world, seconds):
    for _ in range(round(seconds * 60)):
        tree.advance(1 / 60)
        world.do_physics(1 / 60, 4, 1 / 240)


def rolled(base, tree, world, tilemap, seconds=4):
    """Return where a ball is that has rolled to the east from the tile (1, 0)."""
    terrain = shown(tree, tilemap)
    terrain.add_child(TerrainBody3D(terrain, world))
    x, y, z = tilemap.surface_point((1, 0))
    ball = drop(base, world, (x - 0.2, y, z + RADIUS), (1.5, 0, 0))
    play(tree, world, seconds)
    end = ball.get_pos()
    ball.remove_node()
    return end


def random_map(topology, seed):
    """Return a map with hills, holes and decks."""
    rng = np.random.default_rng(seed)
    rows, cols = 20, 35  # of several chunks
    tilemap = TileMap(rng.integers(0, 5, (rows, cols)), topology=topology)
    cells = [(int(row), int(col)) for row, col in rng.integers(0, (rows, cols), (60, 2))]
    with tilemap.edit() as edit:
        for number, cell in enumerate(dict.fromkeys(cells)):
            if number % 2:
                edit.set_kind(cell, "void")
            else:
                edit.add_deck(cell, tilemap.level_at(cell) + 3, "grass")  # without rails
    return tilemap


def random_rays(tilemap, seed):
    """Return pairs of points in map coordinates, from around the map to points in it."""
    rng = np.random.default_rng(seed)
    x0, y0, x1, y1 = tilemap.extent
    inside = rng.uniform((x0, y0, -0.9), (x1, y1, 4.0), (N_RAYS, 3))
    outward = rng.normal(size=(N_RAYS, 3))
    outward *= 80.0 / np.linalg.norm(outward, axis=1, keepdims=True)
    pairs = np.stack([inside + outward, inside - outward], axis=1).tolist()
    return [(tuple(start), tuple(end)) for start, end in pairs]


def expected_points(tilemap, rays):
    """Return where each ray hits the map, by the map's own march through columns; or None."""
    found = []
    for start, end in rays:
        direction = np.subtract(end, start)
        hit = tilemap.cast(start, direction)
        unit = direction / np.linalg.norm(direction)
        found.append(None if hit is None else np.add(start, hit.distance * unit))
    assert sum(point is not None for point in found) > 20
    return found


def differences(expected, found, limit=2e-3):
    return [
        (number, a, b)
        for number, (a, b) in enumerate(zip(expected, found, strict=True))
        if (a is None) != (b is None) or (a is not None and np.abs(np.subtract(a, b)).max() > limit)
    ]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_rays_of_bullet_hit_what_the_map_is(tree, world, topology, place):
    tilemap = random_map(topology, 3)
    above = tree.root.add_child(Node3D())
    above.np.set_h(25)
    terrain = above.add_child(Terrain3D(tilemap, quality="low"))
    terrain.add_child(TerrainBody3D(terrain, world))
    tree.advance(0.01)
    PLACES[place](terrain.np)  # after it was built
    tree.advance(0.01)
    world.do_physics(0.1)
    to_scene = LMatrix4(terrain.np.get_mat(terrain.np.get_top()))
    to_map = LMatrix4(to_scene)
    to_map.invert_in_place()
    rays, found = random_rays(tilemap, 5), []
    for ends in rays:
        result = world.ray_test_closest(*(to_scene.xform_point(Point3(*end)) for end in ends))
        point = to_map.xform_point(result.get_hit_pos()) if result.has_hit() else None
        found.append(None if point is None else tuple(point))
    assert differences(expected_points(tilemap, rays), found) == []


def picks(terrain, mask, rays):
    """Return what a CollisionRay with a "from" mask hits first, in map coordinates."""
    traverser, queue = CollisionTraverser(), CollisionHandlerQueue()
    ray = CollisionRay()
    node = CollisionNode("ray")
    node.add_solid(ray)
    node.set_from_collide_mask(mask)
    node.set_into_collide_mask(BitMask32.all_off())
    caster = terrain.np.attach_new_node(node)
    traverser.add_collider(caster, queue)
    found = []
    for start, end in rays:
        ray.set_origin(Point3(*start))
        ray.set_direction(Vec3(*np.subtract(end, start)))
        traverser.traverse(terrain.np.get_top())
        queue.sort_entries()
        entries = queue.entries
        found.append(tuple(entries[0].get_surface_point(terrain.np)) if entries else None)
    caster.remove_node()
    return found


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_a_collision_ray_picks_what_the_map_is_and_no_other_mask_hits(tree, topology):
    tilemap = random_map(topology, 8)
    terrain = shown(tree, tilemap)
    rays = random_rays(tilemap, 9)[:60]
    before = picks(terrain, GeomNode.get_default_collide_mask(), rays)
    mask = BitMask32.bit(7)
    collider = terrain.add_child(TerrainCollider3D(terrain, mask=mask))
    assert collider.mask == mask
    terrain.np.set_pos_hpr_scale((3, 4, 5), (60, 10, 0), (2, 1, 3))
    assert differences(expected_points(tilemap, rays), picks(terrain, mask, rays)) == []
    assert set(picks(terrain, ~mask & ~GeomNode.get_default_collide_mask(), rays)) == {None}
    terrain.np.clear_transform()
    assert picks(terrain, GeomNode.get_default_collide_mask(), rays) == before
    with tilemap.edit() as edit:
        for row in range(tilemap.rows):
            edit.set_level((row, 15), 9)  # at the border of two chunks
    tree.advance(0.01)
    assert differences(expected_points(tilemap, rays), picks(terrain, mask, rays)) == []


def test_the_collider_is_not_drawn_and_its_default_mask_is_its_own(terrain):
    bounds = terrain.np.get_tight_bounds()
    collider = terrain.add_child(TerrainCollider3D(terrain))
    assert collider.np.is_hidden()
    assert terrain.np.get_tight_bounds() == bounds
    others = GeomNode.get_default_collide_mask() | CollisionNode.get_default_collide_mask()
    assert not collider.mask.has_bits_in_common(others)


def test_a_ball_rolls_down_stairs(base, tree, world):
    tilemap = TileMap.from_text("432100000\n432100000\n432100000")
    with tilemap.edit() as edit:
        for col in range(4):
            edit.add_link((1, col), (1, col + 1), 1.0, "stairs")
    terrain = shown(tree, tilemap)
    terrain.add_child(TerrainBody3D(terrain, world))
    x, y, z = tilemap.surface_point((1, 0))
    ball = drop(base, world, (x, y, z + RADIUS), (1.0, 0, 0))
    touched = set()
    for _ in range(240):
        play(tree, world, 1 / 60)
        height = ball.get_z() - RADIUS
        assert height > tilemap.level_at((1, min(8, int(ball.get_x())))) * 0.5 - 0.03
        if world.contact_test(ball.node()).get_num_contacts():
            touched.add(round(height, 1))
    assert ball.get_x() > 4.0
    assert abs(ball.get_z() - RADIUS) < 0.03
    assert len(touched) > 6  # steps between the five levels
    ball.remove_node()


def test_a_ball_stops_at_a_wall_and_at_a_cliff_and_rolls_on_without(base, tree, world):
    open_ground, cliff = (TileMap.from_text("\n".join([row] * 3)) for row in ("000000", "000111"))
    assert rolled(base, tree, world, open_ground).x > 3.1
    walled = TileMap.from_text("000000\n000000\n000000")
    with walled.edit() as edit:
        edit.add_wall((1, 2), (1, 3))
    for tilemap in (walled, cliff):
        for node in tree.root.children:
            node.queue_free()
        end = rolled(base, tree, world, tilemap)
        assert 1.0 < end.x < 3.0 - RADIUS + 0.01
        assert abs(end.z - RADIUS) < 0.02


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_a_ball_that_sleeps_falls_where_its_tile_is_lowered(base, tree, world, scale):
    tilemap = TileMap.from_text("\n".join(["3" * 40] * 20))
    terrain = shown(tree, tilemap)
    terrain.np.set_scale(scale)
    body = terrain.add_child(TerrainBody3D(terrain, world))
    nodes = [child.node() for child in body.np.children]
    nodes[0].friction = 0.9
    x, y, _ = (scale * each for each in tilemap.surface_point((3, 15)))
    ball, far = (drop(base, world, (x + d, y, 1.5 * scale + RADIUS)) for d in (0, 20 * scale))
    play(tree, world, 5)
    assert not ball.node().is_active()
    with tilemap.edit() as edit:
        edit.set_level((3, 15), 1)
    play(tree, world, 0.1)
    assert ball.node().is_active()
    assert not far.node().is_active()  # on a chunk without a change
    play(tree, world, 3)
    assert abs(ball.get_z() - 0.5 * scale - RADIUS) < 0.02
    assert [child.node() for child in body.np.children] == nodes
    assert abs(nodes[0].friction - 0.9) < 1e-6
    for each in (ball, far):
        each.remove_node()


def test_a_moved_terrain_wakes_what_sleeps_on_it(base, tree, world, terrain):
    terrain.add_child(TerrainBody3D(terrain, world))
    x, y, z = terrain.tilemap.surface_point((3, 5))
    ball = drop(base, world, (x, y, z + RADIUS))
    play(tree, world, 5)
    assert not ball.node().is_active()
    terrain.np.set_z(-2)
    play(tree, world, 3)
    assert abs(ball.get_z() - (z - 2 + RADIUS)) < 0.02
    ball.remove_node()


def test_trees_are_solid_by_choice(tree, world):
    tilemap = TileMap.from_text("000\n000\n000")
    with tilemap.edit() as edit:
        edit.set_kind((1, 1), "forest")
    terrain, heights = shown(tree, tilemap), []
    for has_props in (False, True):
        body = terrain.add_child(TerrainBody3D(terrain, world, has_props=has_props))
        grid = np.linspace(0.02, 0.98, 40)
        rays = [((1 + x, -1 - y, 5), (1 + x, -1 - y, -5)) for x in grid for y in grid]
        found = [world.ray_test_closest(Point3(*a), Point3(*b)).get_hit_pos().z for a, b in rays]
        heights.append(max(found))
        body.queue_free()
        tree.advance(0.01)
    assert heights[0] < 1e-3 < 0.5 < heights[1]


@pytest.mark.parametrize("below", ["terrain", "root"])
def test_nothing_stays_in_the_world(tree, world, below):
    terrain = shown(tree, random_map("square", 1))
    parent = terrain if below == "terrain" else tree.root
    body = parent.add_child(TerrainBody3D(terrain, world))
    n_chunks = world.get_num_rigid_bodies()
    assert n_chunks == 6
    tree.root.remove_child(terrain)
    tree.advance(0.01)
    assert world.get_num_rigid_bodies() == 0
    tree.root.add_child(terrain)
    tree.advance(0.01)
    assert world.get_num_rigid_bodies() == n_chunks
    body.queue_free()
    tree.advance(0.01)
    assert world.get_num_rigid_bodies() == 0
    again = parent.add_child(TerrainBody3D(terrain, world))
    terrain.queue_free()
    for _ in range(2):
        tree.advance(0.01)
    assert again.is_freed
    assert world.get_num_rigid_bodies() == 0


def test_a_freed_terrain_is_refused(tree, terrain, world):
    terrain.queue_free()
    tree.advance(0.01)
    for node in (TerrainBody3D(terrain, world), TerrainCollider3D(terrain)):
        with pytest.raises(RuntimeError, match="its terrain was freed"):
            tree.root.add_child(node)
