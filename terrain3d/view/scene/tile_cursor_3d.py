"""Mark the tile aimed at by a pulsing frame, and move it by the pointer or by keys."""

from __future__ import annotations

import math

from panda3d.core import Vec3

from terrain3d.core.checks import finite_number, one_of
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import tr
from terrain3d.grid.grid import Cell, CellLike, Grid, as_cell
from terrain3d.look.palettes import PAINTED
from terrain3d.map.tilemap import TileMap
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import frame
from terrain3d.view.command import Command, aiming_commands, aiming_keys
from terrain3d.view.scene.mark_3d import Mark3D
from terrain3d.view.scene.terrain_3d import Terrain3D, terrain_above

TURNS_DEG = {"up": 0.0, "left": 90.0, "down": 180.0, "right": 270.0}
"""Directions of the picture, counter-clockwise; "up" points away from the viewer."""
_WIDEST_DEG = 45.0
_SAME_DEG = 0.01

_LIFT = 0.035
_FRAME = "frame"
_PERIOD_S = 1.1
_PULSE = 0.05


class TileCursor3D(Mark3D):
    """Marks one cell, by default the one under the pointer; a child of Terrain3D.

    Arrow keys move it by directions on screen: up leads away from the viewer. After that, and while
    only the camera moves, it stays until the pointer moves or a button is pressed.
    """

    moved = Signal("cell")
    """Another cell is marked; None: no cell."""
    chosen = Signal("cell")
    """Enter or Space was pressed on this cell."""

    _sort, _hidden_alpha = 30, 0.45
    color = export(PAINTED.cursor, range=(0.0, 1.0), doc="red, green and blue in 0..1")
    has_keys = export(True, doc="whether keys move it")
    includes_void = export(False, doc="whether keys also lead to void tiles")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._cell: Cell | None = None
        self._is_keyed = self._has_moved = False
        self._age_s = 0.0

    @property
    def cell(self) -> Cell | None:
        """The marked cell, or None."""
        return self._cell

    @cell.setter
    def cell(self, value: CellLike | None) -> None:
        wanted = None if value is None else as_cell(value)
        self._check(*(() if wanted is None else (wanted,)))
        if wanted != self._cell:
            self._cell = wanted
            self._mark(*(() if wanted is None else (_FRAME,)))
            self._place()
            self.moved.emit(wanted)

    @property
    def is_keyed(self) -> bool:
        """Whether keys moved it, or the camera has moved, after the pointer last moved."""
        return self._is_keyed

    def go_to(self, cell: CellLike) -> None:
        """Mark a cell as if keys had moved there.

        Raises
        ------
        IndexError
            It is outside the map or on no deck.
        """
        wanted = as_cell(cell)
        self._check(wanted)
        self._is_keyed = True
        self.cell = wanted

    def _enter_tree(self) -> None:
        super()._enter_tree()
        self._place()
        self.listen(terrain_above(self).tile_hovered, self._hover)
        self.listen(self.panda.pointer.moved, self._return_to_pointer)
        self.listen(self.panda.pointer.pressed, lambda _, point, __: self._return_to_pointer(point))
        surface = Command(
            "cursor_surface",
            "x gamepad-dpad_down",
            "aim at the bridge, or at what is under it",
            self._change_surface,
            why_not=self._why_same_surface,
        )
        aiming = aiming_commands(self._step, self._choose, self._why_no_choice)
        self.accept_actions((*aiming, surface), "Aim", lambda: self.has_keys)

    def _process(self, dt_s: float) -> None:
        self._has_moved = False
        if self.cell is None:
            return
        if not terrain_above(self).tilemap.has_cell(self.cell):
            self.cell = None
            return
        super()._process(dt_s)
        self._place()
        self._age_s = (self._age_s + dt_s) % _PERIOD_S
        wave = math.sin(math.tau * self._age_s / _PERIOD_S)
        self._geometry.set_scale(1.0 - _PULSE * (0.5 + 0.5 * wave))

    def _mesh(self, tilemap: TileMap) -> MeshData:
        return frame(tilemap.grid, self.color)

    def _place(self) -> None:
        """Move it to its tile; it is drawn around the tile's center, and only once."""
        if self._terrain is not None and self._cell is not None:
            tilemap = self._terrain.tilemap
            if tilemap.has_cell(self._cell):
                x, y, z = tilemap.surface_point(self._cell)
                self.np.set_pos(x, y, z + _LIFT)

    def _hover(self, cell: Cell | None) -> None:
        # Only the picture moves:
        is_resting = self.panda.pointer.point is not None and not self._has_moved
        if is_resting or (cell is None and self._is_on_panel):
            self._is_keyed = True  # the pointer aims at no other tile
        if not self._is_keyed:
            self.cell = cell

    @property
    def _is_on_panel(self) -> bool:
        pointer = self.panda.pointer
        return pointer.point is not None and pointer.scene_point is None

    def _return_to_pointer(self, point: tuple[float, float] | None) -> None:
        self._has_moved = True  # in this frame
        is_in_scene = point is not None and not self._is_on_panel
        if self._is_keyed and is_in_scene:
            self._is_keyed = False
            self.cell = terrain_above(self).hovered

    def _step(self, direction: str) -> None:
        terrain = terrain_above(self)
        if self.cell is None:
            there = self._middle(terrain)
        else:
            heading_deg, includes_void = self._heading_deg(terrain), self.includes_void
            there = cell_toward(terrain.tilemap, self.cell, direction, heading_deg, includes_void)
        if there is not None:
            self.go_to(there)

    def _choose(self) -> None:
        if self.cell is not None:
            self.chosen.emit(self.cell)

    def _change_surface(self) -> None:
        if self.cell is not None:
            self.go_to(next_surface(terrain_above(self).tilemap, self.cell))

    def _why_no_choice(self) -> str:
        if self.cell is not None:
            return ""
        keys = aiming_keys(self.panda.input)
        return tr("Aim at a tile first, with the mouse or {cursor}", cursor=keys)

    def _why_same_surface(self) -> str:
        tilemap, cell = terrain_above(self).tilemap, self.cell
        decks = () if cell is None else tilemap.decks_at(cell[:2])
        return "" if len(decks) > 1 else tr("There is no bridge over this tile")

    def _middle(self, terrain: Terrain3D) -> Cell | None:
        """Return the tile at the center of the picture, or else of the map."""
        ray = self.panda.ray((0.0, 0.0), terrain.np)
        cell = None if ray is None else terrain.tilemap.pick(*ray)
        if cell is not None:
            return cell
        row, col = terrain.tilemap.rows // 2, terrain.tilemap.cols // 2
        return None if terrain.tilemap.is_void((row, col)) else Cell(row, col)

    def _heading_deg(self, terrain: Terrain3D) -> float:
        """Return the heading that points up on screen, also when seen from above."""
        if not self.panda.has_camera:
            return 0.0
        up = terrain.np.get_relative_vector(self.panda.viewport.camera, Vec3(0, 1, 1))
        return math.degrees(math.atan2(-up.x, up.y))


def cell_toward(
    tilemap: TileMap,
    cell: CellLike,
    direction: str,
    heading_deg: float,
    includes_void: bool = False,
) -> Cell | None:
    """Return the nearest tile with ground in a direction of the picture; None if there is none.

    Of several surfaces in its column, the one nearest in level to `cell` is returned. If two
    neighbors are equally far from the direction, as across the tips of hexagons, alternate lines
    of tiles choose alternate sides, so that repeated steps lead straight on.

    The direction is one of `TURNS_DEG`, the heading that of the camera: 0 along +y, counter-
    clockwise. Tiles without ground are skipped, unless `includes_void`. `IndexError` or `TypeError`
    if the cell is outside the map or is not a cell, `ValueError` if the direction is unknown or the
    heading not finite.
    """
    start = tilemap.cell(cell)
    turn_deg = TURNS_DEG[one_of("direction", direction, TURNS_DEG)]
    toward_deg = finite_number("heading_deg", heading_deg) + turn_deg
    level = tilemap.level_at(start)
    row, col = start.row, start.col
    while True:
        step = _step(tilemap.grid, row, col, toward_deg)
        if step is None:
            return None
        row, col = step
        decks = tilemap.decks_at((row, col))
        if decks:
            surfaces = (Cell(row, col, deck) for deck in decks)
            return min(surfaces, key=lambda surface: abs(tilemap.level_at(surface) - level))
        if includes_void:
            return Cell(row, col)


def next_surface(tilemap: TileMap, cell: CellLike) -> Cell:
    """Return the next surface above in the same column; after the highest, the lowest.

    `IndexError` or `TypeError` if the cell is outside the map or is not a cell.
    """
    start = tilemap.cell(cell)
    decks = tilemap.decks_at(start[:2])
    if start.deck not in decks:
        return start
    return start._replace(deck=decks[(decks.index(start.deck) + 1) % len(decks)])


def _step(grid: Grid, row: int, col: int, toward_deg: float) -> tuple[int, int] | None:
    """Return the (row, col) of the neighbor closest to a direction; None if the grid ends there."""
    steps = grid.steps_from(row, col)
    is_other_line = steps != grid.directions[0]
    found: list[tuple[float, float, tuple[int, int]]] = []
    for (down, right), (x, y) in zip(steps, grid.headings, strict=True):
        off_deg = math.remainder(math.degrees(math.atan2(-x, y)) - toward_deg, 360.0)
        neighbor = row + down, col + right
        is_inside = 0 <= neighbor[0] < grid.rows and 0 <= neighbor[1] < grid.cols
        if is_inside and abs(off_deg) <= _WIDEST_DEG + _SAME_DEG:
            turn = -off_deg if is_other_line else off_deg
            found.append((round(abs(off_deg) / _SAME_DEG), turn, neighbor))
    return min(found)[2] if found else None
