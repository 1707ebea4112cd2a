"""Run the scene in a window until it is closed, or render it once to a picture."""

import gc
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import ai
from ai.view.opening import sample_goal
from terrain3d import TileMap
from terrain3d.core.checks import quoted
from terrain3d.grid.grid import CellLike
from terrain3d.look.settings import QUALITIES, Settings, SettingsFile
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import DEFAULTS
from terrain3d.program.options import NO_UNIT, WINDOW_SIZE, ScreenshotOptions, input_errors
from terrain3d.view import Labels3D, Preferences, attach
from terrain3d.view.window import window


def run_in_window(
    make_scene: Callable[[Preferences], GameScene], settings: Settings, file: SettingsFile
) -> bool:
    """Run a scene in a window until the window is closed; return False without a display.

    Changed settings are saved in `file`.
    """
    base = window.open_window(*WINDOW_SIZE, QUALITIES[settings.quality].samples)
    if base is None:
        return False
    root = attach(base).root
    gc.freeze()  # what lives as long as the program; else each collection takes 80 ms
    preferences = root.add_child(Preferences(settings, file))
    root.add_child(make_scene(preferences))
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

    `InputError` if the picture cannot be drawn or written there, or `shot` names a unit or a tile
    that does not exist.
    """
    with ExitStack() as stack:
        with input_errors(RuntimeError, OSError, ValueError):
            window.check_picture_path(path)
            tree = stack.enter_context(window.still_tree(size, settings.quality))
        preferences = tree.root.add_child(Preferences(settings))
        scene = GameScene(DEFAULTS["seed"], tilemap, profile, preferences)
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
    """Select the unit of `shot`, and place camera and aim.

    Raises `IndexError` outside the map, and `ValueError` if there is no such unit.
    """
    commander = scene.commander
    scene.commander_3d.cursor.cell = None
    select(commander, shot.unit)
    scene.tree.advance(0.0)  # the camera learns where the selected unit is
    is_near = commander.selected is not None
    usual = scene.camera.near if is_near else scene.camera.home
    heading = usual.heading_deg if shot.heading is None else shot.heading
    pitch = usual.pitch_deg if shot.pitch is None else shot.pitch
    view = scene.camera.framing(heading, pitch)
    if is_near:
        view = replace(usual, heading_deg=heading, pitch_deg=pitch)
    scene.camera.look(shot.view(view, scene.board.tilemap))
    aim(commander, shot.to, scene.camera.goal.heading_deg)
    if shot.no_hud:
        scene.tree.advance(0.0)  # what was asked for is shown
        remove_texts(scene)


def remove_texts(scene: GameScene) -> None:
    """Remove the panels, the names of units, and all texts on the map."""
    scene.remove_child(scene.hud)
    for figure in scene.figures.values():
        figure.label = ""
    for node in tuple(scene.walk()):
        if isinstance(node, Labels3D) and node.parent is not None:
            node.parent.remove_child(node)


def select(commander: ai.Commander, name: str | None) -> None:
    """Select the unit with a name or NO_UNIT; by default the first unless one is selected.

    Raises `ValueError` if there is no such unit.
    """
    units = {unit.name: unit for unit in commander.board.units}
    if name is not None:
        if name not in {*units, NO_UNIT}:
            known = ", ".join([*units, NO_UNIT])
            raise ValueError(f"--unit must be one of {known}, got {quoted(name)}")
        commander.select(units.get(name))
    elif commander.selected is None:
        commander.select_next()


def aim(commander: ai.Commander, goal: CellLike | None, heading_deg: float) -> None:
    """Aim at a tile, by default the `sample_goal` of the reach that is shown.

    Raises `IndexError` outside the map.
    """
    if goal is not None:
        commander.aim_at(goal)
    elif isinstance(reach := commander.reach, ai.Reach):
        commander.aim_at(sample_goal(reach, heading_deg))
