"""Load the units of a scene from its map, or place a default party; save units to the map.

The entries are those of `ai.board.unit.unit_of`. The loader makes up for a missing name, and for a
missing mover by the `class` of an object in Tiled. What it cannot use it leaves as it is.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from ai.analysis.map_check import MapReport, check
from ai.board.board import Board
from ai.board.game_record import GameRecord
from ai.board.plain import EXTRA as REPLAY
from ai.board.plain import cell_entry
from ai.board.unit import EXTRA, Unit, unit_of
from ai.movers import named
from ai.rules.profile import MoveProfile
from terrain3d import TileMap
from terrain3d.core.checks import instance_of
from terrain3d.formats import single_line
from terrain3d.grid.reason import Reason
from terrain3d.map.change import Change

MAX_UNITS = 100
"""The most units in a scene: each is a figure to draw, and more are hard to play."""

PLAYER_TEAM = "blue"
"""The side of the person at the screen, and of units whose entry names no team."""

MOVE_POINTS = 6
TO_THE_VIEWER_DEG = 218.0
"""The heading toward the first view of the camera."""

_MAX_NOTES = 8
_MAX_NAME = 40

_PARTY: tuple[tuple[str, str, str, float, float], ...] = (
    ("Mira", "blue", "light foot", 0.5, 0.45),
    ("Bram", "red", "heavy foot", 0.42, 0.6),
    ("Ilka", "blue", "float", 0.62, 0.58),
    ("Tove", "blue", "acrobat", 0.48, 0.38),
    ("Odo", "blue", "heavy foot", 0.55, 0.42),
)
"""Name, team, mover and position, as fractions of the map's rows and columns."""


def resume(board: Board) -> bool:
    """Go on with the game that the map of a board carries, with its undo; False if there is none.

    The game must have the turns of the board and no fog, and end on the map as it is.
    """
    if REPLAY not in board.tilemap.extras:
        return False
    try:
        record = GameRecord.carried_by(board.tilemap)
        if record.fog or record.end.order != board.turns:
            return False
        record.go_on_with(board)
    except ValueError:
        return False
    return True


class UnitLoader:
    """Puts the units of a map on a board, and writes their cells back to the map.

    Units that are on the board already, as after `resume`, stay with their entries by their names.

    `rules` is the profile of units without a known mover. Other movers keep those of its limits and
    costs that they do not set themselves. `has_party` puts a default party on a map without units.

    Examples
    --------
    >>> from terrain3d import TileMap
    >>> tilemap = TileMap.from_text("000")
    >>> tilemap.extras["units"] = [{"name": "Pell", "cell": [0, 1], "mover": "acrobat"}]
    >>> loader = UnitLoader(Board(tilemap), MoveProfile())
    >>> [(unit.name, unit.cell, unit.profile.max_climb) for unit in loader.board.units]
    [('Pell', Cell(row=0, col=1, deck=0), 3)]
    """

    def __init__(self, board: Board, rules: MoveProfile, *, has_party: bool = True) -> None:
        self.board, self._rules = board, rules
        self._notes: list[Reason] = []
        self._entries: list[tuple[Any, str]] = []  # with the name of the unit; "" without one
        is_new = not (board.units or board.log)
        if isinstance(self._extra, list):
            self._read(self._extra, is_new=is_new)
        else:
            self._notes.append(Reason("units_not_a_list", value=repr(self._extra)[:40]))
        if is_new and has_party and not board.units:
            self._read(default_party(board.tilemap, rules), is_new=True)
        if is_new:
            board.clear_history()

    @property
    def notes(self) -> list[Reason]:
        """Which units differ from the map's entries, and why; a line each, at most 9 lines."""
        n_more = len(self._notes) - _MAX_NOTES
        shown = self._notes[:_MAX_NOTES]
        return [*shown, Reason("more_notes", n=n_more)] if n_more > 0 else shown

    def save(self) -> None:
        """Write the cells of all units to the map; entries without a unit stay as they are.

        Also write the game since the map was opened. If nothing happened, the recorded game of the
        map stays, if there is one.
        """
        extras, units = self.board.tilemap.extras, {unit.name: unit for unit in self.board.units}
        self._entries = [
            ({**entry, **_position_fields(units[name], entry)} if name in units else entry, name)
            for entry, name in self._entries
        ]
        if isinstance(self._extra, list):  # else the map uses the name for something else
            extras[EXTRA] = [e for e, name in self._entries if not name or name in units]
        if self.board.log:  # last, since its digest covers the units
            extras[REPLAY] = GameRecord.of(self.board).as_dict()

    def follow(self, change: Change) -> None:
        """Let units come and leave as a change of the map says; the game begins anew then.

        The positions on the map must be those of the last `save`.
        """
        entries = self._extra
        if EXTRA not in change.extras[1] or not isinstance(entries, list):
            return
        for entry, name in self._entries:
            if entry not in entries and self.board.state.find(name) is not None:
                self.board.remove(name)
        self._notes = []
        self._entries = [each for each in self._entries if each[0] in entries]
        known = [entry for entry, _ in self._entries]
        self._read([entry for entry in entries if entry not in known], is_new=True)
        self._entries.sort(key=lambda each: entries.index(each[0]))
        self.board.tilemap.extras.pop(REPLAY, None)
        self.board.clear_history()

    @property
    def _extra(self) -> object:
        """The units in the map's extras, a value of any type."""
        return self.board.tilemap.extras.get(EXTRA, [])

    def _read(self, entries: Iterable[Any], *, is_new: bool) -> None:
        """Find the units of entries on the board, or put them there."""
        board, used = self.board, {name for _, name in self._entries if name}
        for number, entry in enumerate(entries, start=1):
            name = ""
            try:
                if len(used) >= MAX_UNITS:
                    raise ValueError(f"a scene has at most {MAX_UNITS} units")
                unit, mover = self._make_unit(entry, used)
                if is_new:
                    board.add(unit)
                elif board.state.find(unit.name) is None:
                    raise ValueError("it is not in the game that goes on")
                name = unit.name
                used.add(name)
                if mover:
                    self._notes.append(Reason("unknown_mover", n=number, unit=name, mover=mover))
            except (IndexError, TypeError, ValueError) as error:
                why = single_line(str(error))
                self._notes.append(Reason("unit_left_out", n=number, error=why))
            self._entries.append((entry, name))

    def _make_unit(self, entry: object, used: Collection[str]) -> tuple[Unit, str]:
        """Return the unit of an entry, and its mover if there is none; refuse one not valid."""
        given: Any = instance_of("it", entry, Mapping)
        kind = given.get("class", "")
        mover = given.get("mover") or kind or "light foot"
        is_known = isinstance(mover, str) and named(mover) is not None
        usual = {"team": PLAYER_TEAM, "move": MOVE_POINTS, "heading_deg": TO_THE_VIEWER_DEG}
        name = _unused_name(given.get("name") or kind or "unit", used)
        read = {**usual, **given, "name": name, "mover": mover if is_known else None}
        return unit_of(read, self._rules), "" if is_known else f"{mover!r:.40}"


def _unused_name(name: object, used: Collection[str]) -> str:
    """Return a name that is not used yet, so that players can tell units apart."""
    if not isinstance(name, str):
        raise TypeError(f"its name must be text, got {name!r:.40}")
    name = single_line(name, _MAX_NAME)
    others = (f"{name} {number}" for number in range(2, MAX_UNITS + 2))
    return name if name not in used else next(each for each in others if each not in used)


def check_with_units(tilemap: TileMap, rules: MoveProfile) -> tuple[MapReport, list[Reason]]:
    """Check a map with its units as spawns. Return the report and the loader's notes."""
    loader = UnitLoader(Board(tilemap), rules, has_party=False)
    return check(loader.board.navigation, rules, spawns=loader.board.units), loader.notes


def default_party(tilemap: TileMap, profile: MoveProfile) -> list[dict[str, Any]]:
    """Return entries for the default units, each on the free easy ground nearest to its position.

    Ground is easy if it costs the profile at most 1 to enter; with too little of it there are fewer
    units. The entries are as `UnitLoader` reads them.
    """
    is_easy = profile.entry_cost(tilemap) <= 1
    is_easy &= [profile.can_stop_on(kind) for kind in tilemap.kinds]
    free, entries = np.argwhere(is_easy[tilemap.kind] & ~tilemap.void), []
    for name, team, mover, *place in _PARTY[: len(free)]:
        away = free - np.multiply(place, (tilemap.rows, tilemap.cols))
        nearest = (away**2).sum(axis=1).argmin()
        cell, free = free[nearest].tolist(), np.delete(free, nearest, axis=0)
        entries.append({"name": name, "cell": cell, "team": team, "mover": mover})
    return entries


def _position_fields(unit: Unit, entry: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields with a unit's cell, and with its heading if its entry has one."""
    cell = cell_entry(unit.cell)
    return {"cell": cell} | ({"heading_deg": unit.heading_deg} if "heading_deg" in entry else {})
