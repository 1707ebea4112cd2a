"""Open a commander for orders once everything that answers them is compiled."""

import copy
import threading

from ai.game.commander import Commander
from ai.game.squad_orders import warm_up_squads
from ai.navigation.warm_up import warm_up
from terrain3d import Node, Signal


class Readiness(Node):
    """Compiles the searches in threads and keeps a commander closed until they are ready.

    Compiling begins at the second frame, so that it does not delay the first picture. The search
    for squads is compiled once several units are selected. All units that will move have to be on
    the commander's board.
    """

    begun = Signal()
    """The first frame is drawn and compiling begins."""
    opened = Signal()
    """The commander takes orders."""
    squads_ready = Signal()
    """The commander takes orders for squads too."""

    def __init__(self, commander: Commander) -> None:
        super().__init__("Readiness")
        self._commander = commander
        # A copy, since a map must not be edited while another thread reads it.
        asked = copy.copy(commander.board.tilemap), [unit.profile for unit in commander.board.units]
        self._kernels = threading.Thread(target=warm_up, args=asked, daemon=True)
        self._squads = threading.Thread(target=warm_up_squads, daemon=True)
        self._is_drawn = False
        commander.is_open = commander.is_squad_ready = False

    def _process(self, _dt_s: float) -> None:
        commander = self._commander
        if not self._is_drawn:
            self._is_drawn = True
        elif self._kernels.ident is None:
            self.begun.emit()
            self._kernels.start()
        elif not commander.is_open and not self._kernels.is_alive():
            commander.is_open = True
            self.opened.emit()
        if commander.is_open and len(commander.squad) > 1 and self._squads.ident is None:
            self._squads.start()
        if not commander.is_squad_ready and self._squads.ident and not self._squads.is_alive():
            commander.is_squad_ready = True
            self.squads_ready.emit()
