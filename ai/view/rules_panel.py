"""Show two rules of the selected unit as sliders, and its first path beside the one now."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
_SHORT_KEYS = ("1, 2: choose", "comma, period: change", "0: reset")
_DOCKS = {"rules": "top right", "rules below": "bottom right"}
Row = tuple[str, str, str]


def rules_plate(
    title: str,
    sliders: Sequence[Slider],
    chosen: int,
    rows: Sequence[Row],
    move: Callable[[int, int], object],
) -> Group:
    """Return sliders with their labels and values, and rows of texts below them."""
    labels = [f"{at} {tr(each.label)}" for at, each in enumerate(sliders, start=1)]
    knobs = [
        widgets.Slider(
            each.place,
            len(each.values) - 1,
            Call(move, (number,)),
            _KNOB if number == chosen else FAINT_INK,
            is_chosen=number == chosen,
        )
        for number, each in enumerate(sliders)
    ]
    first, middle, last = zip(*rows, strict=True)
    values = titled(["", *(tr(each.text) for each in sliders), *last])
    return plate(
        row(
            column(*titled([title, *labels, *first])),
            column(Text(""), *knobs, Text("\n".join(middle), FAINT_INK)),
            column(*values),
            gap=COLUMN_GAP,
        )
    )


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
        unit, sliders = self._commander.selected, self._changes.sliders
        found = self._changes.comparison
        text = "Rules of {unit}" if unit else "Select a unit to see its rules"
        if unit and not sliders:
            text = "Rules of {unit}: none of the sliders concerns it"
        prices: tuple[Row, ...] = ()
        if found:
            prices = (
                (tr("cost by"), tr("old rules"), tr("new rules")),
                (tr("old path"), _price(found.first.cost), _price(found.first_cost_now)),
                (tr("new path"), _price(found.now_cost_first), _price(found.now.cost)),
            )
        rows = *prices, (tr(_SHORT_KEYS[0]), tr(_SHORT_KEYS[1]), tr(_SHORT_KEYS[2]))
        title = tr(text, unit=unit.name if unit else "")
        return rules_plate(title, sliders, self._chosen, rows, self._move)


def _price(cost: float) -> str:
    return plain(cost) if math.isfinite(cost) else tr("not allowed")
