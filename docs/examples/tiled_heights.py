"""Loads a map of Tiled with a layer of levels."""

from pathlib import Path

from direct.showbase.ShowBase import ShowBase

from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

Path("ford.tmx").write_text("""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="10" height="7" tilewidth="32" tileheight="32">
 <tileset firstgid="1" name="ground" tilewidth="32" tileheight="32" tilecount="4" columns="4">
  <image source="ground.png" width="128" height="32"/>
  <tile id="0" type="grass"/>
  <tile id="1" type="forest"/>
  <tile id="2" type="rock"/>
  <tile id="3" type="river"/>
 </tileset>
 <tileset firstgid="101" name="levels" tilewidth="32" tileheight="32" tilecount="8" columns="8">
  <image source="levels.png" width="256" height="32"/>
 </tileset>
 <layer name="ground" width="10" height="7">
  <data encoding="csv">
3,3,3,1,4,1,1,2,2,1,
3,3,1,1,4,1,1,1,2,2,
3,1,1,1,4,4,1,1,1,2,
1,1,1,1,1,4,1,1,3,1,
1,2,1,1,1,4,4,3,3,3,
2,2,2,1,1,1,4,3,3,3,
2,2,1,1,1,1,4,1,3,3
  </data>
 </layer>
 <layer name="level" width="10" height="7">
  <data encoding="csv">
106,105,104,103,102,103,103,104,104,103,
105,104,103,103,102,103,103,103,104,104,
104,103,103,103,102,102,103,103,103,104,
103,103,103,103,103,102,103,103,104,103,
103,103,103,103,103,102,102,104,105,105,
103,104,103,103,103,103,102,104,106,107,
104,104,103,103,103,103,102,103,105,106
  </data>
 </layer>
</map>
""")
tilemap = TileMap.load("ford.tmx")
assert tilemap.level_at((0, 0)) == 5
assert tilemap.kind_at((0, 4)).name == "river"

base = ShowBase()
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
camera.look(camera.framing(25.0, 38.0))
base.run()
