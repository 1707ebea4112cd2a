"""What the sides of a battle want: who has won, read from a map, and in words."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple, cast

from ai.board.board import Board
from ai.board.state import Turn
from ai.board.unit import Unit, UnitState
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of, listed, quoted, whole_within, with_whole_numbers
from terrain3d.core.translation import capitalized, tr, tr_n
from terrain3d.grid.grid import as_cell

EXTRA = "objective"
"""The name in `TileMap.extras` under which a map carries the objective of its battle."""
ROUNDS, TURNS = 3, 20
"""For how many of its turns blue has to hold the hilltop, and after how many it has lost."""
PLACES = ("the marked tiles", "the hilltop")
"""What the cells of an objective are called, the usual name first; a game may have others."""


class Holding(NamedTuple):
    """Whose units stand on the goal, "" if nobody's, and for how many rounds the attackers do."""

    team: str
    rounds: int


class Ending(NamedTuple):
    """Why a team has won a battle, for the player, and where that was decided."""

    reason: str
    cell: Cell


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
    place: str = PLACES[0]
    """What the cells are called."""

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

    def holding(self, board: Board, team: str) -> Holding:
        """Return who holds the cells now, of the units that a team sees."""
        guests = [unit for unit in map(board.unit_at, self.cells) if unit is not None]
        seen = [unit for unit in guests if board.is_seen(unit, team)]
        held = [unit.stats.get("held", 0) for unit in seen if unit.team == self.attackers]
        if held:
            return Holding(self.attackers, min(max(held), self.rounds))
        is_kept = any(unit.team == self.defenders for unit in seen)
        return Holding(self.defenders if is_kept else "", 0)

    def turn_number(self, board: Board) -> int:
        """Return the number of the turn, or of the last that counts when time is up."""
        return min(cast(Turn, board.turn).number, self.turns)

    def count(self, board: Board, team: str) -> str:
        """Return the rounds that the cells are held, of those needed, as a team sees; or ""."""
        return f"{self.holding(board, team).rounds}/{self.rounds}" if self.rounds else ""

    def ending(self, board: Board, winner: str) -> Ending:
        """Return why a team has won, and where: who holds a cell, or has struck last."""
        team, place, cell = side_name(winner), tr(self.place), self.cells[0]
        enemies = self.defenders if winner == self.attackers else self.attackers
        holders = sorted(self.holders(board), key=lambda unit: unit.stats.get("held", 0))
        if all(unit.team != enemies for unit in board.units):
            text = tr("{team} has defeated all enemies", team=team)
            blows = [hit for entry in board.log for hit in entry.data.get("hits", ())]
            last = [unit.cell for unit in board.units if blows and unit.name == blows[-1]["by"]]
            return Ending(text, last[0] if last else cell)
        if winner == self.defenders:
            text = "{team} kept the enemies off {place} for {time}"
            return Ending(tr(text, team=team, place=place, time=_time(self, board.turns)), cell)
        cell = holders[-1].cell if holders else cell
        if not self.rounds:
            return Ending(tr("{team} has reached {place}", team=team, place=place), cell)
        one = "{team} held {place} for {n} round"
        many = "{team} held {place} for {n} rounds"
        return Ending(tr_n(one, many, self.rounds, team=team, place=place), cell)

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
    place = instance_of("place", values.get("place", PLACES[0]), str)
    return Objective(attackers, defenders, cells, turns, rounds, place)


def _time(goal: Objective, order: str | None) -> str:
    """Return how long the battle lasts, with turns in an `order` as that of `Board`."""
    if order == "wait":
        return tr_n("{n} turn", "{n} turns", goal.turns)
    return tr_n("{n} round", "{n} rounds", goal.turns)


def battle_title(goal: Objective, team: str) -> str:
    """Return in a few words what the battle is about for a team."""
    deed = "Hold {place}" if goal.rounds else "Reach {place}"
    text = deed if team == goal.attackers else "Keep the enemies off {place}"
    return tr(text, place=tr(goal.place))


def describe_objective(goal: Objective, team: str, order: str | None = "sides") -> str:
    """Return what a team has to do, with turns in an `order` as that of `Board`."""
    place, time = tr(goal.place), _time(goal, order)
    if team != goal.attackers:
        return tr("Keep the enemies off {place} for {time}", place=place, time=time)
    deed = tr("Reach {place} with one unit", place=place)
    if goal.rounds:
        hold = "Hold {place} for {n} round", "Hold {place} for {n} rounds"
        deed = tr_n(*hold, goal.rounds, place=place)
    return tr("{deed}, or defeat all enemies, within {time}", deed=deed, time=time)


def explain_hold(goal: Objective) -> list[tuple[str, str]]:
    """Return what it means to hold the goal, as a word and what it does, if it has to be held."""
    one = "a unit stands there at the end of its side's turn"
    many = "the same unit stands there at the end of {n} turns of its side in a row"
    return [(tr("Hold"), tr_n(one, many, goal.rounds))] if goal.rounds else []


def goal_line(goal: Objective, board: Board, team: str, count: str) -> str:
    """Return what a team has to do, the `count` of its `Objective` and the round, in few words."""
    text = f"{battle_title(goal, team)} {count}".rstrip()
    now = turn_name(goal.turn_number(board), board.turns)
    return text + tr(", ") + tr("{turn} of {count}", turn=now, count=goal.turns)


def turn_name(number: int, order: str | None) -> str:
    """Return what a turn in an `order` of `Board` is called; a round has a turn of each side."""
    return tr("turn {n}" if order == "wait" else "round {n}", n=number)


def side_name(team: str) -> str:
    """Return the name of a team for the player, as a title."""
    return capitalized(tr(team))


def first_units(board: Board) -> tuple[UnitState, ...]:
    """Return the units with which the log of a board begins."""
    return (board.log[0].before if board.log else board.state).units


def losses(board: Board, team: str) -> tuple[int, int]:
    """Return how many units a team has lost, and how many it began with."""
    began = sum(unit.team == team for unit in first_units(board))
    return began - sum(unit.team == team for unit in board.units), began


def describe_losses(goal: Objective, board: Board) -> str:
    """Return the round, and how many units each side has lost of those that it began with."""
    lost = {unit.team: losses(board, unit.team) for unit in first_units(board)}
    texts = (
        tr("{team} lost {n} of {count}", team=side_name(team), n=n, count=count)
        for team, (n, count) in lost.items()
    )
    now = turn_name(goal.turn_number(board), board.turns)
    return tr(", ").join([capitalized(now), *texts])
