"""The state of a game: its units, whose turn it is, and what each step of the turns makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple, Self

from ai.board.unit import Unit, UnitState
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, listed, one_of, quoted

ORDERS = ("sides", "wait")
"""The orders of turns."""

NO_TURNS = 'this board has no turns; make it with Board(tilemap, turns="sides") or turns="wait"'


Difference = tuple[int, UnitState | None, UnitState | None]
"""The number of a unit, and what it was and is; None where it is not on the board."""


def differences(before: GameState, after: GameState) -> Sequence[Difference]:
    """Return those of the units that are not the same object before and after.

    Who has left comes before who has arrived: it may be one `Unit`.
    """
    old, new = before.units, after.units
    if old is new:
        return ()
    pairs = [pair for pair in zip(old, new, strict=False) if pair[0] is not pair[1]]
    found = [(one.number, one, other) for one, other in pairs if one.number == other.number]
    if len(found) == len(pairs) and len(old) == len(new):  # nearly always
        return found
    olds, news = ({unit.number: unit for unit in units} for units in (old, new))
    every = ((number, olds.get(number), news.get(number)) for number in {**olds, **news})
    return [each for each in every if each[1] is not each[2]]


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
        return team == other or (bool(self.allies) and {team, other} in self.allies)

    def are_enemies(self, team: str, other: str) -> bool:
        """Return whether units of two teams threaten each other."""
        neutral = self.neutral
        return not (team in neutral or other in neutral or self.are_allies(team, other))


@dataclass(frozen=True)
class GameState:
    """All that a game knows of its units and turns, at one moment.

    It is hashable, and equal states have equal hashes. Every method that begins with "with" returns
    another state.
    """

    units: tuple[UnitState, ...] = ()
    """In the order in which they were added."""
    order: str | None = None
    """One of `ORDERS`, or None without turns."""
    number: int = 1
    """Of the round with "sides", of the turn with "wait"."""
    team: str | None = None
    """The team that acts with "sides"; None if none has units."""
    spent: float = 0.0
    """The points spent in this turn with "wait"."""
    has_begun: bool = False
    """Whether a unit has ended its turn or spent points, with "wait"."""
    teams: tuple[str, ...] = ()
    """In the order of their turns, with "sides"."""
    sides: Sides = Sides()
    n_added: int = 0
    """How many units the board has been given."""
    n_actions: int = 0
    """How many actions there have been: each has dice of its own."""
    revision: int = field(default=0, compare=False)
    """The `TileMap.revision` for which it holds."""

    def with_(self, **values: Any) -> Self:  # noqa: ANN401 - as declared
        """Return the state with other values."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), **values)  # several times as fast as `dataclasses.replace`
        return made

    # ------------------------------------------------------------------ units

    def find(self, name: str) -> UnitState | None:
        """Return the unit with a name; None if there is none."""
        return next((unit for unit in self.units if unit.name == name), None)

    def overlaps(self) -> Iterator[tuple[UnitState, UnitState, Cell]]:
        """Yield two units that stand on one tile, in their order, and the tile."""
        holder: dict[Cell, UnitState] = {}
        for unit in self.units:
            for tile in unit.cells:
                other = holder.setdefault(tile, unit)
                if other is not unit:
                    yield other, unit, tile

    def with_unit(self, changed: UnitState) -> Self:
        """Return the state in which a unit has other values, except its team."""
        number = changed.number
        units = tuple(changed if unit.number == number else unit for unit in self.units)
        return self.with_(units=units)

    def with_added(self, unit: UnitState) -> Self:
        """Return the state with another unit.

        With "wait" it waits from now on, or from the start if no unit has acted.
        """
        waiting = self._now + unit.wait if self.order == "wait" else 0.0
        added = unit.fresh(waiting)._replace(number=self.n_added + 1)
        made = self.with_(units=(*self.units, added), n_added=added.number)
        return made._with_teams((*self.teams, added.team))

    def without(self, unit: UnitState) -> Self:
        """Return the state without a unit; its turn passes on if no other unit shares it."""
        rest = tuple(each for each in self.units if each.number != unit.number)
        return self.with_(units=rest)._passed_on(self)

    def with_team(self, unit: UnitState) -> Self:
        """Return the state in which a unit has changed its team, and takes turns with that."""
        made = self.with_unit(unit)
        return made._with_teams((*self.teams, unit.team))._passed_on(self)

    # ------------------------------------------------------------------ turns

    @property
    def movers(self) -> tuple[UnitState, ...]:
        """The units that take turns."""
        neutral = self.sides.neutral
        if not neutral:
            return self.units
        return tuple(unit for unit in self.units if unit.team not in neutral)

    @property
    def acting(self) -> tuple[UnitState, ...]:
        """The units that may act now."""
        if self.order is None:
            return self.units
        if self.order == "wait":
            first = min(self.movers, key=attrgetter("waiting"), default=None)
            return () if first is None else (first,)
        team = self.acting_team
        return tuple(unit for unit in self.movers if unit.team == team)

    @property
    def acting_team(self) -> str:
        """The team that acts; "" if none does."""
        if self.order == "wait":
            return next((unit.team for unit in self.acting), "")
        return self.team or ""

    @property
    def whose(self) -> str:
        """The name of the unit or team whose turn it is; "nobody" if it is none's."""
        if self.order == "wait":
            return next((unit.name for unit in self.acting), "nobody")
        return self.acting_team or "nobody"

    @property
    def turn_key(self) -> object:
        """A value that differs for different turns."""
        numbers = tuple(unit.number for unit in self.acting) if self.order == "wait" else ()
        return self.order and (self.order, self.number, self.acting_team, numbers)

    def may_act(self, unit: UnitState) -> bool:
        """Return whether it is the turn of a unit."""
        if self.order == "sides":  # asked often
            return unit.team == self.acting_team and unit.team not in self.sides.neutral
        return self.order is None or any(each.number == unit.number for each in self.acting)

    def late_reason(self, unit: UnitState, seen: Iterable[UnitState] | None = None) -> str:
        """Return why a unit may not act now, with the name of a unit if it is seen; "" if it may.

        All units are seen if none are given.
        """
        if self.may_act(unit):
            return ""
        acting = self.acting if self.order == "wait" else ()
        is_hidden = seen is not None and any(each not in seen for each in acting)
        return Reason("other_turn", whose=self.acting_team if is_hidden else self.whose)

    def budget(self, unit: UnitState) -> float:
        """Return what a unit can spend now, or in its next turn if it has to wait for that."""
        return unit.points_left if self.may_act(unit) else unit.move

    def with_spent(self, unit: UnitState, cost: float, *, is_halted: bool = False) -> Self:
        """Return the state after a unit has paid for an order.

        A zone of control that halts it takes all of its points. Without turns nothing is spent.
        """
        if self.order is None:
            return self.with_unit(unit)
        left = 0 if is_halted else max(0, unit.points_left - cost)
        made = self.with_unit(unit.with_points(left))
        if self.order == "wait":
            made = made.with_(spent=self.spent + cost, has_begun=True)
        return made

    def with_turn_ended(self) -> Self:
        """Return the state at the begin of the next turn; `ValueError` without turns."""
        if self.order is None:
            raise ValueError(NO_TURNS)
        if self.order == "wait":
            made = self.with_(number=self.number + 1, spent=0.0, has_begun=True)
            for unit in self.acting:
                made = made.with_unit(unit.fresh(unit.waiting + (unit.wait + self.spent)))
            return made
        place = 1 + self.teams.index(self.acting_team)
        present = {unit.team for unit in self.units}
        later = [each for each in self.teams[place:] if each in present]
        team = next(each for each in (*later, *self.teams) if each in present)
        made = self.with_(number=self.number + (not later), team=team)
        for unit in self.units:
            if unit.team == team and unit.points is not None:
                made = made.with_unit(unit.fresh(unit.waiting))
        return made

    def with_turns(self, order: str | None) -> Self:
        """Return the state in which other turns begin; `ValueError` for an unknown order."""
        if order is not None:
            one_of("turns", order, ORDERS)
        units = (unit.fresh(unit.wait if order == "wait" else 0.0) for unit in self.units)
        made = type(self)(tuple(units), order, sides=self.sides, revision=self.revision)
        made = made.with_(n_added=self.n_added, n_actions=self.n_actions)
        return made._with_teams(unit.team for unit in self.units)

    def next_units(self, count: int) -> Iterator[UnitState]:
        """Yield the units of the next turns with "wait", if none spends points from now on."""
        if self.order != "wait":
            needed = 'a board with turns="wait"'
            raise ValueError(f"next_units({count}) needs {needed}, this one has {self.order!r}")
        waiting = {unit: unit.waiting for unit in self.movers}
        spent = self.spent
        for _ in range(count if waiting else 0):
            unit = min(waiting, key=waiting.__getitem__)
            yield unit
            waiting[unit] += unit.wait + spent
            spent = 0.0

    @property
    def _now(self) -> float:
        """The waiting time of the unit that acts; 0 if no unit has acted."""
        return min((unit.waiting for unit in self.movers if self.has_begun), default=0.0)

    def _with_teams(self, teams: Iterable[str]) -> Self:
        """Return the state with teams in the order of their turns, each once."""
        if self.order != "sides":
            return self
        neutral = self.sides.neutral
        known = tuple(team for team in dict.fromkeys(teams) if team not in neutral)
        if known == self.teams:
            return self
        team = next(iter(known), None) if self.team is None else self.team
        return self.with_(teams=known, team=team)

    def _passed_on(self, before: GameState) -> Self:
        """Return the state in which the turn passes on if none who acted before take turns now."""
        if self.order == "wait":
            movers = {unit.number for unit in self.movers}
            if all(unit.number in movers for unit in before.acting):
                return self
            return self.with_(number=self.number + 1, spent=0.0)
        if self.order is None:
            return self
        made, present = self, {unit.team for unit in self.movers}
        if not present:
            made = self.with_(number=1, team=None)
        elif self.team not in present:
            made = self.with_turn_ended()
        return made._with_teams(team for team in self.teams if team in present)
