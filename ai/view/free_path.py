"""Draw the line of free movement beside the planned path from tile to tile."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from ai.agents.string_pulling import pull_straight
from ai.compilation.jit import uncompiled
from ai.motion.motion import point_on
from ai.view.commander_3d import CommanderView
from terrain3d.core.translation import tr
from terrain3d.view.scene.path_ribbon_3d import PathRibbon3D

if TYPE_CHECKING:
    from ai.behaviors.behavior import Situation
    from ai.game.commander import Commander
    from ai.motion.motion import Point
    from ai.navigation.path import Path

_WIDTH = 0.5


def free_points(situation: Situation, path: Path) -> list[Point]:
    """Return the points of a path pulled straight, in world units; see `ai.agents.string_pulling`.

    `path` is one of the situation's unit on the map as it is now.
    """
    tilemap, profile = situation.navigation.tilemap, situation.profile
    cells = tuple(path.cells)
    begin, end = (point_on(tilemap, cell, profile)[:2] for cell in (cells[0], cells[-1]))
    with uncompiled():  # a player does not wait for the compiler
        pulled, places = pull_straight(situation, cells, begin, end)
    points = [point_on(tilemap, cell, profile) for cell in pulled]
    return [
        point if place is None else (*place, point[2])
        for point, place in zip(points, places, strict=True)
    ]


def length_tiles(points: list[Point]) -> float:
    """Return the length of a line seen from above, in tiles."""
    return sum(math.dist(a[:2], b[:2]) for a, b in pairwise(points))


class FreePathView(CommanderView):
    """Draws how an agent would walk the planned path without keeping to the centers of tiles.

    Units of the board keep to tiles; `NavigationAgent3D` walks such lines.
    """

    def __init__(self, commander: Commander, show_message: Callable[[str], None]) -> None:
        super().__init__(commander)
        self._show_message = show_message
        self.ribbon = self.add_child(PathRibbon3D("free path"))
        self.ribbon.width = _WIDTH
        self._is_shown = False
        self._shown: Path | None = None

    def toggle(self) -> None:
        """Show or hide the line."""
        self._is_shown = not self._is_shown
        self.mark_stale()
        text = "Line of free movement: aim at a tile to see it"
        self._show_message(tr(text if self._is_shown else "Line of free movement: hidden"))

    def _show(self) -> None:
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
        text = "Free path: {free} tiles; tile path: {tiles}"
        self._show_message(tr(text, free=f"{free:.1f}", tiles=f"{tiles:.1f}"))
