"""Show the rules of the selected unit as sliders, and its first path beside the one now."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ai.game.rule_changes import RuleChanges
from ai.view.commander_3d import CommanderView
from terrain3d.core.checks import plain
from terrain3d.core.signals import export
from terrain3d.core.translation import tr
from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Size
from terrain3d.mesh.overlays.flat_shapes import joined, polygon
from terrain3d.view.command import Command
from terrain3d.view.geometry import make_geom_node
from terrain3d.view.hud.hud import FAINT_INK, INK, HudPanel, Letters, Panel, letters_of
from terrain3d.view.scene.mark_3d import PathRibbon3D

if TYPE_CHECKING:
    from ai.game.commander import Commander
    from terrain3d.mesh.data import MeshData
    from terrain3d.view.hud.hud import Hud

_TRACK = " " * 32
"""Leaves room for the tracks between the labels and the values."""
FIRST_PATH_WIDTH = 1.7
"""Wider than the path now, so that both are seen where they are one."""
_SHORT_KEYS = ("1 to 4: choose", "comma, period: change", "0: reset")
# In heights of the text:
_KNOB, _LINE, _GAP = 0.34, 0.07, 0.5


class RulesView(CommanderView):
    """Fills the panel of rules and draws the first path, in one scene."""

    def __init__(self, commander: Commander, hud: Hud) -> None:
        super().__init__(commander)
        self._changes = RuleChanges(commander)
        self.panel = hud.add_child(SliderPanel(self._changes, "rules"))
        self.ribbon = self.add_child(PathRibbon3D("first path"))
        self.ribbon.width, self.ribbon.raised = FIRST_PATH_WIDTH, 1.0

    @property
    def is_open(self) -> bool:
        """Whether the panel is shown."""
        return self.panel.is_shown

    @is_open.setter
    def is_open(self, value: bool) -> None:
        self.panel.is_shown = value
        self.mark_stale()

    def toggle(self) -> None:
        """Show or hide the panel."""
        self.is_open = not self.is_open

    def _show(self) -> None:
        found = self._changes.comparison if self.is_open else None
        path = found.first if found else ()
        steps = found.first.steps if found else ()
        tilemap = self._commander.board.tilemap
        points = [tilemap.surface_point(cell) for cell in path]
        self.ribbon.show(points, labels=[f"+{step.cost:g}" for step in steps])
        unit = self._commander.selected
        text = "Rules of {unit}" if unit else "Select a unit to see its rules"
        if unit and not self._changes.sliders:
            text = "Rules of {unit}: none of the sliders concerns it"
        self.panel.heading = tr(text, unit=unit.name if unit else "")
        prices: tuple[tuple[str, str, str], ...] = ()
        if found:
            prices = (
                (tr("cost by"), tr("old rules"), tr("new rules")),
                (tr("old path"), _price(found.first.cost), _price(found.first_cost_now)),
                (tr("new path"), _price(found.now_cost_first), _price(found.now.cost)),
            )
        self.panel.table = (*prices, (tr(_SHORT_KEYS[0]), tr(_SHORT_KEYS[1]), tr(_SHORT_KEYS[2])))


def _price(cost: float) -> str:
    return plain(cost) if math.isfinite(cost) else tr("not allowed")


class SliderPanel(HudPanel):
    """Shows rules as sliders with a small table below; a child of a `Hud`, which arranges it.

    Parameters
    ----------
    model : RuleChanges
    name : str
    """

    rank = 3

    is_shown = export(False, doc="whether it is shown and takes keys")
    heading = export("", doc="the first line")
    color = export((1.0, 0.84, 0.25), range=(0.0, 1.0), doc="color of the chosen slider's knob")

    def __init__(self, model: RuleChanges, name: str = "") -> None:
        super().__init__(name)
        self.table: Sequence[tuple[str, str, str]] = ()
        """Rows of three texts below the sliders."""
        self._model, self._chosen = model, 0
        self._held = -1
        self._panel = Panel(self.np, "text")
        self._tracks = self.np.attach_new_node("tracks")
        self._letters = letters_of(1)
        self._built: tuple[object, ...] = ()

    def sizes(self, letters: Letters, window: Size) -> Sequence[Size]:  # noqa: ARG002 - DockedPanel
        """Return its size with all sliders and the table."""
        self._letters = letters
        return [letters.plate_size(self._columns())] if self.is_shown else []

    def show_as(self, choice: int | None) -> None:
        """Show the panel; hide it if None."""
        if choice is None:
            self.np.hide()
            self._size = None
            return
        self.np.show()
        self._panel.write(self._letters, self._columns(), has_heading=True)
        self._size = self._panel.size
        self._tracks.remove_node()
        shapes = [shape for row in range(len(self._model.sliders)) for shape in self._track(row)]
        self._tracks = self.np.attach_new_node(make_geom_node("tracks", joined(shapes)), 1)

    def press(self, button: str, point: tuple[float, float]) -> None:
        """Move the slider at the pointer to it."""
        _, y = self._on_plate(point)
        self._held = int((y - self._letters.padding_px) // self._letters.line_px) - 1
        self.drag(button, point)

    def drag(self, button: str, point: tuple[float, float]) -> None:
        """Move the slider that was pressed to the pointer."""
        sliders = self._model.sliders
        if button != "left" or not 0 <= self._held < len(sliders):
            return
        x, _ = self._on_plate(point)
        self._chosen = self._held
        left, right = self._ends()
        last = len(sliders[self._held].values) - 1
        place = round(min(max((x - left) / (right - left), 0.0), 1.0) * last)
        self._model.set(self._held, place)

    def _enter_tree(self) -> None:
        super()._enter_tree()
        self.accept_actions(self._commands(), "Rules", lambda: self.is_shown)

    def _process(self, _dt_s: float) -> None:
        places = [slider.place for slider in self._model.sliders]
        wanted = (self.is_shown and (self._columns(), self._chosen, places), self.color)
        if wanted != self._built:
            self._built = wanted
            self._rearrange()

    def _commands(self) -> list[Command]:
        left, reset = "move it to the left, to the right", "go back to the first values"
        return [
            Command("choose_slider", text="choose a slider", shown_keys="1 to 9"),
            *(
                Command(f"slider_{n}", str(n), call=partial(self._choose, n - 1))
                for n in range(1, 10)
            ),
            Command(
                "slider_left",
                ",",
                left,
                partial(self._step, -1),
                shown_keys="Comma / Period",
                repeats=True,
            ),
            Command("slider_right", ".", call=partial(self._step, 1), repeats=True),
            Command("slider_reset", "0", reset, self._model.reset),
        ]

    def _choose(self, number: int) -> None:
        if number < len(self._model.sliders):
            self._chosen = number

    def _step(self, step: int) -> None:
        sliders = self._model.sliders
        if self._chosen < len(sliders):
            slider = sliders[self._chosen]
            place = min(max(slider.place + step, 0), len(slider.values) - 1)
            self._model.set(self._chosen, place)

    def _columns(self) -> list[str]:
        """Return the texts of the panel: labels, room for the tracks, values."""
        sliders = self._model.sliders
        rows = [(self.heading, "", "")]
        for at, each in enumerate(sliders, start=1):
            rows.append((f"{at} {tr(each.label)}", _TRACK, tr(each.text)))
        rows += self.table
        return ["\n".join(column) for column in zip(*rows, strict=True)]

    def _ends(self) -> tuple[float, float]:
        """Return the left and the right end of the tracks in pixels."""
        labels, tracks, _ = self._columns()
        left = self._letters.left_px(has_bar=False) + self._letters.column_width(labels)
        gap = self._letters.gap_px
        inset = _GAP * self._letters.size_px
        return left + gap + inset, left + gap + self._letters.column_width(tracks) - inset

    def _track(self, row: int) -> list[MeshData]:
        """Return the line of a slider and its knob, on the plate."""
        px, slider = self._letters.size_px, self._model.sliders[row]
        left, right = self._ends()
        y = self._letters.padding_px + (row + 1.5) * self._letters.line_px
        part = slider.place / max(1, len(slider.values) - 1)
        is_chosen = row == self._chosen
        shade: Color = self.color if is_chosen else FAINT_INK
        radius = _KNOB * px * (1.2 if is_chosen else 1.0)
        low, high = -y - _LINE * px, -y + _LINE * px
        line = np.array([(left, low), (right, low), (right, high), (left, high)])
        turn = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
        x = left + part * (right - left)
        knob = np.stack([x + radius * np.cos(turn), -y + radius * np.sin(turn)], axis=1)
        return [
            polygon(np.insert(points, 1, 0.0, axis=1), *paint)
            for points, *paint in ((line, INK, 0.45), (knob, shade))
        ]
