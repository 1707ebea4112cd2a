"""Show how a figure touches the ground: it wades in liquids, with ripples; it lands in dust."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from terrain3d.mesh.data import MeshData
from terrain3d.mesh.figures import ripple_mesh
from terrain3d.mesh.solids import ball
from terrain3d.view.geometry import attach_look, make_geom_node, set_unlit

if TYPE_CHECKING:
    from panda3d.core import NodePath

    from terrain3d.grid.kinds import TileKind

KNEE = 0.2
"""Height of the knees, in tiles: no figure wades deeper."""
_SINKING_S, _LEAST = 0.12, 1e-3
_RIPPLE_S, _RIPPLES = 1.8, (0.30, 0.56)  # how long one lasts, and its first and last radius
_RIPPLE_ALPHA = 0.55
_PUFF_S, _PUFF_GROWTH = 0.5, 1.1
_N_CLOUDS, _CLOUD_AT, _CLOUD_RADIUS = 9, 0.27, 0.06
_DUST_ALPHA, _SPLASH_HEIGHT = 0.55, 0.35
_WHITE = 1.0, 1.0, 1.0
_PALER = 0.55  # part of white in the color of dust and drops
_SORT = 13  # over the marks at the feet


class GroundContact:
    """Ripples, dust and splashes at the feet of one figure, below `parent`, which is on the ground.

    Attributes
    ----------
    sunk : float
        How far the figure is below the surface now, in tiles.
    """

    def __init__(self, parent: NodePath) -> None:
        self.sunk = 0.0
        self._is_known = False
        self._time_s, self._landed_s = 0.0, math.inf
        self._is_splash = False
        self._ripples = [
            attach_look(parent, make_geom_node("ripple", ripple_mesh())) for _ in range(2)
        ]
        self._puff = attach_look(parent, make_geom_node("puff", _puff_mesh()))
        for part in (*self._ripples, self._puff):
            set_unlit(part, _SORT)
            part.hide()

    def land(self, kind: TileKind) -> None:
        """Show dust, or in a liquid a splash, from now on."""
        self._landed_s, self._is_splash = 0.0, kind.depth > 0
        red, green, blue = (part + (1.0 - part) * _PALER for part in kind.color or _WHITE)
        self._puff.set_color_scale(red, green, blue, 1.0)

    def advance(self, dt_s: float, depth: float) -> None:
        """Let time pass; `depth` is that of the liquid in which the figure stands, in tiles."""
        self._time_s += dt_s
        self._landed_s += dt_s
        wanted = min(depth, KNEE)
        if not self._is_known:
            self.sunk, self._is_known = wanted, True
        if not (wanted or self.sunk) and self._landed_s - dt_s > _PUFF_S:
            return  # as most figures in most frames
        part = 1.0 - math.exp(-dt_s / _SINKING_S)
        self.sunk += part * (wanted - self.sunk)
        if abs(wanted - self.sunk) < _LEAST:
            self.sunk = wanted
        for number, ripple in enumerate(self._ripples):
            if not self.sunk:
                ripple.hide()
                continue
            phase = (self._time_s / _RIPPLE_S + number / len(self._ripples)) % 1.0
            first, last = _RIPPLES
            ripple.set_scale(first + (last - first) * phase)
            ripple.set_alpha_scale(_RIPPLE_ALPHA * (1.0 - phase) * self.sunk / KNEE)
            ripple.show()
        self._show_puff(self._landed_s / _PUFF_S)

    def _show_puff(self, phase: float) -> None:
        if phase >= 1.0:
            self._puff.hide()
            return
        grown = 1.0 + _PUFF_GROWTH * math.sqrt(phase)
        self._puff.set_scale(grown, grown, 1.0)
        rise = _SPLASH_HEIGHT * math.sin(math.pi * phase) if self._is_splash else 0.1 * phase
        self._puff.set_z(rise)
        self._puff.set_alpha_scale(_DUST_ALPHA * (1.0 - phase))
        self._puff.show()


@cache
def _puff_mesh() -> MeshData:
    """Return small white clouds around (0, 0, 0)."""
    turns = np.arange(_N_CLOUDS) * (math.tau / _N_CLOUDS)
    radii = _CLOUD_RADIUS * (0.7 + 0.3 * np.cos(5.0 * turns))
    return MeshData.join(
        [
            ball(
                (_CLOUD_AT * math.cos(turn), _CLOUD_AT * math.sin(turn), radius), [radius] * 3, 1.0
            )
            for turn, radius in zip(turns.tolist(), radii.tolist(), strict=True)
        ]
    )
