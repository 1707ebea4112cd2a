"""Show turns: what enemies do in theirs, and which tiles they could reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ai.game import descriptions
from ai.game.battle_commander import BattleCommander
from ai.view.commander_3d import CommanderView
from terrain3d.core.translation import tr
from terrain3d.look.palettes import Palette
from terrain3d.view.scene.mark_3d import TileOverlay3D

if TYPE_CHECKING:
    from ai.board.log import Entry
    from ai.board.unit import Unit
    from ai.game.commander import Commander
    from ai.view.commander_3d import Commander3D


class TurnsView(CommanderView):
    """Shows turns and threat of one scene.

    The scene passes keys and settings on. The camera follows units that act by themselves.
    """

    def __init__(
        self,
        commander: Commander,
        commander_3d: Commander3D,
        show_message: Callable[[str], None],
    ) -> None:
        super().__init__(commander)
        self._commander_3d = commander_3d
        self._show_message = show_message
        self.threat_overlay = TileOverlay3D("threat")
        self.threat_overlay.shows_labels = self.threat_overlay.is_dashed = True
        self.threat_overlay.icon = "diamond"
        self.add_child(self.threat_overlay)
        self.danger_overlay = self.add_child(TileOverlay3D("first threatened step"))
        self.danger_overlay.shows_labels = True
        self._is_shown = False
        commander.board.changed.connect(self._follow, weak=True)

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        for overlay in (self.threat_overlay, self.danger_overlay):
            overlay.color, overlay.is_hatched = palette.threat, palette.is_hatched
        self.mark_stale()

    def toggle_threat(self) -> None:
        """Show or hide which tiles enemies could reach or strike."""
        if self._commander.threat is None:
            self._show_message(tr("Select a unit to see what threatens its team"))
            return
        self._is_shown = not self._is_shown
        self.mark_stale()
        text = "What enemies could reach or strike is not marked any more"
        if self._is_shown:
            text = "What enemies could reach or strike is marked, and how many could"
        self._show_message(tr(text))

    def _show(self) -> None:
        commander, takes_orders = self._commander, self._commander_3d.takes_orders
        threat = commander.threat if self._is_shown and takes_orders else None
        aimed = None if commander.aim is None else commander.unit_seen_at(commander.aim)
        is_other = aimed is not None and aimed is not commander.selected
        one = threat.cells_of(aimed) if threat and aimed and is_other else []
        cells = one if one or threat is None else threat.cells
        counts = [] if one or threat is None else [int(threat.count[cell[:2]]) for cell in cells]
        self.threat_overlay.show(cells, [str(count) if count > 1 else "" for count in counts])
        first, plan = commander.first_threatened if takes_orders else None, commander.plan
        danger = [] if first is None or plan is None else [plan.path.cells[first]]
        self.danger_overlay.show(danger, ["!"] * len(danger))

    def _follow(self, entry: Entry) -> None:
        if entry.begins_turn:
            self._begin_turn()
        for change in entry.changes if entry.kind == "move" and not entry.is_undo else ():
            self._watch(self._commander.board.unit(change.unit))

    def _begin_turn(self) -> None:
        commander = self._commander
        commander.select(None)
        if not commander.is_players_turn:
            self._commander_3d.cursor.cell = None  # it marks the unit that has acted last
        elif self._commander_3d.takes_orders:
            self._commander_3d.select_next()
        self._show_message(descriptions.describe_turn(commander.board, commander.team))

    def _watch(self, unit: Unit) -> None:
        """Let the camera follow a unit of another team while it acts."""
        is_fought = isinstance(self._commander, BattleCommander)  # which shows what is seen
        if not (self._commander.is_players_turn or is_fought):
            self._commander.select(unit)
