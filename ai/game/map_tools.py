"""Tools of the map editor that make a battle: units of two sides, and the tiles of the goal.

They write `TileMap.extras` as `UnitLoader` and `read_objective` read them.
"""

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
from terrain3d.editor.areas import rectangle
from terrain3d.editor.tools import TOOLS, Cells, Choice, Span, Tools
from terrain3d.look.palettes import PAINTED
from terrain3d.map.edit import Edit
from terrain3d.map.placement import cells_of

_NAMES = (
    *("Asa", "Bero", "Cora", "Dag", "Edda", "Falk", "Gisa", "Hanno"),
    *("Ivo", "Juna", "Kolja", "Lind", "Mats", "Nele", "Oda", "Pelle"),
)
_HOLD, _REACH = "hold the goal", "reach the goal"


@dataclass(frozen=True)
class PlaceUnit(Span):
    """Puts a unit of a side on the last tile, or takes away the one there."""

    choices = tuple(
        Choice(f"{team} {mover}", PAINTED.of_team(team))
        for team in (PLAYER_TEAM, FOE_TEAM)
        for mover in ROLES
    )
    advice = "Click a tile to place a unit, or to take away the one there"
    is_for_one = True

    kind: str

    def put(self, edit: Edit, tilemap: TileMap, cells: Cells, start: Cell) -> None:
        """Write the change to an edit; see `Tool.put`."""
        del start
        cell, units = Cell(*cells[-1]), _units(tilemap)
        others = [entry for entry in units if cell not in cells_of(entry)]
        if len(others) == len(units):
            team, _, mover = self.kind.partition(" ")
            if why := Navigation(tilemap).explain_stop(cell, named(mover) or LIGHT_FOOT):
                raise ValueError(why)
            used = {entry.get("name") for entry in units if isinstance(entry, dict)}
            name = next((each for each in _NAMES if each not in used), mover)
            entry = {"name": name, "team": team, "mover": mover, "cell": cell_entry(cell)}
            others.append(entry)
        edit.set_extra(UNITS, others)


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
        given, before = tilemap.extras.get(OBJECTIVE), goal_cells(tilemap)
        chosen = self.cells(tilemap, start, Cell(*cells[-1]))
        fields = {"attackers": PLAYER_TEAM, "defenders": FOE_TEAM, "turns": TURNS}
        fields |= given if isinstance(given, dict) else {}
        rounds = ROUNDS if self.kind == _HOLD else 0
        after = [*dict.fromkeys([*before, *chosen])]
        if start in before and fields.get("rounds", 0) == rounds:
            after = [cell for cell in before if cell not in chosen]
        goal = {**fields, "cells": [*map(cell_entry, after)], "rounds": rounds}
        edit.set_extra(OBJECTIVE, goal if after else None)


TOOLS_OF_BATTLE: Tools = {**TOOLS, "unit": PlaceUnit, "goal": PlaceGoal}
"""The tools of the map editor, and those of this module."""


def goal_cells(tilemap: TileMap) -> list[Cell]:
    """Return the tiles of the goal that a map carries, also if a side has no units yet."""
    return [*filter(tilemap.has_cell, cells_of(tilemap.extras.get(OBJECTIVE)))]


def _units(tilemap: TileMap) -> list[Any]:
    entries = tilemap.extras.get(UNITS)
    return entries if isinstance(entries, list) else []
