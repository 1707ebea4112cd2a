"""Choose what the units of a battle do: each looks one action ahead, on copies of the board."""

import itertools
import math
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import numpy as np

from ai.board.unit import Unit
from ai.game.battle import DOOR, POISON_DAMAGE, Battle, Choice
from ai.rules.profile import MoveProfile
from terrain3d import Cell

HELD_VALUE, MOST_DISTANCE = 6, 99
"""In ratings: of each round that a goal is held, and the greatest distance from a goal."""
N_MOVES = 4
"""How many moves without a skill a unit thinks about."""


@dataclass(frozen=True)
class BattleAI:
    """Plays the units of a side, the one that gains most first; each takes its best choice."""

    noise: float = 0
    """The standard deviation of the error in ratings."""

    def play_turn(self, battle: Battle) -> None:
        """Let each unit of the turn that has not acted do what looks best, and end the turn."""
        units = battle.turn.units
        for unit, choice in self.decide(battle):
            if choice is not None:
                battle.play(unit, choice)
        battle.end_turn_of(units)

    def decide(self, battle: Battle) -> Iterator[tuple[Unit, Choice | None]]:
        """Yield each unit of the turn that may act: with None while it thinks, then its choice.

        The unit that can gain most comes first. A choice is to be played before the next unit
        thinks: all but the first think again after what the others did.
        """
        found: dict[Unit, tuple[float, Choice | None]] = {}
        for unit in battle.turn.units:
            if unit in battle.board.units and not battle.reason(unit):
                found[unit] = yield from self._best(battle, unit)
        order = sorted(found, key=lambda unit: found[unit][0], reverse=True)
        for unit in order:
            if unit in battle.board.units and not battle.reason(unit):
                best = found[unit] if unit is order[0] else (yield from self._best(battle, unit))
                yield unit, best[1]

    def _best(
        self, battle: Battle, unit: Unit
    ) -> Generator[tuple[Unit, None], None, tuple[float, Choice | None]]:
        """Return how much a unit gains by the first of its best choices, and that choice."""
        ahead = battle.look_ahead(unit.team)
        now, best, choice = rating_of(ahead, ahead.board.unit(unit)), -math.inf, None
        for rating, each in self.think(battle, unit):
            if choice is None or rating > best:
                best, choice = rating, each
            yield unit, None
        return best - now, choice

    def think(self, battle: Battle, unit: Unit) -> Iterator[tuple[float, Choice]]:
        """Yield promising choices and how good they look, one at a time: in slices, if need be.

        These are all that do something, and of the others those nearest to a goal. Errors follow
        from the seed, the turn and the name of the unit alone.
        """
        battle = battle.look_ahead(unit.team)
        unit, turn, name = battle.board.unit(unit), battle.turn.number, unit.name.encode()
        random = np.random.default_rng((battle.board.seed, turn, zlib.crc32(name)))
        moves = sorted(battle.stands(unit), key=distance_to_goals(battle, unit))[:N_MOVES]
        for choice in itertools.chain(map(Choice, moves), battle.deeds(unit)):
            later = battle.look_ahead(unit.team)
            later.play(later.board.unit(unit), choice)
            yield rating_of(later, unit) + self.noise * random.normal(), choice


def rating_of(battle: Battle, unit: Unit) -> float:
    """Return how good the state is for a unit: all hit points, and how far it has to go."""
    if battle.winner:
        return math.inf if battle.winner == unit.team else -math.inf
    objective, total, distance = battle.objective, 0.0, distance_to_goals(battle, unit)
    for each in battle.board.units:
        if each.name == unit.name:
            total -= distance(each.cell) / 4
        if each.team in {objective.attackers, objective.defenders}:
            hp = each.stats["hp"] - POISON_DAMAGE * each.stats.get("poison", 0)
            total += (10 + max(0, hp)) * (1 if each.team == unit.team else -1)
    for each in objective.holders(battle.board) if objective.rounds else ():
        held = HELD_VALUE * (1 + each.stats.get("held", 0))
        total += held if each.team == unit.team else -held
    return total


def distance_to_goals(battle: Battle, unit: Unit) -> Callable[[Cell], float]:
    """Return how far cells are from the goals of a unit; a closed door is a detour."""
    is_known = any(kind.name == DOOR.name for kind in battle.board.tilemap.kinds)
    scout = MoveProfile(kind_cost={DOOR.name: 3} if is_known else {})
    goals = battle.objective.goals(battle.board, unit.team) or battle.objective.cells
    cost_from = battle.board.navigation.cost_field(goals, scout).cost_from
    return lambda cell: min(cost_from(cell), MOST_DISTANCE)
