"""Playback of a recorded game: units that walk as its log says, forward or to any entry."""

from ai.board.game_record import GameRecord
from ai.board.orders import Order
from ai.board.unit import Unit
from terrain3d.core.checks import instance_of, whole_within
from terrain3d.grid.grid import as_cell
from terrain3d.grid.reason import describe_place


class GamePlayback:
    """The units of a recorded game after some entries of its log.

    The next entry lets a unit walk, as its pose shows while time passes; any other number of
    entries puts all units where they stood then.

    Parameters
    ----------
    record : GameRecord

    Raises
    ------
    TypeError
        It is not a recorded game.
    """

    def __init__(self, record: GameRecord) -> None:
        self._record = instance_of("record", record, GameRecord)
        self._board = record.replay(0)
        self._step = 0

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units; the same ones at each step."""
        return self._board.units

    @property
    def n_steps(self) -> int:
        """The number of entries of the log."""
        return len(self._record.log)

    @property
    def step(self) -> int:
        """How many entries have been carried out; may be set.

        Raises
        ------
        TypeError, ValueError
            It is set to something that is not a whole number in 0..n_steps.
        """
        return self._step

    @step.setter
    def step(self, step: int) -> None:
        whole_within("step", step, 0, self.n_steps)
        tilemap, before = self._record.tilemap, self._step
        self._step = step
        entry = self._record.log[before] if step == before + 1 else None
        if entry is None:
            for unit, there in zip(self.units, self._record.replay(step).units, strict=True):
                unit.place(tilemap, there.cell, there.heading_deg)
        elif isinstance(entry, Order):
            unit = self.units[entry.unit]
            if entry.facing_deg is None:
                unit.follow([as_cell(cell) for cell in entry.cells])
            else:
                unit.place(tilemap, unit.cell, entry.facing_deg)

    @property
    def actor(self) -> Unit | None:
        """The unit that the latest entry is about, if it is about one."""
        entry = self._record.log[self._step - 1] if self._step else None
        return None if entry is None or entry.unit is None else self.units[entry.unit]

    @property
    def text(self) -> str:
        """The latest entry as text, such as "Mira turns"; "the start" before the first."""
        if not self._step:
            return "the start"
        entry, actor = self._record.log[self._step - 1], self.actor
        if not isinstance(entry, Order):
            return f"{actor.name if actor else entry.team} ends the turn"
        name = self.units[entry.unit].name
        if entry.facing_deg is not None:
            return f"{name} turns"
        return f"{name} goes to {describe_place(entry.goal)}"
