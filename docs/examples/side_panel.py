"""Shows a panel of DirectGui beside the map."""

from direct.gui.DirectGui import DirectFrame, DirectLabel
from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import Hud, OrbitCamera3D, Terrain3D, attach

base = ShowBase()
base.camNode.get_display_region(0).set_dimensions(0.3, 1.0, 0.0, 1.0)
panel = DirectFrame(
    parent=base.render2d, frameSize=(-1, -0.4, -1, 1), frameColor=(0.1, 0.1, 0.15, 1)
)
DirectLabel(
    parent=panel,
    text="Your panel",
    scale=(0.04, 1, 0.07),
    pos=(-0.7, 0, 0.8),
    text_fg=(1, 1, 1, 1),
    frameColor=(0, 0, 0, 0),
)
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(16, 16, seed=7, levels=5)))
tree.root.add_child(OrbitCamera3D(terrain))
tree.root.add_child(Hud()).status_text = "This text stays beside the panel"
base.run()
