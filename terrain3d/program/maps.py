"""Maps of the program: read or generated as options ask, and made in a thread."""

import argparse
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Self

from terrain3d.core.files import MapFileError, single_line
from terrain3d.core.node import Node
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.formats import registry
from terrain3d.formats.format import MapFile
from terrain3d.grid.grid import TOPOLOGIES
from terrain3d.map.heights import BYTE_ORDERS, DEFAULT_LEVELS, SPREADS, HeightRules
from terrain3d.map.landscape import landscape
from terrain3d.map.surfaces import MAX_SURFACES
from terrain3d.map.tilemap import TileMap

DEFAULTS = {"seed": 7, "rows": 30, "cols": 30, "levels": 5}
LANDSCAPE_LEVELS = 8
"""Default for a landscape: enough for its cliff."""
GENERATORS: dict[str, Callable[..., TileMap]] = {
    "landscape": landscape,
    "noise": TileMap.from_noise,
}
"""Generators of maps: a landscape with a river, a road and a bridge, or plain hills of noise."""

_ROOT: dict[str, Any] = {
    "type": Path,
    "metavar": "DIR",
    "help": "folder of all files that a Tiled map may use, default the folder of the map",
}


@dataclass(frozen=True)
class MapSource:
    """A map file, and options for what its format may not store.

    `topology` is refused if the file has another, `heights` if its format has no heights.
    `max_tiles` limits the number of tiles, on all decks together. `root` is the folder of all files
    that a Tiled map may refer to.
    """

    path: Path
    topology: str | None = None
    max_tiles: int = MAX_SURFACES
    heights: HeightRules | None = None
    root: Path | None = None

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        add = parser.add_argument
        add("source", type=Path, metavar="FILE", help="a map in any format, see docs/formats.md")
        add("--topology", choices=TOPOLOGIES, help="layout of the tiles, if the file has none")
        most = MapSource.max_tiles
        limit = f"refuse maps with more tiles, default {most}"
        add("--max-tiles", type=int, metavar="N", default=most, help=limit)
        add("--root", **_ROOT)

        def rule(name: str, what: str, **keywords: Any) -> None:  # noqa: ANN401 - of argparse
            group.add_argument(name, default=argparse.SUPPRESS, help=what, **keywords)

        group = parser.add_argument_group("how heights become levels")
        rule("--size", "map size in tiles", type=int, nargs=2, metavar=("ROWS", "COLS"))
        rule("--levels", f"how many, default {DEFAULT_LEVELS}", type=int, metavar="N")
        rule("--step", "height of a level in the unit of the file", type=float, metavar="H")
        what = "levels of equal height or equal numbers of tiles"
        rule("--spread", what, choices=SPREADS)
        rule("--as-levels", "the numbers are levels already", action="store_true")
        what = "of each number in a raw file, which is little-endian by default"
        rule("--byte-order", what, choices=BYTE_ORDERS)
        what = "height of a level, where a tile is 1"
        rule("--step-height", what, type=float, metavar="Z")

    @classmethod
    def from_options(cls, options: argparse.Namespace) -> Self:
        """Return the source for parsed options; `ValueError` if they contradict each other."""
        names = [field.name for field in fields(HeightRules)]
        given = {name: getattr(options, name) for name in names if hasattr(options, name)}
        if "size" in given:
            given["size"] = tuple(given["size"])
        rules = HeightRules(**given) if given else None
        return cls(options.source, options.topology, options.max_tiles, rules, options.root)

    def read(self) -> MapFile:
        """Return the map and notes on its file; `ValueError` if it has another topology."""
        found = registry.read(
            self.path, self.topology or "square", self.max_tiles, self.heights, self.root
        )
        if found.tilemap.topology != (self.topology or found.tilemap.topology):
            has = repr(found.tilemap.topology)
            raise ValueError(f"--topology has no effect: {self.path} is {has}")
        return found


def add_map_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; the parser must leave options that are not given out of the namespace."""
    for name, value in DEFAULTS.items():
        what = f"{name.replace('cols', 'columns')} of the map, default {value}"
        parser.add_argument(f"--{name}", type=int, metavar="N", help=what)
    parser.add_argument("--ground", choices=GENERATORS, help="default landscape, for path: noise")
    parser.add_argument("--topology", choices=TOPOLOGIES, help="tile layout, default square")
    parser.add_argument("--map", type=Path, metavar="FILE", help="a map file, see docs/formats.md")
    parser.add_argument("--root", **_ROOT)


def map_from_options(
    options: argparse.Namespace, ground: str, report: Callable[[str], object]
) -> TileMap:
    """Return the map that the options choose, by the generator `ground` if they name none.

    `report` is called with each note on a file that was read. `ValueError` or `MemoryError` if the
    map cannot be read or generated; the text names the option.
    """
    path, topology, root = (getattr(options, name, None) for name in ("map", "topology", "root"))
    if root is not None and path is None:
        raise ValueError("--root has no effect without --map")
    if path is not None:
        for name in ("ground", *DEFAULTS):
            if name != "seed" and hasattr(options, name):
                raise ValueError(f"--{name} has no effect with --map")
        try:
            found = MapSource(path, topology, root=root).read()
        except MapFileError as error:
            raise ValueError(f"--map: {error}") from None
        for note in found.notes:
            report(single_line(note))
        return found.tilemap
    size: dict[str, Any] = {name: getattr(options, name, value) for name, value in DEFAULTS.items()}
    ground = getattr(options, "ground", ground)
    if ground == "landscape" and not hasattr(options, "levels"):
        size["levels"] = LANDSCAPE_LEVELS
    return GENERATORS[ground](**size, topology=topology or "square")


class MapMaker(Node):
    """Makes one landscape at a time in a thread, so that the scene runs on meanwhile."""

    made = Signal("seed", "tilemap")
    """The map is ready; never emitted by a node that has been freed."""
    failed = Signal("reason")
    """There will be no map, as when memory is short."""

    def __init__(self) -> None:
        super().__init__("MapMaker")
        self._map: Future[TileMap] | None = None
        self._seed, self._waited_s = 0, 0.0

    @property
    def progress(self) -> str:
        """The seed and the elapsed time; "" if no map is being made."""
        if self._map is None:
            return ""
        text = "Making map {seed}: {waited} s so far"
        return tr(text, seed=self._seed, waited=f"{self._waited_s:.1f}")

    def begin(self, like: TileMap, seed: int) -> None:
        """Make a map of a seed with the size and layout of another, unless one is being made."""
        if self._map is not None:
            return
        self._map, self._seed, self._waited_s = Future(), seed, 0.0
        levels = max(like.top_level + 1, LANDSCAPE_LEVELS)
        make = partial(landscape, like.rows, like.cols, seed, levels, topology=like.topology)
        Thread(target=_run, args=(make, self._map), daemon=True).start()

    def _process(self, dt_s: float) -> None:
        self._waited_s += dt_s
        if self._map is not None and self._map.done():
            made, self._map = self._map, None
            if error := made.exception():
                why = str(error) or type(error).__name__
                self.failed.emit(tr("Map {seed} cannot be made: {why}", seed=self._seed, why=why))
            else:
                self.made.emit(self._seed, made.result())


def _run(make: Callable[[], TileMap], future: Future[TileMap]) -> None:
    try:
        future.set_result(make())
    except Exception as error:
        future.set_exception(error)
