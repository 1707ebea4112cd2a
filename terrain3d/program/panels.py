"""Texts of the scene's panels: units, tiles, orders, messages and advice."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ai.game import descriptions
from ai.game.battle import SKILLS
from ai.game.battle_commander import describe_deed, describe_state
from ai.game.objective import goal_line
from ai.game.unit_loader import PLAYER_TEAM
from terrain3d import Node
from terrain3d.core.translation import capitalized, tr
from terrain3d.look.icons import ICONS
from terrain3d.look.layout import Box
from terrain3d.look.palettes import bar_color
from terrain3d.program.modes import BattleMode
from terrain3d.view import Button
from terrain3d.view.command import aiming_keys, with_keys
from terrain3d.view.hud.widgets import (
    FAINT_INK,
    HEADING_INK,
    INK,
    PLATE,
    Bar,
    Call,
    Group,
    Picture,
    Text,
    column,
    row,
)
from terrain3d.view.window.viewport import ScreenProjection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ai.board.unit import Unit
    from ai.game.battle_commander import BattleCommander
    from terrain3d.grid.grid import Cell
    from terrain3d.grid.kinds import Color
    from terrain3d.program.game_scene import GameScene
    from terrain3d.view.hud.ui import Version
    from terrain3d.view.hud.widgets import Space

MESSAGE_S = 4.0
"""How long the status line shows a message before it shows advice again."""


_MOST, _TILE_PART, _FIGURE_TILES, _NEAR = 12, 0.3, 1.1, 4.5
"""How many tiles of a path a text keeps off, half their size, the height of a figure, and how many
tiles from the aim those are that it keeps off."""
_NAMED_KEYS = ("select_next", "confirm", "end_turn")
"""The actions whose keys the advice names."""
_ICON, _CARD_BAR, _ICON_GAP = (1.2, 1.2), 9.0, 0.35  # in heights of the text


def _with_icon(icon: str, text: str, ink: Color = FAINT_INK) -> Group:
    """Return a text with its icon, if there is one, before it."""
    icons = [Picture(icon, _ICON, ink=ink)] if icon in ICONS else []
    return row(*icons, Text(text, FAINT_INK), gap=_ICON_GAP)


def unit_card(
    unit: Unit,
    hp: float,
    full: float,
    states: Sequence[descriptions.Status],
    color: Color,
    *more: str,
    is_open: bool = False,
) -> Group:
    """Return the card of a unit in a battle: name, hit points, skills, strength, states, more.

    If it is open, it says what each skill does.
    """
    part = hp / full if full else 0.0
    names = unit.stats.get("skills", ())
    brief = (_with_icon(name, f"{tr(name)} {SKILLS[name].power}", INK) for name in names)
    skills = [row(*brief, gap=1.0)]
    if is_open:
        skills = [*map(_with_icon, names, descriptions.describe_skills(unit))]
    return column(
        Text(descriptions.unit_name(unit)),
        row(
            Bar(part, _CARD_BAR, bar_color(part)), Text(f"{round(hp)}/{round(full)}"), gap=_ICON_GAP
        ),
        *skills,
        Text(descriptions.describe_strength(unit), FAINT_INK),
        *(_with_icon(each.icon, each.text, HEADING_INK) for each in states),
        *(Text(line, FAINT_INK) for line in more),
        bar=color,
        gap=0.15,
    )


def line_versions(line: Button, count: str, space: Space) -> list[Version]:
    """Return versions of a line: whole, smaller, and the count alone."""
    sizes = space.and_smaller
    return [*((line, each) for each in sizes), (replace(line, text=count), sizes[-1])]


def card_versions(card: Group, press: Callable[[], object], space: Space) -> list[Version]:
    """Return versions of a card that a press opens: whole, smaller, closed, its name and bar."""
    sizes = space.and_smaller
    shorter = (replace(card, parts=card.parts[:count]) for count in (4, 2))
    parts = [*((card, each) for each in sizes), *((each, sizes[-1]) for each in shorter)]
    return [(replace(shown, plate=PLATE, on_press=press), each) for shown, each in parts]


def _nobody(_cell: Cell) -> None:
    """Find no unit on a cell."""


class Panels(Node):
    """Fills the panels of a scene; a node between those that take input and the panels."""

    def __init__(self, scene: GameScene) -> None:
        super().__init__()
        self._scene = scene
        self._message, self._message_s = "", 0.0
        self._is_stale = True
        self._is_card_open = False

    @property
    def message(self) -> str:
        """The current message; "" while the status line shows advice or progress."""
        return self._message

    def show_message(self, message: str) -> None:
        """Show a message, with a capital, on the status line for MESSAGE_S seconds."""
        self._message, self._is_stale = capitalized(message), True
        self._message_s = MESSAGE_S

    def mark_stale(self) -> None:
        """Fill the panels in the next frame, once for all changes until then."""
        self._is_stale = True

    def toggle_card(self) -> None:
        """Show or hide how the selected unit moves and where it stands."""
        self._is_card_open, self._is_stale = not self._is_card_open, True

    def _process(self, dt_s: float) -> None:
        scene = self._scene
        self._message_s -= dt_s
        if self._message_s <= 0 and self._message:
            self._message, self._is_stale = "", True
        if self._is_stale:
            self._is_stale = False
            self._fill()
        scene.hud.kept_clear = self._explained() if scene.hud.pointer_text else ()
        progress = scene.watch.theatre.status if scene.watch.is_on else scene.readiness.progress
        progress = scene.map_maker.progress or ("" if self._message else progress)
        if progress:
            scene.hud.status_text = progress

    def _explained(self) -> list[Box]:
        """Return where the planned path, its unit and those near the aim are in the window."""
        scene, commander = self._scene, self._scene.commander
        plan, aim = commander.plan, commander.aim
        path = [] if plan is None else plan.path.cells[:: max(1, len(plan.path.cells) // _MOST)]
        shown = {
            figure
            for unit, figure in scene.figures.items()
            if unit is commander.selected
            or (aim and figure.visible and math.dist(unit.cell[:2], aim[:2]) < _NEAR)
        }
        tops = [*map(scene.board.tilemap.surface_point, path), *(each.point for each in shown)]
        if not tops:
            return []
        viewport = scene.terrain.panda.viewport
        projection = ScreenProjection.of(viewport, scene.terrain.np)
        points = np.array(tops)
        at, px = projection.in_pixels(points), projection.unit_px(points)
        high = np.array([_TILE_PART] * len(path) + [_FIGURE_TILES] * len(shown)) * px
        corners = at - np.stack([_TILE_PART * px, high], axis=1)
        sizes = np.stack([2 * _TILE_PART * px, high + _TILE_PART * px], axis=1)
        return [Box(*each) for each in np.hstack([corners, sizes]).tolist()]

    def _fill(self) -> None:
        """Describe the commander's state, or nothing while a search plays: it has a caption."""
        scene = self._scene
        hud, commander, board = scene.hud, scene.commander, scene.board
        is_played = scene.play.is_on
        selected = commander.selected if is_played else None
        plan = commander.plan if is_played else None
        battle = scene.battle_commander if is_played else None
        is_watched = scene.watch.is_on or (battle is not None and not battle.is_players_turn)
        aim = None if is_watched else commander.aim
        about = []
        read = {"has_coordinates": scene.has_coordinates}
        if selected is not None:
            about = descriptions.describe_unit(selected, board.tilemap, **read)
            about += scene.play.describe(selected)
            if len(commander.squad) > 1:
                about = descriptions.describe_units(commander.squad)
        if scene.battle_commander is not None:
            self._show_battle(battle, selected, aim, about[2:])
            about = []
        hud.unit_text = "\n".join(about)
        hud.unit_color = scene.figures[selected].color if selected else None
        describe = partial(descriptions.describe_tile, has_coordinates=scene.has_coordinates)
        # In a battle its reach says enough of a tile, and a card of who stands there.
        mover, seen = (selected, commander.unit_seen_at) if battle is None else (None, _nobody)
        tile = [] if aim is None else describe(board, aim, mover, unit_at=seen)
        if aim is not None and is_played:
            tile += descriptions.describe_threat(commander, aim)
        hud.tile_text = "\n".join(tile)
        hud.pointer_text = ""
        if plan is not None and not (battle and plan):
            hud.pointer_text = descriptions.describe_plan(plan, board, **read)
        can_go = bool(plan) or (aim is not None and len(commander.squad) > 1)
        if battle is not None and (deed := describe_deed(battle)):
            hud.pointer_text, can_go = deed, battle.choice is not None
        hud.pointer_color = scene.palette.path if can_go else scene.palette.refused
        hud.keys = scene.mode.help()
        hud.buttons, hud.hints = scene.mode.buttons(), scene.mode.hints()
        hud.tool_text = scene.edit.doctor.text
        turn = ""
        if is_played:
            hud.tool_text = "\n".join(descriptions.describe_next(board, commander.team))
            turn = "" if battle is not None else descriptions.describe_turn(board, commander.team)
        bindings = scene.terrain.panda.input
        keys = {name: with_keys(f"{{{name}}}", bindings) for name in _NAMED_KEYS}
        keys["cursor"] = aiming_keys(bindings)
        advice = scene.edit.editor.advice or descriptions.advice(commander, keys)
        if battle is not None and isinstance(scene.play, BattleMode):
            is_seen = not (battle.battle.winner and scene.play.battle_3d.is_busy)
            advice = describe_state(battle) if is_seen else ""
        if is_played and commander.part is not None:
            advice = descriptions.describe_part(commander.part)
        text = self._message or advice
        is_told = not turn or turn in text
        hud.status_text = text if is_told else tr("{turn}. {text}", turn=turn, text=text)

    def _show_battle(
        self,
        commander: BattleCommander | None,
        selected: Unit | None,
        aim: Cell | None,
        more: list[str],
    ) -> None:
        """Show the goal, with the color of who holds it, and cards of two units.

        They are the selected one, and another that stands on the tile aimed at.
        """
        scene, line = self._scene, None
        cards: list[Call | None] = [None, None]
        if commander is not None and isinstance(scene.play, BattleMode):
            goal, board, flag = commander.battle.objective, commander.board, scene.play.flag
            text, tip = goal_line(goal, board, PLAYER_TEAM, flag.text), tr("Show the goal")
            button = Button(text, scene.show_goal, tip=tip, color=flag.color)
            count = flag.text or f"{goal.turn_number(board)}/{goal.turns}"
            line = Call(line_versions, (button, count))
            aimed = None if aim is None else commander.unit_seen_at(aim)
            if aimed is selected or (aimed is not None and aimed.is_moving):
                aimed = None
            for n, unit in enumerate((selected, aimed)):
                if unit is not None:
                    is_open = self._is_card_open
                    shown = more if is_open and unit is selected else []
                    view, color = scene.play.battle_3d, scene.figures[unit].color
                    hp, states = view.hit_points(unit), view.statuses(unit)
                    full = descriptions.full_hit_points(unit, board)
                    whole = unit_card(unit, hp, full, states, color, *shown, is_open=is_open)
                    cards[n] = Call(card_versions, (whole, self.toggle_card))
        scene.hud.show("goal", line)
        scene.hud.show("card", cards[0])
        seen = None
        if aim is not None:  # its card is on the other side: a click never meets the card instead
            point = scene.board.tilemap.surface_point(aim)
            seen = scene.terrain.panda.project(point, scene.terrain.np)
        corner = "top left" if seen is not None and seen[0] > 0 else "top right"
        scene.hud.show("aimed", cards[1], corner, 4)
