"""Show blows: forecasts over figures, strikes and shots, numbers that rise, and a log."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import NodePath, Point3, TextNode

from ai.game.blow_texts import forecast_cards, log_lines, outcomes
from ai.view.commander_3d import CommanderView
from ai.view.unit_3d import LUNGE_S, SWING_PART, Unit3D
from terrain3d.core.signals import Signal
from terrain3d.core.translation import tr
from terrain3d.look.icons import ICONS
from terrain3d.look.layout import Box, Boxes, move_clear
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import DARK, joined, polygon
from terrain3d.mesh.solids import ball, glowing, rod
from terrain3d.view.command import Command
from terrain3d.view.font import drawable, text_node
from terrain3d.view.geometry import make_geom_node, set_unlit
from terrain3d.view.hud.widgets import Call, Space, fit_to_pixels, letters_of, plate, titled
from terrain3d.view.window.panda_tree import Control, Node3D
from terrain3d.view.window.viewport import ScreenProjection

if TYPE_CHECKING:
    from ai.board.log import Entry
    from ai.board.unit import Unit
    from ai.game.battle import Blow
    from ai.game.blow_texts import Outcome
    from ai.game.commander import Commander
    from ai.view.figures_3d import Figures3D
    from terrain3d.grid.kinds import Color
    from terrain3d.look.orbit import Point
    from terrain3d.view.hud.hud import Hud
    from terrain3d.view.hud.ui import Version
    from terrain3d.view.window.viewport import Viewport

RISE_S, HIT_S = 1.1, 0.6
"""How long a number is shown, and how long after a hit the next blow begins."""
_TEXT_PART, _RISE_PART, _UP_PART = 1 / 20, 0.05, 0.035  # of the window's height
_APART = 0.5  # between texts side by side, in heights of a text
_HEAD_Z, _CHEST_Z, _ARC, _LONG, _ARC_POINTS = 1.2, 0.6, 0.7, 4.0, 25
_STOP_S, _HARD_PART = 0.12, 0.3
"""How long a hit stops both, if it takes this part of all hit points or is the last one."""
_FLIGHT_TILES_S, _LEAST_FLIGHT_S, _SWEEP_S, _VIEW_S = 9.0, 0.16, 0.18, 0.8
_NEAR_TILES, _PAST = 1.7, 0.7
_IN_VIEW = 0.92
_INKS: Mapping[str, Color] = MappingProxyType(
    {"poison": (0.62, 0.92, 0.40), "fall": (1.0, 0.78, 0.42)}
)
_LOST, _OTHER = (1.0, 0.42, 0.34), (0.86, 0.88, 0.92)
_SHOTS: Mapping[str, tuple[Color, float]] = MappingProxyType(
    {
        "poison": ((0.45, 0.85, 0.25), 0.10),
        "fire": ((1.0, 0.55, 0.15), 0.14),
        "gust": ((0.85, 0.93, 1.0), 0.12),
        "pillar": ((0.62, 0.56, 0.48), 0.12),
    }
)
"""Color and radius of what flies, by the name of the skill; a bow shoots an arrow."""
_LINES = 16, 10, 6
"""How many lines the log shows: as many as there is room for."""


def icon_of(skill: str) -> str:
    """Return the icon of a skill; that of any skill for one without an icon of its own."""
    return skill if skill in ICONS or not skill else "skill"


def show_forecast(
    blows: Sequence[Blow], figures: Mapping[Unit, Unit3D], full: Mapping[str, float]
) -> None:
    """Show over each figure what blows may do to its unit; nothing over all others.

    `full` are the hit points of a full bar, by the names of units.
    """
    cards = forecast_cards(blows)
    for unit, figure in figures.items():
        if (card := cards.get(unit)) is None:
            figure.show_forecast(())
        else:
            loss = min(card.loss / full[unit.name], 1.0) if full.get(unit.name) else 0.0
            figure.show_forecast((unit.name, *card.lines), icon_of(card.skill), loss)


@dataclass
class _Rising:
    """A text that rises from a point of the map."""

    text: str
    point: Point
    color: Color
    np: NodePath
    age_s: float = 0.0


class RisingTexts(Control):
    """Shows texts that rise from points of the map and vanish, over all that could hide them.

    They cover neither panels nor each other.
    """

    label_rank = -2

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._shown: list[_Rising] = []
        self.boxes: list[Box] = []
        """Where they are in the window, in pixels."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts shown."""
        return tuple(each.text for each in self._shown)

    def add(self, text: str, point: Point, color: Color) -> None:
        """Show a text from now on."""
        self._shown.append(_Rising(text, point, color, self.np.attach_new_node(text_node("text"))))

    def clear(self) -> None:
        """Show nothing."""
        self.advance_texts(math.inf)

    def advance_texts(self, dt_s: float) -> None:
        """Let time pass for the texts."""
        for each in self._shown:
            each.age_s += dt_s
            if each.age_s >= RISE_S:
                each.np.remove_node()
        self._shown = [each for each in self._shown if each.age_s < RISE_S]

    def _enter_tree(self) -> None:
        self.panda.labels.insert(0, self)

    def _exit_tree(self) -> None:
        self.panda.labels.remove(self)

    def place(self, viewport: Viewport, taken: Boxes) -> Boxes:
        """Place each text above its point, clear of taken boxes; see `LabelLike`."""
        above = self.find_ancestor(Node3D)
        self.boxes = []
        if not self._shown or above is None:
            return taken
        window, blocks = viewport.size_px, [Box(*each) for each in taken.tolist()]
        fit_to_pixels(self.np, window)
        projection, px = ScreenProjection.of(viewport, above.np), round(window[1] * _TEXT_PART)
        for each in self._shown:
            point = np.array([each.point])
            if not projection.is_seen(point)[0]:
                each.np.hide()
                continue
            width = _write(each, px) + _APART * px
            x, y = projection.in_pixels(point)[0]
            part = each.age_s / RISE_S
            up = window[1] * (_UP_PART + _RISE_PART * (1 - (1 - part) ** 2))
            box = Box(x - width / 2, y - up - px, width, 1.1 * px)
            box = move_clear(box, [*blocks, *self.boxes], window, 0.0)
            self.boxes.append(box)
            each.np.set_pos(round(box.left + width / 2), 0, -round(box.top + 0.9 * px))
            each.np.set_alpha_scale(min(1.0, 4 * (1 - part)))
            each.np.show()
        return np.concatenate([taken, np.array(self.boxes).reshape(-1, 4)])


def _write(rising: _Rising, px: int) -> float:
    """Draw a text for a size, with a dark edge; return its width in pixels."""
    node = rising.np.node()
    assert isinstance(node, TextNode)
    node.set_font(letters_of(px).font)
    node.set_align(TextNode.A_center)
    node.set_text_color(*rising.color, 1.0)
    node.set_shadow(0.05, 0.05)
    node.set_shadow_color(*DARK, 1.0)
    node.set_text(drawable(rising.text))
    rising.np.set_scale(px)
    return node.get_width() * px


class Blows3D(Node3D):
    """Plays outcomes of blows, one group after the other, as each happened.

    Until its blow is shown, who is hit keeps its bar and its place, and does not fall.
    """

    begins = Signal("figures")
    """A blow begins, once these are in view: who strikes, if that is seen, and who is hit."""
    landed = Signal()
    """A blow is shown, and with it what it has done."""

    def __init__(self, figures: Figures3D, full: Mapping[str, float]) -> None:
        super().__init__()
        self._figures, self._full = figures, full
        self._waiting: list[list[Outcome]] = []
        self._script: Iterator[object] | None = None
        self._spare_s = 0.0  # that has passed, and the script has not taken yet
        self.speed = 1.0
        """How fast it goes."""
        self.texts = self.add_child(RisingTexts("numbers"))
        self._thrown = self.np.attach_new_node("thrown")
        set_unlit(self._thrown, 20)

    @property
    def is_playing(self) -> bool:
        """Whether a blow is shown, or one waits for that."""
        return self._script is not None or bool(self._waiting)

    def left(self, name: str) -> float | None:
        """Return the hit points that are shown of a unit; None if no blow to it waits."""
        waiting = (each for group in self._waiting for each in group if each.target == name)
        first = next(waiting, None)
        return None if first is None else first.left + first.damage

    def follow(self, entry: Entry, team: str) -> None:
        """Play what a team sees of an entry's blows, after those before; or forget undone ones."""
        if entry.is_undo:
            self._clear()
            return
        found = outcomes(entry.data.get("hits", ()), team)
        groups = itertools.groupby(found, key=lambda each: (each.by, each.skill))
        self._waiting += [list(group) for _, group in groups]
        for figure in map(self._figure_of, {o.target for group in self._waiting for o in group}):
            if figure is not None:
                figure.is_held = figure.is_kept = True

    def _clear(self) -> None:
        """Show no blow any more."""
        self._waiting, self._script = [], None
        self._release()
        self._thrown.get_children().detach()
        self.texts.clear()

    def _release(self) -> None:
        """Let all figures for which no blow waits slide and leave, also those out of sight."""
        for name, figure in self._named():
            figure.is_kept = self.left(name) is not None
            figure.is_held &= figure.is_kept

    def _named(self) -> Iterator[tuple[str, Unit3D]]:
        """Yield all figures by the names of their units, also those that are leaving."""
        for figure in self._figures.children:
            if isinstance(figure, Unit3D):
                yield getattr(figure.unit, "name", ""), figure

    def _figure_of(self, name: str) -> Unit3D | None:
        """Return the figure of a unit that is seen, also if it is leaving."""
        return next((each for of, each in self._named() if of == name and each.visible), None)

    def _process(self, dt_s: float) -> None:
        self._spare_s += dt_s * self.speed
        self.texts.advance_texts(dt_s * self.speed)
        if self._script is None and self._waiting:
            self._spare_s = 0.0
            self._script = self._play_next()
        if self._script is not None:
            try:
                next(self._script)
            except StopIteration:
                self._script = None

    def _wait(self, time_s: float, actor: Unit3D | None = None) -> Iterator[float]:
        """Let time pass, at the pace of who strikes; yield which part of it has passed.

        None is lost between two waits.
        """
        passed_s = 0.0
        while True:
            pace = 1.0 if actor is None else actor.pace
            passed_s += self._spare_s * pace
            self._spare_s = 0.0
            if passed_s >= time_s:
                break
            yield passed_s / time_s
        self._spare_s = (passed_s - time_s) / pace if pace else 0.0

    def _play_next(self) -> Iterator[object]:
        """Play the first group of outcomes: where a strike begins, what it does, and an end."""
        group = self._waiting[0]
        actor = self._figure_of(group[0].by)
        found = [(each, self._figure_of(each.target)) for each in group]
        struck = [(each, figure) for each, figure in found if figure is not None]
        shown = [*([actor] if actor else []), *(figure for _, figure in struck)]
        if actor is not None:
            actor.is_held = False  # it comes to where it strikes, also if it falls there
        while any(each.is_sliding and not each.is_held for each in shown) or (
            actor is not None and getattr(actor.unit, "is_moving", False)
        ):
            yield None
        self._spare_s = 0.0
        if shown:
            self.begins.emit(shown)
        for part in self._wait(_VIEW_S):
            if all(map(self._is_in_view, shown)):
                break
            yield part
        if actor is not None and struck:
            yield from self._strike(actor, struck)
        self._waiting.pop(0)
        self._show(actor, struck)
        self._release()
        self.landed.emit()
        yield from self._wait(HIT_S if struck else 0.0)

    def _is_in_view(self, figure: Unit3D) -> bool:
        seen = self.panda.project(figure.point, self.np)
        return seen is not None and max(map(abs, seen)) < _IN_VIEW

    def _strike(self, actor: Unit3D, struck: list[tuple[Outcome, Unit3D]]) -> Iterator[object]:
        """Let a figure swing a blade, or let something fly to all that are struck."""
        skill, ends = struck[0][0].skill, [figure.point for _, figure in struck]
        is_near = math.dist(actor.point, ends[0]) < _NEAR_TILES and skill not in _SHOTS
        actor.strike(1.0 if is_near else 0.4)
        yield from self._wait(SWING_PART * LUNGE_S, actor)
        if is_near:
            self._throw(_blade(), [actor.point]).set_depth_test(False)
            time_s = _SWEEP_S
        else:
            for (outcome, _), end in zip(struck, ends, strict=True):
                past = 0.0 if outcome.is_hit else _PAST / max(math.dist(actor.point, end), 1.0)
                goal = np.add(end, past * np.subtract(end, actor.point)).tolist()
                self._throw(_shot(skill), arc(actor.point, (goal[0], goal[1], goal[2])))
            far = max(math.dist(actor.point, end) for end in ends)
            time_s = max(far / _FLIGHT_TILES_S, _LEAST_FLIGHT_S)
        (x, y, _), (end_x, end_y, _) = actor.point, ends[0]
        heading_deg = math.degrees(math.atan2(x - end_x, end_y - y))
        for part in self._wait(time_s, actor):
            for thrown in self._thrown.get_children():
                _fly(thrown, part, heading_deg)
            yield part
        self._thrown.get_children().detach()

    def _throw(self, mesh: MeshData, line: Sequence[Point]) -> NodePath:
        """Show what flies along points, or a blade around a single one."""
        np_ = self._thrown.attach_new_node(make_geom_node("thrown", mesh))
        np_.set_python_tag("line", line)
        np_.set_pos(*line[0])
        return np_

    def _show(self, actor: Unit3D | None, struck: list[tuple[Outcome, Unit3D]]) -> None:
        """Show what the units have lost, and let them start back, slide and fall."""
        for outcome, figure in struck:
            x, y, z = figure.point
            ink = _LOST if outcome.damage else _OTHER
            if not outcome.by:
                ink = _INKS.get(outcome.skill, _LOST)
            self.texts.add(outcome.text, (x, y, z + _HEAD_Z), ink)
            full = self._full.get(outcome.target, 0.0)
            is_hard = outcome.damage >= _HARD_PART * full or not outcome.left
            if outcome.damage:
                away = np.subtract(figure.point, actor.point)[:2].tolist() if actor else (0, 0)
                stop_s = _STOP_S if actor is not None and is_hard else 0.0
                figure.flinch((away[0], away[1]), stop_s)
                if stop_s and actor is not None:
                    actor.stop(stop_s)
            figure.health = min(outcome.left / full, 1.0) if full else 1.0
            figure.is_held = False


def _fly(thrown: NodePath, part: float, heading_deg: float) -> None:
    """Move what is thrown to a part of its line, or turn a blade through its swing."""
    line: Sequence[Point] = thrown.get_python_tag("line")  # type: ignore[assignment]
    if len(line) == 1:
        thrown.set_h(heading_deg + 75.0 - 150.0 * part)
        thrown.set_alpha_scale(1.0 - part**3)
        return
    at = part * (len(line) - 1)
    here, after = line[int(at)], line[min(int(at) + 1, len(line) - 1)]
    point = np.add(here, (at % 1.0) * np.subtract(after, here)).tolist()
    if after != here:
        thrown.look_at(thrown.get_parent(), Point3(*after))
    thrown.set_pos(*point)


def arc(start: Point, end: Point) -> list[Point]:
    """Return points of an arc over the ground from one point to another."""
    parts = np.linspace(0.0, 1.0, _ARC_POINTS)
    line = np.outer(1 - parts, start) + np.outer(parts, end)
    rise = _ARC * min(1.0, np.ptp(line, axis=0).max() / _LONG)
    line[:, 2] += _CHEST_Z + rise * 4 * parts * (1 - parts)
    return [(x, y, z) for x, y, z in line.tolist()]


@cache
def _shot(skill: str) -> MeshData:
    """Return what flies along +y: an arrow, or a glowing ball."""
    if skill == "bow":
        shaft = rod([(0, -0.3, 0), (0, 0.26, 0)], 0.018, (0.50, 0.36, 0.20))
        head = rod([(0, 0.24, 0), (0, 0.38, 0)], (0.05, 0.002), (0.82, 0.85, 0.90))
        flight = rod([(0, -0.34, 0), (0, -0.20, 0)], (0.06, 0.015), (0.94, 0.93, 0.88))
        return MeshData.join([shaft, head, flight])
    color, radius = _SHOTS.get(skill, ((0.80, 0.75, 1.0), 0.10))
    tail = rod([(0, -4 * radius, 0), (0, 0, 0)], (0.01, 0.8 * radius), color)
    return glowing(MeshData.join([ball((0, 0, 0), (radius, radius, radius), color), tail]))


@cache
def _blade() -> MeshData:
    """Return a bright crescent in front of a figure, which trails behind a blade."""
    angles, parts = np.radians(np.linspace(90.0, 185.0, 12)), np.linspace(0.0, 1.0, 12)
    pieces = []
    for (a, b), (p, q) in zip(itertools.pairwise(angles), itertools.pairwise(parts), strict=True):
        rim = [(a, 1.0), (b, 1.0), (b, 1.0 - 0.4 * (1 - q)), (a, 1.0 - 0.4 * (1 - p))]
        outline = [(r * math.cos(at), r * math.sin(at), _CHEST_Z) for at, r in rim]
        pieces.append(polygon(np.array(outline), (1.0, 0.98, 0.9), 0.9 * (1 - p)))
    return joined(pieces)


class LogView(CommanderView):
    """Shows the last blows of the board's log on a Hud, while it is open."""

    def __init__(self, commander: Commander, hud: Hud) -> None:
        super().__init__(commander)
        self._hud, self._is_open = hud, False

    def toggle(self) -> None:
        """Open or close it."""
        self._is_open = not self._is_open
        self.mark_stale()

    def _enter_tree(self) -> None:
        super()._enter_tree()
        text = "show or hide the log of the fight"
        self.accept_actions([Command("battle_log", "l", text, self.toggle, "Log")], "Battle")

    def _exit_tree(self) -> None:
        self._hud.show("log", None, "top right", 3)

    def _show(self) -> None:
        shown = None
        if self._is_open:
            lines = log_lines(self._commander.board.log, self._commander.team or "")
            shown = Call(_log_sheet, (tuple(lines[-max(_LINES) :]),))
        self._hud.show("log", shown, "top right", 3)


def _log_sheet(lines: tuple[str, ...], space: Space) -> list[Version]:
    """Return versions of the log, the last with the fewest lines."""
    title = tr("Log")
    return [(plate(*titled([title, *lines[-count:]])), space) for count in _LINES]
