"""Runs the scene in a window until it is closed, or renders it once to a picture."""

import gc
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import ai
from terrain3d import TileMap
from terrain3d.app.map_options import DEFAULTS
from terrain3d.core.files import EventLog
from terrain3d.look.settings import N_HINTS, QUALITIES, Settings, SettingsFile
from terrain3d.program.command_line import input_errors
from terrain3d.program.options import ScreenshotOptions
from terrain3d.program.scene import screenshot
from terrain3d.program.scene.game_scene import GameScene
from terrain3d.view import Preferences, attach
from terrain3d.view.window import window

FRAME_S = 1 / 30
"""Time between frames of a scene that is rendered to a picture."""


def run_in_window(
    seed: int,
    tilemap: TileMap,
    profile: ai.MoveProfile,
    size: tuple[int, int],
    settings: Settings,
    file: SettingsFile,
    log: EventLog,
    path: Path,
    turns: str | None,
) -> bool:
    """Open the scene in a window and run it until the window is closed; False without a display.

    `size` is in pixels. Changed settings are saved in `file`; the map editor saves and loads
    `path`.
    """
    base = window.open_window(*size, QUALITIES[settings.quality].samples)
    if base is None:
        return False
    root = attach(base).root
    gc.freeze()  # what lives as long as the program; else each collection takes 80 ms
    preferences = root.add_child(Preferences(settings, file))
    root.add_child(GameScene(seed, tilemap, profile, preferences, log, path, turns))
    with suppress(SystemExit):  # raised when the window is closed
        base.run()
    return True


def render(
    shot: ScreenshotOptions,
    tilemap: TileMap,
    profile: ai.MoveProfile,
    path: Path,
    size: tuple[int, int],
    settings: Settings,
) -> None:
    """Render the scene as `shot` asks, and write the picture to `path`.

    `InputError` if the picture cannot be drawn or written there, or `shot` names a unit, tile or
    behavior that does not exist.
    """
    with ExitStack() as stack:
        with input_errors(RuntimeError, OSError, ValueError):
            window.check_picture_path(path)
            tree = stack.enter_context(window.still_tree(size, settings.quality))
        preferences = tree.root.add_child(Preferences(replace(settings, hints_seen=N_HINTS)))
        scene = GameScene(DEFAULTS["seed"], tilemap, profile, preferences, EventLog())
        tree.root.add_child(scene)
        while not scene.is_ready:
            tree.base.task_mgr.step()
        with input_errors(OSError, ValueError, IndexError):
            arrange(scene, shot)
            scene.terrain.build_visible()
            for _ in range(2):
                tree.base.task_mgr.step()
            window.save_picture(tree.base, path)


def arrange(scene: GameScene, shot: ScreenshotOptions) -> None:
    """Give the orders of `shot`, let its time pass, and place camera and overlays."""
    scene.commander_3d.cursor.cell = None
    screenshot.begin(shot, scene.commander, scene.autopilot)
    for _ in range(round(shot.after / FRAME_S)):
        scene.tree.advance(FRAME_S)
    scene.tree.advance(0.0)  # the camera learns where the selected unit is
    is_near = scene.commander.selected is not None
    usual = scene.camera.near if is_near else scene.camera.home
    heading = usual.heading_deg if shot.heading is None else shot.heading
    pitch = usual.pitch_deg if shot.pitch is None else shot.pitch
    view = scene.camera.framing(heading, pitch)
    if is_near:
        view = replace(usual, heading_deg=heading, pitch_deg=pitch)
    scene.camera.look(shot.view(view, scene.board.tilemap))
    screenshot.aim(shot, scene.commander, scene.camera.goal.heading_deg)
    scene.commander_3d.shows_costs |= shot.overlay == "costs"
    if shot.overlay == "none":
        scene.commander_3d.reach_overlay.np.hide()
    if shot.no_hud:
        scene.remove_child(scene.hud)
