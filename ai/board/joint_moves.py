"""Check joint moves: several units move at the same time, one step or wait each tick."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ai.behaviors.situation import Situation
from ai.board.orders import without_waits
from ai.board.unit import Unit
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, plain_number
from ai.rules.nodes import NO_NODES
from ai.rules.reasons import halt_reason
from ai.squads.conflicts import find_conflicts
from ai.squads.constraints import position_table
from ai.squads.squad_graph import SquadGraph
from terrain3d import Cell, Reason

JointPaths = Mapping[Unit, Sequence[Cell]]
"""For each unit its cell at tick 0, 1, ...; after the last it stays."""


def refusal(unit: Unit, why: str) -> Reason:
    """Return the reason that a unit cannot go to a cell."""
    return Reason("{} cannot go there: {}", unit.name, why)


def cost_reason(unit: Unit, points: float, cost: float) -> Reason:
    """Return the reason that a path costs more points than a unit has."""
    has = plain_number(points)
    return Reason("costs {} move points, but {} has {}", plain_number(cost), unit.name, has)


def wide_unit_reason(units: Iterable[Unit]) -> str:
    """Return which unit is too wide for a joint move; "" if none is."""
    wide = [unit.name for unit in units if unit.profile.size > 1]
    return Reason("{} covers several tiles and has to move alone", wide[0]) if wide else ""


def joint_move_reason(
    navigation: Navigation, paths: JointPaths, situations: Mapping[Unit, Situation]
) -> str:
    """Return why units cannot move along paths together; "" if they can.

    For each unit, every step must be legal around the units that stay, the cost must not exceed
    its move points, and it waits and ends only where it may stop, or where it starts. No two units
    may be in conflict as squads are. Situations leave out the other units of the joint move.
    """
    why = wide_unit_reason(paths)
    if why:
        return why
    for unit, path in paths.items():
        why = path_reason(unit, unit.points, path, situations[unit])
        if why:
            return refusal(unit, why)
    return _conflict_reason(paths, navigation)


def path_along(cells: Sequence[Cell], situation: Situation) -> Path:
    """Return a legal path, given by its cells, without its waits."""
    cells = without_waits(cells)
    prices = (situation.steps_from(a)[b] for a, b in itertools.pairwise(cells))
    costs = [0.0, *itertools.accumulate(prices)]
    tilemap = situation.navigation.tilemap
    record = [(*c, cost, tilemap.level_at(c)) for c, cost in zip(cells, costs, strict=True)]
    return Path(np.array(record), tilemap=tilemap)


def path_reason(unit: Unit, points: float, path: Sequence[Cell], situation: Situation) -> str:
    """Return why a unit with some points cannot take a path, conflicts aside; "" if it can."""
    if not path or path[0] != situation.here:
        return Reason("the path does not start at {}", situation.here)
    waits = [cell for cell, after in itertools.pairwise(path) if cell == after]
    cells, cost = without_waits(path), 0.0
    for start, end in itertools.pairwise(cells):
        price = situation.steps_from(start).get(end)
        if price is None:
            return Reason("no legal step leads from {} to {}", start, end)
        if situation.is_halting(start):
            return halt_reason(start)
        cost += price
    if cost > points * (1 + 1e-12):
        return cost_reason(unit, points, cost)
    for cell in (*waits, cells[-1]):
        if cell != cells[0] and not situation.can_stop(cell):
            return Reason("it cannot stop at {}", cell)
    return ""


def _conflict_reason(paths: JointPaths, navigation: Navigation) -> str:
    """Return the first conflict of units on legal paths, by the rules of squads; "" if none."""
    units = list(paths)
    if not units:
        return ""
    nodes = navigation.profile_graph().nodes
    positions = position_table([nodes.of_record(np.array(path)) for path in paths.values()])
    profiles = list(dict.fromkeys(unit.profile for unit in units))
    profile_of = np.array([profiles.index(unit.profile) for unit in units])
    movers = [navigation.profile_graph(profile) for profile in profiles]
    graph = SquadGraph.of(movers, NO_NODES, np.unique(positions))
    for tick in range(max(1, len(positions) - 1)):
        for first, second in find_conflicts(positions[tick : tick + 2], profile_of, graph):
            name, other = units[first.unit].name, units[second.unit].name
            if second.step >= 0:
                end = nodes.cell(int(positions[tick + 1, first.unit]))
                return Reason("{} and {} would trade places at {}", name, other, end)
            cell = nodes.cell(second.node)
            if first.step >= 0:
                plain = "{} would bump into {} at {}"
                return Reason("{} would brush {} on {}", name, other, cell, plain=plain)
            return Reason("{} and {} would both be on {}", name, other, cell)
    return ""
