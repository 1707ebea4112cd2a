"""A recorded game: the field "replay" of a map, replayed at once or played back entry by entry."""

import copy
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from ai.board.board import Board, plain
from ai.board.orders import Order, TurnEnd
from ai.board.unit import Unit
from ai.rules.profile import MoveProfile
from terrain3d import MapFileError, TileMap
from terrain3d.core.checks import checked_path, instance_of, whole_within, with_whole_numbers
from terrain3d.core.errors import in_file
from terrain3d.formats.json_text import Fields
from terrain3d.grid.grid import Cell, CellLike, as_cell
from terrain3d.grid.reason import describe_place
from terrain3d.map.tilemap import Json

EXTRA = "replay"
"""The name in `TileMap.extras` under which a map carries a recorded game."""

VERSION = 1

MAX_STEPS = 2_000_000
"""The most units times entries of the log: a replay keeps every unit at each end of a turn."""


@dataclass(frozen=True)
class GameRecord:
    """A game since its log began: the map, the units then, the log, and the digest at its end.

    Made by `of` or `load`.

    Parameters
    ----------
    tilemap : TileMap
    units : sequence of mappings
        The arguments of each `Unit`.
    log : sequence of Order and TurnEnd
    turns : str or None
        As of `Board`.
    turn : mapping
        The turn at which the log begins, as in `Board.replay`; empty for the first one.
    digest : str
        That of the board at the end of the log.
    """

    tilemap: TileMap
    units: tuple[Mapping[str, Any], ...]
    log: tuple[Order | TurnEnd, ...]
    turns: str | None
    turn: Mapping[str, Any]
    digest: str

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the game on a board so far, with a copy of its map.

        Edits of the map are not in a log: a replay has the map as it is now from its beginning.

        Raises
        ------
        TypeError
            It is not a board.
        ValueError
            The number of units times that of entries of the log is above 2,000,000.
        """
        start, units = instance_of("board", board, Board).log_start, board.units
        log, tilemap = board.log, copy.copy(board.tilemap)
        if problem := _size_problem(len(units), len(log)):
            raise ValueError(problem)
        entries = tuple(
            MappingProxyType(_arguments(*each))
            for each in zip(units, start.cells, start.headings_deg, strict=True)
        )
        return cls(tilemap, entries, log, board.turns, start.turn, board.digest())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a game from a map file.

        `MapFileError`, which names the field, if the file has no game, or one that cannot be
        replayed. Another digest is no error: see `problem`.
        """
        path = checked_path("path", path)
        tilemap = TileMap.load(path)
        with in_file(str(path)):
            record = cls._read(tilemap)
            try:
                record.replay()
            except (IndexError, TypeError, ValueError) as error:
                raise MapFileError(str(error), field=f"{EXTRA}.log") from None
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game and its map to one file, which is a map too; errors as `TileMap.save`."""
        tilemap = copy.copy(self.tilemap)
        tilemap.extras[EXTRA] = self.as_dict()
        tilemap.save(path)

    def as_dict(self) -> dict[str, Any]:
        """Return the game without its map as JSON-like data."""
        return {
            "version": VERSION,
            "turns": self.turns,
            "turn": dict(self.turn),
            "digest": self.digest,
            "units": [_unit_entry(unit) for unit in self.units],
            "log": [_log_entry(entry) for entry in self.log],
        }

    def replay(self, n_entries: int | None = None) -> Board:
        """Return a new board, with new units, after the first entries of the log; by default all.

        Errors are those of `Board.replay`, and for a number of entries that is not in the log.
        """
        n_all = len(self.log)
        count = n_all if n_entries is None else whole_within("n_entries", n_entries, 0, n_all)
        units = [Unit(**arguments) for arguments in self.units]
        return Board.replay(self.tilemap, units, self.log[:count], self.turns, self.turn)

    @cached_property
    def problem(self) -> str:
        """How the state after a replay differs from the recorded one; "" if it does not."""
        digest = self.replay().digest()
        if digest == self.digest:
            return ""
        return f"the game ends with the digest {digest}, the recorded one is {self.digest}"

    @classmethod
    def _read(cls, tilemap: TileMap) -> Self:
        if EXTRA not in tilemap.extras:
            how = "play some moves in the scene, then F2 and F5 save map and game"
            raise MapFileError(f"has no recorded game: {how}; or use GameRecord.of(board).save")
        top = Fields(tilemap.extras[EXTRA], EXTRA)
        version = top.whole("version", 1, 2**31)
        if version > VERSION:
            raise top.error(f"is {version}, this program reads up to {VERSION}", "version")
        turns, turn = top.take("turns"), top.take("turn")
        with top.naming("turns"):
            Board(tilemap, turns)
        with top.naming("turn"):
            instance_of("the turn", turn, dict)
        units, entries = [*top.objects("units")], [*top.objects("log")]
        if problem := _size_problem(len(units), len(entries)):
            raise top.error(problem, "log")
        return cls(
            tilemap,
            tuple(MappingProxyType(_read_unit(entry)) for entry in units),
            tuple(_read_entry(entry) for entry in entries),
            turns,
            MappingProxyType(turn),
            top.text("digest"),
        )


def _size_problem(n_units: int, n_entries: int) -> str:
    is_small = n_units * n_entries <= MAX_STEPS
    limit = f"units x entries must be at most {MAX_STEPS}"
    return "" if is_small else f"{limit}, got {n_units} x {n_entries}"


def _arguments(unit: Unit, cell: Cell, heading_deg: float) -> dict[str, Any]:
    names = ("name", "team", "profile", "move", "speed_tiles_s", "has_zoc", "wait")
    values = {name: getattr(unit, name) for name in names}
    return values | {"cell": cell, "heading_deg": heading_deg}


def _unit_entry(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit as JSON-like data, with the rules in which it differs from the default."""
    move, profile, usual = arguments["move"], arguments["profile"], MoveProfile()
    rules = {each.name: getattr(profile, each.name) for each in fields(profile) if each.init}
    return {
        **{name: _plain(value) for name, value in arguments.items()},
        "cell": cell_entry(arguments["cell"]),
        "move": None if move == math.inf else _plain(move),
        "profile": {
            name: _plain(value) for name, value in rules.items() if value != getattr(usual, name)
        },
    }


def _read_unit(entry: Fields) -> dict[str, Any]:
    """Return the arguments of a unit, after checking them."""
    arguments: dict[str, Any] = {"cell": entry.cell("cell")}
    with entry.naming("profile"):
        rules = instance_of("the profile", entry.take("profile"), dict)
        arguments["profile"] = MoveProfile(**with_whole_numbers(rules))
    arguments |= entry.unread
    if arguments.get("move", 0) is None:
        arguments["move"] = math.inf
    with entry.naming():
        Unit(**arguments)
    return arguments


def _log_entry(entry: Order | TurnEnd) -> dict[str, Any]:
    """Return an entry of a log as JSON-like data, without the fields that have their default."""
    left_out = {"spent": 0, "is_halted": False, "facing_deg": None, "unit": None}
    values = {
        name: _plain(value)
        for name, value in vars(entry).items()
        if name not in left_out or value != left_out[name]
    }
    if isinstance(entry, Order):
        values["cells"] = [cell_entry(cell) for cell in entry.cells]
    return values


def _read_entry(entry: Fields) -> Order | TurnEnd:
    with entry.naming():
        fields = with_whole_numbers(entry.unread)
        return (TurnEnd if "team" in fields else Order)(**fields)


def cell_entry(cell: CellLike) -> list[int]:
    """Return a cell as files have it, without deck 0."""
    row, col, deck = as_cell(cell)
    return [row, col, deck] if deck else [row, col]


def _plain(value: object) -> Json:
    """Return an argument of a unit or profile as JSON-like data."""
    return plain(value, lambda number: number.item() if isinstance(number, np.generic) else number)


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
                unit.turn(entry.facing_deg)

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
