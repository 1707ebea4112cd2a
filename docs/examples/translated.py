"""Shows texts in Japanese."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap, tr, translation_server
from terrain3d.view import Hud, OrbitCamera3D, Terrain3D, attach

catalog, folder = Catalog("ja"), Path("locale/ja/LC_MESSAGES")
catalog.add("{name} guards the bridge", "{name}が橋を守っている")
catalog.add("Mira", "ミラ")
folder.mkdir(parents=True, exist_ok=True)
with (folder / "game.mo").open("wb") as file:
    write_mo(file, catalog)
translation_server.add_folder("locale")
translation_server.set_language("ja")

base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(12, 12, seed=7, levels=5))
mira = board.add(Unit("Mira", (7, 5), team="blue", move=6))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
figure = terrain.add_child(Unit3D(mira))
figure.label = tr(mira.name)
commander = Commander(board)
commander.select(mira)
terrain.add_child(Commander3D(commander, camera))
hud = tree.root.add_child(Hud())
hud.status_text = tr("{name} guards the bridge", name=tr(mira.name))
camera.look(camera.home)
base.run()
