"""States and entries of a game as plain data: for records, digests and pickles."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ai.board.log import KINDS, Entry, Walked
from ai.board.state import ORDERS, GameState, Sides
from ai.board.unit import CHECKS, Unit, UnitState, json_like
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile
from terrain3d import Link, TileKind, TileMap, Wall
from terrain3d.core.checks import (
    finite_number,
    instance_of,
    listed,
    positive_number,
    quoted,
    whole_numbers,
    whole_within,
    with_whole_numbers,
)
from terrain3d.formats import json_text
from terrain3d.formats.json_text import Fields
from terrain3d.formats.tmap import read_pairs, write_pairs
from terrain3d.grid.columns import MAX_DECKS, MAX_LEVEL
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.map.change import Change, Field, Patch
from terrain3d.map.tilemap import Json

EXTRA = "replay"
"""The name in `TileMap.extras` under which a map carries a recorded game."""
_LOOKS = ("color", "texture", "props", "glow", "water")
"""Fields of a kind that only change its appearance."""
_HEADING_DIGITS = 6  # of a degree; the last bits of an arc tangent differ between platforms
_MOST = 2**53
"""The highest number of a unit, and of units and actions."""
_SIDES = ("removed", "added")


def cell_entry(cell: CellLike) -> list[int]:
    """Return a cell as files have it, without deck 0."""
    row, col, deck = as_cell(cell)
    return [row, col, deck] if deck else [row, col]


def plain_state(state: GameState) -> dict[str, Any]:
    """Return a state as JSON-like data, its units by their numbers; what is None is left out."""
    units = {str(unit.number): plain_unit(unit) for unit in state.units}
    return {"units": units, "turn": plain_turn(state)}


def plain_unit(unit: UnitState | None) -> dict[str, Any]:
    """Return a unit as JSON-like data; of its profile the values that are not the usual ones."""
    if unit is None:
        return {}
    usual, profile = DEFAULT_PROFILE, unit.profile
    rules = {each.name: getattr(profile, each.name) for each in fields(profile) if each.init}
    changed = {rule: part for rule, part in rules.items() if part != getattr(usual, rule)}
    move = None if unit.move == math.inf else unit.move
    values = {**unit._asdict(), "profile": changed, "move": move, "cell": cell_entry(unit.cell)}
    del values["number"]
    return {name: _plain(value) for name, value in values.items() if value is not None}


def plain_turn(state: GameState) -> dict[str, Any]:
    """Return what a game knows beside its units and sides."""
    kept = ("order", "number", "team", "spent", "has_begun", "teams", "n_added", "n_actions")
    values = {name: getattr(state, name) for name in kept}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def plain_sides(sides: Sides) -> dict[str, Any]:
    """Return who is allied and neutral as JSON-like data."""
    return {"allies": sorted(map(sorted, sides.allies)), "neutral": sorted(sides.neutral)}


def plain_entry(entry: Entry) -> dict[str, Any]:
    """Return an entry of a log as JSON-like data: what differs after it, and both sides of edits.

    A unit that has left is None, and so is a value that is None now.
    """
    units = {
        str(change.unit.number): _differing(plain_unit(change.before), plain_unit(change.after))
        for change in entry.changes
    }
    gone = {str(change.unit.number): None for change in entry.changes if change.after is None}
    made: dict[str, Any] = {
        "kind": entry.kind,
        "name": entry.name,
        "by": entry.by,
        "units": {number: values for number, values in units.items() if values} | gone,
        "turn": _differing(plain_turn(entry.before), plain_turn(entry.after)),
        "walks": [_plain_walk(number, walked) for number, walked in entry.walks.items()],
        "edits": [_plain_edit(edit) for edit in entry.edits],
        "is_automatic": entry.is_automatic,
        "data": _plain(entry.data),
    }
    return {name: value for name, value in made.items() if value}


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that `_merged` needs to make the second mapping of the first."""
    names = dict.fromkeys((*before, *after))
    return {name: after.get(name) for name in names if before.get(name) != after.get(name)}


def _merged(before: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**before, **changed}.items() if value is not None}


def _plain_walk(number: int, walked: Walked) -> dict[str, Any]:
    made: dict[str, Any] = {"unit": number, "cells": [cell_entry(cell) for cell in walked.cells]}
    more = {"step_s": walked.step_s, "is_forced": walked.is_forced}
    return made | {name: value for name, value in more.items() if value}


def _plain_edit(edit: Change) -> dict[str, Any]:
    made: dict[str, Any] = {"name": edit.name}
    for name, patch in edit.patches.items():
        made[name] = np.stack([part.astype(np.int64) for part in patch], axis=1).tolist()
    for group, swap in (("links", edit.links), ("walls", edit.walls)):
        if any(swap):
            made[group] = dict(zip(_SIDES, map(write_pairs, swap), strict=True))
    if any(edit.extras):
        made["extras"] = [json_text.plain(dict(side)) for side in edit.extras]
    if any(edit.unknown_fields):
        made["unknown_fields"] = [
            [[name, cell_entry(cell), json_text.plain(value)] for (name, cell), value in side]
            for side in (each.items() for each in edit.unknown_fields)
        ]
    return made


class StateReader:
    """Reads a state and then the entries of a log that follow it; errors name the field.

    Parameters
    ----------
    tilemap : TileMap
        That of the game; only its size and kinds count.
    top : Fields
        The field of the map file with the game.
    """

    def __init__(self, tilemap: TileMap, top: Fields) -> None:
        self._tilemap = tilemap
        self._units: dict[int, UnitState] = {}
        self._plain: dict[int, dict[str, Any]] = {}  # the same units
        self._turn: dict[str, Any] = {}
        allies, neutral = top.take("allies", []), top.take("neutral", [])
        with top.naming("allies"):
            self._sides = Sides.of(allies, neutral)
        self.state = self._after(top)
        """The state after what has been read."""

    def entry(self, fields: Fields) -> Entry:
        """Read the next entry."""
        kind, before = fields.one_of("kind", KINDS), self.state
        edits = tuple(_read_edit(edit, self._tilemap) for edit in fields.objects("edits", []))
        self.state = after = self._after(fields)
        walks = dict(map(self._read_walk, fields.objects("walks", [])))
        data = fields.take("data", {})
        with fields.naming("data"):
            data = json_like("data", instance_of("it", data, dict))
        name, by = fields.text("name", ""), fields.text("by", "")
        is_automatic = fields.flag("is_automatic", default=False)
        return Entry(kind, before, after, name, by, walks, edits, is_automatic, data)

    def _after(self, fields: Fields) -> GameState:
        """Read what has changed of a state, and return that after it."""
        changed = fields.object("units", {})
        for name, value in changed.given.items():
            with changed.naming(name):
                number = whole_within("a number of units", int(name), 1, _MOST)
            if value is None and number in self._units:
                del self._units[number], self._plain[number]
            else:
                values = _merged(self._plain.get(number, {}), changed.object(name).given)
                self._plain[number] = values
                self._units[number] = self._read_unit(number, changed.part(name, values))
        turn = fields.object("turn", {})
        self._turn = _merged(self._turn, turn.given)
        units = tuple(self._units[number] for number in sorted(self._units))
        state = self._read_turn(fields.part("turn", self._turn)).with_(units=units)
        with fields.naming("units"):
            _check_apart(state)
        with fields.naming("turn"):
            _check_turn(state)
        return state

    def _read_unit(self, number: int, fields: Fields) -> UnitState:
        name, cell, move = fields.text("name"), fields.cell("cell"), fields.take("move", math.inf)
        values = {name: with_whole_numbers(fields.take(name)) for name in CHECKS if name != "move"}
        points, waiting = fields.take("points", None), fields.take("waiting")
        _check_read(fields)
        with fields.naming():
            values |= {"move": with_whole_numbers(move)}
            values["profile"] = MoveProfile(**instance_of("the profile", values["profile"], dict))
            self._tilemap.grid.within(cell)
            made = Unit(name, cell, **values).state
            points = None if points is None else finite_number("points", points, 0)
            waiting = finite_number("waiting", waiting, 0)
        return made._replace(points=points, waiting=waiting, number=number)

    def _read_turn(self, fields: Fields) -> GameState:
        """Return a state without units."""
        spent, teams, given = fields.take("spent"), fields.take("teams"), fields.given
        with fields.naming():
            spent = finite_number("spent", with_whole_numbers(spent), 0)
            teams = tuple(instance_of("a team", each, str) for each in listed("teams", teams))
        made = GameState(
            order=fields.one_of("order", ORDERS) if "order" in given else None,
            number=fields.whole("number", 1, _MOST),
            team=fields.text("team") if "team" in given else None,
            spent=spent,
            has_begun=fields.flag("has_begun", default=False),
            teams=teams,
            sides=self._sides,
            n_added=fields.whole("n_added", 0, _MOST),
            n_actions=fields.whole("n_actions", 0, _MOST),
        )
        _check_read(fields)
        return made

    def _read_walk(self, fields: Fields) -> tuple[int, Walked]:
        number = fields.whole("unit", 1, _MOST)
        cells, step_s = fields.take("cells"), fields.take("step_s", None)
        with fields.naming():
            cells = tuple(as_cell(cell) for cell in with_whole_numbers(listed("cells", cells)))
            for cell in cells:
                self._tilemap.grid.within(cell)
            if step_s is not None:
                positive_number("step_s", step_s)
            if number not in self._units or cells[-1:] != (self._units[number].cell,):
                raise ValueError("cells must end on the cell of the unit")
        return number, Walked(cells, step_s, fields.flag("is_forced", default=False))


def _check_apart(state: GameState) -> None:
    """Raise `ValueError` if two units have one name, or stand on one tile."""
    for unit in state.units:
        if state.find(unit.name) is not unit:
            raise ValueError(f"names a second unit {quoted(unit.name)}")
    for one, other, tile in state.overlaps():
        raise ValueError(f"{one.name} and {other.name} would both stand on {tile}")


def _check_turn(state: GameState) -> None:
    """Raise `ValueError` if the turn and the units of a state do not fit."""
    present = {unit.team for unit in state.movers} if state.order == "sides" else set[str]()
    is_team_right = state.team in present if present else state.team is None
    if {*state.teams} != present or not is_team_right:
        raise ValueError(f"teams must be those with turns, {sorted(present)}, and team one")
    if max((unit.number for unit in state.units), default=0) > state.n_added:
        raise ValueError(f"n_added must be at least the numbers of all units: {state.n_added}")


def _check_read(fields: Fields) -> None:
    """Raise an error for a field that is unknown."""
    for name in fields.unread:
        raise fields.error("is unknown", name)


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
    links, walls = entry.object("links", {}), entry.object("walls", {})
    removed, added = (tuple(read_pairs(links, side, Link)) for side in _SIDES)
    taken, built = (tuple(read_pairs(walls, side, Wall)) for side in _SIDES)
    extras, unknown = entry.take("extras", [{}, {}]), entry.take("unknown_fields", [[], []])
    with entry.naming("extras"):
        was, now = (instance_of("it", side, dict) for side in extras)
    with entry.naming("unknown_fields"):
        gone, come = ({(name, as_cell(cell)): of for name, cell, of in side} for side in unknown)
    swaps = (removed, added), (taken, built)
    return Change(entry.text("name"), patches, *swaps, (was, now), (gone, come))


def digest_of(tilemap: TileMap, state: GameState) -> str:
    """Return the digest of a map and the state of a game; see `Board.digest`."""
    units = [_unit_state(unit, state) for unit in state.units]
    turn = plain_turn(state)
    kept = ("order", "number", "spent", "has_begun") if state.order else ()
    whole = {
        **plain_sides(state.sides),
        "map": _map_state(tilemap),
        "extras": _exact(json_text.plain({k: v for k, v in tilemap.extras.items() if k != EXTRA})),
        "units": sorted(units, key=_text),
        "turn": {name: _exact(turn[name]) for name in kept if name in turn},
        "team": state.acting_team,
        "teams": list(state.teams),
    }
    return hashlib.sha256(_text(whole).encode()).hexdigest()[:32]


def _unit_state(unit: UnitState, state: GameState) -> dict[str, Any]:
    """Return what the digest covers of a unit."""
    left_out = {"speed_tiles_s", "points"}
    left_out |= set() if state.order else {"wait", "waiting"}
    values = {name: part for name, part in plain_unit(unit).items() if name not in left_out}
    heading = round(unit.heading_deg % 360.0, _HEADING_DIGITS) % 360.0
    left = unit.points_left if state.order else unit.move
    exact: dict[str, Any] = cast(dict[str, Any], _exact(values))
    return exact | {"heading_deg": heading, "points": _exact(left)}


def _text(state: object) -> str:
    return json.dumps(state, sort_keys=True, separators=(",", ":"))


def _map_state(tilemap: TileMap) -> dict[str, object]:
    """Return the state of a map; kinds count by their names, not by their index in the table."""
    names, states = [kind.name for kind in tilemap.kinds], map(_fields_state, tilemap.kinds)
    kinds = [{name: state[name] for name in state if name not in _LOOKS} for state in states]
    place = np.empty(len(names), dtype=np.uint8)
    place[np.argsort(names)] = np.arange(len(names))
    surfaces = np.nonzero(~tilemap.surface_void[1:])
    decks: list[NDArray[np.integer]] = [
        *surfaces,
        tilemap.surface_level[1:][surfaces],
        place[tilemap.surface_kind[1:][surfaces]],
        tilemap.surface_thickness[1:][surfaces],
    ]
    return {
        "topology": tilemap.topology,
        "step_height": _exact(tilemap.step_height),
        "shape": [tilemap.rows, tilemap.cols],
        "kinds": sorted(kinds, key=_text),
        "level": _hash(tilemap.level),
        "kind": _hash(place[tilemap.kind]),
        "decks": _hash(np.stack([part.astype(np.int64) for part in decks])),
        "links": sorted(map(_pair_state, tilemap.links), key=_text),
        "walls": sorted(map(_pair_state, tilemap.walls), key=_text),
    }


def _pair_state(pair: Link | Wall) -> dict[str, object]:
    """Return the state of a link or wall; without a direction, its ends are sorted."""
    if not pair.one_way:
        first, last = sorted((pair.start, pair.end))
        pair = replace(pair, start=first, end=last)
    return _fields_state(pair)


def _fields_state(record: TileKind | Link | Wall) -> dict[str, object]:
    """Return the fields of a dataclass that count for its equality."""
    parts = [part for part in fields(record) if part.compare]
    return {part.name: _exact(getattr(record, part.name)) for part in parts}


def plain(value: object, number: Callable[[Any], float]) -> Json:
    """Return a field of a unit or of its profile for JSON, with each number in it converted."""
    match value:
        case None | str() | bool():
            return value
        case Mapping():
            return {name: plain(part, number) for name, part in value.items()}
        case frozenset():
            return sorted(value)
        case tuple() | list():
            return [plain(part, number) for part in value]
    return number(value)


def _plain(value: object) -> Json:
    """Return a value of a unit or profile as JSON-like data."""
    return plain(value, lambda number: number.item() if isinstance(number, np.generic) else number)


def _exact(value: object) -> Json:
    """Return a value for JSON, equal for values that are equal."""
    return plain(value, lambda number: float(number) + 0.0)


def _hash(array: NDArray[np.integer]) -> str:
    """Return the hash of an array's whole numbers, whatever their type and byte order."""
    return hashlib.sha256(array.astype("<i4").tobytes()).hexdigest()
