"""A recorded game: the field "replay" of a map, replayed to its end or to any entry before."""

import copy
import dataclasses
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from ai.board.board import Board
from ai.board.digest import plain
from ai.board.log import KINDS, BoardValues, Entry, UnitChange
from ai.board.turns import ORDERS, Sides, TurnState
from ai.board.unit import FrozenMap, Unit, UnitState, json_like
from ai.rules.entry_rules import EntryRule
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Link, MapFileError, Reason, TileMap, Wall
from terrain3d.core.checks import (
    checked_path,
    finite_number,
    instance_of,
    listed,
    one_of,
    optional,
    positive_number,
    quoted,
    whole_numbers,
    whole_within,
    with_whole_numbers,
)
from terrain3d.core.files import in_file
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields
from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.grid.reason import WORDINGS, places_in, plain_reason
from terrain3d.map.change import Change, Field, Patch
from terrain3d.map.tilemap import Json

EXTRA = "replay"
"""The name in `TileMap.extras` under which a map carries a recorded game."""

VERSION = 1


@dataclass(frozen=True)
class GameRecord:
    """A game since its log began: the map now, the state then, the log, and the digest at its end.

    Made by `of` or `load`.

    Parameters
    ----------
    tilemap : TileMap
        As it is at the end of the log.
    start : BoardValues
        The units and the turn at which the log begins.
    log : sequence of Entry
    seed : int
    sides : Sides
        As of `Board`.
    digest : str
        That of the board at the end of the log.
    """

    tilemap: TileMap
    start: BoardValues
    log: tuple[Entry, ...]
    seed: int
    sides: Sides
    digest: str

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the game on a board so far, with a copy of its map.

        `TypeError` for no board, `RuntimeError` inside an action, undo, redo or replay, but not in
        listeners of the signals that the board emits after it.
        """
        history = instance_of("board", board, Board)._history
        history.refuse_inside("be recorded", also_signals=False)
        log = board.log
        tilemap = copy.copy(board.tilemap)
        return cls(tilemap, board.log_start, log, board.seed, board.sides, board.digest())

    @staticmethod
    def load(path: str | os.PathLike[str]) -> "GameRecord":
        """Read a game from a map file.

        `MapFileError`, which names the field, if the file has no game, or one that cannot be
        replayed. Another digest is no error: see `problem`.
        """
        path = checked_path("path", path)
        tilemap = TileMap.load(path)
        with in_file(str(path)):
            if EXTRA not in tilemap.extras:
                how = "play some moves in the scene, then F2 and F5 save map and game"
                raise MapFileError(f"has no recorded game: {how}; or use GameRecord.of(board).save")
            top = Fields(tilemap.extras[EXTRA], EXTRA)
            version = top.whole("version", 1, 2**31)
            if version > VERSION:
                raise top.error(f"is {version}, this program reads up to {VERSION}", "version")
            try:
                record = _read(top, tilemap)
                record.replay()
            except MapFileError:
                raise
            except (IndexError, KeyError, TypeError, ValueError) as error:
                raise MapFileError(str(error), field=f"{EXTRA}.log") from None
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game and its map to one file, which is a map too; errors as `TileMap.save`."""
        tilemap = copy.copy(self.tilemap)
        tilemap.extras[EXTRA] = self.as_dict()
        tilemap.save(path)

    def as_dict(self) -> dict[str, Any]:
        """Return the game without its map as JSON-like data."""
        units = self.start.units
        return {
            "version": VERSION,
            "digest": self.digest,
            "seed": self.seed,
            **self.sides.as_dict(),
            "units": [_unit_entry(state) for state in units.values()],
            "turn": self.start.turn._asdict(),
            "log": [_entry(entry) for entry in self.log],
        }

    def replay(self, n_entries: int | None = None, *, rules: Iterable[EntryRule] = ()) -> Board:
        """Return a new board, with new units, after the first entries of the log; by default all.

        It has a map of its own, as it was then. `rules` are those of the game, which no file keeps.
        Errors are those of the number of entries and of the rules.
        """
        n_all = len(self.log)
        count = n_all if n_entries is None else whole_within("n_entries", n_entries, 0, n_all)
        tilemap = copy.copy(self.tilemap)
        tilemap.clear_history()
        for entry in reversed(self.log):
            for edit in reversed(entry.edits):
                tilemap.revert(edit)
        tilemap.clear_history()
        log = self.log[:count]
        more = {"seed": self.seed, "rules": rules} | vars(self.sides)
        return Board.restore(tilemap, self.start, log, **more)

    @cached_property
    def problem(self) -> str:
        """How the state after a replay differs from the recorded one; "" if it does not."""
        digest = self.replay().digest()
        if digest == self.digest:
            return ""
        return f"the game ends with the digest {digest}, the recorded one is {self.digest}"


def _unit_entry(state: UnitState) -> dict[str, Any]:
    """Return a unit as JSON-like data."""
    return {"name": state.name} | _changed({**_DEFAULTS, "name": state.name}, state)


_DEFAULTS: Mapping[str, Any] = FrozenMap({"points": None, "waiting": 0.0, "stats": FrozenMap()})


def _changed(before: Mapping[str, Any], state: UnitState) -> dict[str, Any]:
    """Return the values of a unit that differ from others as JSON-like data."""
    values: dict[str, Any] = {}
    for name, value in state._asdict().items():
        if name in before and before[name] == value:
            continue
        match name:
            case "cell":
                values[name] = cell_entry(value)
            case "move":
                values[name] = None if value == math.inf else _plain(value)
            case "profile":
                usual = MoveProfile()
                rules = {
                    each.name: getattr(value, each.name)
                    for each in dataclasses.fields(value)
                    if each.init
                }
                values[name] = {
                    rule: _plain(part)
                    for rule, part in rules.items()
                    if part != getattr(usual, rule)
                }
            case _:
                values[name] = _plain(value)
    return values


def _state(fields: Fields, name: str, before: UnitState | None) -> UnitState:
    """Read the state of a unit in which some values have changed."""
    known: dict[str, Any] = {"name": name} if before is None else before._asdict()
    if before is None or "cell" in fields.unread:
        known["cell"] = fields.cell("cell")
    values = with_whole_numbers(fields.unread)
    with fields.naming():
        known |= {field: _read_value(field, value) for field, value in values.items()}
        left = {"points": known.pop("points", None), "waiting": known.pop("waiting", 0.0)}
        return Unit(**known).state._replace(**left)


def _read_value(name: str, value: Any) -> Any:  # noqa: ANN401 - of the field
    match name:
        case "profile":
            return MoveProfile(**instance_of("the profile", value, dict))
        case "move" if value is None:
            return math.inf
        case "points":
            return None if value is None else finite_number(name, value, 0)
        case "waiting":
            return finite_number(name, value, 0)
    return value


def _entry(entry: Entry) -> dict[str, Any]:
    """Return an entry of a log as JSON-like data: what is after it, and both sides of edits."""
    units = []
    for change in entry.changes:
        values: dict[str, Any] = {"unit": change.name}
        if change.after is None:
            values["is_gone"] = True
        elif change.before is None:
            values |= _changed({**_DEFAULTS, "name": change.name}, change.after)
        else:
            values |= _changed(change.before._asdict(), change.after)
        if change.along:
            values["along"] = [cell_entry(cell) for cell in change.along]
        if change.step_s is not None:
            values["step_s"] = change.step_s
        if change.is_forced:
            values["is_forced"] = True
        if change.stop:
            values["stop"] = _reason_entry(change.stop)
        units.append(values)
    made: dict[str, Any] = {"kind": entry.kind, "name": entry.name, "by": entry.by, "units": units}
    made["edits"] = [_edit(edit) for edit in entry.edits]
    made["is_automatic"], made["data"] = entry.is_automatic, _plain(entry.data)
    made = {name: value for name, value in made.items() if value}
    if entry.order != entry.order_before:
        made["order"] = list(entry.order)
    if entry.turns is not None:
        made["turn"] = entry.turns[1]._asdict()
    return made


def _reason_entry(value: object) -> Json:
    """Return a reason as JSON-like data, or one of its values."""
    if isinstance(value, Reason):
        values = {name: _reason_entry(part) for name, part in value.values.items()}
        return {"code": value.code, "values": values}
    return list(value) if isinstance(value, Cell) else _plain(value)


def _read_reason(value: Any, tilemap: TileMap) -> Any:  # noqa: ANN401 - as it was
    """Read a reason, which can then be worded, or one of its values."""
    if isinstance(value, tuple):
        return tilemap.grid.within(as_cell(with_whole_numbers(list(value))))
    if not isinstance(value, Mapping):
        return value
    code: Any = value.get("code")
    values: Any = value.get("values")
    if code not in WORDINGS:
        raise ValueError(f"has an unknown code, {quoted(code)}")
    parts = instance_of("values", values, Mapping).items()
    reason = Reason(code, **{name: _read_reason(part, tilemap) for name, part in parts})
    for name in places_in(code):
        instance_of(name, reason.values[name], Cell)
    plain_reason(reason)  # raises an error for a wrong value
    return reason


def _edit(edit: Change) -> dict[str, Any]:
    made: dict[str, Any] = {"name": edit.name}
    for name, patch in edit.patches.items():
        made[name] = np.stack([part.astype(np.int64) for part in patch], axis=1).tolist()
    for group, swap in (("links", edit.links), ("walls", edit.walls)):
        if any(swap):
            made[group] = [[_pair(pair) for pair in side] for side in swap]
    return made


def _pair(pair: Link | Wall) -> dict[str, Any]:
    values = {**vars(pair), "start": cell_entry(pair.start), "end": cell_entry(pair.end)}
    del values["extras"]
    return values | ({"extras": json_text.plain(dict(pair.extras))} if pair.extras else {})


def _read_edit(entry: Fields, tilemap: TileMap) -> Change:
    patches, n_surfaces = dict[Field, Patch](), tilemap.rows * tilemap.cols * (MAX_DECKS + 1)
    limits: dict[Field, int] = {"level": MAX_LEVEL, "kind": len(tilemap.kinds) - 1}
    limits["thickness"] = MAX_LEVEL
    for field, high in limits.items():
        if field not in entry.unread:
            continue
        with entry.naming(field):
            table = whole_numbers("it", entry.take(field), n_surfaces - 1)
            if table.shape[1] != 3:
                raise ValueError(f"must be rows of 3 numbers, got {table.shape[1]}")
            surface = table[:, 0]
            if table[:, 1:].max() > high:
                raise ValueError(f"values must be in 0..{high}, got {table[:, 1:].max()}")
            values = table[:, 1:].T.astype(np.uint8 if field == "kind" else np.int16)
            patches[field] = Patch(surface.astype(np.intp), *values)
    swaps = []
    for name, kind in (("links", Link), ("walls", Wall)):
        sides = entry.take(name, [[], []])
        with entry.naming(name):
            removed, added = (tuple(_read_pair(kind, pair) for pair in side) for side in sides)
            swaps.append((removed, added))
    return Change(entry.text("name"), patches, swaps[0], swaps[1])


def _read_pair(kind: Any, values: Any) -> Any:  # noqa: ANN401 - Link or Wall
    values = with_whole_numbers(instance_of("an entry", values, dict))
    ends = {name: as_cell(values[name]) for name in ("start", "end") if name in values}
    return kind(**values | ends)


def _read_turn(top: Fields) -> TurnState:
    fields = with_whole_numbers(top.take("turn"))
    with top.naming("turn"):
        turn = TurnState(**instance_of("it", fields, dict))
        if turn.order is not None:
            one_of("order", turn.order, tuple(ORDERS))
        whole_within("number", turn.number, 1)
        finite_number("spent", turn.spent, 0)
        optional("team", turn.team, str)
        teams = tuple(instance_of("a team", each, str) for each in listed("teams", turn.teams))
    return turn._replace(teams=teams)


def _read(top: Fields, tilemap: TileMap) -> GameRecord:
    """Read a game from its field in a map."""
    start = BoardValues(_read_units(top), _read_turn(top))
    log, now = list[Entry](), start
    for fields in top.objects("log"):
        log.append(_read_entry(fields, tilemap, now))
        with fields.naming():
            now = log[-1].applied(now)
    seed = top.whole("seed", 0, 2**63)
    allies, neutral = top.take("allies", []), top.take("neutral", [])
    with top.naming("allies"):
        sides = Sides.of(allies, neutral)
    return GameRecord(tilemap, start, tuple(log), seed, sides, top.text("digest"))


def _read_units(top: Fields) -> dict[str, UnitState]:
    units: dict[str, UnitState] = {}
    for fields in top.objects("units"):
        name = fields.text("name")
        if name in units:
            raise fields.error(f"names a second unit {quoted(name)}", "name")
        units[name] = _state(fields, name, None)
    return units


def _read_entry(fields: Fields, tilemap: TileMap, now: BoardValues) -> Entry:
    """Read an entry of a log that follows a state."""
    kind = fields.text("kind")
    with fields.naming("kind"):
        one_of("it", kind, KINDS)
    changes = tuple(_read_change(unit, tilemap, now) for unit in fields.objects("units", []))
    edits = tuple(_read_edit(edit, tilemap) for edit in fields.objects("edits", []))
    turns = (now.turn, _read_turn(fields)) if "turn" in fields.unread else None
    order, data = fields.take("order", None), fields.take("data", {})
    units = {**now.units, **{each.name: each.after for each in changes}}
    present = {name for name, state in units.items() if state is not None}
    lists: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
    if order is not None or present != now.units.keys():
        with fields.naming("order"):
            lists = tuple(listed("it", order)), tuple(now.units)
            if sorted(lists[0]) != sorted(present):
                raise ValueError("must name each unit once that is there after the entry")
    with fields.naming("data"):
        data = json_like("data", instance_of("it", data, dict))
    values = {"name": fields.text("name", ""), "by": fields.text("by", ""), "data": data}
    is_automatic = fields.flag("is_automatic", default=False)
    return Entry(
        kind,
        changes=changes,
        order=lists[0],
        order_before=lists[1],
        turns=turns,
        edits=edits,
        is_automatic=is_automatic,
        **values,
    )


def _read_change(fields: Fields, tilemap: TileMap, now: BoardValues) -> UnitChange:
    """Read what an entry changes of a unit."""
    name = fields.text("unit")
    before = now.units.get(name)
    along, step_s = fields.take("along", []), fields.take("step_s", None)
    with fields.naming("stop"):
        stop = _read_reason(json_like("it", fields.take("stop", "")), tilemap)
        if stop != "":
            instance_of("it", stop, Reason)
    with fields.naming():
        along = tuple(as_cell(cell) for cell in with_whole_numbers(listed("along", along)))
        for cell in along:
            tilemap.grid.within(cell)
        if step_s is not None:
            positive_number("step_s", step_s)
    is_gone, is_forced = (fields.flag(each, default=False) for each in ("is_gone", "is_forced"))
    if is_gone and before is None:
        raise fields.error(f"{name} leaves, but is not there")
    after = None if is_gone else _state(fields, name, before)
    if along and (after is None or along[-1] != after.cell):
        raise fields.error("must end on the cell of the unit", "along")
    return UnitChange(name, before, after, along, step_s, is_forced, stop)


def cell_entry(cell: CellLike) -> list[int]:
    """Return a cell as files have it, without deck 0."""
    row, col, deck = as_cell(cell)
    return [row, col, deck] if deck else [row, col]


def _plain(value: object) -> Json:
    """Return a value of a unit or profile as JSON-like data."""
    return plain(value, lambda number: number.item() if isinstance(number, np.generic) else number)
