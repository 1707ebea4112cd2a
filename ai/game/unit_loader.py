"""The units of a scene: those that its map tells of, or else the usual company.

A map carries units in `TileMap.extras["units"]`, a list of objects. Of one the scene reads `cell`
([row, col] or [row, col, deck]), `name`, `team`, `mover` (a name in `presets.BY_NAME`; else its
`class`), `move` (its move points) and `heading_deg`; what else it holds is kept.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ai.board.board import Board
from ai.board.unit import Unit
from ai.game.default_party import default_party
from ai.rules import presets
from ai.rules.profile import MoveProfile
from terrain3d.mapfile import single_line

EXTRA = "units"
"""The name under which a map carries them."""

MAX_UNITS = 100
"""More than these nobody could lead, and each of them is a figure to draw."""

MOVE_POINTS = 6
TO_THE_VIEWER_DEG = 218.0
"""Towards where the scene is looked at from at first."""

_MAX_NOTES = 8
_MAX_NAME = 40
_TEAM = "blue"


class UnitLoader:
    """Puts the units on a board that its map tells of, and tells the map where they are.

    Parameters
    ----------
    board : Board
        With nobody on it.
    rules : MoveProfile
        The usual foot: how those go whose mover is not known, and by which rules all others go
        where their mover says nothing.

    Examples
    --------
    >>> from terrain3d import TileMap
    >>> tilemap = TileMap.from_text("000")
    >>> tilemap.extras["units"] = [{"name": "Pell", "cell": [0, 1], "mover": "acrobat"}]
    >>> loader = UnitLoader(Board(tilemap), MoveProfile())
    >>> [(unit.name, unit.cell, unit.profile.max_climb) for unit in loader.board.units]
    [('Pell', Cell(row=0, col=1, deck=0), 3)]
    """

    def __init__(self, board: Board, rules: MoveProfile) -> None:
        self._board, self._rules = board, rules
        self._notes: list[str] = []
        self._entries: list[tuple[Any, Unit | None]] = []
        if isinstance(self._told, list):
            self._place(self._told)
        else:
            self._notes.append(f"{EXTRA}: must be a list, got {self._told!r:.40}")
        if not board.units:
            self._place(default_party(board.tilemap, rules))

    @property
    def board(self) -> Board:
        """Where they stand."""
        return self._board

    @property
    def notes(self) -> list[str]:
        """What was not placed as the map tells, and why; a line each, of very many the first."""
        n_more = len(self._notes) - _MAX_NOTES
        shown = [single_line(note) for note in self._notes[:_MAX_NOTES]]
        return [*shown, f"units: {n_more} more such lines"] if n_more > 0 else shown

    def save(self) -> None:
        """Let the map tell where each unit stands now; whom it could not place it tells as ever."""
        if not isinstance(self._told, list):
            return  # somebody else keeps something under that name
        told = [
            entry if unit is None else {**entry, **_whereabouts(unit, entry)}
            for entry, unit in self._entries
            if unit is None or unit in self._board.units
        ]
        self._board.tilemap.extras[EXTRA] = told

    @property
    def _told(self) -> object:
        """Whatever a file holds under the name."""
        return self._board.tilemap.extras.get(EXTRA, [])

    def _place(self, entries: Iterable[Any]) -> None:
        for number, entry in enumerate(entries, start=1):
            unit: Unit | None = None
            try:
                made, note = self._unit(entry)
                unit = self._board.add(made)
            except (IndexError, TypeError, ValueError) as error:
                note = f" is left out: {error}"
            if note:
                self._notes.append(f"unit {number}{note}")
            self._entries.append((entry, unit))

    def _unit(self, entry: object) -> tuple[Unit, str]:
        """Make the unit that an entry tells of, with what there is to say of it.

        Raises TypeError or ValueError if it tells of none.
        """
        if not isinstance(entry, Mapping):
            raise TypeError(f"it must be an object, got {entry!r:.40}")
        if len(self._board.units) >= MAX_UNITS:
            raise ValueError(f"a scene has at most {MAX_UNITS}")
        if "cell" not in entry:
            raise ValueError("it has no cell")
        kind = entry.get("class", "")
        name = self._unused(entry.get("name") or kind or "unit")
        mover = entry.get("mover") or kind or "light foot"
        profile = presets.named(mover, self._rules) if isinstance(mover, str) else None
        unit = Unit(
            name,
            entry["cell"],
            entry.get("team", _TEAM),
            profile or self._rules,
            move=entry.get("move", MOVE_POINTS),
            heading_deg=entry.get("heading_deg", TO_THE_VIEWER_DEG),
        )
        if profile is None:
            return unit, f", {name}, goes on light foot: no mover is called {mover!r:.40}"
        return unit, ""

    def _unused(self, name: object) -> str:
        """Give a name that nobody has yet, for people tell units by it."""
        if not isinstance(name, str):
            raise TypeError(f"its name must be text, got {name!r:.40}")
        name = single_line(name, _MAX_NAME)
        taken = {unit.name for unit in self._board.units}
        others = (f"{name} {number}" for number in range(2, MAX_UNITS + 2))
        return name if name not in taken else next(each for each in others if each not in taken)


def _whereabouts(unit: Unit, entry: Mapping[str, Any]) -> dict[str, object]:
    """Tell where a unit is, and where it looks if its entry tells that."""
    row, col, deck = unit.cell
    cell = [row, col, deck] if deck else [row, col]  # as files do: the ground goes without saying
    return {"cell": cell} | ({"heading_deg": unit.heading_deg} if "heading_deg" in entry else {})
