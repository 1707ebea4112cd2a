"""What reads maps of unknown origin, with small files to begin with."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ai import Board, GameRecord, MoveProfile, Unit
from ai.game.unit_loader import UnitLoader
from terrain3d import TileMap
from tests.support import tiled_files

TILESET = '<tileset firstgid="1" source="tiles.tsx"/>'
TEMPLATE = '<object id="1" template="a.tx" y="4"/>'
BESIDE = {
    "tiles.tsx": tiled_files.of_tileset(TILESET),
    "a.tx": tiled_files.of_objects(TEMPLATE, "units"),
}
"""A map that refers to each of these files."""
CHUNKS = '<data encoding="csv"><chunk x="-1" y="0" width="2" height="1">1,2</chunk></data>'


class Reader(NamedTuple):
    """A function that reads a file of this name and may raise `MapFileError` alone."""

    name: str
    read: Callable[[Path], object]
    samples: list[bytes]


def ground() -> TileMap:
    """Return a small map with all that a map can hold."""
    tilemap = TileMap.from_noise(5, 4, seed=3, levels=3)
    with tilemap.edit() as edit:
        edit.add_deck([(1, 1), (1, 2)], level=5)
        edit.add_link((0, 0), (4, 3), cost=2)
        edit.add_wall((2, 1), (2, 2))
    tilemap.extras["units"] = [{"name": "Mira", "cell": [0, 1], "mover": "flyer", "move": 3}]
    return tilemap


def read_map(path: Path) -> None:
    """Read a map, or a map that refers to this file, and the units in it."""
    if path.name in BESIDE:
        text = BESIDE[path.name]
        path = path.with_name("map.tmx")
        path.write_text(text)
    tilemap = TileMap.load(path, max_surfaces=4096)
    if "units" in tilemap.extras:
        UnitLoader(Board(tilemap), MoveProfile())


def readers() -> list[Reader]:
    """Return all readers, each with files that it reads."""
    tilemap, board = ground(), Board(ground(), "sides")
    mira = board.add(Unit("Mira", (0, 1)))
    board.move(mira, board.reach(mira).cells[-1])
    board.end_turn()
    with board.action("Dig", by=mira) as action:
        action.set(mira, hp=3, bag=["key", {"gold": 2.5}])
        action.add(Unit("Odo", (3, 3), "red"))
        with action.edit() as edit:
            edit.set_level((4, 0), 2)
            edit.add_wall((3, 0), (3, 1))
    board.remove(mira)
    saved = {}
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".tmap", ".tmj", ".tmx"):
            path = Path(folder) / f"a{suffix}"
            tilemap.save(path)
            saved[suffix] = path.read_bytes()
        path = Path(folder) / "game.tmap"
        GameRecord.of(board).save(path)
        game = path.read_bytes()
    infinite = f'{tiled_files.SQUARE} infinite="1"'
    chunks = tiled_files.of_data(CHUNKS, attributes=infinite).encode()
    template = b'<template><object gid="1" x="1"><properties/></object></template>'
    return [
        Reader("a.tmap", read_map, [saved[".tmap"]]),
        Reader("a.tmj", read_map, [saved[".tmj"]]),
        Reader("a.tmx", read_map, [saved[".tmx"], chunks]),
        Reader("tiles.tsx", read_map, [tiled_files.PLAIN.encode()]),
        Reader("a.tx", read_map, [template]),
        Reader("game.tmap", GameRecord.load, [game]),
    ]
