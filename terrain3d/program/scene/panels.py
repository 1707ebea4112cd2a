"""Texts of the scene's panels: the selected unit, the tile aimed at, the order, the status."""

from collections.abc import Mapping

import ai
from ai.game import descriptions
from ai.game.background import Readiness
from ai.game.descriptions import describe_detour
from ai.view import TheatreToggle3D, Unit3D
from ai.view.map_doctor import DoctorView
from terrain3d import Node, view
from terrain3d.program.scene import actions
from terrain3d.program.scene.map_maker import MapMaker
from terrain3d.program.scene.opening import FirstHints

EDITING = "Not while the map is edited; F2 leaves the map editor"
WATCHING = "Not while a search is played; Esc closes the search"
MESSAGE_S = 4.0
"""How long the status line shows a message before it shows advice again."""


class Panels(Node):
    """Fills the panels of one scene; a node between those that take input and the panels."""

    def __init__(
        self,
        hud: view.Hud,
        toolbar: view.Toolbar,
        commander: ai.Commander,
        autopilot: ai.Autopilot,
        editor: view.MapEditor3D,
        theatre: TheatreToggle3D,
        figures: Mapping[ai.Unit, Unit3D],
        hints: FirstHints,
        readiness: Readiness,
        map_maker: MapMaker,
        doctor: DoctorView,
    ) -> None:
        super().__init__()
        self._hud, self._toolbar, self._hints = hud, toolbar, hints
        self._commander, self._autopilot, self._readiness = commander, autopilot, readiness
        self._editor, self._theatre, self._figures = editor, theatre, figures
        self._map_maker, self._doctor = map_maker, doctor
        self._message, self._message_s = "", 0.0
        self._is_stale = True

    @property
    def message(self) -> str:
        """The current message; "" while the status line shows advice or progress."""
        return self._message

    def show_message(self, message: str) -> None:
        """Show a message, with a capital, on the status line for MESSAGE_S seconds."""
        self._message, self._is_stale = message[:1].upper() + message[1:], True
        self._message_s = MESSAGE_S

    def mark_stale(self) -> None:
        """Fill the panels in the next frame, once for all changes until then."""
        self._is_stale = True

    def _process(self, dt_s: float) -> None:
        self._message_s -= dt_s
        if self._message_s <= 0 and self._message:
            self._message, self._is_stale = "", True
        is_played = self._theatre.player is None and not self._editor.is_active
        if is_played and self._commander.is_open and not self._message:
            self._is_stale |= self._hints.advance(dt_s)
        if self._is_stale:
            self._is_stale = False
            self._fill()
        player = self._theatre.player
        progress = self._readiness.progress if player is None else player.status
        progress = self._map_maker.progress or ("" if self._message else progress)
        if progress:
            self._hud.status_text = progress

    def _fill(self) -> None:
        """Describe the commander's state, or nothing while a search plays: it has a caption."""
        hud, commander = self._hud, self._commander
        board = commander.board
        selected, aim, plan = commander.selected, commander.aim, commander.plan
        if self._editor.is_active:
            selected = plan = None
        if self._theatre.player is not None:
            selected = aim = plan = None
        about = []
        if selected is not None:
            about = descriptions.describe_unit(selected, board.tilemap)
            about += descriptions.describe_autopilot(self._autopilot, selected)
            if len(commander.squad) > 1:
                about = descriptions.describe_units(commander.squad)
        hud.unit_text = "\n".join(about)
        hud.unit_color = self._figures[selected].color if selected else None
        tile = [] if aim is None else descriptions.describe_tile(board, aim, selected)
        if aim is not None and not self._editor.is_active:
            tile += descriptions.describe_threat(commander, aim)
        hud.tile_text = "\n".join(tile)
        squad_plan = None if selected is None else commander.squad_plan
        hud.pointer_text = ""
        if plan is not None:
            lines = [descriptions.describe_plan(plan, board), describe_detour(plan, board)]
            if commander.first_threatened is not None:
                lines.append("! first tile within reach of enemies")
            hud.pointer_text = "\n".join(filter(None, lines))
        can_go = bool(plan)
        if squad_plan is not None:
            hud.pointer_text = "\n".join(descriptions.describe_squad(squad_plan))
            can_go = bool(squad_plan.units)
        hud.pointer_kind = "ok" if can_go else "refused"
        self._show_actions(can_go)
        hud.tool_text = "\n".join(filter(None, (self._editor.text, self._doctor.text)))
        turn = ""
        if not self._editor.is_active and self._theatre.player is None:
            hud.tool_text = "\n".join(descriptions.describe_next(board))
            turn = descriptions.describe_turn(board, commander.team)
        advice = self._editor.advice or self._hints.text or descriptions.advice(commander)
        text = self._message or advice
        hud.status_text = text if not turn or turn in text else f"{turn}. {text}"

    def _show_actions(self, is_planning: bool) -> None:
        """Show the buttons of the mode, and the four keys that are most useful now."""
        if self._theatre.player is not None:
            state, buttons = actions.WATCH, actions.BUTTONS[actions.WATCH]
        elif self._editor.is_active:
            state, buttons = actions.EDIT, actions.editor_buttons(self._editor)
        else:
            state = "nothing selected" if self._commander.selected is None else "unit selected"
            state = "planning" if is_planning else state
            buttons = actions.BUTTONS[actions.PLAY]
        idle = actions.END_TURN if self._commander.board.turn is None else None
        self._toolbar.buttons = [each for each in buttons if each is not idle]
        line = actions.BOTTOM_LINES[state]
        useful = (actions.THEATRE if each is idle else each for each in line)
        self._hud.hints = [(each.key, each.label) for each in useful]
