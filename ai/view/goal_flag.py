"""Show a flag over the goal of a battle, in the color of who holds it, with the rounds so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from panda3d.core import NodePath, TextNode

from ai.game.objective import Holding
from ai.view.commander_3d import CommanderView
from terrain3d.core.signals import Signal
from terrain3d.look.palettes import PAINTED
from terrain3d.mesh.overlays.flat_shapes import DARK, card, joined, polygon
from terrain3d.view.font import text_node
from terrain3d.view.geometry import attach_look, make_geom_node, set_unlit
from terrain3d.view.hud.widgets import letters_of
from terrain3d.view.scene.terrain_3d import terrain_above
from terrain3d.view.window.panda_tree import Node3D

if TYPE_CHECKING:
    from ai.game.battle_commander import BattleCommander
    from ai.view.battle_3d import Battle3D
    from terrain3d.grid.kinds import Color
    from terrain3d.look.palettes import Palette
    from terrain3d.mesh.data import MeshData

NOBODY: Color = (0.36, 0.37, 0.40)
"""The color of the flag while nobody stands on the goal."""
_POLE: Color = (0.93, 0.90, 0.82)
_POLE_SIDES = -0.44, -0.39, 0.0, 1.75  # left of a figure on the tile, as it is seen
_CLOTH = np.array([(-1.22, 1.16), (-0.44, 1.16), (-0.44, 1.43), (-1.06, 1.43)])
"""The lower half of a cloth with two tips."""
_MIDDLE, _RIM, _TEXT_PX, _TEXT_SIZE, _TEXT_AT = (-0.83, 1.43), 0.03, 48, 0.34, (-0.76, 1.32)
_SORT = 38  # over marks and figures, under texts


class GoalFlag(CommanderView):
    """Shows the flag on the first tile of the goal, facing the camera; a child of `Commander3D`.

    It does not change while units walk and blows are shown.
    """

    redrawn = Signal()
    """It shows another holder or count."""
    lost = Signal("team")
    """A team does not hold the goal any more; the rounds that it has held it are lost."""

    def __init__(self, commander: BattleCommander, battle_3d: Battle3D) -> None:
        super().__init__(commander)
        self._battle, self._battle_3d = commander.battle, battle_3d
        self.color, self.text = NOBODY, ""
        """The color of who holds the goal, and for how many of the needed rounds it was held."""
        self._palette = PAINTED
        self._shown: tuple[object, ...] = ()
        self._holding = Holding("", 0)
        self._flag = self.add_child(Node3D("flag"))
        self._flag.np.set_billboard_axis()
        set_unlit(self._flag.np, _SORT)

    def use(self, palette: Palette) -> None:
        """Take the colors of a palette."""
        self._palette = palette
        self.mark_stale()

    def _process(self, dt_s: float) -> None:
        if not self._battle_3d.is_busy:
            super()._process(dt_s)

    def _show(self) -> None:
        board, goal, team = self._battle.board, self._battle.objective, self._commander.team or ""
        self._flag.position = terrain_above(self).tilemap.surface_point(goal.cells[0])
        held, self._holding = self._holding, goal.holding(board, team)
        if held.rounds and not self._holding.rounds:
            self.lost.emit(held.team)
        holder = self._holding.team
        color = self._palette.of_team(holder) if holder else NOBODY
        wanted = self.color, self.text = color, goal.count(board, team)
        if wanted == self._shown:
            return
        self._shown = wanted
        self._flag.np.get_children().detach()
        self.redrawn.emit()
        attach_look(self._flag.np, make_geom_node("flag", _flag_mesh(self.color)))
        text = text_node("rounds")
        text.set_font(letters_of(_TEXT_PX).font)
        text.set_align(TextNode.A_center)
        text.set_text(self.text)
        written: NodePath = attach_look(self._flag.np, text.generate(), 1)
        written.set_scale(_TEXT_SIZE)
        written.set_pos(_TEXT_AT[0], -0.01, _TEXT_AT[1])


def _flag_mesh(color: Color) -> MeshData:
    """Return a pole and a cloth, both with a dark rim, seen from the front."""
    left, right, low, high = _POLE_SIDES
    rim = card((left - _RIM, right + _RIM, low, high + _RIM), DARK)
    parts = [rim]
    for size, shade in ((1.1, DARK), (1.0, color)):
        lower = (_CLOTH - _MIDDLE) * size
        upper = (lower * (1, -1))[::-1]
        for half in (lower, upper):
            parts.append(polygon(np.insert(half + _MIDDLE, 1, 0.0, axis=1), shade))
    return joined([*parts, card(_POLE_SIDES, _POLE)])
