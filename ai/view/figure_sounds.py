"""Play the sounds of figures: steps by the ground, hops and landings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from terrain3d.look.sounds import SOUNDS
from terrain3d.view.window.panda_tree import WindowNode

if TYPE_CHECKING:
    from ai.board.unit import Unit
    from ai.view.figures_3d import Figures3D
    from ai.view.unit_3d import Unit3D
    from terrain3d.grid.kinds import TileKind
    from terrain3d.view.window.sound_player import SoundPlayer

_STEP_GAIN, _HOP_GAIN = 0.5, 0.6


class FigureSounds(WindowNode):
    """Plays the sounds of all figures of a board that are in view.

    Parameters
    ----------
    figures : Figures3D
    player : SoundPlayer
    """

    def __init__(self, figures: Figures3D, player: SoundPlayer) -> None:
        super().__init__()
        self._figures, self._player = figures, player

    def _enter_tree(self) -> None:
        self.listen(self._figures.figure_added, self._add)
        for unit, figure in self._figures.figures.items():
            self._add(unit, figure)

    def _add(self, _unit: Unit, figure: Unit3D) -> None:
        self.listen(figure.stepped, partial(self._step, figure))
        self.listen(figure.hopped, partial(self._play, figure, "hop", _HOP_GAIN))
        self.listen(figure.landed, partial(self._land, figure))

    def _step(self, figure: Unit3D, kind: TileKind) -> None:
        name = f"step {kind.texture}"
        self._play(figure, name if name in SOUNDS else "step soil", _STEP_GAIN)

    def _land(self, figure: Unit3D, kind: TileKind) -> None:
        self._play(figure, "splash" if kind.depth else "land", 1.0)

    def _play(self, figure: Unit3D, name: str, gain: float) -> None:
        if figure.is_inside_tree and figure.pixel is not None:
            self._player.play(name, gain)
