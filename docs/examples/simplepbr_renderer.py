"""Draws the terrain by simplepbr."""

import simplepbr
from direct.showbase.ShowBase import ShowBase
from panda3d.core import AmbientLight, DirectionalLight

from terrain3d import landscape
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
simplepbr.init(max_lights=1)  # beside ambient light
base.set_background_color(0.22, 0.36, 0.60)
tree = attach(base)
terrain = Terrain3D(landscape(20, 20, seed=7), lighting="scene", has_linear_colors=True)
tree.root.add_child(terrain)
camera = tree.root.add_child(OrbitCamera3D(terrain))
sun, sky = DirectionalLight("sun"), AmbientLight("sky")
sun.set_color((3.65, 2.95, 2.79, 1))
sky.set_color((0.26, 0.36, 0.37, 1))
for light in (sun, sky):
    base.render.set_light(base.render.attach_new_node(light))
sun.set_shadow_caster(True, 2048, 2048)
sun.get_lens().set_film_size(34, 34)
sun.get_lens().set_near_far(1, 60)
base.render.find("sun").set_pos(-4, -22, 25)
base.render.find("sun").look_at(10, -10, 0)
camera.look(camera.home)
base.run()
