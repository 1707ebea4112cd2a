"""Compiling of searches, which no frame waits for."""

import copy
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack

import numpy as np

from ai.board.board import Board
from ai.compilation.jit import in_background, uncompiled
from ai.game.commander import Commander
from ai.navigation.warm_up import MOST_UNCOMPILED_TILES, warm_up
from terrain3d import Node, Signal, TileMap
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import KINDS, VOID


class Readiness(Node):
    """Compiles the searches in a thread; until then the scene's thread runs them uncompiled.

    Compiling begins at the second frame, so that it does not delay the first picture. On large maps
    orders wait for it. All units that will move have to be on the board by then. Free the node with
    its scene.
    """

    opened = Signal()
    """The first frame is drawn and the commander takes orders."""
    begun = Signal()
    """The first frame is drawn and compiling begins."""

    def __init__(self, commander: Commander) -> None:
        super().__init__("Readiness")
        self._commander = commander
        tilemap = commander.board.tilemap
        self._is_large = tilemap.rows * tilemap.cols > MOST_UNCOMPILED_TILES
        commander.is_open = False
        self._is_drawn = False
        self._compiling: Future[None] | None = None
        self._waited_s = 0.0
        self._scene = ExitStack()
        self._scene.enter_context(uncompiled())

    @property
    def progress(self) -> str:
        """What the player waits for, and the elapsed time; "" for nothing."""
        if self._commander.is_open:
            return ""
        text = "Getting ready to take orders: {waited} s so far"
        return tr(text, waited=f"{self._waited_s:.1f}")

    def _process(self, dt_s: float) -> None:
        commander = self._commander
        if not self._is_drawn:
            self._is_drawn = True
            return
        if self._compiling is None:
            self.begun.emit()
            self._compiling = in_background(_compiling(commander.board, is_large=self._is_large))
        self._waited_s += dt_s
        if not commander.is_open and (not self._is_large or self._compiling.done()):
            commander.is_open = True
            self.opened.emit()

    def _freed(self) -> None:
        self._scene.close()


def _compiling(board: Board, *, is_large: bool) -> Callable[[], object]:
    """Return a job that compiles on another map: nobody must edit one that a thread warms up with.

    On a large map itself the first query would make the graphs, for seconds, and every kind of
    search would take memory for all tiles: the job makes the graphs of all units.
    """
    units = [(unit.cell, unit.profile) for unit in board.units]
    sample = _sample(board.tilemap) if is_large else copy.copy(board.tilemap)

    def prepare() -> None:
        warm_up(sample, [profile for _, profile in units])
        for cell, profile in units if is_large else ():
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
