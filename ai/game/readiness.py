"""When a commander takes orders: as soon as what answers them is compiled, in threads beside."""

import copy
import threading

from ai.game.commander import Commander
from ai.game.squad_orders import warm_up_drill
from ai.game.warm_up import warm_up
from terrain3d import Node, Signal


class Opening(Node):
    """Keeps a commander closed until nobody waits for the answers to its orders.

    It begins at its second moment: what was there at the first has been drawn by then, and no
    picture waits for this. What plans for several units is compiled once several are selected.

    Parameters
    ----------
    commander : Commander
        All units that will move are on its board.
    """

    begun = Signal()
    opened = Signal()
    """Orders are taken."""
    drilled = Signal()
    """Orders to several units at once are taken too."""

    def __init__(self, commander: Commander) -> None:
        super().__init__("Opening")
        self._commander = commander
        # A copy, for nobody may edit it meanwhile.
        asked = copy.copy(commander.board.tilemap), [unit.profile for unit in commander.board.units]
        self._kernels = threading.Thread(target=warm_up, args=asked, daemon=True)
        self._drill = threading.Thread(target=warm_up_drill, daemon=True)
        self._is_drawn = False
        commander.is_open = commander.is_drilled = False

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
        if commander.is_open and len(commander.squad) > 1 and self._drill.ident is None:
            self._drill.start()
        if not commander.is_drilled and self._drill.ident and not self._drill.is_alive():
            commander.is_drilled = True
            self.drilled.emit()
