"""Play steps: automatically at a speed, or one at a key press."""

from __future__ import annotations

from terrain3d.core.checks import quoted, true_or_false, whole_number
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import tr, tr_n
from terrain3d.view.actions import Action, table
from terrain3d.view.window.panda_tree import Node3D

PLAYER_ACTIONS = table(
    Action("play", "space gamepad-face_a", "play, pause", label="Play, pause"),
    Action(
        "step_back",
        ", gamepad-dpad_left",
        "go one step back, forward",
        "Comma / Period",
        label="Step back",
        repeats=True,
    ),
    Action("step_forward", ". gamepad-dpad_right", label="Step", repeats=True),
    Action("slower", "j gamepad-dpad_down", "play slower, faster", "J / L", label="Slower"),
    Action("faster", "l gamepad-dpad_up", label="Faster"),
    Action("restart", "b", "play from the start", label="From the start"),
    modes="watch",
)
"""Actions of the step player."""

SLOWEST, FASTEST = 0.25, 512.0
"""Steps a second."""


class StepPlayer(Node3D):
    """Plays steps 0 to `n_steps`; subclasses show each step.

    Parameters
    ----------
    name : str
    has_keys : bool
        Whether it responds to PLAYER_ACTIONS; use True for one player in a window.
    """

    step_changed = Signal("step")
    """Another step is shown."""
    finished = Signal()
    """The last step was reached."""

    speed = export(8.0, range=(SLOWEST, FASTEST), doc="steps a second")
    playing = export(False, doc="whether it advances automatically")

    def __init__(self, name: str = "", *, has_keys: bool = True) -> None:
        super().__init__(name)
        self._has_keys = true_or_false("has_keys", has_keys)
        self._step = 0
        self._due = 0.0  # part of the next step that has passed, while playing

    @property
    def n_steps(self) -> int:
        """The last step."""
        return 0

    @property
    def step(self) -> int:
        """The step that is shown, 0..n_steps."""
        return self._step

    @step.setter
    def step(self, step: int) -> None:
        if not 0 <= whole_number("step", step) <= self.n_steps:
            raise IndexError(f"step must be in 0..{self.n_steps}, got {quoted(step)}")
        before, self._step = self._step, step
        if step == before:
            return
        self._show_step(step)
        self.step_changed.emit(step)
        if before < step == self.n_steps:
            self.finished.emit()

    @property
    def status(self) -> str:
        """The playback state as text."""
        if self.playing:
            return tr_n("Playing {n} step a second", "Playing {n} steps a second", self.speed)
        return tr("Paused at step {step} of {count}", step=self._step, count=self.n_steps)

    def play(self) -> None:
        """Start playing; from step 0 if the last step is shown."""
        if self._step == self.n_steps:
            self.step = 0
        self.playing = True

    def pause(self) -> None:
        """Stop at the current step."""
        self.playing = False

    def toggle(self) -> None:
        """Play or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def step_forward(self) -> None:
        """Pause and show the next step, if there is one."""
        self.pause()
        self.step = min(self._step + 1, self.n_steps)

    def step_back(self) -> None:
        """Pause and show the previous step, if there is one."""
        self.pause()
        self.step = max(self._step - 1, 0)

    def restart(self) -> None:
        """Play from step 0."""
        self.step = 0
        self.play()

    def faster(self) -> None:
        """Double the speed."""
        self.speed = min(self.speed * 2.0, FASTEST)

    def slower(self) -> None:
        """Halve the speed."""
        self.speed = max(self.speed / 2.0, SLOWEST)

    def _show_step(self, step: int) -> None:
        """Show a step; for subclasses."""

    def _enter_tree(self) -> None:
        if self._has_keys:
            calls = {
                "play": self.toggle,
                "step_back": self.step_back,
                "step_forward": self.step_forward,
                "slower": self.slower,
                "faster": self.faster,
                "restart": self.restart,
            }
            self.accept_actions(PLAYER_ACTIONS, calls)

    def _process(self, dt_s: float) -> None:
        if not self.playing:
            self._due = 0.0
            return
        self._due += dt_s * self.speed
        count = int(self._due)
        self._due -= count
        self.step = min(self._step + count, self.n_steps)
        if self._step == self.n_steps:
            self.pause()
