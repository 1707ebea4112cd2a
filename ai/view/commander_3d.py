"""Turn clicks, keys and a box drawn on the window into orders to units, and mark their paths."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from panda3d.core import NodePath, TextNode

from ai.game.commander import Commander
from ai.game.warm_up import is_compiled, warming_up
from terrain3d.core.checks import instance_of, true_or_false
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import tr
from terrain3d.grid.grid import Cell
from terrain3d.grid.reason import plain_reason
from terrain3d.look.palettes import PAINTED, Palette
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.overlays.flat_shapes import DARK, card, joined
from terrain3d.view.camera import OrbitCamera3D
from terrain3d.view.command import Command
from terrain3d.view.font import font_file, make_font, text_node
from terrain3d.view.geometry import make_geom_node, set_unlit
from terrain3d.view.scene.mark_3d import PathRibbon3D, TileOverlay3D
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.scene.tile_cursor_3d import TileCursor3D
from terrain3d.view.window.panda_tree import Control, Node3D, WindowNode

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ai.board.unit import Unit
    from terrain3d.look.orbit import Point as MapPoint


DOUBLE_CLICK_S = 0.4
"""Time between two clicks on a unit that center it."""
VIEW_PART = 0.95
"""Part of the picture that counts as in view."""
SHOWN_PART = 0.2
"""Part of the picture for what was out of view: no panel covers it, also in a small window."""
_NOTE_SIZE, _NOTE_PX, _NOTE_Z = 0.06, 32, 0.75


class Commander3D(Node3D):
    """Lets a player command units on a map; a child of Terrain3D.

    Parameters
    ----------
    commander : Commander
        Makes all decisions; this node passes clicks and keys on to it, and shows its state.
    camera : OrbitCamera3D, optional
        F moves it to the unit selected last. It keeps in view a walking unit and the tile that keys
        aim at.
    name : str
    warm_up : bool
        Let the searches be compiled in the background, as by `ai.warm_up`, from when it enters a
        tree. The first time on a machine a text in the scene says so, since a query has to wait.
    """

    takes_orders = export(True, doc="whether clicks and keys give orders, and marks are shown")
    shows_costs = export(False, doc="whether tiles within reach show their costs")
    follows = export(True, doc="whether the camera keeps the selected unit in view while it walks")

    def __init__(
        self,
        commander: Commander,
        camera: OrbitCamera3D | None = None,
        name: str = "",
        *,
        warm_up: bool = True,
    ) -> None:
        super().__init__(name)
        self._commander = instance_of("commander", commander, Commander)
        self._note = self.add_child(CompilingNote()) if true_or_false("warm_up", warm_up) else None
        self._camera = camera and instance_of("camera", camera, OrbitCamera3D)
        self._clicked: Unit | None = None
        self._is_shifted = False  # the press of a button
        self._since_click_s = 0.0
        self._palette = PAINTED
        self._shown_as: tuple[bool, bool] | None = None
        self._shown_reach: tuple[object, bool] | None = None
        self._is_stale = True
        self.reach_overlay = self.add_child(TileOverlay3D("reach"))
        self.path_ribbon = self.add_child(PathRibbon3D("path"))
        self.goal_overlay = self.add_child(TileOverlay3D("goals"))
        self.cursor = self.add_child(TileCursor3D("cursor"))

    @property
    def camera(self) -> OrbitCamera3D | None:
        """The camera that it moves, if there is one."""
        return self._camera

    @property
    def palette(self) -> Palette:
        """The colors of the marks."""
        return self._palette

    @palette.setter
    def palette(self, palette: Palette) -> None:
        self._palette = palette
        self.cursor.color, self.goal_overlay.color = palette.cursor, palette.path
        self.reach_overlay.is_hatched = self.goal_overlay.is_hatched = palette.is_hatched
        self.path_ribbon.color, self.path_ribbon.refused_color = palette.path, palette.refused
        self._is_stale = True

    @property
    def keyed_place(self) -> tuple[float, float] | None:
        """Window point of the tile that keys aim at, (x, y) in -1..1; None if the pointer aims."""
        aim = self._commander.aim
        if not self.cursor.is_keyed or aim is None or not self.is_inside_tree:
            return None
        return self.panda.project(terrain_above(self).tilemap.surface_point(aim), self.np)

    def select_next(self, step: int = 1) -> None:
        """Select the unit `step` after the selected one, or the next target, and aim at it."""
        self.aim_by_key(self._commander.select_next(step))

    def _choose_unit(self, number: int) -> None:
        """Select the player's unit of a number, if there is one."""
        commander = self._commander
        own = [unit for unit in commander.board.units if commander.team in (None, unit.team)]
        if number <= len(own):
            commander.select(own[number - 1])
            self.aim_by_key(own[number - 1].cell)

    def aim_by_key(self, cell: Cell | None) -> None:
        """Aim at a cell as keys would, and show it; do nothing for none, or if its deck is gone."""
        tilemap = self._commander.board.tilemap
        if cell is not None and tilemap.has_cell(cell):
            self.cursor.go_to(cell)
            self.reveal(tilemap.surface_point(cell))

    def _enter_tree(self) -> None:
        terrain, commander = terrain_above(self), self._commander
        self._is_stale = True
        self.listen(commander.changed, self._mark_stale)
        self.listen(self.panda.pointer.pressed, self._note_press)
        self.listen(terrain.tile_clicked, self._click)
        self.listen(self.cursor.chosen, self._choose)
        self.listen(self.cursor.moved, self._aim)
        self.accept_actions(self._commands(), "Units", lambda: self.takes_orders)

    def _commands(self) -> list[Command]:
        commander, number = self._commander, "select a unit of yours by its number"
        over = "make the path go over a tile; going back removes the last one"
        return [
            Command("select", text="select a unit, move it to a tile", shown_keys="Left click"),
            Command("center", text="center a unit", shown_keys="Double click"),
            Command(
                "deselect",
                "backspace gamepad-face_b",
                "deselect, go back",
                commander.back,
                shown_keys="Right click, Backspace",
                why_not=self._why_no_way_back,
            ),
            Command(
                "select_next",
                "tab gamepad-dpad_right",
                "select the next / previous unit",
                self.select_next,
                "Next unit",
            ),
            Command(
                "select_previous",
                "shift-tab gamepad-dpad_left",
                call=partial(self.select_next, -1),
            ),
            Command("choose_unit", text=number, shown_keys="Ctrl + 1 to 9"),
            *(
                Command(f"unit_{n}", f"control-{n}", call=partial(self._choose_unit, n))
                for n in range(1, 10)
            ),
            Command(
                "face", "b", "turn the selected unit toward the tile aimed at", commander.face_aim
            ),
            Command(
                "undo",
                "u control-z gamepad-face_y",
                "undo a move",
                commander.undo,
                "Undo",
                "U, Ctrl + Z",
                why_not=lambda: plain_reason(commander.why_no_undo),
            ),
            Command(
                "redo",
                "y control-y gamepad-face_x",
                "do an undone move again",
                commander.redo,
                "Redo",
                "Y, Ctrl + Y",
                why_not=lambda: "" if commander.has_redo else tr("nothing to redo"),
            ),
            Command(
                "waypoint",
                "shift-enter shift-space",
                over,
                self._add_waypoint,
                shown_keys="Shift + click, Shift + Enter",
            ),
        ]

    def _why_no_way_back(self) -> str:
        commander = self._commander
        return "" if commander.waypoints or commander.squad else tr("No unit is selected")

    def _process(self, dt_s: float) -> None:
        self._since_click_s += dt_s
        if self._note is not None and self._note.is_new:
            return  # it has to be on screen before a query waits
        shown_as = self.shows_costs, self.takes_orders
        if shown_as != self._shown_as:
            self._shown_as = shown_as
            self._commander.changed.emit()  # also the views of its state show another one
        if self._is_stale and self.is_inside_tree:  # a listener may have removed it
            self._is_stale = False
            self._show(terrain_above(self).tilemap)
        if self._camera is not None:
            self._move_camera(self._camera)

    def _move_camera(self, camera: OrbitCamera3D) -> None:
        """Keep the selected unit in view while it walks."""
        unit = self._commander.selected
        if unit is not None:
            camera.focus_point = unit.pose.point
            if unit.is_moving and self.follows and self.takes_orders:
                self.reveal(unit.pose.point)

    def _mark_stale(self) -> None:
        self._is_stale = True  # many changes are shown once, in the next frame

    def _note_press(self, _button: str, _point: Point, modifier: str) -> None:
        self._is_shifted = modifier == "shift"

    def _add_waypoint(self) -> None:
        if self._commander.aim is not None:
            self._commander.add_waypoint(self._commander.aim)

    def _click(self, cell: Cell | None, button: str) -> None:
        if not self.takes_orders:
            return
        if button == "right":
            self._commander.back()
        elif button == "left" and cell is not None and self._is_shifted:
            self._commander.add_waypoint(cell)
        elif button == "left" and cell is not None:
            there = self._commander.unit_seen_at(cell)  # before one goes there
            self._commander.act_on(cell)
            self._center(there if there is self._commander.selected else None)

    def _choose(self, cell: Cell) -> None:
        self._is_shifted = False
        self._click(cell, "left")

    def _center(self, unit: Unit | None) -> None:
        """Move the camera to a unit that is clicked for the second time within a moment."""
        is_again = unit is not None and unit is self._clicked
        if is_again and unit is not None and self._since_click_s <= DOUBLE_CLICK_S:
            if self._camera is not None:
                self._camera.focus(unit.pose.point)
            unit = None
        self._clicked, self._since_click_s = unit, 0.0

    def is_in_view(self, point: MapPoint) -> bool:
        """Return whether the camera will show a point of the map, where no panel is."""
        if self._camera is None:
            return True
        view, fov_deg, aspect = self._camera.in_perspective(self._camera.goal)
        at = view.places_of([point], fov_deg, aspect)[0].tolist()
        if max(map(abs, at)) > VIEW_PART:
            return False
        width, height = self.panda.viewport.size_px
        x, y = (1 + at[0]) / 2 * width, (1 - at[1]) / 2 * height
        return not any(box.contains(x, y) for each in self.panda.panels for box in each.boxes)

    def reveal(self, point: MapPoint) -> None:
        """Move the camera to where a point of the map is in view; if it is, the camera stays."""
        if self._camera is not None and not self.is_in_view(point):
            self._camera.reveal(point, SHOWN_PART)

    def _aim(self, cell: Cell | None) -> None:
        is_aimed, is_keyed = cell == self._commander.aim, self.cursor.is_keyed
        self._commander.aim_at(cell)
        if self._camera is not None and is_keyed and cell is not None and not is_aimed:
            self._camera.reveal(terrain_above(self).tilemap.surface_point(cell))

    def _show(self, tilemap: TileMap) -> None:
        """Copy the commander's state to the nodes that show it."""
        reach = self._commander.reach if self.takes_orders else None
        plan = self._commander.plan if self.takes_orders else None
        self.goal_overlay.show(self._commander.waypoints if self.takes_orders else ())
        unit, is_foe = self._commander.selected, self._commander.is_foe_selected
        of_team, color = self._palette.of_team, self._palette.reach  # before the tiles: no flash
        self.reach_overlay.color = of_team(unit.team) if unit is not None and is_foe else color
        if (reach, self.shows_costs) != self._shown_reach:
            self._shown_reach = reach, self.shows_costs
            cells, costs = [], []
            if reach is not None and unit is not None:
                cells = reach.cells
                known = {cell: f"{reach.cost_to(cell):g}" for cell in cells if self.shows_costs}
                costs = ["" if cell == unit.cell else cost for cell, cost in known.items()]
            self.reach_overlay.show(cells, costs)
            self.reach_overlay.shows_labels = self.shows_costs
        if plan is None:
            self.path_ribbon.clear()
            return
        points = [tilemap.surface_point(cell) for cell in plan.path]
        is_one_turn = tuple(plan.turn_ends[:1]) == (len(points) - 1,)
        # Tiles that show their total costs need no costs of single steps, nor do usual steps.
        steps = () if self.shows_costs and is_one_turn else plan.path.steps
        self.path_ribbon.show(
            points,
            is_refused=not plan,
            labels=["" if step.cost == 1 else f"+{step.cost:g}" for step in steps],
            turn_ends=() if is_one_turn else plan.turn_ends,
        )


class CompilingNote(Control):
    """Begins to compile the searches in the background, and says so until that is done."""

    def __init__(self) -> None:
        super().__init__("compiling")
        self._warming: Future[None] | None = None
        self.is_new = False
        """Whether it has to be drawn for the first time."""

    def _enter_tree(self) -> None:
        self.is_new = not is_compiled()
        self._warming = warming_up()
        if self.is_new:
            text = text_node("text")
            text.set_font(make_font(font_file(), _NOTE_PX))
            text.set_text(tr("Compiling the searches, once on this machine ..."))
            text.set_align(TextNode.A_center)
            text.set_card_color(*DARK, 0.8)
            text.set_card_as_margin(0.6, 0.6, 0.2, 0.3)
            self.np.attach_new_node(text)
            self.np.set_z(_NOTE_Z)

    def _process(self, _dt_s: float) -> None:
        self.is_new = False
        self.np.set_scale(_NOTE_SIZE / self.panda.viewport.aspect, 1.0, _NOTE_SIZE)
        if self._warming is None or self._warming.done():
            self._warming = None
            self.np.get_children().detach()


class CommanderView(WindowNode):
    """Shows a part of a commander's state; a child of Commander3D."""

    def __init__(self, commander: Commander) -> None:
        super().__init__()
        self._commander = commander
        self._is_stale = True

    def mark_stale(self) -> None:
        """Show the state again in the next frame, once for all changes until then."""
        self._is_stale = True

    def _enter_tree(self) -> None:
        self.listen(self._commander.changed, self.mark_stale)
        self.mark_stale()

    def _process(self, _dt_s: float) -> None:
        if self._is_stale:
            self._is_stale = False
            self._show()

    def _show(self) -> None:
        """Show the state; for subclasses."""


_SORT = 30
_FILL_ALPHA, _LINE_ALPHA = 0.16, 0.9
_LINE = 0.006  # in half window heights
_LEAST = 0.02  # of a side
_MODIFIER, _BUTTON = "control", "left"

Point = tuple[float, float]


class SelectionBox(WindowNode):
    """Lets a player draw a box with Ctrl and the left button.

    Examples
    --------
    ::

        box = tree.root.add_child(SelectionBox())
        box.drawn.connect(lambda low, high: print("from", low, "to", high))
    """

    drawn = Signal("low", "high")
    """A box was drawn: its lower left and upper right corner, (x, y) in -1..1."""

    color = export(
        (0.95, 0.97, 1.0), range=(0.0, 1.0), doc="color of its line: red, green and blue in 0..1"
    )
    is_enabled = export(True, doc="whether a box can be drawn")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._start: Point | None = None
        self._np = NodePath(self.name)

    def _enter_tree(self) -> None:
        pointer = self.panda.pointer
        self._np.reparent_to(self.panda.viewport.render2d)
        text, keys = "select several units with a box", "Ctrl + left drag"
        box = Command("select_in_box", text=text, shown_keys=keys)
        self.accept_actions([box], "Units", lambda: self.is_enabled)
        self.listen(pointer.pressed, self._press)
        self.listen(pointer.moved, self._move)
        self.listen(pointer.released, self._release)
        self.listen(pointer.focus_lost, self._cancel)

    def _exit_tree(self) -> None:
        self._cancel()
        self._np.detach_node()

    def _press(self, button: str, point: Point, modifier: str) -> None:
        if self.is_enabled and button == _BUTTON and modifier == _MODIFIER:
            self._start = point

    def _move(self, point: Point | None) -> None:
        if self._start is not None and point is not None:
            self._show(*_corners(self._start, point))

    def _release(self, button: str) -> None:
        start, end = self._start, self.panda.pointer.point
        if button != _BUTTON or start is None:
            return
        self._cancel()
        # A click may move the pointer a little.
        if end is not None and max(abs(end[0] - start[0]), abs(end[1] - start[1])) > _LEAST:
            self.drawn.emit(*_corners(start, end))

    def _cancel(self) -> None:
        self._start = None
        self._np.get_children().detach()

    def _show(self, low: Point, high: Point) -> None:
        """Draw a faint area with a light line in a dark one, visible on any ground."""
        across, up = _LINE / self.panda.viewport.aspect, _LINE
        (left, bottom), (right, top) = low, high
        parts = [card((left, right, bottom, top), self.color, _FILL_ALPHA)]
        for color, width in ((DARK, 2.0), (self.color, 1.0)):
            dx, dy = across * width, up * width
            sides = [
                (left - dx, right + dx, bottom - dy, bottom),
                (left - dx, right + dx, top, top + dy),
                (left - dx, left, bottom, top),
                (right, right + dx, bottom, top),
            ]
            parts += [card(side, color, _LINE_ALPHA) for side in sides]
        self._np.get_children().detach()
        set_unlit(self._np.attach_new_node(make_geom_node(self.name, joined(parts))), _SORT)


def _corners(start: Point, end: Point) -> tuple[Point, Point]:
    (ax, ay), (bx, by) = start, end
    return (min(ax, bx), min(ay, by)), (max(ax, bx), max(ay, by))
