"""Several units that go at the same time, a step or a wait each tick: what of it is legal."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ai.behaviors.situation import Situation
from ai.board.order_history import without_waits
from ai.board.unit import Unit
from ai.navigation.path import Path, plain_number
from terrain3d import Cell

Ways = Mapping[Unit, Sequence[Cell]]
"""For each unit where it is at tick 0, 1, ...; then it stays."""


def wide_unit_reason(units: Iterable[Unit]) -> str:
    """Say who cannot go together with others; "" if all can."""
    wide = [unit.name for unit in units if unit.profile.size > 1]
    return f"{wide[0]} covers several tiles and has to go alone" if wide else ""


def joint_move_reason(ways: Ways, situations: Mapping[Unit, Situation]) -> str:
    """Say why units cannot go along ways together; "" if they can.

    Each step must be legal for its unit with those in the way who do not go along, cost all in all
    what the unit may spend, and end where it may stop. No two are on one tile at a tick, or trade
    places during one.

    Parameters
    ----------
    ways : mapping from Unit to cells
    situations : mapping from Unit to Situation
        Of each unit, as if the others who go along were not there.
    """
    why = wide_unit_reason(ways)
    if why:
        return why
    for unit, way in ways.items():
        why = _path_reason(unit, way, situations[unit])
        if why:
            return f"{unit.name}: {why}"
    return _collision_reason(ways)


def path_along(way: Sequence[Cell], situation: Situation) -> Path:
    """Give a legal way, without its waits, as the path that it is."""
    cells = without_waits(way)
    prices = (situation.steps_from(a)[b] for a, b in itertools.pairwise(cells))
    costs = [0.0, *itertools.accumulate(prices)]
    level_at = situation.navigation.tilemap.level_at
    return Path(
        np.array([(*cell, cost, level_at(cell)) for cell, cost in zip(cells, costs, strict=True)])
    )


def _path_reason(unit: Unit, way: Sequence[Cell], situation: Situation) -> str:
    if not way or way[0] != situation.here:
        return f"the way does not begin at {situation.here}"
    cells, cost = without_waits(way), 0.0
    for start, end in itertools.pairwise(cells):
        price = situation.steps_from(start).get(end)
        if price is None:
            return f"no legal step leads from {start} to {end}"
        if start in situation.halting and start != cells[0]:
            return f"a way has to end at {start}"
        cost += price
    if cost > unit.move * (1 + 1e-12):
        return f"costs {plain_number(cost)}, it has {plain_number(unit.move)} move points"
    if not situation.can_stop(cells[-1]):
        return f"cannot stop at {cells[-1]}"
    return ""


def _collision_reason(ways: Ways) -> str:
    n_ticks = max(map(len, ways.values()), default=0)
    for tick in range(n_ticks):
        now: dict[Cell, Unit] = {}
        for unit, way in ways.items():
            cell = way[min(tick, len(way) - 1)]
            other = now.setdefault(cell, unit)
            if other is not unit:
                return f"{other.name} and {unit.name} would both be on {cell}"
        for unit, way in ways.items():
            before, after = (way[min(at, len(way) - 1)] for at in (max(0, tick - 1), tick))
            there = now.get(before, unit)
            if there is not unit and ways[there][min(tick - 1, len(ways[there]) - 1)] == after:
                return f"{unit.name} and {there.name} would trade places at {after}"
    return ""
