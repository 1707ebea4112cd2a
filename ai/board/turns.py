"""Whose turn it is on a board, what each unit has left to spend, and where turns end on a walk."""

import bisect
import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from ai.board.unit import Unit
from ai.navigation.path import Path
from terrain3d import Cell, Reason
from terrain3d.core.checks import finite_number, instance_of, listed, one_of, quoted, whole_within


class Turn(NamedTuple):
    """Whose turn it is.

    Parameters
    ----------
    number : int
        The number of the round, from 1; with ``turns="wait"`` the number of the turn.
    team : str
        The team that acts; "" on a board without units.
    units : tuple of Unit
        The units that may act.
    """

    number: int
    team: str
    units: tuple[Unit, ...]


class TurnState(NamedTuple):
    """Which turn it is, beside the points and waiting times of the units."""

    order: str | None
    number: int = 1
    team: str | None = None
    """None: that of the first unit."""
    spent: float = 0.0
    """In this turn, if the order depends on it."""
    teams: tuple[str, ...] = ()
    """In the order of their turns, if they take turns."""


@dataclass(frozen=True)
class Sides:
    """Who is who: which teams are allies, and which are neutral.

    Allies of one team need not be allies of each other.
    """

    allies: frozenset[frozenset[str]] = frozenset()
    neutral: frozenset[str] = frozenset()

    @classmethod
    def of(cls, allies: Iterable[Iterable[str]], neutral: Iterable[str]) -> Self:
        """Return the sides of pairs of teams; errors as in `Board`."""
        pairs = set[frozenset[str]]()
        for pair in listed("allies", allies):
            teams = {instance_of("allies", team, str) for team in listed("allies", pair)}
            if len(teams) != 2:
                raise ValueError(f"allies must be pairs of different teams, got {quoted(pair)}")
            pairs.add(frozenset(teams))
        apart = frozenset(instance_of("neutral", team, str) for team in listed("neutral", neutral))
        return cls(frozenset(pairs), apart)

    def are_allies(self, team: str, other: str) -> bool:
        """Return whether units of two teams can pass each other."""
        return team == other or frozenset((team, other)) in self.allies

    def are_enemies(self, team: str, other: str) -> bool:
        """Return whether units of two teams threaten each other."""
        return not (self.are_allies(team, other) or {team, other} & self.neutral)

    def as_dict(self) -> dict[str, Any]:
        """Return the sides as JSON-like data; empty without any."""
        made = {"allies": sorted(map(sorted, self.allies)), "neutral": sorted(self.neutral)}
        return {name: value for name, value in made.items() if value}


NO_SIDES = Sides()


class Turns:
    """No turns: each unit may always act, and an order spends nothing."""

    order: str | None = None

    def __init__(self, units: list[Unit], sides: Sides = NO_SIDES) -> None:
        self._all_units = units  # the board's own list
        self._sides = sides
        self.state = TurnState(self.order)

    @property
    def _units(self) -> list[Unit]:
        """The units that take turns."""
        neutral = self._sides.neutral
        if not neutral:
            return self._all_units
        return [unit for unit in self._all_units if unit.state.team not in neutral]

    @property
    def turn(self) -> Turn | None:
        """The turn now; None on a board without turns."""
        return None

    @property
    def team(self) -> str:
        """The team that acts; "" if none does."""
        return ""

    @property
    def acting(self) -> Unit | None:
        """The unit whose turn it is, if it is that of one unit."""
        return None

    @property
    def whose(self) -> str:
        """The name of the unit or team whose turn it is."""
        return self.acting.name if self.acting else self.team if self.order else "nobody"

    def reason(self, unit: Unit, seen: Collection[Unit] | None = None) -> str:
        """Return why a unit may not act now, with the name of a unit if it is seen; "" if it may.

        All units are seen if none are given.
        """
        if self._may_act(unit):
            return ""
        is_hidden = seen is not None and self.acting is not None and self.acting not in seen
        return Reason("other_turn", whose=self.team if is_hidden else self.whose)

    def _may_act(self, unit: Unit) -> bool:  # noqa: ARG002 - for boards with turns
        return True

    def budget(self, unit: Unit) -> float:
        """Return what a unit can spend now, or in its next turn if it has to wait for that."""
        return unit.move if self.reason(unit) else unit.points

    def expect(self, teams: Iterable[str]) -> None:
        """Let teams take turns in a known order, before all others."""

    def enter(self, unit: Unit) -> None:
        """Let a unit that comes to the board take turns."""

    def change_team(self, unit: Unit) -> None:
        """Let a unit take turns with its new team; its turn passes on if no other shares it."""

    def leave(self, unit: Unit) -> None:
        """Remove a unit; its turn passes on if no other unit shares it."""
        self._all_units.remove(unit)
        self._skip_absent()

    def spend(self, unit: Unit, cost: float, *, is_halted: bool) -> None:
        """Take the cost of an order from a unit's points, or all if a zone of control halts it."""
        if self.order is not None:
            left = 0 if is_halted else max(0, unit.points - cost)
            unit._allot(left if left < unit.move else None, unit.waiting)

    def end(self) -> None:
        """Begin the next turn."""
        raise ValueError(_NO_TURNS)

    def next_units(self, count: int) -> list[Unit]:
        """Return the units of the next turns; errors as in `Board.next_units`."""
        needed = 'a board with turns="wait"'
        raise ValueError(f"next_units({count}) needs {needed}, this one has {self.order!r}")

    def as_dict(self) -> dict[str, Any]:
        """Return the turn and what units have left as JSON-like data; empty without turns."""
        turn = self.turn
        if turn is None:
            return {}
        left = {unit.name: float(unit.points) for unit in self._units if unit.points < unit.move}
        return {
            "order": self.order,
            "number": turn.number,
            "team": turn.team,
            "spent": float(self.state.spent),
            "points": left,
            "waiting": {unit.name: float(unit.waiting) for unit in self._units},
        }

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue at a turn that `as_dict` returned; errors as in `Board.resume`."""
        if self.order is None:
            raise ValueError(_NO_TURNS)
        if state.get("order") != self.order:
            order = state.get("order")
            raise ValueError(f"the order of the state must be {self.order!r}, got {quoted(order)}")
        number = whole_within("number", state.get("number", 1), 1)
        team = instance_of("team", state.get("team", ""), str)
        spent = finite_number("spent", state.get("spent", 0), 0)
        points, waiting = _numbers(state, "points"), _numbers(state, "waiting")
        teams = listed("teams", state.get("teams", ()))
        self.expect([instance_of("teams", each, str) for each in teams])
        self.state = self.state._replace(number=number, team=team, spent=spent)
        for unit in self._units:
            left = points.get(unit.name, unit.move)
            unit._allot(left if left < unit.move else None, waiting.get(unit.name, unit.waiting))
        self._skip_absent()

    def _skip_absent(self) -> None:
        """Begin the next turn if all units of this one have left the board."""


class SideTurns(Turns):
    """Teams take turns, in the order in which they first appear on the board.

    All units of a team have their points back when its turn begins. A round is over when the last
    team's turn is. A team whose units have all left is the last if it comes back.
    """

    order = "sides"

    @property
    def turn(self) -> Turn:
        """The turn now."""
        team = self.team
        units = [unit for unit in self._units if unit.state.team == team]
        return Turn(self.state.number, team, tuple(units))

    @property
    def team(self) -> str:
        """The team that acts."""
        team = self.state.team
        return next(iter(self._present()), "") if team is None else team

    def _may_act(self, unit: Unit) -> bool:
        return unit.state.team == self.team and unit.state.team not in self._sides.neutral

    def expect(self, teams: Iterable[str]) -> None:
        """Let teams take turns in this order, before all others."""
        self._set_teams((*teams, *self.state.teams))

    def enter(self, unit: Unit) -> None:
        """Let a unit act in its team's turns."""
        self._set_teams((*self.state.teams, unit.team))

    def change_team(self, unit: Unit) -> None:
        """Let a unit act in its new team's turns."""
        self._set_teams((*self.state.teams, unit.team))
        self._skip_absent()

    def end(self) -> None:
        """Begin the next team's turn."""
        present, team, teams = self._present(), self.team, self.state.teams
        place = teams.index(team) if team in teams else -1
        later = [each for each in present if teams.index(each) > place]
        number = self.state.number + (not later)
        self.state = self.state._replace(number=number, team=next(iter(later or present)))
        for unit in self.turn.units:
            unit._allot(None, unit.waiting)

    def as_dict(self) -> dict[str, Any]:
        """Return the state with the order of teams."""
        return {**super().as_dict(), "teams": self._present()}

    def _present(self) -> list[str]:
        """Return the teams that have units, in their order."""
        present = {unit.state.team for unit in self._units}
        return [team for team in self.state.teams if team in present]

    def _set_teams(self, teams: Iterable[str]) -> None:
        teams = tuple(team for team in dict.fromkeys(teams) if team not in self._sides.neutral)
        if teams != self.state.teams:
            self.state = self.state._replace(teams=teams)

    def _skip_absent(self) -> None:
        if not self._units:
            self.state = self.state._replace(number=1, team=None)
        elif not self.turn.units:
            self.end()
        self._set_teams(self._present())


class WaitTurns(Turns):
    """The unit with the least waiting time acts; ties go to the first on the board.

    A unit first waits its base wait; a turn adds its base wait and the points it spent.
    """

    order = "wait"

    @property
    def turn(self) -> Turn:
        """The turn now."""
        unit = self.acting
        return Turn(self.state.number, unit.team if unit else "", (unit,) if unit else ())

    @property
    def team(self) -> str:
        """The team of the unit that acts."""
        unit = self.acting
        return "" if unit is None else unit.team

    def _may_act(self, unit: Unit) -> bool:
        return unit is self.acting

    @property
    def acting(self) -> Unit | None:
        """The unit whose turn it is."""
        return min(self._units, key=attrgetter("state.waiting"), default=None)

    def enter(self, unit: Unit) -> None:
        """Let a unit wait from now on, or from the start if no unit has acted."""
        unit._allot(None, self._now(self._units) + unit.wait)

    def leave(self, unit: Unit) -> None:
        """Remove a unit; its turn passes on if it acts."""
        if not self.reason(unit):
            self.state = self.state._replace(spent=0.0)
        super().leave(unit)

    def spend(self, unit: Unit, cost: float, *, is_halted: bool) -> None:
        """Take the cost of an order from a unit's points, and keep it for its waiting time."""
        super().spend(unit, cost, is_halted=is_halted)
        self.state = self.state._replace(spent=self.state.spent + cost)

    def end(self) -> None:
        """Begin the next unit's turn."""
        unit = self.acting
        if unit is not None:
            unit._allot(None, unit.waiting + (unit.wait + self.state.spent))
        self.state = self.state._replace(number=self.state.number + 1, spent=0.0)

    def resume(self, state: Mapping[str, Any]) -> None:
        """Continue at a turn; units without a waiting time in the state wait from then on."""
        super().resume(state)
        named = [unit for unit in self._units if unit.name in state.get("waiting", ())]
        for unit in self._units:
            if unit not in named:
                unit._allot(_left(unit), self._now(named) + unit.wait)

    def _now(self, units: Sequence[Unit]) -> float:
        """Return the waiting time of the unit that acts; 0 if no unit has acted."""
        has_begun = self.state.number > 1 or self.state.spent > 0
        return min((unit.waiting for unit in units), default=0.0) if has_begun else 0.0

    def next_units(self, count: int) -> list[Unit]:
        """Return the units of the next turns, if no unit spends points from now on."""
        waiting = {unit: unit.waiting for unit in self._units}
        spent, units = self.state.spent, list[Unit]()
        while waiting and len(units) < count:
            unit = min(waiting, key=waiting.__getitem__)
            units.append(unit)
            waiting[unit] += unit.wait + spent
            spent = 0.0
        return units


def turns_of(order: str | None, units: list[Unit], sides: Sides = NO_SIDES) -> Turns:
    """Return the turns of an order by its name; `ValueError` for another name."""
    if order is None:
        return Turns(units, sides)
    return ORDERS[one_of("turns", order, tuple(ORDERS))](units, sides)


_NO_TURNS = 'this board has no turns; make it with Board(tilemap, turns="sides") or turns="wait"'

ORDERS: Mapping[str, type[Turns]] = MappingProxyType({"sides": SideTurns, "wait": WaitTurns})
"""The orders of turns by name."""


def _numbers(state: Mapping[str, Any], name: str) -> Mapping[str, float]:
    values: Mapping[str, float] = instance_of(name, state.get(name, {}), Mapping)
    return {unit: finite_number(f"{name} of {unit}", value, 0) for unit, value in values.items()}


def _left(unit: Unit) -> float | None:
    """Return the points a unit has left; None if it has them all."""
    return unit.points if unit.points < unit.move else None


def n_affordable(costs: Sequence[float], points: float) -> int:
    """Return for how many steps of a path the points last."""
    totals = [0.0, *itertools.accumulate(costs)]
    return bisect.bisect_right(totals, points * (1 + 1e-12)) - 1


def turn_ends(
    path: Path, points: float, move: float, can_stop: Callable[[Cell], bool]
) -> tuple[int, ...]:
    """Return the number of the cell of a path on which each turn ends.

    Each turn goes as far as its points last, and ends where the unit may stop: this one with
    `points`, each later one with `move`. The first number is 0 if this turn has not enough points
    for any part. The last is that of the goal, unless some part costs more than a whole turn has:
    the turns after that are left out.
    """
    cells, costs = path.cells, [step.cost for step in path.steps]
    ends: list[int] = []
    here, budget = 0, points
    while here < len(costs):
        end = here + n_affordable(costs[here:], budget)
        while end > here and not can_stop(cells[end]):
            end -= 1
        if end == here and (ends or points >= move):
            break
        ends.append(end)
        here, budget = end, move
    return tuple(ends)
