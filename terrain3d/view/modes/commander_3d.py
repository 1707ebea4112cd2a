"""Turns clicks and keys into orders to units, and marks the reach and the planned path."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from terrain3d.core.exports import export
from terrain3d.core.signals import Signal
from terrain3d.grid.grid import Cell
from terrain3d.look.palettes import PAINTED, Palette
from terrain3d.map.tilemap import TileMap
from terrain3d.view.modes.commander_protocol import CommanderLike
from terrain3d.view.scene.path_ribbon_3d import PathRibbon3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.scene.tile_cursor_3d import KEYS as CURSOR_KEYS
from terrain3d.view.scene.tile_cursor_3d import TileCursor3D
from terrain3d.view.scene.tile_overlay_3d import TileOverlay3D
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from terrain3d.view.camera.orbit_camera_3d import OrbitCamera3D

KEYS = (
    ("Left click", "select a unit, move it to a tile"),
    ("Right click, Esc, Backspace", "deselect"),
    ("Tab", "select the next unit; with Shift the previous one"),
    ("B", "turn the selected unit toward the tile aimed at"),
    ("U / Y, Ctrl + Z / Y", "undo / redo a move"),
    *CURSOR_KEYS,
)
"""Keys of the unit commands: rows of (keys, what they do) for the help."""

FOLLOWED_PART = 0.5
"""Part of the picture in which the camera keeps a walking unit."""
CHOSEN_PART = 0.2
"""Part of the picture for a unit chosen by a key: no panel covers it, also in a small window."""


class Commander3D(Node3D):
    """Lets a player command units on a map; a child of Terrain3D.

    Parameters
    ----------
    commander : CommanderLike
        Makes all decisions; this node passes clicks and keys on to it, and shows its state.
    camera : OrbitCamera3D, optional
        F moves it to the unit selected last. It keeps in view a walking unit and the tile that keys
        aim at.
    name : str
    """

    aimed = Signal("cell")
    """Another tile is aimed at; None: no tile."""

    takes_orders = export(True, doc="whether clicks and keys give orders, and marks are shown")
    shows_costs = export(False, doc="whether tiles within reach show their costs")
    follows = export(True, doc="whether the camera keeps the selected unit in view while it walks")

    def __init__(
        self, commander: CommanderLike, camera: OrbitCamera3D | None = None, name: str = ""
    ) -> None:
        super().__init__(name)
        self._commander, self._camera = commander, camera
        self._was_moving = False
        self._palette = PAINTED
        self._shown_as: tuple[bool, bool] | None = None
        self._shown_reach: tuple[object, bool] | None = None
        self._is_stale = True
        self.reach_overlay = self.add_child(TileOverlay3D("reach"))
        self.path_ribbon = self.add_child(PathRibbon3D("path"))
        self.goal_overlay = self.add_child(TileOverlay3D("goals"))
        self.squad_ribbons: list[PathRibbon3D] = []
        """The paths of several units, as many as were ever shown at once."""
        self.cursor = self.add_child(TileCursor3D("cursor"))

    @property
    def palette(self) -> Palette:
        """The colors of the marks."""
        return self._palette

    @palette.setter
    def palette(self, palette: Palette) -> None:
        self._palette = palette
        self.reach_overlay.color, self.cursor.color = palette.reach, palette.cursor
        self.goal_overlay.color = palette.path
        self.path_ribbon.color, self.path_ribbon.refused_color = palette.path, palette.refused

    @property
    def keyed_place(self) -> tuple[float, float] | None:
        """Window point of the tile that keys aim at, (x, y) in -1..1; None if the pointer aims."""
        aim = self._commander.aim
        if not self.cursor.is_keyed or aim is None or not self.is_inside_tree:
            return None
        return self.panda.project(terrain_above(self).tilemap.surface_point(aim), self.np)

    def select_next(self, step: int = 1) -> None:
        """Select the unit `step` after the selected one, and aim at it as keys would."""
        self._commander.select_next(step)
        unit = self._commander.selected
        if unit is not None:
            self.cursor.go_to(unit.cell)
            if self._camera is not None:
                self._camera.reveal(unit.pose.point, CHOSEN_PART)

    def _enter_tree(self) -> None:
        terrain, commander = terrain_above(self), self._commander
        self._is_stale = True
        self.listen(commander.changed, self._mark_stale)
        self.listen(terrain.tile_clicked, self._click)
        self.listen(self.cursor.chosen, lambda cell: self._click(cell, "left"))
        self.listen(self.cursor.moved, self._aim)
        calls: tuple[tuple[str, Callable[[], None]], ...] = (
            ("escape", lambda: commander.select(None)),
            ("backspace", lambda: commander.select(None)),
            ("tab", lambda: self.select_next(1)),
            ("shift-tab", lambda: self.select_next(-1)),
            ("b", commander.face_aim),
            ("u", commander.undo),
            ("control-z", commander.undo),
            ("y", commander.redo),
            ("control-y", commander.redo),
        )
        for event, call in calls:
            self.accept(event, self._call_if_active, call)

    def _process(self, _dt_s: float) -> None:
        self._commander.poll()
        shown_as = self.shows_costs, self.takes_orders
        self._is_stale |= shown_as != self._shown_as
        if self._is_stale and self.is_inside_tree:  # a listener may have removed it
            self._is_stale, self._shown_as = False, shown_as
            self._show(terrain_above(self).tilemap)
        if self._camera is not None:
            self._move_camera(self._camera)

    def _move_camera(self, camera: OrbitCamera3D) -> None:
        """Keep the selected unit in view while it walks, and in the first frame after."""
        unit = self._commander.selected
        if unit is not None:
            camera.focus_point = unit.pose.point
        is_moving = unit is not None and unit.is_moving
        is_followed = self.follows and self.takes_orders
        if unit is not None and is_followed and (is_moving or self._was_moving):
            camera.reveal(unit.pose.point, FOLLOWED_PART)
        self._was_moving = is_moving

    def _mark_stale(self) -> None:
        self._is_stale = True  # many changes are shown once, in the next frame

    def _call_if_active(self, call: Callable[[], None]) -> None:
        if self.takes_orders:
            call()

    def _click(self, cell: Cell | None, button: str) -> None:
        if not self.takes_orders:
            return
        if button == "right":
            self._commander.select(None)
        elif button == "left" and cell is not None:
            self._commander.act_on(cell)

    def _aim(self, cell: Cell | None) -> None:
        self._commander.aim_at(cell)
        if self._camera is not None and self.cursor.is_keyed and cell is not None:
            self._camera.reveal(terrain_above(self).tilemap.surface_point(cell))
        self.aimed.emit(cell)

    def _show(self, tilemap: TileMap) -> None:
        """Copy the commander's state to the nodes that show it."""
        reach = self._commander.reach if self.takes_orders else None
        plan = self._commander.plan if self.takes_orders else None
        self._show_squad(tilemap)
        if (reach, self.shows_costs) != self._shown_reach:
            self._shown_reach = reach, self.shows_costs
            unit = self._commander.selected
            cells, costs = [], []
            if reach is not None and unit is not None:
                cells = [cell for cell in reach.cells if cell != unit.cell]
                costs = [f"{reach.cost_to(cell):g}" for cell in cells if self.shows_costs]
            self.reach_overlay.show(cells, costs)
            self.reach_overlay.shows_labels = self.shows_costs
        if plan is None:
            self.path_ribbon.clear()
            return
        points = [tilemap.surface_point(cell) for cell in plan.path]
        is_one_turn = tuple(plan.turn_ends[:1]) == (len(points) - 1,)
        # Tiles that show their total costs need no costs of single steps.
        steps = () if self.shows_costs and is_one_turn else plan.path.steps
        self.path_ribbon.show(
            points,
            is_refused=not plan.is_allowed,
            labels=[f"+{step.cost:g}" for step in steps],
            turn_ends=() if is_one_turn else plan.turn_ends,
        )

    def _show_squad(self, tilemap: TileMap) -> None:
        """Show the goals and the paths of several units."""
        plan = self._commander.squad_plan if self.takes_orders else None
        self.goal_overlay.show(() if plan is None else plan.goals)
        paths = [] if plan is None else [*plan.paths.values()]
        while len(self.squad_ribbons) < len(paths):
            self.squad_ribbons.append(self.add_child(PathRibbon3D("squad path")))
        for number, ribbon in enumerate(self.squad_ribbons):
            path = paths[number] if number < len(paths) else ()
            cells = [cell for cell, _ in itertools.groupby(path)]  # without waits
            ribbon.color = self._palette.path
            ribbon.show([tilemap.surface_point(cell) for cell in cells])
