"""Take orders from the first picture on, while a thread compiles what answers them."""

import copy
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial

import numpy as np

from ai.board.board import Board
from ai.compilation.uncompiled import in_background, uncompiled
from ai.game.commander import Commander
from ai.game.squad_orders import warm_up_squads
from ai.navigation.warm_up import MOST_UNCOMPILED_TILES, warm_up
from terrain3d import Node, Signal, TileMap
from terrain3d.grid.kinds import KINDS, VOID


class Readiness(Node):
    """Compiles the searches in a thread; until then the scene's thread runs them uncompiled.

    Compiling begins at the second frame, so that it does not delay the first picture. Orders to
    squads wait for it, and on large maps all orders. All units that will move have to be on the
    board by then. Free the node with its scene.
    """

    opened = Signal()
    """The first frame is drawn and the commander takes orders."""
    begun = Signal()
    """The first frame is drawn and compiling begins."""
    squads_ready = Signal()
    """The commander carries out orders to squads."""

    def __init__(self, commander: Commander) -> None:
        super().__init__("Readiness")
        self._commander = commander
        tilemap = commander.board.tilemap
        self._is_large = tilemap.rows * tilemap.cols > MOST_UNCOMPILED_TILES
        commander.is_open = commander.is_squad_ready = False
        self._is_drawn = False
        self._compiling: list[Future[None]] = []  # the searches, the squad planner
        self._waited_s = 0.0
        self._scene = ExitStack()
        self._scene.enter_context(uncompiled())

    @property
    def progress(self) -> str:
        """What the player waits for, and the elapsed time; "" for nothing."""
        names = ", ".join(unit.name for unit in self._commander.waiting_squad)
        if not names and self._commander.is_open:
            return ""
        what = f"{names} will go" if names else "Orders are taken"
        return f"{what} once the search is ready: {self._waited_s:.1f} s so far"

    def _process(self, dt_s: float) -> None:
        commander = self._commander
        if not self._is_drawn:
            self._is_drawn = True
            return
        if not self._compiling:
            self.begun.emit()
            board = commander.board
            self._compiling = [
                in_background(_for_large(board) if self._is_large else _for_small(board)),
                in_background(warm_up_squads),
            ]
        self._waited_s += dt_s
        searches, squads = self._compiling
        if not commander.is_open and (not self._is_large or searches.done()):
            commander.is_open = True
            self.opened.emit()
        if not commander.is_squad_ready and squads.done():
            commander.is_squad_ready = True
            self.squads_ready.emit()

    def _freed(self) -> None:
        self._scene.close()


def _for_small(board: Board) -> Callable[[], object]:
    """Return a job that compiles on a copy: nobody must edit a map that a thread warms up with."""
    profiles = [unit.profile for unit in board.units]
    return partial(warm_up, copy.copy(board.tilemap), profiles)


def _for_large(board: Board) -> Callable[[], object]:
    """Return a job that compiles on a small map and makes the graphs of all units.

    On the map itself the first query would make them, for seconds, and every kind of search would
    take memory for all tiles.
    """
    units = [(unit.cell, unit.profile) for unit in board.units]
    sample = _sample(board.tilemap)

    def prepare() -> None:
        warm_up(sample, [profile for _, profile in units])
        for cell, profile in units:
            board.navigation.reach(cell, 0, profile)

    return prepare


def _sample(tilemap: TileMap) -> TileMap:
    """Return a small map whose searches compile to the same code as those of another map."""
    kinds = [kind for kind in tilemap.kinds if kind.name != VOID.name] or KINDS
    sample = TileMap(np.zeros((4, 4), np.int16), None, kinds, topology=tilemap.topology)
    with sample.edit() as edit:
        for deck in range(tilemap.n_decks):
            edit.add_deck((1, 1), 2 * deck + 2, kinds[0].name)
        for link in tilemap.links[:1]:
            edit.add_link((0, 0), (3, 3), link.cost)
        if tilemap.walls:
            edit.add_wall((0, 0), (0, 1))
    return sample
