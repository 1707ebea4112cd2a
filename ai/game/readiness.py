"""Take orders from the first picture on, while a thread compiles what answers them."""

import copy
from concurrent.futures import Future
from contextlib import ExitStack

from ai.compilation.uncompiled import in_background, uncompiled
from ai.game.commander import Commander
from ai.game.squad_orders import warm_up_squads
from ai.navigation.warm_up import MOST_UNCOMPILED_TILES, warm_up
from terrain3d import Node, Signal


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
        """What the player waits for, and how long already; "" for nothing."""
        names = ", ".join(unit.name for unit in self._commander.waiting_squad)
        if not names and (self._commander.is_open or not self._compiling):
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
            # A copy, since a map must not be edited while another thread reads it.
            tilemap = copy.copy(commander.board.tilemap)
            profiles = [unit.profile for unit in commander.board.units]
            self._compiling = [
                in_background(lambda: warm_up(tilemap, profiles)),
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
