"""Maps of the program: read or generated as options ask, and made in a thread."""

import argparse
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from terrain3d.core.node import Node
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.formats import MapFileError, MapFileWarning
from terrain3d.generate.relief import MIN_ISLAND_LEVELS, MIN_ISLAND_SIZE, MIN_SIZE
from terrain3d.grid.grid import TOPOLOGIES
from terrain3d.map.landscape import landscape
from terrain3d.map.tilemap import TileMap

DEFAULTS = {"seed": 7, "rows": 30, "cols": 30, "levels": 5}
LANDSCAPE_LEVELS = 8
"""Default for a landscape: enough for its cliff."""
FIRST = {"seed": 24, "rows": 16, "cols": 16, "levels": LANDSCAPE_LEVELS}
"""The island on which the first battle is fought, one of the most beautiful of 200 seeds."""
GENERATORS: dict[str, Callable[..., TileMap]] = {
    "landscape": landscape,
    "noise": TileMap.from_noise,
    "island": partial(landscape, is_island=True),
}
"""Generators of maps: a landscape with a river, a road and a bridge, plain hills of noise, or a
landscape with a hill on an island."""


def read_map(path: Path, report: Callable[[str], object]) -> TileMap:
    """Read a map; `report` is called with the line that says what it lacks of the file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MapFileWarning)
        tilemap = TileMap.load(path)
    for warning in caught:
        report(str(warning.message))
    return tilemap


def add_map_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; the parser must leave options that are not given out of the namespace."""
    for name, value in DEFAULTS.items():
        what = f"{name.replace('cols', 'columns')} of the map, default {value}"
        what += f", of an island {FIRST[name]}"
        parser.add_argument(f"--{name}", type=int, metavar="N", help=what)
    what = "default landscape, for path: noise, for a battle of default size: island"
    parser.add_argument("--ground", choices=GENERATORS, help=what)
    parser.add_argument("--topology", choices=TOPOLOGIES, help="tile layout, default square")
    parser.add_argument("--map", type=Path, metavar="FILE", help="a map file, see docs/formats.md")


def map_from_options(
    options: argparse.Namespace, ground: str, report: Callable[[str], object]
) -> TileMap:
    """Return the map that the options choose, by the generator `ground` if they name none.

    `report` is as for `read_map`. `ValueError` or `MemoryError` if the map cannot be read or
    generated; the text names the option.
    """
    path = getattr(options, "map", None)
    if path is not None:
        for name in ("ground", "topology", *DEFAULTS):
            if name != "seed" and hasattr(options, name):
                raise ValueError(f"--{name} has no effect with --map")
        try:
            return read_map(path, report)
        except MapFileError as error:
            raise ValueError(f"--map: {error}") from None
    ground, usual = getattr(options, "ground", ground), usual_of(options, ground)
    size: dict[str, Any] = {name: getattr(options, name, value) for name, value in usual.items()}
    if ground == "landscape" and not hasattr(options, "levels"):
        size["levels"] = LANDSCAPE_LEVELS
    return GENERATORS[ground](**size, topology=getattr(options, "topology", "square"))


def usual_of(options: argparse.Namespace, ground: str) -> Mapping[str, int]:
    """Return the defaults of options, by the generator `ground` if they name none."""
    return FIRST if getattr(options, "ground", ground) == "island" else DEFAULTS


def ground_of_battle(rows: int, cols: int, levels: int = LANDSCAPE_LEVELS) -> str:
    """Return the generator of a map for a battle: an island where a landscape has no river."""
    is_small = MIN_ISLAND_SIZE <= min(rows, cols) <= max(rows, cols) <= MIN_SIZE
    return "island" if is_small and levels >= MIN_ISLAND_LEVELS else "landscape"


class MapMaker(Node):
    """Makes one map at a time in a thread, so that the scene runs on meanwhile."""

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

    def begin(self, like: TileMap, seed: int, ground: str = "landscape") -> None:
        """Make a map of a seed with the size and layout of another, unless one is being made.

        `ground` is the name of its generator.
        """
        if self._map is not None:
            return
        self._map, self._seed, self._waited_s = Future(), seed, 0.0
        levels = max(like.top_level + 1, LANDSCAPE_LEVELS)
        size = like.rows, like.cols, seed, levels
        make = partial(GENERATORS[ground], *size, topology=like.topology)
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
