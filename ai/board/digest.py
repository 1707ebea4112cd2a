"""The digest of a board: equal for equal states of map, units and turns, on every platform."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.board.unit import Unit
from ai.rules.profile import MoveProfile
from terrain3d import Link, TileKind, TileMap, Wall
from terrain3d.map.tilemap import Json

_LOOKS = ("color", "texture", "props", "glow", "water")
"""Fields of a kind that only change its appearance."""

_HEADING_DIGITS = 6  # of a degree; the last bits of an arc tangent differ between platforms


def digest_of(
    tilemap: TileMap, units: Sequence[Unit], turns: Mapping[str, Any], sides: Mapping[str, Any]
) -> str:
    """Return the digest of a map, its units and the state of their turns; see `Board.digest`."""
    profiles = {profile: _fields_state(profile) for profile in {unit.profile for unit in units}}
    entries = [{**_unit_state(unit), "profile": profiles[unit.profile]} for unit in units]
    state: dict[str, object] = {
        **sides,
        "map": _map_state(tilemap),
        "units": sorted(entries, key=_text),
    }
    if turns:
        state["turns"] = {**turns, "wait": {unit.name: _plain(unit.wait) for unit in units}}
    return hashlib.sha256(_text(state).encode()).hexdigest()[:32]


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
        "step_height": _plain(tilemap.step_height),
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


def _unit_state(unit: Unit) -> dict[str, object]:
    heading = round(unit.heading_deg % 360.0, _HEADING_DIGITS) % 360.0
    return {
        "name": unit.name,
        "team": unit.team,
        "cell": list(unit.cell),
        "heading_deg": heading,
        "move": _plain(unit.move),
        "has_zoc": unit.has_zoc,
        **({"stats": _plain(unit.stats)} if unit.stats else {}),
    }


def _fields_state(record: MoveProfile | TileKind | Link | Wall) -> dict[str, object]:
    """Return the fields of a dataclass that count for its equality."""
    parts = [part for part in fields(record) if part.compare]
    return {part.name: _plain(getattr(record, part.name)) for part in parts}


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
    """Return a value for JSON, equal for values that are equal."""
    return plain(value, lambda number: float(number) + 0.0)


def _hash(array: NDArray[np.integer]) -> str:
    """Return the hash of an array's whole numbers, whatever their type and byte order."""
    return hashlib.sha256(array.astype("<i4").tobytes()).hexdigest()
