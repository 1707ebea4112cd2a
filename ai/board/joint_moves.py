"""Check joint moves: several units move at the same time, one step or wait each tick."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ai.behaviors.situation import Situation
from ai.board.orders import without_waits
from ai.board.unit import Unit
from ai.navigation.path import Path, plain_number
from ai.rules.reasons import halt_reason
from terrain3d import Cell

JointPaths = Mapping[Unit, Sequence[Cell]]
"""For each unit its cell at tick 0, 1, ...; after the last it stays."""


def wide_unit_reason(units: Iterable[Unit]) -> str:
    """Return which unit is too wide for a joint move; "" if none is."""
    wide = [unit.name for unit in units if unit.profile.size > 1]
    return f"{wide[0]} covers several tiles and has to move alone" if wide else ""


def joint_move_reason(paths: JointPaths, situations: Mapping[Unit, Situation]) -> str:
    """Return why units cannot move along paths together; "" if they can.

    For each unit, every step must be legal around the units that stay, the cost must not exceed
    its move points, and the last cell must be one where it may stop. No two units are on one tile
    at a tick, or trade places during one. Situations leave out the other units of the joint move.
    """
    why = wide_unit_reason(paths)
    if why:
        return why
    for unit, path in paths.items():
        why = _path_reason(unit, path, situations[unit])
        if why:
            return f"{unit.name} cannot go there: {why}"
    return _collision_reason(paths)


def path_along(cells: Sequence[Cell], situation: Situation) -> Path:
    """Return a legal path, given by its cells, without its waits."""
    cells = without_waits(cells)
    prices = (situation.steps_from(a)[b] for a, b in itertools.pairwise(cells))
    costs = [0.0, *itertools.accumulate(prices)]
    level_at = situation.navigation.tilemap.level_at
    return Path(
        np.array([(*cell, cost, level_at(cell)) for cell, cost in zip(cells, costs, strict=True)])
    )


def _path_reason(unit: Unit, path: Sequence[Cell], situation: Situation) -> str:
    if not path or path[0] != situation.here:
        return f"the path does not start at {situation.here}"
    cells, cost = without_waits(path), 0.0
    for start, end in itertools.pairwise(cells):
        price = situation.steps_from(start).get(end)
        if price is None:
            return f"no legal step leads from {start} to {end}"
        if start in situation.halting and start != cells[0]:
            return halt_reason(start)
        cost += price
    if cost > unit.move * (1 + 1e-12):
        return (
            f"costs {plain_number(cost)} move points, but {unit.name} has {plain_number(unit.move)}"
        )
    if not situation.can_stop(cells[-1]):
        return f"it cannot stop at {cells[-1]}"
    return ""


def _collision_reason(paths: JointPaths) -> str:
    n_ticks = max(map(len, paths.values()), default=0)
    for tick in range(n_ticks):
        now: dict[Cell, Unit] = {}
        for unit, path in paths.items():
            cell = path[min(tick, len(path) - 1)]
            other = now.setdefault(cell, unit)
            if other is not unit:
                return f"{other.name} and {unit.name} would both be on {cell}"
        for unit, path in paths.items():
            before, after = (path[min(at, len(path) - 1)] for at in (max(0, tick - 1), tick))
            other = now.get(before, unit)
            if other is not unit and paths[other][min(tick - 1, len(paths[other]) - 1)] == after:
                return f"{unit.name} and {other.name} would trade places at {after}"
    return ""
