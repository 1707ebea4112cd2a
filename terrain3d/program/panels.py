"""Texts of the scene's panels: units, tiles, orders, messages, advice and first hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.game import descriptions
from terrain3d import Node
from terrain3d.look.settings import N_HINTS
from terrain3d.program import actions
from terrain3d.view.actions import with_keys

if TYPE_CHECKING:
    from terrain3d.program.game_scene import GameScene

MESSAGE_S = 4.0
"""How long the status line shows a message before it shows advice again."""


class Panels(Node):
    """Fills the panels of a scene; a node between those that take input and the panels."""

    def __init__(self, scene: GameScene) -> None:
        super().__init__()
        self._scene, self._hints = scene, FirstHints(scene)
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
        scene = self._scene
        player = scene.theatre.player
        self._message_s -= dt_s
        if self._message_s <= 0 and self._message:
            self._message, self._is_stale = "", True
        if scene.mode == actions.PLAY and scene.is_ready and not self._message:
            self._is_stale |= self._hints.advance(dt_s)
        if self._is_stale:
            self._is_stale = False
            self._fill()
        progress = scene.readiness.progress if player is None else player.status
        progress = scene.map_maker.progress or ("" if self._message else progress)
        if progress:
            scene.hud.status_text = progress

    def _fill(self) -> None:
        """Describe the commander's state, or nothing while a search plays: it has a caption."""
        scene = self._scene
        hud, commander, mode = scene.hud, scene.commander, scene.mode
        board, is_played = scene.board, mode == actions.PLAY
        selected = None if mode != actions.PLAY else commander.selected
        plan = commander.plan if is_played else None
        aim = None if mode == actions.WATCH else commander.aim
        about = []
        if selected is not None:
            about = descriptions.describe_unit(selected, board.tilemap)
            about += descriptions.describe_autopilot(scene.autopilot, selected)
            if len(commander.squad) > 1:
                about = descriptions.describe_units(commander.squad)
        hud.unit_text = "\n".join(about)
        hud.unit_color = scene.figures[selected].color if selected else None
        tile = [] if aim is None else descriptions.describe_tile(board, aim, selected)
        if aim is not None and is_played:
            tile += descriptions.describe_threat(commander, aim)
        hud.tile_text = "\n".join(tile)
        squad_plan = None if selected is None else commander.squad_plan
        hud.pointer_text = ""
        if plan is not None:
            lines = (
                descriptions.describe_plan(plan, board),
                descriptions.describe_detour(plan, board),
            )
            danger = "! first tile within reach of enemies"
            is_threatened = commander.first_threatened is not None
            hud.pointer_text = "\n".join(filter(None, (*lines, danger * is_threatened)))
        can_go = bool(plan)
        if squad_plan is not None:
            hud.pointer_text = "\n".join(descriptions.describe_squad(squad_plan))
            can_go = bool(squad_plan.units)
        hud.pointer_kind = "ok" if can_go else "refused"
        self._show_actions(can_go)
        hud.tool_text = "\n".join(filter(None, (scene.editor.text, scene.doctor.text)))
        turn = ""
        if is_played:
            hud.tool_text = "\n".join(descriptions.describe_next(board))
            turn = descriptions.describe_turn(board, commander.team)
        advice = scene.editor.advice or self._hints.text or descriptions.advice(commander)
        text = self._message or advice
        hud.status_text = text if not turn or turn in text else f"{turn}. {text}"

    def _show_actions(self, is_planning: bool) -> None:
        """Show the buttons of the mode, and the four keys that are most useful now."""
        scene = self._scene
        state, mode = scene.mode, scene.mode
        if mode == actions.PLAY:
            state = "nothing selected" if scene.commander.selected is None else "unit selected"
            state = "planning" if is_planning else state
        is_edited = mode == actions.EDIT
        bindings = scene.terrain.panda.input
        in_mode = actions.mode_buttons
        buttons = actions.editor_buttons(scene.editor) if is_edited else in_mode(mode, bindings)
        idle = "action-end_turn" if scene.board.turn is None else None
        scene.toolbar.buttons = [each for each in buttons if each.event != idle]
        [theatre] = actions.buttons(actions.PLAY, "search_theatre", bindings)
        found = actions.useful_buttons(state, bindings)
        useful = (theatre if each.event == idle else each for each in found)
        scene.hud.hints = [(each.key, each.label) for each in useful]


HINTS = (
    "Click a marked tile: the selected unit goes there",
    "Drag to turn the view; the wheel zooms; {camera_home} shows the whole map",
    "{help} lists all keys; each button names its key",
)
LONGEST_S = 45.0
"""How long a hint is shown to a player who does something else."""


class FirstHints:
    """Chooses the hint to show: the first one that was neither followed nor shown long enough."""

    def __init__(self, scene: GameScene) -> None:
        self._scene = scene
        self._has_ordered = False
        self._shown_s = 0.0
        self._look: tuple[float, ...] | None = None
        scene.commander.order_given.connect(self._note_order)
        scene.commander.squad_ordered.connect(self._note_order)

    @property
    def text(self) -> str:
        """The hint to show; "" after the last one."""
        n_seen = self._scene.preferences.settings.hints_seen
        if n_seen == N_HINTS:
            return ""
        hint = with_keys(HINTS[n_seen], self._scene.terrain.panda.input)
        return f"Hint {n_seen + 1} of {N_HINTS}: {hint}"

    def advance(self, dt_s: float) -> bool:
        """Advance the time by `dt_s` seconds; return whether another hint is to be shown now."""
        n_seen = self._scene.preferences.settings.hints_seen
        if n_seen == N_HINTS:
            return False
        goal = self._scene.camera.goal
        look = goal.heading_deg, goal.pitch_deg, goal.distance
        self._look = self._look or look
        self._shown_s += dt_s
        followed = (self._has_ordered, look != self._look, self._scene.hud.is_help_open)
        if not followed[n_seen] and self._shown_s < LONGEST_S:
            return False
        self._shown_s, self._look = 0.0, look
        self._scene.preferences.change("hints_seen")
        return True

    def _note_order(self, *_: object) -> None:
        self._has_ordered = True
