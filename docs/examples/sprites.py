"""Shows units as sprites of pixels, with a row for each direction."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D, Sprite3D, Terrain3D, attach

BODIES = """
....kkkk.... ....kkkk.... ....kkkk....
...khhhhk... ...khhhhk... ...khhhhk...
..khhhhhhk.. ..khhhhhhk.. ..khhhhhhk..
..khsssshk.. ..khhhsssk.. ..khhhhhhk..
..ksessesk.. ..khhssesk.. ..khhhhhhk..
..kssssssk.. ..khhssssk.. ..khhhhhhk..
...kssssk... ...khsssk... ...khhhhk...
..kkcwwckk.. ...kkcckk... ..kkcccckk..
.kcccwwccck. ...kccdck... .kcccccccck.
.ksccccccsk. ...kccdck... .ksccccccsk.
.kkdbbbbdkk. ...kbbsbk... .kkdbbbbdkk.
..kdccccdk.. ...kcccdk... ..kdccccdk..
"""
LEGS = """
..kppkkppk.. ..kppkkppk.. ....kppk.... ...kppppk...
..kppkkppk.. ..kbbkkppk.. ....kppk.... ..kppkkppk..
..kbbkkbbk.. ..kkkkkbbk.. ....kbbbk... ..kbbkkbbbk.
..kkkkkkkk.. ......kkkk.. ....kkkkk... ..kkk..kkkk.
"""
COLORS = {".": "00000000", "k": "2b1f2eff", "s": "f2c49aff", "e": "3a2a3cff", "b": "6b4428ff"}


def sheet(hair, cloth, dark, light, trousers):
    """Draw rows for front, left, right and back; columns: standing, and a step of each foot."""
    colors = COLORS | {"h": hair, "c": cloth, "d": dark, "w": light, "p": trousers}
    paint = {letter: list(bytes.fromhex(color)) for letter, color in colors.items()}

    def pictures(text):
        rows = [line.split() for line in text.split("\n") if line]
        return [
            np.array([[paint[dot] for dot in row] for row in part])
            for part in zip(*rows, strict=True)
        ]

    (front, side, back), (still, step, together, stride) = pictures(BODIES), pictures(LEGS)
    across = [np.vstack([side, legs]) for legs in (together, stride, stride)]
    mirrored = [picture[:, ::-1] for picture in across]
    feet = (still, step, step[:, ::-1])
    toward, away = ([np.vstack([body, legs]) for legs in feet] for body in (front, back))
    rows = (toward, mirrored, across, away)
    return np.vstack([np.hstack(row) for row in rows]).astype(np.uint8)


SHEETS = {
    "blue": sheet("8a4b2aff", "3f6fc4ff", "2c4f94ff", "e8e4d4ff", "4a4458ff"),
    "red": sheet("2f2a3aff", "c2453fff", "8f2f35ff", "f0d890ff", "5a4038ff"),
}
base = ShowBase()
tree = attach(base)
board = Board(TileMap.from_noise(16, 16, seed=7, levels=5))
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
figures = []
for name, cell, team, heading_deg in (
    ("Mira", (9, 8), "blue", 0.0),
    ("Bram", (9, 6), "blue", 270.0),
    ("Orla", (7, 8), "red", 180.0),
    ("Thorn", (8, 5), "red", 90.0),
):
    unit = board.add(Unit(name, cell, team, move=5, heading_deg=heading_deg))
    sprite = Sprite3D(
        SHEETS[team],
        {"stand": [0], "walk": [1, 0, 2, 0]},
        directions=("front", "left", "right", "back"),
        hframes=3,
        pixel_size=1.1 / 16,
    )
    figures.append(terrain.add_child(Unit3D(unit, model=sprite)))
camera.look(OrbitView(50.0, 28.0, 9.0, board.tilemap.surface_point((8, 7))))
terrain.add_child(Commander3D(Commander(board), camera))
base.run()
