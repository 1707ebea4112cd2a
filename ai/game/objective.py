"""What the sides of a battle want: who has won, read from a map, and in words."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import cast

from ai.board.board import Board
from ai.board.state import Turn
from ai.board.unit import Unit
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed, quoted, whole_within, with_whole_numbers
from terrain3d.core.translation import tr, tr_n
from terrain3d.grid.grid import as_cell

EXTRA = "objective"
"""The name in `TileMap.extras` under which a map carries the objective of its battle."""
ROUNDS, TURNS = 3, 20
"""For how many of its turns blue has to hold the hilltop, and after how many it has lost."""


@dataclass(frozen=True)
class Objective:
    """The attackers want to reach or hold one of some cells, or to defeat all defenders, in time.

    A game with another objective makes a subclass with its own `winner` and `goals`.
    """

    attackers: str
    defenders: str
    cells: tuple[Cell, ...]
    turns: int
    """After so many the defenders have won."""
    rounds: int = 0
    """How many ends of its turns a unit has to stay; 0: to reach a cell is enough."""

    def winner(self, board: Board, unseen: Set[str] = frozenset()) -> str:
        """Return the team that has won; "" while the battle lasts.

        Teams in `unseen` may have other units than those on the board.
        """
        teams = {unit.team for unit in board.units} | unseen
        if self.defenders not in teams or any(
            unit.team == self.attackers and unit.stats.get("held", 0) >= self.rounds
            for unit in self.holders(board)
        ):
            return self.attackers
        is_late = cast(Turn, board.turn).number > self.turns
        return self.defenders if is_late or self.attackers not in teams else ""

    def holders(self, board: Board) -> list[Unit]:
        """Return the attackers that stand on one of the cells."""
        guests = map(board.unit_at, self.cells)
        return [unit for unit in guests if unit is not None and unit.team == self.attackers]

    def goals(self, board: Board, team: str) -> list[Cell]:
        """Return where units of a team want to be."""
        if team == self.attackers:
            return list(self.cells)
        return [unit.cell for unit in board.units if unit.team == self.attackers]


def read_objective(tilemap: TileMap, teams: Set[str]) -> Objective | None:
    """Return the objective of a map for its teams, if it has one; errors if it is not valid."""
    if EXTRA not in tilemap.extras:
        return None
    values = with_whole_numbers(instance_of("it", tilemap.extras[EXTRA], Mapping))
    cells = tuple(tilemap.cell(as_cell(cell)) for cell in listed("cells", values.get("cells")))
    cells = tuple(cell for cell in cells if cell.deck or not tilemap.void[cell[:2]])
    if not cells:
        raise ValueError(f"cells must have one on ground, got {quoted(values['cells'])}")
    names = (instance_of(name, values.get(name), str) for name in ("attackers", "defenders"))
    attackers, defenders = names
    if len({attackers, defenders} & teams) < 2:
        raise ValueError(f"two teams need units, got {quoted(attackers)} and {quoted(defenders)}")
    turns = whole_within("turns", values.get("turns", TURNS), 1)
    rounds = whole_within("rounds", values.get("rounds", 0), 0)
    return Objective(attackers, defenders, cells, turns, rounds)


def battle_title(goal: Objective, team: str) -> str:
    """Return in a few words what the battle is about for a team."""
    if team != goal.attackers:
        return tr("Stand your ground")
    return tr("Take and hold") if goal.rounds else tr("Get there in time")


def describe_objective(goal: Objective, team: str) -> str:
    """Return what a team has to do."""
    if team != goal.attackers:
        plural = "Keep the enemies off the marked tiles for {n} turns"
        return tr_n("Keep the enemies off the marked tiles for {n} turn", plural, goal.turns)
    deed = tr("Reach a marked tile")
    if goal.rounds:
        deed = tr_n(
            "Hold a marked tile for {n} turn", "Hold a marked tile for {n} turns", goal.rounds
        )
    whole = "{deed}, or defeat all enemies, within {n} turns"
    return tr_n("{deed}, or defeat all enemies, within {n} turn", whole, goal.turns, deed=deed)
