"""Tools of the map editor that make a battle: units of two sides, and the tiles of the goal.

They write `TileMap.extras` as `UnitLoader` and `read_objective` read them.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ai.board.plain import cell_entry
from ai.board.unit import EXTRA as UNITS
from ai.game.battle_setup import FOE_TEAM, ROLES
from ai.game.objective import EXTRA as OBJECTIVE
from ai.game.objective import ROUNDS, TURNS
from ai.game.unit_loader import PLAYER_TEAM
from ai.movers import LIGHT_FOOT, named
from ai.navigation.navigation import Navigation
from terrain3d import Cell, TileMap
from terrain3d.core.checks import with_whole_numbers
from terrain3d.editor.areas import rectangle
from terrain3d.editor.tools import TOOLS, Cells, Choice, Span, Tools
from terrain3d.grid.grid import as_cell
from terrain3d.grid.reason import Reason, register_reasons
from terrain3d.look.palettes import PAINTED
from terrain3d.map.edit import Edit

register_reasons(
    no_unit_to_move=("there is no unit {cell:at} to move",),
    unit_stands_there=("another unit stands {cell:at}",),
)

_NAMES = (
    *("Asa", "Bero", "Cora", "Dag", "Edda", "Falk", "Gisa", "Hanno", "Ivo", "Juna"),
    *("Kolja", "Lind", "Mats", "Nele", "Oda", "Pelle", "Rike", "Sven", "Tilda", "Urs"),
)
_HOLD, _REACH = "hold the goal", "reach the goal"


@dataclass(frozen=True)
class PlaceUnit(Span):
    """Puts a unit of a side on a tile, moves the one there to the last tile, or takes it away."""

    choices = tuple(
        Choice(f"{team} {mover}", PAINTED.of_team(team))
        for team in (PLAYER_TEAM, FOE_TEAM)
        for mover in ROLES
    )
    advice = "Click a tile to place a unit, or to take away the one there; drag a unit to move it"
    is_for_one = True

    kind: str

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        end, units = Cell(*cells[-1]), _listed(tilemap.extras.get(UNITS))
        standing = {_cell_of(entry): number for number, entry in enumerate(units)}
        number = standing.get(start)
        if end == start and number is not None:
            del units[number]
        else:
            entry = self._new_entry(units) if end == start else {}
            if number is not None:
                entry = units.pop(number)
            elif not entry:
                raise ValueError(Reason("no_unit_to_move", cell=start))
            mover = named(str(entry.get("mover"))) or LIGHT_FOOT
            if end in standing:
                raise ValueError(Reason("unit_stands_there", cell=end))
            if why := Navigation(tilemap).explain_stop(end, mover):
                raise ValueError(why)
            units.append({**entry, "cell": cell_entry(end)})
        edit.set_extra(UNITS, units)

    def _new_entry(self, units: list[Any]) -> dict[str, Any]:
        team, _, mover = self.kind.partition(" ")
        used = {entry.get("name") for entry in units if isinstance(entry, Mapping)}
        free = [name for name in _NAMES if name not in used]
        return {"name": (free or [mover])[0], "team": team, "mover": mover}


@dataclass(frozen=True)
class PlaceGoal(Span):
    """Adds the tiles between two corners to the goal, or takes them away if it begins on one."""

    choices = tuple(Choice(name, PAINTED.path) for name in (_HOLD, _REACH))
    advice = "Click a tile to make it part of the goal, or no more; drag for several"
    is_for_one = True

    kind: str

    def cells(self, tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
        """Return the tiles of the rectangle that have ground."""
        return [cell for cell in rectangle(tilemap, start, end) if tilemap.has_surface(cell)]

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        given = tilemap.extras.get(OBJECTIVE)
        usual = {"attackers": PLAYER_TEAM, "defenders": FOE_TEAM, "turns": TURNS}
        fields = {**usual, **(given if isinstance(given, Mapping) else {})}
        rounds = ROUNDS if self.kind == _HOLD else 0
        before, chosen = goal_cells(tilemap), self.cells(tilemap, start, Cell(*cells[-1]))
        after = [*dict.fromkeys([*before, *chosen])]
        if start in before and fields.get("rounds", 0) == rounds:
            after = [cell for cell in before if cell not in chosen]
        goal = {**fields, "cells": [*map(cell_entry, after)], "rounds": rounds}
        edit.set_extra(OBJECTIVE, goal if after else None)


TOOLS_OF_BATTLE: Tools = {**TOOLS, "unit": PlaceUnit, "goal": PlaceGoal}
"""The tools of the map editor, and those of this module."""


def goal_cells(tilemap: TileMap) -> list[Cell]:
    """Return the tiles of the goal that a map carries, also if a side has no units yet."""
    goal = tilemap.extras.get(OBJECTIVE)
    entries = _listed(goal.get("cells")) if isinstance(goal, Mapping) else []
    found = [_cell_of({"cell": entry}) for entry in entries]
    return [cell for cell in found if cell is not None and tilemap.has_cell(cell)]


def _listed(value: object) -> list[Any]:
    return [*value] if isinstance(value, list | tuple) else []


def _cell_of(entry: object) -> Cell | None:
    """Return where a thing of the extras is; None without a cell."""
    with suppress(TypeError, ValueError):
        if isinstance(entry, Mapping):
            return as_cell(with_whole_numbers(entry.get("cell")))
    return None
