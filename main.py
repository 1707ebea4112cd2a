"""The scene and the command line: the one place where the ground's view and the movement meet."""

from __future__ import annotations

import argparse
import gc
import io
import itertools
import json
import math
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ai
from ai.game import descriptions, screenshot
from ai.game.readiness import Readiness
from ai.game.unit_loader import UnitLoader
from ai.movers import figure_of
from ai.trace import path_text, text_frames
from terrain3d import Cell, Node, TileMap, landscape
from terrain3d.app.convert import convert
from terrain3d.app.info import describe
from terrain3d.app.map_options import DEFAULTS, LANDSCAPE_LEVELS
from terrain3d.app.map_source import MapSource
from terrain3d.app.recording_options import RecordingOptions
from terrain3d.app.screenshot_options import ScreenshotOptions
from terrain3d.app.settings_file import SettingsError, SettingsFile, settings_path
from terrain3d.core.event_log import EventLog
from terrain3d.look.palettes import PALETTES
from terrain3d.look.quality import QUALITIES
from terrain3d.look.settings import Settings
from terrain3d.program import command_line
from terrain3d.program.command_line import InputError, chosen, make_log, make_map, make_profile

if TYPE_CHECKING:
    from terrain3d import view

STARTED_S = time.perf_counter()
DONE, NO_WAY = 0, 1
NO_DISPLAY_PICTURE = Path("scene.png")
NEW_MAP = Path("map.tmap")
"""Where a map is saved that is not from a file."""

LEAD_KEYS = (("Z", "let the selected unit move by itself, another way each time"),)
NEXT_KEYS = (("R", "new map from the next seed"),)
KEYS = (*LEAD_KEYS, *NEXT_KEYS)
"""What the scene adds to the keys of its nodes."""

GETTING_READY = "Getting ready; the very first start takes a few seconds"
FRAME_S = 1 / 30
"""Between the moments of a scene that nobody watches."""
MESSAGE_S = 4.0
"""How long the status line tells what has happened, before it gives advice again."""


class Play(Node):
    """One map with units on it, and a person who gives them orders.

    Every answer comes from the commander; this only shows it.
    """

    def __init__(
        self,
        seed: int,
        tilemap: TileMap,
        profile: ai.MoveProfile,
        preferences: view.Preferences,
        log: EventLog,
        path: Path = NEW_MAP,
    ) -> None:
        super().__init__("Play")
        from terrain3d import view

        self._seed, self._profile, self._log, self._path = seed, profile, log, path
        self._preferences = preferences
        self.board = ai.Board(tilemap)
        self.commander = ai.Commander(self.board)
        self.terrain = self.add_child(view.Terrain3D(tilemap, quality=preferences.settings.quality))
        self.terrain.mood = preferences.settings.mood
        self.camera = self.add_child(view.OrbitCamera3D(target=self.terrain))
        self._hand = self.terrain.add_child(view.Commander3D(self.commander, self.camera))
        self.editor = self.terrain.add_child(view.MapEditor3D(path, self._hand.cursor))
        self._box = self.add_child(view.SelectionBox("box"))
        self.hud = self.add_child(view.Hud())
        self._map = self.hud.add_child(view.MiniMap(self.terrain, self.camera))
        self._crumbs = self.terrain.add_child(view.Crumbs3D("crumbs"))
        self._points = self.terrain.add_child(view.TileOverlay3D("waypoints"))
        self._points.shows_labels = True
        others = self._hand, self.editor, self._crumbs, self._points
        self._theatre = view.TheatreDoor3D(self._choose_show, self.camera, others)
        self.terrain.add_child(self._theatre)
        always_keys = view.MAP_KEYS, view.SETTINGS_KEYS
        self._play_keys = (
            view.COMMAND_KEYS,
            view.BOX_KEYS,
            view.EDITOR_KEYS,
            view.THEATRE_KEYS,
            view.CAMERA_KEYS,
            *always_keys,
            KEYS,
        )
        self._make_keys = (
            view.EDITOR_KEYS,
            view.DRAWING_KEYS,
            view.CURSOR_KEYS,
            view.LOOK_KEYS,
            *always_keys,
        )
        self._watch_keys = (
            view.STAGE_KEYS,
            view.THEATRE_KEYS,
            view.CAMERA_KEYS,
            *always_keys,
            NEXT_KEYS,
        )
        self.autopilot = self.add_child(ai.Autopilot(self.board, seed))
        self._figures: dict[ai.Unit, view.Unit3D] = {}
        self._loader = UnitLoader(self.board, profile)
        for note in self._loader.notes:
            tell(note)
        for unit in self.board.units:
            figure = view.Unit3D(unit, shape=figure_of(unit.profile))
            self._figures[unit] = self.terrain.add_child(figure)
            unit.move_finished.connect(lambda cell, unit=unit: self._arrive(unit, cell))
        self._readiness = self.add_child(Readiness(self.commander))
        self._is_stale = True
        self._next: tuple[int, TileMap, str] | None = None
        self._message, self._message_s = GETTING_READY, math.inf

    def _ready(self) -> None:
        terrain, commander, log = self.terrain, self.commander, self._log
        self._readiness.begun.connect(lambda: log.write("first_frame"))
        # For the map before this one: the collector counts objects, not bytes, and would wait long.
        self._readiness.begun.connect(gc.collect)
        self._readiness.opened.connect(self._tell_ready)
        self._readiness.squads_ready.connect(lambda: log.write("squads_ready"))
        terrain.accept("r", self._next_map)
        terrain.accept("z", self._lead_on)
        self._box.drawn.connect(self._select_within)
        commander.squad_ordered.connect(self._tell_squad)
        commander.order_given.connect(self._tell_order)
        self.autopilot.changed.connect(lambda _unit: self._mark_stale())
        self._hand.aimed.connect(lambda cell: log.write("hover", cell=cell) if cell else None)
        self.editor.changed.connect(self._heed_editor)
        self.editor.message.connect(self._tell_made)
        self.editor.loaded.connect(self._load)
        self.editor.saving.connect(self._loader.save)
        self._theatre.changed.connect(self._heed_editor)
        self._heed_editor()
        commander.changed.connect(self._mark_stale)
        commander.unit_selected.connect(
            lambda unit: log.write("selected", unit=unit.name if unit else None)
        )
        commander.order_undone.connect(lambda is_done: self._tell_retaken("undo", is_done))
        commander.order_redone.connect(lambda is_done: self._tell_retaken("redo", is_done))
        commander.refused.connect(self._tell_refusal)
        terrain.listen(self._preferences.changed, self._tell_setting)
        terrain.listen(self._preferences.failed, self._tell)
        self._apply(self._preferences.settings)

    def _process(self, dt_s: float) -> None:
        self._message_s -= dt_s
        if self._message_s <= 0 and self._message:
            self._message, self._is_stale = "", True
        self.hud.pointer_place = self._hand.keyed_place
        self._crumbs.show(self._crumbs_to_show())
        points = self.autopilot.points()
        self._points.show(points, [str(number or "") for number in points.values()])
        if self._is_stale:
            self._is_stale = False
            self._show()
        if self._theatre.stage is not None:
            self.hud.status_text = self._theatre.stage.status
        if self._next is not None:
            following, self._next = self._next, None  # or the old map would hold the new one
            self._replace(*following)

    @property
    def is_ready(self) -> bool:
        """Whether orders are taken."""
        return self.commander.is_open

    def turn_to_next(self) -> None:
        """Select the next unit and aim at it, as the key does."""
        self._hand.turn_to_next()

    def arrange(self, shot: ScreenshotOptions) -> None:
        """Show what a picture is asked to show, from where it is asked."""
        screenshot.begin(shot, self.commander, self.autopilot)
        for _ in range(round(shot.after / FRAME_S)):
            self.tree.advance(FRAME_S)
        home = self.camera.home
        heading = home.heading_deg if shot.heading is None else shot.heading
        pitch = home.pitch_deg if shot.pitch is None else shot.pitch
        self.camera.look(shot.view(self.camera.framing(heading, pitch), self.board.tilemap))
        screenshot.aim(shot, self.commander)
        self._hand.shows_costs |= shot.overlay == "costs"
        if shot.overlay == "none":
            self._hand.reach.np.hide()
        if shot.no_hud:
            self.remove_child(self.hud)

    def _choose_show(self) -> ai.SearchComparison | None:
        """Choose what the theatre plays: the search for the way that is aimed at."""
        plan = self.commander.plan
        if plan is None or not self.is_ready or self.editor.is_active:
            self._tell("Select a unit and aim at another tile to watch the search for its way")
            return None
        begin = partial(self.board.begin_search, plan.unit, plan.cell)
        return ai.SearchComparison(begin, ai.SearchOptions(plan.unit.profile))

    def _select_within(self, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Select the units that are seen in a box on the window."""
        figures = self._figures.items()
        self.commander.select_all([unit for unit, figure in figures if figure.is_within(low, high)])
        self._log.write("squad", units=[unit.name for unit in self.commander.squad])

    def _crumbs_to_show(self) -> list[Cell]:
        """List those that somebody follows, and where the selected unit went by itself."""
        unit = self.commander.selected
        if unit is None or not self.autopilot.behavior_of(unit):
            return self.autopilot.crumbs()
        return [crumb.cell for crumb in self.autopilot.trail_of(unit)] + self.autopilot.crumbs()

    def _tell_order(self, unit: ai.Unit, path: ai.Path) -> None:
        self.autopilot.assign(unit, "")
        self._log.write("ordered", unit=unit.name, cells=path.cells, cost=path.cost)

    def _tell_squad(self, order: ai.SquadOrder) -> None:
        for unit in order.units:
            self.autopilot.assign(unit, "")
        goals = {unit.name: goal for unit, goal in zip(order.units, order.goals, strict=True)}
        self._log.write("squad_ordered", goals=goals, ticks=order.plan.ticks)

    def _lead_on(self) -> None:
        """Let the selected unit move by itself in the next way there is."""
        unit, aim = self.commander.selected, self.commander.aim
        if self.editor.is_active or self._theatre.stage is not None:
            return
        if unit is None or not self.is_ready:
            self._tell("Select a unit to let it move by itself")
            return
        behavior = self.autopilot.assign_next(unit, None if aim == unit.cell else aim)
        self._tell(f"{unit.name} {descriptions.describe_behavior(behavior)}")
        self._log.write("autopilot", unit=unit.name, behavior=behavior)

    def _mark_stale(self) -> None:
        self._is_stale = True  # shown at the next frame, once, however much has changed

    def _tell(self, message: str) -> None:
        self._message, self._message_s, self._is_stale = message, MESSAGE_S, True

    def _tell_ready(self) -> None:
        said = "" if self._message == GETTING_READY else self._message
        self._tell("; ".join(filter(None, [said, *self._loader.notes[:1]])))
        settings, units = self._preferences.settings.as_dict(), self._report_units()
        self._log.write("ready", seed=self._seed, units=units, settings=settings)

    def _tell_refusal(self, reason: str) -> None:
        self._tell(reason)
        self._log.write("refused", reason=reason)

    def _tell_retaken(self, name: str, is_done: bool) -> None:
        self._tell(f"{name} done" if is_done else f"nothing to {name}")
        self._log.write(name, done=is_done, units=self._report_units())

    def _tell_setting(self, name: str) -> None:
        settings = self._preferences.settings
        self._apply(settings)
        self._tell(settings.describe(name))
        self._log.write("setting", name=name, value=settings.as_dict()[name])

    def _arrive(self, unit: ai.Unit, cell: Cell) -> None:
        self._log.write("arrived", unit=unit.name, cell=cell, units=self._report_units())

    def _next_map(self) -> None:
        if self._next is None and not self.editor.is_active:
            old, seed = self.board.tilemap, self._seed + 1
            levels = max(old.top_level + 1, LANDSCAPE_LEVELS)
            tilemap = landscape(old.rows, old.cols, seed, levels, topology=old.topology)
            # Shown at the next frame, once, however often the key was pressed.
            self._next = seed, tilemap, f"Map of seed {seed}"

    def _load(self, tilemap: TileMap) -> None:
        self._next = self._seed, tilemap, f"loaded {self._path}"

    def _replace(self, seed: int, tilemap: TileMap, message: str) -> None:
        self._theatre.close()
        self._log.write("new_map", seed=seed)
        play = Play(seed, tilemap, self._profile, self._preferences, self._log, self._path)
        play._tell(message)
        self.tree.root.add_child(play)
        play.editor.is_active = self.editor.is_active
        self.queue_free()

    def _heed_editor(self) -> None:
        """Leave mouse and keys to who makes the map or watches a search, or take them back."""
        is_making = self.editor.is_active
        self._hand.takes_orders = not is_making
        self._box.is_open = not is_making and self._theatre.stage is None
        self.camera.orbit_buttons = {"right"} if is_making else {"left", "right"}
        tables = self._make_keys if is_making else self._play_keys
        tables_now = self._watch_keys if self._theatre.stage else tables
        self.hud.keys = tuple(itertools.chain(*tables_now))
        self._is_stale = True

    def _tell_made(self, message: str) -> None:
        self._tell(message)
        self._log.write("made", message=message)

    def _apply(self, settings: Settings) -> None:
        """Let everything look and behave as the person has chosen."""
        palette = PALETTES[settings.palette]
        self._hand.palette, self._hand.follows = palette, settings.follow
        self._hand.shows_costs = settings.show_costs
        self.hud.ok_color, self.hud.refused_color = palette.path, palette.refused
        self.hud.text_scale, self._map.is_shown = settings.text_scale, settings.show_map
        self.terrain.mood, self.terrain.quality = settings.mood, settings.quality
        self._theatre.text_scale, self._theatre.way_color = settings.text_scale, palette.path
        self._crumbs.color = self._points.color = palette.path
        for unit, figure in self._figures.items():
            figure.color, figure.pace = palette.of_team(unit.team), settings.pace
        self._is_stale = True

    def _show(self) -> None:
        """Say what the commander tells, in words; the theatre speaks for itself."""
        hud, tilemap = self.hud, self.board.tilemap
        selected, aim, plan = self.commander.selected, self.commander.aim, self.commander.plan
        for unit, figure in self._figures.items():
            figure.is_selected = unit in self.commander.squad
        if self._theatre.stage is not None:
            selected = aim = plan = None
        about = [] if selected is None else descriptions.describe_unit(selected, tilemap)
        about += (
            [] if selected is None else descriptions.describe_autopilot(self.autopilot, selected)
        )
        hud.unit_text = "\n".join(about)
        hud.unit_color = self._figures[selected].color if selected else None
        hud.tile_text = (
            "" if aim is None else "\n".join(descriptions.describe_tile(self.board, aim, selected))
        )
        hud.pointer_text = descriptions.describe_plan(plan) if plan else ""
        hud.pointer_kind = "ok" if plan is None or plan.is_allowed else "refused"
        hud.tool_text = self.editor.text
        advice = self.editor.advice or descriptions.advice(self.commander)
        hud.status_text = self._message or advice

    def _report_units(self) -> list[dict[str, object]]:
        """Say where each unit stands, on the map and, in pixels from the top left, on screen."""
        return [
            {"name": unit.name, "team": unit.team, "cell": unit.cell, "pixel": figure.pixel}
            for unit, figure in self._figures.items()
        ]


def run_scene(options: argparse.Namespace) -> int:
    """Open the scene in a window; without a display, render it to a picture instead."""
    tilemap, profile = make_map(options, "landscape", tell), make_profile(options)
    log = make_log(options, STARTED_S)
    from terrain3d.view import Preferences, attach
    from terrain3d.view.window import window

    file = SettingsFile(options.settings or settings_path(os.environ, sys.platform, Path.home()))
    settings = chosen(options, read_settings(file))
    base = window.open_window(*command_line.WINDOW_SIZE, QUALITIES[settings.quality].samples)
    if base is None:
        print(f"there is no display to open a window on: rendering {NO_DISPLAY_PICTURE} instead")
        shot, size = ScreenshotOptions(), command_line.WINDOW_SIZE
        render(shot, tilemap, profile, NO_DISPLAY_PICTURE, size, settings)
        return DONE
    seed = getattr(options, "seed", DEFAULTS["seed"])
    root = attach(base).root
    preferences = root.add_child(Preferences(settings, file))
    path = getattr(options, "map", NEW_MAP).with_suffix(NEW_MAP.suffix)
    root.add_child(Play(seed, tilemap, profile, preferences, log, path))
    base.run()
    return DONE


def read_settings(file: SettingsFile) -> Settings:
    """Read what is remembered; if that cannot be, say so in one line and do without."""
    try:
        return file.load()
    except SettingsError as error:
        tell(f"main.py: {error}; using defaults")
        return Settings()


def run_path(options: argparse.Namespace) -> int:
    """Print a map, a way over it and its cost."""
    tilemap, profile = make_map(options, "noise", tell), make_profile(options)
    try:
        path = ai.Navigation(tilemap).find_path(options.start, options.goal, profile)
    except IndexError as error:
        raise InputError(str(error)) from None
    if options.json:
        print(json.dumps(path_text.as_json(tilemap, path)))
    else:
        print(path_text.describe_path(tilemap, path))
    return DONE if path else NO_WAY


def run_shot(options: argparse.Namespace) -> int:
    """Render the scene to a picture, without a window."""
    tilemap, profile = make_map(options, "landscape", tell), make_profile(options)
    try:
        shot = ScreenshotOptions.from_options(options)
    except ValueError as error:
        raise InputError(str(error)) from None
    render(shot, tilemap, profile, options.out, options.size, chosen(options, Settings()))
    return DONE


def render(
    shot: ScreenshotOptions,
    tilemap: TileMap,
    profile: ai.MoveProfile,
    path: Path,
    size: tuple[int, int],
    settings: Settings,
) -> None:
    """Draw what a picture is asked to show, and write it to `path`."""
    from terrain3d.view import Preferences, attach
    from terrain3d.view.window import window

    try:
        window.check_picture_path(path)
        base = window.open_offscreen(*size, QUALITIES[settings.quality].samples)
    except (RuntimeError, OSError, ValueError) as error:
        raise InputError(str(error)) from None
    window.hold_still(base)
    tree = attach(base)
    preferences = tree.root.add_child(Preferences(settings))
    play = tree.root.add_child(Play(DEFAULTS["seed"], tilemap, profile, preferences, EventLog()))
    while not play.is_ready:
        base.task_mgr.step()
    try:
        play.arrange(shot)
        for _ in range(2):
            base.task_mgr.step()
        window.save_picture(base, path)
    except (OSError, ValueError, IndexError) as error:
        raise InputError(str(error)) from None
    finally:
        tree.close()
        base.destroy()


def run_theatre(options: argparse.Namespace) -> int:
    """Show the steps of a search, or of two side by side: as text, as pictures and a GIF."""
    tilemap, profile = make_map(options, "landscape", tell), make_profile(options)
    begin = partial(ai.Navigation(tilemap).begin_search, options.start, options.goal)
    try:
        output = RecordingOptions.from_options(options, chosen(options, Settings()))
        replays = ai.SearchComparison.from_options(begin, profile, options).replays()
        if output.text:
            steps = text_frames.describe_replays(tilemap, replays, output.every)
            print("\n\n".join([text_frames.LEGEND, *steps]))
        if output.is_drawn:
            from terrain3d.view.theatre.picture_series import publish

            for number, count in publish(tilemap, replays, output):
                end = "\r" if sys.stderr.isatty() and number < count else "\n"
                print(f"picture {number} of {count}", end=end, file=sys.stderr, flush=True)
    except (IndexError, ValueError, OSError, RuntimeError, ImportError) as error:
        raise InputError(str(error)) from None
    return DONE if all(replay.path for replay in replays) else NO_WAY


def run_convert(options: argparse.Namespace) -> int:
    """Write a map in another format, and say what that cannot hold."""

    def write_bam(tilemap: TileMap, path: Path) -> tuple[str, ...]:
        from terrain3d.view.window import model

        return model.write_bam(tilemap, path)

    others = {".bam": write_bam}
    source = MapSource.from_options
    return say(lambda: convert(source(options), options.target, others, options.tilesets))


def run_info(options: argparse.Namespace) -> int:
    """Say what a map file holds."""
    return say(lambda: describe(*MapSource.from_options(options).read()))


def say(make: Callable[[], list[str]]) -> int:
    """Print the lines that something makes; what goes wrong in making them is bad input."""
    try:
        lines = make()
    except (ValueError, TypeError, OSError, MemoryError) as error:
        raise InputError(str(error)) from None
    print("\n".join(lines))
    return DONE


def tell(line: str) -> None:
    """Say what has no place in the output."""
    print(line, file=sys.stderr)


RUN: dict[str | None, Callable[[argparse.Namespace], int]] = {
    None: run_scene,
    "path": run_path,
    "shot": run_shot,
    "theatre": run_theatre,
    "convert": run_convert,
    "info": run_info,
}
"""What runs each command; without one the scene opens."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # which may not know each letter of a name
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        options = command_line.parse(arguments)
        status = RUN[options.command](options)
        print(end="", flush=True)
        return status
    except BrokenPipeError:  # whoever reads has seen enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except InputError as error:
        tell(f"main.py: {error}")
        return command_line.BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
