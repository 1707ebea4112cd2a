"""The rules of the selected unit as sliders, and its first path beside the one now."""

import math

import ai
from ai.game.rule_changes import RuleChanges
from ai.navigation.path import plain_number
from terrain3d import Node, view
from terrain3d.view.hud.slider_panel import SliderPanel

FIRST_PATH_WIDTH = 1.7
"""Wider than the path now, so that both are seen where they are one."""
_KEYS = (("1 to 4: choose", "comma, period: change", "0: reset"),)


class RulesView(Node):
    """Fills the panel of rules and draws the first path, in one scene; a child of Commander3D."""

    def __init__(self, commander: ai.Commander, hud: view.Hud) -> None:
        super().__init__()
        self._commander = commander
        self._changes = RuleChanges(commander)
        self.panel = hud.add_child(SliderPanel(self._changes, "rules"))
        self.ribbon = self.add_child(view.PathRibbon3D("first path"))
        self.ribbon.width, self.ribbon.raised = FIRST_PATH_WIDTH, 1.0
        self._is_stale = True

    @property
    def is_open(self) -> bool:
        """Whether the panel is shown."""
        return self.panel.is_shown

    @is_open.setter
    def is_open(self, value: bool) -> None:
        self.panel.is_shown, self._is_stale = value, True

    def toggle(self) -> None:
        """Show or hide the panel."""
        self.is_open = not self.is_open

    def mark_stale(self) -> None:
        """Show the rules again in the next frame, once for all changes until then."""
        self._is_stale |= self.is_open

    def _process(self, _dt_s: float) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        found = self._changes.comparison if self.is_open else None
        path = found.first if found else ()
        steps = found.first.steps if found else ()
        tilemap = self._commander.board.tilemap
        points = [tilemap.surface_point(cell) for cell in path]
        self.ribbon.show(points, labels=[f"+{step.cost:g}" for step in steps])
        unit = self._commander.selected
        self.panel.heading = f"Rules of {unit.name}" if unit else "Select a unit to see its rules"
        if unit and not self._changes.sliders:
            self.panel.heading += ": none of the sliders concerns it"
        prices: tuple[tuple[str, str, str], ...] = ()
        if found:
            prices = (
                ("cost by", "old rules", "new rules"),
                ("old path", _price(found.first.cost), _price(found.first_cost_now)),
                ("new path", _price(found.now_cost_first), _price(found.now.cost)),
            )
        self.panel.table = (*prices, *_KEYS)


def _price(cost: float) -> str:
    return str(plain_number(cost)) if math.isfinite(cost) else "not allowed"
