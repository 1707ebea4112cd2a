"""Play steps: automatically at a speed, or one at a key press."""

from __future__ import annotations

from terrain3d.core.checks import quoted, true_or_false, whole_number
from terrain3d.core.signals import Signal, export
from terrain3d.core.translation import tr, tr_n
from terrain3d.view.command import Command
from terrain3d.view.window.panda_tree import Node3D

SLOWEST, FASTEST = 0.25, 512.0
"""Steps a second."""


class StepPlayer(Node3D):
    """Plays steps 0 to `n_steps`; subclasses show each step.

    Parameters
    ----------
    name : str
    has_keys : bool
        Whether it has commands; use True for one player in a window.
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
            self.accept_actions(self._commands(), "Search theatre")

    def _commands(self) -> list[Command]:
        """Return what a player can do with it."""
        back, step = "go one step back, forward", self.step_forward
        slower, faster = "j gamepad-dpad_down", "l gamepad-dpad_up"
        return [
            Command("play", "space gamepad-face_a", "play, pause", self.toggle, "Play, pause"),
            Command(
                "step_back",
                ", gamepad-dpad_left",
                back,
                self.step_back,
                "Step back",
                "Comma / Period",
                repeats=True,
            ),
            Command("step_forward", ". gamepad-dpad_right", "", step, "Step", repeats=True),
            Command("slower", slower, "play slower, faster", self.slower, "Slower", "J / L"),
            Command("faster", faster, "", self.faster, "Faster"),
            Command("restart", "b", "play from the start", self.restart, "From the start"),
        ]

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
