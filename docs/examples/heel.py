"""Lets a dog go to the tile under the pointer, by a behavior of your own."""

from direct.showbase.ShowBase import ShowBase

from ai import Autopilot, Behavior, Board, Unit
from ai.view import Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, TileCursor3D, attach


class Heel(Behavior):
    """Goes to the tile of a cursor."""

    def __init__(self, cursor):
        self.cursor = cursor

    def _choose(self, situation):
        if self.cursor.cell is None:
            return "points at no tile"
        path = situation.find_path(self.cursor.cell)
        return path.cells[1] if path.steps else path.reason or "is there"


base = ShowBase()
board = Board(TileMap.from_text("000000\n012210\n012210\n000000"))
dog = board.add(Unit("Dog", (3, 0)))
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(board.tilemap))
tree.root.add_child(OrbitCamera3D(target=terrain))
terrain.add_child(Unit3D(dog)).label = dog.name  # lets the unit walk, and shows its pose
cursor = terrain.add_child(TileCursor3D())
autopilot = tree.root.add_child(Autopilot(board))
autopilot.assign(dog, Heel(cursor))
base.run()
