"""Generates the next map in a thread, so that the scene runs on meanwhile."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Thread

from terrain3d import Node, Signal, TileMap, landscape
from terrain3d.core.translation import tr
from terrain3d.program.maps import LANDSCAPE_LEVELS


class MapMaker(Node):
    """Makes one landscape at a time."""

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
        text = "Making the map of seed {seed}: {waited} s so far"
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
                self.failed.emit(tr("No map of seed {seed}: {why}", seed=self._seed, why=why))
            else:
                self.made.emit(self._seed, made.result())


def _run(make: Callable[[], TileMap], future: Future[TileMap]) -> None:
    try:
        future.set_result(make())
    except Exception as error:
        future.set_exception(error)
