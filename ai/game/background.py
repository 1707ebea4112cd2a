"""Work in threads, which no frame waits for: the searches get ready, and other jobs."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from ai.board.board import Board
from ai.game.commander import Commander
from ai.game.warm_up import warm_up
from terrain3d import Node, Signal, TileMap
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import KINDS, VOID

T = TypeVar("T")


def in_thread(job: Callable[[], T]) -> "Future[T]":
    """Run a job in a thread of its own; the program ends after it."""
    executor = ThreadPoolExecutor(max_workers=1)
    future = executor.submit(job)
    executor.shutdown(wait=False)
    return future


class Readiness(Node):
    """Gets the searches ready; until then the commander takes no orders and asks for no search.

    `warm_up` compiles what is missing in the background; then a thread makes the graphs of all
    units, which have to be on the board when it begins. That is at the second frame, so that it
    does not delay the first picture. A program that ends does not wait for the compiler. Free the
    node with its scene.
    """

    opened = Signal()
    """The commander takes orders."""
    begun = Signal()
    """The first frame is drawn and compiling begins."""

    def __init__(self, commander: Commander) -> None:
        super().__init__("Readiness")
        self._commander = commander
        commander.is_open = False
        self._is_drawn = False
        self._compiling: Future[None] | None = None
        self._making: Future[None] | None = None
        self._waited_s = 0.0

    @property
    def progress(self) -> str:
        """What the player waits for, and the elapsed time; "" for nothing."""
        if self._commander.is_open:
            return ""
        text = "Getting ready to take orders: {waited} s so far"
        return tr(text, waited=f"{self._waited_s:.1f}")

    def _process(self, dt_s: float) -> None:
        if not self._is_drawn:
            self._is_drawn = True
            return
        board = self._commander.board
        if self._compiling is None:
            self.begun.emit()
            profiles = [unit.profile for unit in board.units]
            self._compiling = warm_up(_sample(board.tilemap), profiles, background=True)
        self._waited_s += dt_s
        if self._making is None and self._compiling is not None and self._compiling.done():
            self._making = in_thread(_graphs(board))
        if self._making is not None and self._making.done() and not self._commander.is_open:
            self._commander.is_open = True
            self.opened.emit()


def _graphs(board: Board) -> Callable[[], None]:
    """Return a job that makes the graphs of all units: on a large map that takes seconds."""
    units = [(unit.cell, unit.profile) for unit in board.units]

    def make() -> None:
        for cell, profile in units:
            board.navigation.reach(cell, 0, profile)

    return make


def _sample(tilemap: TileMap) -> TileMap:
    """Return a small map whose searches compile to the same code as those of another map.

    Nobody must edit a map that a thread warms up with.
    """
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
