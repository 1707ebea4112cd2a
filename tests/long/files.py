"""Damaged files and their readers, which raise nothing but `MapFileError`.

An error fits on a line. A file takes at most MAX_S, and the process at most MAX_MB of memory.
"""

import json
import random
import re
import resource
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ai import Board, GameRecord, MoveProfile, Unit
from ai.game.unit_loader import UnitLoader
from terrain3d import MapFileError, TileMap
from terrain3d.formats import MapFileWarning
from tests.long import Kind, by_seed
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
        for name in ("a.tmap", "a.tmj", "a.tmx", "game.tmap"):
            path = Path(folder) / name
            (GameRecord.of(board) if name == "game.tmap" else tilemap).save(path)
            saved[name] = path.read_bytes()
    infinite = f'{tiled_files.SQUARE} infinite="1"'
    chunks = tiled_files.of_data(CHUNKS, attributes=infinite).encode()
    template = b'<template><object gid="1" x="1"><properties/></object></template>'
    return [
        Reader("a.tmap", read_map, [saved["a.tmap"]]),
        Reader("a.tmj", read_map, [saved["a.tmj"]]),
        Reader("a.tmx", read_map, [saved["a.tmx"], chunks]),
        Reader("tiles.tsx", read_map, [tiled_files.PLAIN.encode()]),
        Reader("a.tx", read_map, [template]),
        Reader("game.tmap", GameRecord.load, [saved["game.tmap"]]),
    ]


MAX_S, MAX_MB = 10, 2048
WORDS = (
    *("0", "1", "-1", "3", "63", "256", "65536", "9999999999", "1e999", "nan", "1.5", "odd", "x"),
    *("csv", "base64", "zstd", "hexagonal", "isometric", "true", "level", "void", "#"),
    *("grass", "name", "unit", "link", "wall", "1,2,3,4,1,1", "json:[", "é", ""),
)
"""Texts and numbers that take the place of others."""
VALUES = (None, True, -1, 0, 255, 2**16, 2**31, 2**64, 10**400, 0.5, "", "void", "g", [], {}, [1])
"""Values of JSON that take the place of others."""

_WORD = re.compile(r'("[^"]*"|(?<=[: \[,])-?[0-9.]+(?=[,\]} \n]))')
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return a file with bytes, words, lines or values of JSON changed, or cut short."""
    match rng.randrange(5):
        case 0:
            return data[: rng.randrange(len(data))]
        case 1:
            parts = _WORD.split(data.decode("latin-1"))
            for place in rng.choices(range(1, len(parts), 2), k=2) if len(parts) > 1 else ():
                quote = '"' * parts[place].startswith('"')
                parts[place] = f"{quote}{rng.choice(WORDS)}{quote}"
            return "".join(parts).encode("utf-8")
        case 2:
            lines = data.split(b"\n")
            place = rng.randrange(len(lines))
            lines[place : place + 1] = rng.sample(lines, rng.randrange(min(3, len(lines) + 1)))
            return b"\n".join(lines)
        case 3 if data.lstrip().startswith((b"{", b"[")):
            fields = json.loads(data)
            for owner, name in rng.choices(list(_places(fields)), k=2):
                if isinstance(owner, dict) and rng.random() < 0.3:
                    owner.pop(name, None)
                else:
                    owner[name] = rng.choice(VALUES)
            return json.dumps(fields).encode()
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 4))):
        place = rng.randrange(len(changed) + 1)
        changed[place : place + rng.randrange(12)] = rng.randbytes(rng.randrange(6))
    return bytes(changed)


def _places(value: object) -> Iterator[tuple[object, object]]:
    """Yield each list or object of JSON with each of its indices or names."""
    parts = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for name, part in parts:
        yield value, name
        if isinstance(part, dict | list):
            yield from _places(part)


def faults(reader: Reader, n_files: int, seed: int, folder: Path) -> Iterator[tuple[bytes, str]]:
    """Yield damaged files that a reader does not refuse as it should, with the reason."""
    rng = random.Random(seed)
    path = folder / reader.name
    for _ in range(n_files):
        data = damaged(rng.choice(reader.samples), rng)
        path.write_bytes(data)
        begin_s = time.perf_counter()
        try:
            reader.read(path)
        except MapFileError as error:
            said = str(error)
            is_fit = said.isprintable() and len(said) < 600 and not _ADDRESS.search(said)
            if not (is_fit and str(folder) in error.source):
                yield data, said
        except Exception as error:
            yield data, repr(error)
        if (seconds := time.perf_counter() - begin_s) > MAX_S:
            yield data, f"takes {seconds:.0f} s"


FILES_PER_SEED = 100


def check(seed: int) -> Counter[str]:
    """Damage some files of each reader, and read them."""
    found = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", MapFileWarning)
        for reader in readers():
            for data, problem in faults(reader, FILES_PER_SEED, seed, Path(folder)):
                found.append(f"{reader.name}: {problem[:300]}: {data[:300]!r}")
    assert not found, "\n".join(found)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert peak_mb <= MAX_MB, f"{peak_mb:.0f} MB"
    return Counter({"files of each reader": FILES_PER_SEED})


KIND = Kind("files of each reader", 10_000, by_seed(check))
