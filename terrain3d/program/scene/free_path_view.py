"""The line of free movement beside the path from tile to tile."""

from collections.abc import Callable

import ai
from ai.game.free_path import free_points, length_tiles
from terrain3d import Node, view

_WIDTH = 0.5


class FreePathView(Node):
    """Draws how an agent would walk the planned path without keeping to the centers of tiles.

    A child of Commander3D. Units of the board keep to tiles; `NavigationAgent3D` walks such lines.
    """

    def __init__(self, commander: ai.Commander, show_message: Callable[[str], None]) -> None:
        super().__init__()
        self._commander, self._show_message = commander, show_message
        self.ribbon = self.add_child(view.PathRibbon3D("free path"))
        self.ribbon.width = _WIDTH
        self._is_shown, self._is_stale = False, False
        self._shown: ai.Path | None = None

    def toggle(self) -> None:
        """Show or hide the line."""
        self._is_shown, self._is_stale = not self._is_shown, True
        what = "aim at a tile to see it" if self._is_shown else "hidden"
        self._show_message(f"Line of free movement: {what}")

    def mark_stale(self) -> None:
        """Draw the line again in the next frame, once for all changes until then."""
        self._is_stale |= self._is_shown

    def _process(self, _dt_s: float) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        plan = self._commander.plan if self._is_shown else None
        path = plan.path if plan is not None and plan.path else None
        if path is self._shown:
            return
        self._shown = path
        if plan is None or path is None:
            self.ribbon.show([])
            return
        board = self._commander.board
        points = free_points(board.situation(plan.unit), path)
        self.ribbon.show(points)
        tiles = length_tiles([board.tilemap.surface_point(cell) for cell in path])
        free = length_tiles(points)
        self._show_message(f"Free path: {free:.1f} tiles; tile path: {tiles:.1f}")
