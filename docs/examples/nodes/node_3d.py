"""Adds a node of your own, a flag that turns."""

from direct.showbase.ShowBase import ShowBase
from panda3d.core import CardMaker

from terrain3d import Signal, TileMap, export
from terrain3d.view import Node3D, OrbitCamera3D, Terrain3D, attach


class Flag(Node3D):
    turned = Signal("heading_deg")
    speed = export(90.0, range=(0.0, 720.0), doc="degrees a second")

    def _enter_tree(self):
        self._card = self.np.attach_new_node(CardMaker("cloth").generate())
        self._card.set_two_sided(True)
        self.accept("space", self.turn)

    def _exit_tree(self):
        self._card.remove_node()

    def _process(self, dt_s):
        self.np.set_h(self.np.get_h() + self.speed * dt_s)

    def turn(self):
        self.speed = 720.0 - self.speed
        self.turned.emit(self.np.get_h())


base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
tree.root.add_child(OrbitCamera3D(target=terrain))
flag = terrain.add_child(Flag())
flag.np.set_pos(*terrain.tilemap.surface_point((8, 8)))
flag.turned.connect(lambda _heading_deg: print("turned"))
base.run()
