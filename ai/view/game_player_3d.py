"""Play a recorded game with figures: in a window, or as a GIF."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ai.board.game_record import GamePlayback
from ai.view.figures_3d import Figures3D
from ai.view.step_player import FASTEST, PLAYER_ACTIONS, SLOWEST, StepPlayer
from terrain3d.core import gif
from terrain3d.core.files import check_target
from terrain3d.core.node import Node
from terrain3d.core.signals import export
from terrain3d.core.translation import tr, translation_server
from terrain3d.grid.reason import plain_reason
from terrain3d.look.palettes import PALETTES
from terrain3d.look.settings import QUALITIES
from terrain3d.view.actions import help_rows
from terrain3d.view.camera import CAMERA_ACTIONS, OrbitCamera3D
from terrain3d.view.hud.hud import Hud
from terrain3d.view.hud.toolbar import Toolbar, buttons_of
from terrain3d.view.scene.terrain_3d import Terrain3D
from terrain3d.view.window import window
from terrain3d.view.window.panda_tree import attach

if TYPE_CHECKING:
    from ai.board.game_record import GameRecord
    from ai.board.unit import Unit
    from ai.view.unit_3d import Unit3D
    from terrain3d.look.settings import Settings

REST_S = 0.5
"""Time from the end of one entry to the next one, at speed 1."""
PICTURE_S = 0.1
"""Time between two pictures of a GIF."""
MAX_PICTURES = 3000
"""The most pictures of a GIF: five minutes."""
MATCH = "the final state matches the recording"
MISMATCH = "the final state differs from the recording"
_LAST_S = 2.5
_WARM_UP_FRAMES = 3


class GamePlayer3D(StepPlayer):
    """Plays a recorded game with figures: each entry of its log is a step; a child of Terrain3D."""

    speed = export(1.0, range=(SLOWEST, FASTEST), doc="seconds of the game per second")

    def __init__(self, record: GameRecord) -> None:
        super().__init__()
        self.playback = GamePlayback(record)
        self._verdict = MISMATCH if record.problem else MATCH
        self._rest_s = REST_S
        self.shown = self.add_child(Figures3D(self.playback.board))
        self.figures = self.shown.figures
        """The figure of each unit, read-only."""

    @property
    def n_steps(self) -> int:
        """The number of entries of the log."""
        return self.playback.n_steps

    @property
    def is_walking(self) -> bool:
        """Whether a unit is on its path, or a figure shows an action."""
        return self.shown.is_acting or any(unit.is_moving for unit in self.playback.units)

    @property
    def status(self) -> str:
        """The shown entry and the playback state; after the last entry, whether the end matches."""
        text = tr(
            "Move {n} of {count}: {move}",
            n=self.step,
            count=self.n_steps,
            move=plain_reason(self.playback.text),
        )
        if self.step < self.n_steps and not self.playing:
            text += tr(", paused")
        elif self.step == self.n_steps and not self.is_walking:
            text = tr("{first}; {then}", first=text, then=tr(self._verdict))
        return text if self.speed == 1 else text + tr(", speed {speed}", speed=f"{self.speed:g}")

    def _show_step(self, step: int) -> None:
        self.playback.step = step
        self.shown.follow()
        for unit, figure in self.figures.items():
            figure.is_selected = unit is self.playback.actor
            figure.label = unit.name if figure.is_selected else ""

    def _process(self, dt_s: float) -> None:
        for figure in self.figures.values():
            figure.pace = self.speed
        if not self.playing or self.is_walking:
            return
        self._rest_s -= dt_s * self.speed
        if self._rest_s <= 0:
            self._rest_s = REST_S
            self.step = min(self.step + 1, self.n_steps)
            self.playing = self.step < self.n_steps


class WatchScene(Node):
    """Shows the map of a recorded game, plays the game, and follows its units with the camera."""

    def __init__(self, record: GameRecord, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        player, palette = GamePlayer3D(record), PALETTES[settings.palette]
        tilemap = player.playback.board.tilemap  # as it is at each step
        self.terrain = self.add_child(Terrain3D(tilemap, quality=settings.quality))
        self.terrain.mood = settings.mood
        self.camera = self.add_child(OrbitCamera3D(target=self.terrain))
        self.player = self.terrain.add_child(player)
        units = player.playback.units

        def paint(unit: Unit, figure: Unit3D) -> None:
            figure.color = palette.of_team(unit.team)

        player.shown.figure_added.connect(paint)
        for unit, figure in player.figures.items():
            paint(unit, figure)
        self.hud = Hud()
        self.hud.text_scale = settings.text_scale
        self.hud.hints = [
            (team, ", ".join(unit.name for unit in units if unit.team == team))
            for team in dict.fromkeys(unit.team for unit in units)
        ]
        self.add_child(self.hud)

    def add_controls(self) -> None:
        """Show keys and buttons, in place of the line with teams and units."""
        toolbar, bindings = self.hud.add_child(Toolbar()), self.terrain.panda.input

        def show(_name: str = "") -> None:
            groups = {"Replay": PLAYER_ACTIONS, "Camera": CAMERA_ACTIONS}
            self.hud.keys = help_rows(groups, bindings)
            useful = buttons_of(PLAYER_ACTIONS, "play step_forward help", bindings)
            self.hud.hints = [(each.key, each.label) for each in useful]
            buttons = "play step_back step_forward slower faster restart help"
            toolbar.buttons = buttons_of(PLAYER_ACTIONS, buttons, bindings)

        show()
        for changed in (bindings.changed, translation_server.changed):
            self.terrain.listen(changed, show)
        self.terrain.accept("escape", self.hud.close_help)

    def _ready(self) -> None:
        first = next(iter(self.player.playback.units), None)
        if first is not None:
            self.camera.focus_point = first.pose.point
            self.camera.look(self.camera.near)
        self.player.play()

    def _process(self, _dt_s: float) -> None:
        actor = self.player.playback.actor
        if actor is not None:
            self.camera.focus_point = actor.pose.point
            if actor.is_moving and self._settings.follow:
                self.camera.reveal(actor.pose.point)
        self.hud.status_text = self.player.status


def play_in_window(record: GameRecord, size: tuple[int, int], settings: Settings) -> bool:
    """Play a game in a window until the window is closed; False without a display."""
    base = window.open_window(*size, QUALITIES[settings.quality].samples)
    if base is None:
        return False
    attach(base).root.add_child(WatchScene(record, settings)).add_controls()
    with suppress(SystemExit):  # raised when the window is closed
        base.run()
    return True


def check_length(record: GameRecord) -> None:
    """Raise `ValueError` if the GIF of a game would have more than MAX_PICTURES pictures."""
    playback, elapsed_s = GamePlayback(record), 0.0
    for step in range(1, playback.n_steps + 1):
        playback.step = step
        actor, elapsed_s = playback.actor, elapsed_s + REST_S
        while actor is not None and actor.is_moving and elapsed_s <= MAX_PICTURES * PICTURE_S:
            actor.advance(PICTURE_S)
            elapsed_s += PICTURE_S
        if elapsed_s > MAX_PICTURES * PICTURE_S:
            limit = f"{MAX_PICTURES} pictures, {MAX_PICTURES * PICTURE_S:g} s of the game"
            raise ValueError(f"a GIF has at most {limit}, which end in move {step}")


def write_game_gif(
    record: GameRecord, path: Path, size: tuple[int, int], settings: Settings
) -> Iterator[str]:
    """Play a game without a window and write it as a GIF; yield the status of each step.

    `ValueError` or `OSError` if the GIF cannot be written there or has too many pictures,
    `PillowMissing` without Pillow, `RuntimeError` if no renderer of this machine can draw into
    memory.
    """
    gif.check_pillow()
    check_target(path, "a GIF", ".gif")
    check_length(record)
    with window.still_tree(size, settings.quality) as tree, TemporaryDirectory() as folder:
        scene, base = tree.root.add_child(WatchScene(record, settings)), tree.base
        player = scene.player
        scene.terrain.build_visible()
        for _ in range(_WARM_UP_FRAMES):
            base.task_mgr.step()
        pictures, shown = list[Path](), -1
        while not pictures or player.playing or player.is_walking:
            tree.advance(PICTURE_S if pictures else 0.0)
            scene.terrain.build_visible()
            base.task_mgr.step()
            pictures.append(Path(folder) / f"{len(pictures)}.png")
            window.save_picture(base, pictures[-1])
            if player.step > shown:
                shown = player.step
                yield f"Move {shown} of {player.n_steps}: {player.playback.text}"
        gif.write_gif(pictures, path, PICTURE_S, _LAST_S)
