"""Load the units of a scene from its map, or place a default party; save units to the map.

A map carries units in `TileMap.extras["units"]`, a list of objects. The loader reads the fields
`cell` ([row, col] or [row, col, deck]), `name`, `team`, `mover` (a name in `ai.movers.BY_NAME`; if
missing, its `class`), `move` (move points), `wait`, `heading_deg` and `stats`, and keeps all other
fields.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.analysis.map_check import MapReport, check
from ai.board import game_record
from ai.board.board import Board
from ai.board.game_record import GameRecord
from ai.board.plain import cell_entry
from ai.board.unit import Unit
from ai.movers import named
from ai.rules.profile import MoveProfile
from terrain3d import TileMap
from terrain3d.core.checks import with_whole_numbers
from terrain3d.formats import single_line
from terrain3d.grid.reason import Reason

EXTRA = "units"
"""The name in `TileMap.extras` under which a map carries its units."""

MAX_UNITS = 100
"""The most units in a scene: each is a figure to draw, and more are hard to play."""

PLAYER_TEAM = "blue"
"""The side of the person at the screen, and of units whose entry names no team."""

MOVE_POINTS = 6
WAIT = 10
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


class UnitLoader:
    """Puts the units of a map on an empty board, and writes their cells back to the map.

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
        self._board, self._rules = board, rules
        self._notes: list[Reason] = []
        self._entries: list[tuple[Any, Unit | None]] = []
        if isinstance(self._extra, list):
            self._place(self._extra)
        else:
            self._notes.append(Reason("units_not_a_list", value=repr(self._extra)[:40]))
        if has_party and not board.units:
            self._place(default_party(board.tilemap, rules))
        board.clear_history()

    @property
    def board(self) -> Board:
        """The board with the units."""
        return self._board

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
        extras = self._board.tilemap.extras
        if self._board.log:
            extras[game_record.EXTRA] = GameRecord.of(self._board).as_dict()
        if not isinstance(self._extra, list):
            return  # the map uses the name for something else
        extras[EXTRA] = [
            entry if unit is None else {**entry, **_position_fields(unit, entry)}
            for entry, unit in self._entries
            if unit is None or unit in self._board.units
        ]

    @property
    def _extra(self) -> object:
        """The units in the map's extras, a value of any type."""
        return self._board.tilemap.extras.get(EXTRA, [])

    def _place(self, entries: Iterable[Any]) -> None:
        for number, entry in enumerate(entries, start=1):
            unit: Unit | None = None
            try:
                made, mover = self._make_unit(entry)
                unit = self._board.add(made)
                if mover:
                    note = Reason("unknown_mover", n=number, unit=made.name, mover=mover)
                    self._notes.append(note)
            except (IndexError, TypeError, ValueError) as error:
                why = single_line(str(error))
                self._notes.append(Reason("unit_left_out", n=number, error=why))
            self._entries.append((entry, unit))

    def _make_unit(self, entry: object) -> tuple[Unit, str]:
        """Return the unit of an entry, and its mover if there is none; refuse one not valid."""
        if not isinstance(entry, Mapping):
            raise TypeError(f"it must be an object, got {entry!r:.40}")
        if len(self._board.units) >= MAX_UNITS:
            raise ValueError(f"a scene has at most {MAX_UNITS} units")
        if "cell" not in entry:
            raise ValueError("it has no cell")
        kind = entry.get("class", "")
        name = self._unused_name(entry.get("name") or kind or "unit")
        mover = entry.get("mover") or kind or "light foot"
        profile = named(mover, self._rules) if isinstance(mover, str) else None
        unit = Unit(
            name,
            with_whole_numbers(entry["cell"]),
            entry.get("team", PLAYER_TEAM),
            profile or self._rules,
            move=entry.get("move", MOVE_POINTS),
            heading_deg=entry.get("heading_deg", TO_THE_VIEWER_DEG),
            wait=entry.get("wait", WAIT),
            stats=entry.get("stats", {}),
        )
        return unit, f"{mover!r:.40}" if profile is None else ""

    def _unused_name(self, name: object) -> str:
        """Return a name that no unit has yet, so that players can tell units apart."""
        if not isinstance(name, str):
            raise TypeError(f"its name must be text, got {name!r:.40}")
        name = single_line(name, _MAX_NAME)
        used = {unit.name for unit in self._board.units}
        others = (f"{name} {number}" for number in range(2, MAX_UNITS + 2))
        return name if name not in used else next(each for each in others if each not in used)


def check_with_units(tilemap: TileMap, rules: MoveProfile) -> tuple[MapReport, list[Reason]]:
    """Check a map with its units as spawns. Return the report and the loader's notes."""
    loader = UnitLoader(Board(tilemap), rules, has_party=False)
    return check(loader.board.navigation, rules, spawns=loader.board.units), loader.notes


def default_party(tilemap: TileMap, profile: MoveProfile) -> list[Mapping[str, object]]:
    """Return entries for the default units, each on the free easy ground nearest to its position.

    Ground is easy if it costs the profile at most 1 to enter; with too little of it there are fewer
    units. The entries are as `UnitLoader` reads them.
    """
    is_easy = profile.entry_cost(tilemap) <= 1
    is_easy &= [profile.can_stop_on(kind) for kind in tilemap.kinds]
    is_free = is_easy[tilemap.kind] & ~tilemap.void
    entries: list[Mapping[str, object]] = []
    for name, team, mover, down, across in _PARTY:
        cell = _nearest(is_free, down * tilemap.rows, across * tilemap.cols)
        if cell:
            is_free[tuple(cell)] = False
            entries.append({"name": name, "cell": cell, "team": team, "mover": mover})
    return entries


def _nearest(is_free: NDArray[np.bool_], row: float, col: float) -> list[int]:
    """Return the first of the free cells that are nearest to a position; empty if none is free."""
    for distance in (8, 64, sum(is_free.shape)):  # all of a large map takes long to look through
        top, left = max(0, int(row) - distance), max(0, int(col) - distance)
        part = is_free[top : int(row) + distance + 1, left : int(col) + distance + 1]
        rows, cols = np.nonzero(part)
        squares = (rows + top - row) ** 2 + (cols + left - col) ** 2
        if len(squares) and squares.min() <= distance**2:
            nearest = squares.argmin()
            return [top + int(rows[nearest]), left + int(cols[nearest])]
    return []


def _position_fields(unit: Unit, entry: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields with a unit's cell, and with its heading if its entry has one."""
    cell = cell_entry(unit.cell)
    return {"cell": cell} | ({"heading_deg": unit.heading_deg} if "heading_deg" in entry else {})
