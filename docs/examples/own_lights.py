"""Lights the terrain by lights and fog of the scene."""

from direct.showbase.ShowBase import ShowBase
from panda3d.core import AmbientLight, DirectionalLight, Fog

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import landscape
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
base.set_background_color(0.16, 0.13, 0.22)
tree = attach(base)
board = Board(landscape(20, 20, seed=7))
terrain = tree.root.add_child(Terrain3D(board.tilemap, lighting="scene"))
camera = tree.root.add_child(OrbitCamera3D(terrain))
terrain.add_child(Unit3D(board.add(Unit("Mira", (10, 9)))))
moon, night, mist = DirectionalLight("moon"), AmbientLight("night"), Fog("mist")
moon.set_color((0.75, 0.62, 0.85, 1))
night.set_color((0.30, 0.26, 0.42, 1))
mist.set_color(0.16, 0.13, 0.22)
mist.set_exp_density(0.012)
for light in (moon, night):
    base.render.set_light(base.render.attach_new_node(light))
base.render.find("moon").look_at(0.4, 0.6, -0.8)
base.render.set_fog(mist)
camera.look(camera.home)
base.run()
