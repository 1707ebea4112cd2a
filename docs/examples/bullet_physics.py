"""Rolls balls down stairs with Bullet; a click on a tile lowers it."""

from direct.showbase.ShowBase import ShowBase
from panda3d import bullet

from terrain3d import Rect, TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
tilemap = TileMap.from_text("\n".join(["776543222222"] * 5))
with tilemap.edit("stairs and a wall") as edit:
    for row in range(5):
        edit.add_wall((row, 9), (row, 10))
    for col in range(1, 6):
        edit.add_link((2, col), (2, col + 1), cost=1, kind="stairs")
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(camera.framing(heading_deg=28, pitch_deg=26))

world = bullet.BulletWorld()
world.set_gravity((0, 0, -9.81))
ground = bullet.BulletRigidBodyNode("ground")
terrain.np.attach_new_node(ground)


def make_solid(_rect):
    """Give the ground the shape that is drawn, and wake what rests on it.

    On a large map there would be a body for each part, made again if it meets the edited rectangle.
    """
    mesh = bullet.BulletTriangleMesh()
    mesh.add_geom(terrain.geom_of(Rect(0, 0, tilemap.rows, tilemap.cols)))
    world.remove(ground)
    for shape in ground.shapes:
        ground.remove_shape(shape)
    ground.add_shape(bullet.BulletTriangleMeshShape(mesh, dynamic=False))
    world.attach(ground)
    for body in world.rigid_bodies:
        body.set_active(True)


world.attach(ground)
tilemap.changed.connect(make_solid)
make_solid(None)


def roll(cell):
    """Start a ball to the east."""
    body = bullet.BulletRigidBodyNode("ball")
    body.set_mass(1)
    body.add_shape(bullet.BulletSphereShape(0.2))
    body.set_linear_velocity((1.2, 0, 0))
    world.attach(body)
    x, y, z = tilemap.surface_point(cell)
    np = terrain.np.attach_new_node(body)
    np.set_pos(x, y, z + 0.2)
    look = base.loader.load_model("smiley")
    look.set_scale(0.2)
    look.reparent_to(np)
    terrain.daylight.add_subject(look)


for row in range(5):
    roll((row, 1))


def lower(cell, _button):
    if cell is not None and tilemap.level_at(cell) >= 2:
        with tilemap.edit("pit") as edit:
            edit.set_level(cell, tilemap.level_at(cell) - 2)


def step(task):
    world.do_physics(base.clock.dt, 10, 1 / 180)
    return task.cont


terrain.tile_clicked.connect(lower)
base.task_mgr.add(step, "physics")
base.run()
