"""One person's hand on the map: clicks and keys become orders, reach and planned way are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from terrain3d.exports import export
from terrain3d.grid import Cell, CellLike
from terrain3d.palettes import PAINTED, Palette
from terrain3d.signals import Signal
from terrain3d.tilemap import TileMap
from terrain3d.view.cursor import KEYS as CURSOR_KEYS
from terrain3d.view.cursor import TileCursor3D
from terrain3d.view.overlay import TileOverlay3D
from terrain3d.view.ribbon import PathRibbon3D
from terrain3d.view.terrain import terrain_above
from terrain3d.view.tree import Node3D

KEYS = (
    ("Left click", "select a unit, send it to a tile"),
    ("Right click, Esc, Backspace", "deselect"),
    ("Tab", "select the next unit; with Shift the one before"),
    ("U / Y, Ctrl + Z / Y", "undo / redo a move"),
    *CURSOR_KEYS,
)
"""(keys, what they do): the rows that help texts show."""


class Standing(Protocol):
    """Who takes orders."""

    @property
    def cell(self) -> Cell:
        """The tile it holds."""


class Step(Protocol):
    """One step of a way."""

    @property
    def cost(self) -> float:
        """What it costs."""


class Way(Protocol):
    """Cells from start to goal; none if there is no way."""

    @property
    def steps(self) -> Sequence[Step]:
        """The steps between the cells."""

    def __iter__(self) -> Iterator[Cell]:
        """Give the cells."""


class Plan(Protocol):
    """What an order would come to."""

    @property
    def is_allowed(self) -> bool:
        """Whether it would be carried out."""

    @property
    def way(self) -> Way:
        """The way it would take, or, if it is refused, the way there as far as there is one."""


class Reach(Protocol):
    """All that one order can come to."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells, that of the unit in front."""

    def cost_to(self, cell: CellLike) -> float:
        """Give what a cell costs."""


class Commanding(Protocol):
    """What knows who is selected, what is aimed at and what would come of it."""

    changed: Any
    """Signal: any of that may differ."""

    @property
    def selected(self) -> Standing | None:
        """Who takes the next order."""

    @property
    def reach(self) -> Reach | None:
        """All that it can be sent to now."""

    @property
    def plan(self) -> Plan | None:
        """What an order to the tile aimed at would come to."""

    def select(self, unit: None) -> None:
        """Select nobody."""

    def select_next(self, step: int) -> None:
        """Select the unit `step` after the selected one."""

    def aim_at(self, cell: CellLike | None) -> None:
        """Aim at a tile, or at none."""

    def act_on(self, cell: CellLike) -> None:
        """Do what a click on a tile means."""

    def undo(self) -> None:
        """Take the latest order back."""

    def redo(self) -> None:
        """Give it again."""


class Commander3D(Node3D):
    """Lets a person command units on a map; a child of Terrain3D.

    Parameters
    ----------
    commander : Commanding
        What decides; this passes clicks and keys on to it, and shows what it tells.
    name : str
    """

    aimed = Signal("cell")
    """Another tile is aimed at, or none: None."""

    takes_orders = export(True, doc="whether it heeds clicks and keys")
    shows_costs = export(False, doc="whether tiles within reach tell what they cost")

    def __init__(self, commander: Commanding, name: str = "") -> None:
        super().__init__(name)
        self._commander = commander
        self._tilemap: TileMap | None = None
        self._palette = PAINTED
        self._showed_costs = False
        self._is_stale = True
        self.reach = self.add_child(TileOverlay3D("reach"))
        self.way = self.add_child(PathRibbon3D("way"))
        self.cursor = self.add_child(TileCursor3D("cursor"))

    @property
    def palette(self) -> Palette:
        """The colors of the marks."""
        return self._palette

    @palette.setter
    def palette(self, palette: Palette) -> None:
        self._palette = palette
        self.reach.color, self.cursor.color = palette.reach, palette.cursor
        self.way.color, self.way.refused_color = palette.way, palette.refused

    def turn_to_next(self, step: int = 1) -> None:
        """Select the unit `step` after the selected one, and aim at it as keys would."""
        self._commander.select_next(step)
        if self._commander.selected is not None:
            self.cursor.go_to(self._commander.selected.cell)

    def _enter_tree(self) -> None:
        terrain, commander = terrain_above(self), self._commander
        self._tilemap = terrain.tilemap
        self._is_stale = True
        self.listen(commander.changed, self._mark_stale)
        self.listen(terrain.tile_clicked, self._click)
        self.listen(self.cursor.chosen, lambda cell: self._click(cell, "left"))
        self.listen(self.cursor.moved, self._aim)
        calls: tuple[tuple[str, Callable[[], None]], ...] = (
            ("escape", lambda: commander.select(None)),
            ("backspace", lambda: commander.select(None)),
            ("tab", lambda: self.turn_to_next(1)),
            ("shift-tab", lambda: self.turn_to_next(-1)),
            ("u", commander.undo),
            ("control-z", commander.undo),
            ("y", commander.redo),
            ("control-y", commander.redo),
        )
        for event, call in calls:
            self.accept(event, self._heed, call)

    def _exit_tree(self) -> None:
        self._tilemap = None

    def _process(self, _dt_s: float) -> None:
        self._is_stale |= self.shows_costs != self._showed_costs
        if self._is_stale and self._tilemap is not None:
            self._is_stale, self._showed_costs = False, self.shows_costs
            self._show(self._tilemap)

    def _mark_stale(self) -> None:
        self._is_stale = True  # shown at the next frame, once, however much has changed

    def _heed(self, call: Callable[[], None]) -> None:
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
        self.aimed.emit(cell)

    def _show(self, tilemap: TileMap) -> None:
        """Copy what the commander tells to the nodes that show it."""
        reach, plan = self._commander.reach, self._commander.plan
        cells = [] if reach is None else reach.cells[1:]
        costs = [] if reach is None else [f"{reach.cost_to(cell):g}" for cell in cells]
        self.reach.show(cells, costs)
        self.reach.shows_labels = self.shows_costs
        if plan is None:
            self.way.clear()
            return
        # Where the tiles tell what they cost in all, single steps need not.
        steps = () if self.shows_costs and plan.is_allowed else plan.way.steps
        self.way.show(
            [tilemap.surface_point(cell) for cell in plan.way],
            is_refused=not plan.is_allowed,
            labels=[f"+{step.cost:g}" for step in steps],
        )
