"""All that reads files of unknown origin, with small files to begin with."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from ai import Board, GameRecord, MoveProfile, Unit, Waypoints
from ai.game.unit_loader import UnitLoader
from terrain3d import MapFileError, TileMap
from terrain3d.formats import raw
from terrain3d.formats.registry import FORMATS, WRITABLE
from terrain3d.look.settings import Settings, SettingsError, SettingsFile
from tests.support import tiled_files
from tests.support.gdal_files import by_gdal
from tests.support.height_files import archive_of, pictured, png_of, zipped

TILESET = '<tileset firstgid="1" source="tiles.tsx"/>'
TEMPLATE = '<object id="1" template="a.tx" y="4"/>'
BESIDE = {
    "tiles.tsx": tiled_files.of_tileset(TILESET),
    "a.tx": tiled_files.of_objects(TEMPLATE, "units"),
}
"""A map that refers to each of these files."""
CHUNKS = '<data encoding="csv"><chunk x="-1" y="0" width="2" height="1">1,2</chunk></data>'
WAYPOINTS = {"points": {"a": [0, 0], "b": [1, 1]}, "edges": [["a", "b", 1.5]]}


class Reader(NamedTuple):
    """A function that reads a file of this name, and the only errors that it may raise."""

    name: str
    read: Callable[[Path], object]
    errors: type[Exception] | tuple[type[Exception], ...]
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
    if path.suffix == ".world":
        path.with_name("part.tmx").write_text(tiled_files.one_layer("ab"))
    with patch.object(raw, "SIDES", (3, 5)):  # of SRTM tiles
        tilemap = TileMap.load(path, max_surfaces=4096)
    if "units" in tilemap.extras:
        UnitLoader(Board(tilemap), MoveProfile())


def read_waypoints(path: Path) -> None:
    """Read waypoints, which programs keep as JSON."""
    Waypoints.from_dict(json.loads(path.read_bytes()))


def json_of(value: object) -> bytes:
    """Return a value as JSON."""
    return json.dumps(value).encode()


def readers() -> list[Reader]:
    """Return all readers, each with files that it reads."""
    tilemap = ground()
    tile = np.array([[0, 300, -32768], [5, 90, 7], [8, 1, 2]], ">i2").tobytes()
    raster = by_gdal(np.arange(12.0).reshape(3, 4), nodata=5)
    samples: dict[str, list[bytes]] = {
        ".tmx": [
            tiled_files.of_data(CHUNKS, attributes=f'{tiled_files.SQUARE} infinite="1"').encode()
        ],
        ".png": [
            pictured(np.full((3, 2, 4), 255, np.uint8)),
            pictured(np.eye(3, dtype=np.uint16)),
            png_of(2, 2, 16, 2, bytes([1, *bytes(12), 4, *bytes(12)])),
        ],
        ".npz": [zipped(dem=np.eye(3, dtype=np.int16))],
        ".world": [json_of({"maps": [{"fileName": "part.tmx", "x": 9, "y": 0}], "type": "world"})],
        ".hgt": [tile],
        ".zip": [archive_of({"N46E007.hgt": tile})],
        **{suffix: [bytes(range(32))] for suffix in (".r16", ".raw")},
        **{suffix: [raster] for suffix in (".tif", ".tiff")},
        ".map": [b"type octile\nheight 2\nwidth 3\nmap\nABC\nPPP\n"],
    }
    board = Board(ground(), "sides")
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
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for suffix in WRITABLE:
            tilemap.export(path.with_suffix(suffix))
            samples.setdefault(suffix, []).append(path.with_suffix(suffix).read_bytes())
        GameRecord.of(board).save(path)
        game = path.read_bytes()
    suffixes = [suffix for known in FORMATS if known.read for suffix in known.suffixes]
    settings = {"format": "terrain3d settings", "version": 1, **Settings().as_dict()}
    template = b'<template><object gid="1" x="1"><properties/></object></template>'
    errors = (ValueError, TypeError, IndexError, RecursionError)
    return [
        *(Reader(f"a{name}", read_map, MapFileError, samples[name]) for name in suffixes),
        Reader("tiles.tsx", read_map, MapFileError, [tiled_files.PLAIN.encode()]),
        Reader("a.tx", read_map, MapFileError, [template]),
        Reader(
            "settings", lambda path: SettingsFile(path).load(), SettingsError, [json_of(settings)]
        ),
        Reader("game.tmap", GameRecord.load, MapFileError, [game]),
        Reader("waypoints", read_waypoints, errors, [json_of(WAYPOINTS)]),
    ]
