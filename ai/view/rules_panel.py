"""Show two rules of the selected unit as sliders, and its first path beside the one now."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ai.game.rule_changes import RuleChanges, Slider
from ai.view.commander_3d import CommanderView
from terrain3d.core.checks import plain
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import Color
from terrain3d.view.command import Command
from terrain3d.view.hud import widgets
from terrain3d.view.hud.widgets import (
    COLUMN_GAP,
    FAINT_INK,
    Call,
    Group,
    Text,
    column,
    plate,
    row,
    titled,
)
from terrain3d.view.scene.mark_3d import PathRibbon3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.viewport import ScreenProjection

if TYPE_CHECKING:
    from ai.game.commander import Commander
    from terrain3d.look.layout import Box
    from terrain3d.view.hud.hud import Hud

FIRST_PATH_WIDTH = 1.7
"""Wider than the path now, so that both are seen where they are one."""
_KNOB: Color = (1.0, 0.84, 0.25)
_DOCKS = {"rules": "top right", "rules below": "bottom right"}


class RulesView(CommanderView):
    """Shows the panel of rules on a Hud while it is open, takes its keys, and draws both paths."""

    def __init__(self, commander: Commander, hud: Hud) -> None:
        super().__init__(commander)
        self._hud, self._changes = hud, RuleChanges(commander)
        self._is_open, self._chosen = False, 0
        self._dock = "rules"
        self._seen: tuple[object, ...] = ()
        self.ribbon = self.add_child(PathRibbon3D("first path"))
        self.ribbon.width, self.ribbon.raised = FIRST_PATH_WIDTH, 1.0

    @property
    def is_open(self) -> bool:
        """Whether the panel is shown."""
        return self._is_open

    @is_open.setter
    def is_open(self, value: bool) -> None:
        self._is_open = value
        self.mark_stale()

    def toggle(self) -> None:
        """Show or hide the panel."""
        self.is_open = not self.is_open

    def _enter_tree(self) -> None:
        super()._enter_tree()
        choose, reset = "choose the uphill cost, the climb limit", "go back to the first values"
        change, keys = "move it to the left, to the right", "Comma / Period"
        left, right = partial(self._step, -1), partial(self._step, 1)
        commands = [
            Command("slider_1", "1", choose, partial(self._choose, 0), shown_keys="1 / 2"),
            Command("slider_2", "2", call=partial(self._choose, 1)),
            Command("slider_left", ",", change, left, shown_keys=keys, repeats=True),
            Command("slider_right", ".", call=right, repeats=True),
            Command("slider_reset", "0", reset, self._changes.reset),
        ]
        self.accept_actions(commands, "Rules", lambda: self._is_open)

    def _exit_tree(self) -> None:
        for dock in _DOCKS:
            self._hud.show(dock, None)

    def _choose(self, number: int) -> None:
        self._chosen = number
        self.mark_stale()

    def _step(self, step: int) -> None:
        if sliders := self._changes.sliders:
            slider = sliders[self._chosen]
            place = min(max(slider.place + step, 0), len(slider.values) - 1)
            self._changes.set(self._chosen, place)

    def _move(self, number: int, place: int) -> None:
        self._choose(number)
        self._changes.set(number, place)

    def _show(self) -> None:
        found = self._changes.comparison if self.is_open else None
        path = found.first if found else ()
        steps = found.first.steps if found else ()
        tilemap = self._commander.board.tilemap
        points = [tilemap.surface_point(cell) for cell in path]
        self.ribbon.show(points, labels=[f"+{step.cost:g}" for step in steps])
        for dock, corner in _DOCKS.items():
            shown = self._plate() if self.is_open and dock == self._dock else None
            self._hud.show(dock, shown, corner, 3)

    def _process(self, dt_s: float) -> None:
        super()._process(dt_s)
        box = self._hud.dock(self._dock).box
        if box is not None and self.panda.has_camera:
            self._keep_clear(box)

    def _keep_clear(self, box: Box) -> None:
        """Go to the other corner at the right if that covers less of the goal and of the paths."""
        plan, terrain = self._commander.plan, terrain_above(self)
        found = self._changes.comparison
        cells = {*(plan.path.cells if plan else ()), *(found.first if found else ())}
        cells |= {plan.cell} if plan else set()
        projection = ScreenProjection.of(self.panda.viewport, terrain.np)
        if (projection, cells) == self._seen or not cells:
            return
        self._seen = projection, cells
        points = np.array([*map(terrain.tilemap.surface_point, cells)])
        at, half = projection.in_pixels(points), projection.unit_px(points)[:, None] / 2
        other = box._replace(top=projection.size_px[1] - box.top - box.height)
        here, there = (
            ((at + half > each[:2]) & (at - half < np.add(each[:2], each[2:]))).all(axis=1).sum()
            for each in (box, other)
        )
        if there < here:
            [self._dock] = _DOCKS.keys() - {self._dock}
            self.mark_stale()

    def _plate(self) -> Group:
        """Return sliders with their labels and values, and below them what both paths cost."""
        unit, sliders = self._commander.selected, self._changes.sliders
        text = "Rules of {unit}" if unit else "Select a unit to see its rules"
        if unit and not sliders:
            text = "Rules of {unit}: none of the sliders concerns it"
        title = tr(text, unit=unit.name if unit else "")
        labels = [f"{at} {tr(each.label)}" for at, each in enumerate(sliders, start=1)]
        first = tr("cost by"), tr("old path"), tr("new path")
        prices = ["-"] * 4  # so that the sliders stay where they are when there are some
        if found := self._changes.comparison:
            by_old = found.first.cost, found.now_cost_first
            prices = [*map(_price, (*by_old, found.first_cost_now, found.now.cost))]
        middle, last = (tr("old rules"), *prices[:2]), (tr("new rules"), *prices[2:])
        knobs = [self._knob(number, each) for number, each in enumerate(sliders)]
        values = titled(["", *(tr(each.text) for each in sliders), *last])
        middles = column(Text(""), *knobs, Text("\n".join(middle), FAINT_INK))
        labeled = column(*titled([title, *labels, *first]))
        return plate(row(labeled, middles, column(*values), gap=COLUMN_GAP))

    def _knob(self, number: int, slider: Slider) -> widgets.Slider:
        is_chosen, move = number == self._chosen, Call(self._move, (number,))
        color, count = _KNOB if is_chosen else FAINT_INK, len(slider.values)
        return widgets.Slider(slider.place, count - 1, move, color, is_chosen=is_chosen)


def _price(cost: float) -> str:
    return plain(cost) if math.isfinite(cost) else tr("not allowed")
