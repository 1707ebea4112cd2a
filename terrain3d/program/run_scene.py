"""Run the scene in a window until it is closed, or render it once to a picture."""

import gc
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import ai
from ai.view.opening import sample_goal
from terrain3d import Cell, Node, TileMap
from terrain3d.core.checks import quoted
from terrain3d.core.files import EventLog
from terrain3d.look.settings import QUALITIES, Settings, SettingsFile
from terrain3d.program.game_scene import GameScene
from terrain3d.program.maps import DEFAULTS
from terrain3d.program.options import NO_UNIT, WINDOW_SIZE, ScreenshotOptions, input_errors
from terrain3d.view import Labels3D, Preferences, attach
from terrain3d.view.window import window

FRAME_S = 1 / 30
"""Time between frames of a scene that is rendered to a picture."""


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

    `InputError` if the picture cannot be drawn or written there, or `shot` names a unit, tile or
    behavior that does not exist.
    """
    with ExitStack() as stack:
        with input_errors(RuntimeError, OSError, ValueError):
            window.check_picture_path(path)
            tree = stack.enter_context(window.still_tree(size, settings.quality))
        preferences = tree.root.add_child(Preferences(settings))
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
    begin(shot, scene.commander, scene.autopilot)
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
    aim(shot, scene.commander, scene.camera.goal.heading_deg)
    scene.commander_3d.shows_costs |= shot.overlay == "costs"
    if shot.overlay == "none":
        scene.commander_3d.reach_overlay.np.hide()
    if shot.no_hud:
        scene.tree.advance(0.0)  # what was asked for is shown
        _remove_texts(scene, *[scene.commander_3d.reach_overlay] * (shot.overlay == "costs"))


def _remove_texts(scene: GameScene, *kept: Node) -> None:
    """Remove the panels, the names of units, and all texts but those on some nodes."""
    scene.remove_child(scene.hud)
    for figure in scene.figures.values():
        figure.label = ""
    for node in tuple(scene.walk()):
        if isinstance(node, Labels3D) and node.parent is not None and node.parent not in kept:
            node.parent.remove_child(node)


def begin(options: ScreenshotOptions, commander: ai.Commander, autopilot: ai.Autopilot) -> None:
    """Select a unit, by default the first unless one is selected, or send a squad; start behaviors.

    Raises `IndexError` for a destination outside the map, and `ValueError` if there is no such unit
    or behavior, or the squad cannot go there.
    """
    if options.squad and options.to is not None:
        _send_squad(commander, options.squad, Cell(*options.to))
    elif options.unit == NO_UNIT:
        commander.select(None)
    elif options.unit is None:
        if commander.selected is None:
            commander.select_next()
    else:
        commander.select(_unit_of(commander, "--unit", options.unit, NO_UNIT))
    for name, behavior in options.lead or ():
        autopilot.assign(_unit_of(commander, "--lead", name), behavior, options.to)


def aim(options: ScreenshotOptions, commander: ai.Commander, heading_deg: float) -> None:
    """Aim at the given tile; if a reach is shown and no tile is given, at its `sample_goal`.

    There is no aim while a behavior or a squad moves units. Raises `IndexError` outside the map.
    """
    if options.lead or options.squad:
        return
    if options.to is not None:
        commander.aim_at(options.to)
    elif isinstance(reach := commander.reach, ai.Reach) and options.overlay != "none":
        commander.aim_at(sample_goal(reach, heading_deg))


def _send_squad(commander: ai.Commander, names: Sequence[str], cell: Cell) -> None:
    """Order units to a tile together, as a selection box and a click do."""
    units = [_unit_of(commander, "--squad", name) for name in names]
    commander.select_all(units)
    if set(commander.squad) != set(units):
        raise ValueError(f"--squad must be of one team, got {', '.join(names)}")
    standing = commander.board.unit_at(cell)
    if standing is not None:
        raise ValueError(f"--to must be a free tile: {standing.name} stands on {cell}")
    refusals: list[str] = []
    commander.refused.connect(refusals.append)
    commander.act_on(cell)
    commander.refused.disconnect(refusals.append)
    if refusals:
        raise ValueError(f"--squad cannot go there: {refusals[0]}")


def _unit_of(commander: ai.Commander, flag: str, name: str, *more: str) -> ai.Unit:
    units = {unit.name: unit for unit in commander.board.units}
    if name not in units:
        known = ", ".join([*units, *more])
        raise ValueError(f"{flag} must be one of {known}, got {quoted(name)}")
    return units[name]
