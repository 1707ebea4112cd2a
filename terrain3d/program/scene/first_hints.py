"""Hints for a player's first run, one at a time; the settings remember which were shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from terrain3d.look.settings import N_HINTS

if TYPE_CHECKING:
    import ai
    from terrain3d import view

HINTS = (
    "Click a marked tile: the selected unit goes there",
    "Drag to turn the view; the wheel zooms; Home shows the whole map",
    "F1 lists all keys; each button names its key",
)
LONGEST_S = 45.0
"""How long a hint is shown to a player who does something else."""


class FirstHints:
    """Chooses the hint to show: the first one that was neither followed nor shown long enough."""

    def __init__(
        self,
        preferences: view.Preferences,
        commander: ai.Commander,
        camera: view.OrbitCamera3D,
        hud: view.Hud,
    ) -> None:
        self._preferences, self._camera, self._hud = preferences, camera, hud
        self._has_ordered = False
        self._shown_s = 0.0
        self._look: tuple[float, ...] | None = None
        commander.order_given.connect(self._note_order)
        commander.squad_ordered.connect(self._note_order)

    @property
    def text(self) -> str:
        """The hint to show; "" after the last one."""
        n_seen = self._preferences.settings.hints_seen
        return f"Hint {n_seen + 1} of {N_HINTS}: {HINTS[n_seen]}" if n_seen < N_HINTS else ""

    def advance(self, dt_s: float) -> bool:
        """Advance the time by `dt_s` seconds; return whether another hint is to be shown now."""
        n_seen = self._preferences.settings.hints_seen
        if n_seen == N_HINTS:
            return False
        goal = self._camera.goal
        look = goal.heading_deg, goal.pitch_deg, goal.distance
        self._look = self._look or look
        self._shown_s += dt_s
        followed = (self._has_ordered, look != self._look, self._hud.is_help_open)
        if not followed[n_seen] and self._shown_s < LONGEST_S:
            return False
        self._shown_s, self._look = 0.0, look
        self._preferences.change("hints_seen")
        return True

    def _note_order(self, *_: object) -> None:
        self._has_ordered = True
