"""Plan orders for a squad: a goal for each unit and paths without collisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ai.board.board import Board
from ai.board.planning import n_affordable, priced, refusal, turn_ends
from ai.board.situation import Situation
from ai.board.unit import Unit
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.squads import SquadPlan, SquadPlanner, formation
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of, listed
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.grid.reason import join_reasons

MAX_STEPS = 20_000
"""The most work for one plan, since the player waits for it."""


@dataclass(frozen=True)
class SquadOrder:
    """An order to several units before it is given.

    Parameters
    ----------
    units : tuple of Unit
        Those that go.
    goals : tuple of Cell
        The goal of each of them.
    plan : SquadPlan
        Their paths; false, with a reason, if none goes.
    stays : mapping of Unit to str
        Why each of the others stays.
    parts : tuple of Unit
        Those that go as far as their points last, toward a goal out of reach.
    """

    units: tuple[Unit, ...]
    goals: tuple[Cell, ...]
    plan: SquadPlan
    stays: Mapping[Unit, str] = field(default_factory=dict)
    parts: tuple[Unit, ...] = ()

    @property
    def paths(self) -> dict[Unit, tuple[Cell, ...]]:
        """The cell of each unit at every tick, as `Board.move_together` takes it."""
        return dict(zip(self.units, self.plan.paths, strict=True))

    @property
    def reason(self) -> str:
        """Why units stay; "" if all go."""
        return join_reasons(self.stays.values())


class SquadOrders:
    """Plans orders for squads of one board.

    A figure that is still walking walks on, and then along its new path.
    """

    def __init__(self, board: Board) -> None:
        self._board = instance_of("board", board, Board)
        self._planner = SquadPlanner(board.navigation)

    def plan(self, units: Sequence[Unit], cell: CellLike) -> SquadOrder:
        """Return an order that takes units to a cell in formation, around all other units.

        A unit whose goal is out of reach goes as far as its points last. A unit that cannot go to
        its goal stays, and the others are planned again without it.

        Raises
        ------
        IndexError, TypeError
            The cell is outside the map or is not a cell.
        """
        board = self._board
        squad = tuple(listed("units", units))
        for unit in squad:
            board.state_of(unit)
        target = board.tilemap.cell(cell)
        team, has_cell = next((unit.team for unit in squad), ""), board.tilemap.has_cell
        seen = (unit for unit in board.units if board.is_seen(unit, team))
        standing = [unit for unit in seen if has_cell(unit.cell)]
        situations = {unit: board.situation(unit) for unit in squad}
        stays = self._stays(situations)
        while len(stays) < len(situations):
            going = [unit for unit in situations if unit not in stays]
            others = (unit for unit in standing if unit not in going)
            blocked = [each for unit in others for each in unit.cells]
            around = {
                unit: replace(situations[unit], blocked=blocked, passable=()) for unit in going
            }
            starts = [each.here for each in around.values()]
            profiles = [each.profile for each in around.values()]
            goals = formation(board.navigation, starts, target, profiles, blocked=blocked)
            # What no unit can do alone, it cannot do in the squad, and alone it is found out fast.
            alone = {
                unit: around[unit].find_path(goal) for unit, goal in zip(going, goals, strict=True)
            }
            parts = _within_points(alone, around)
            refused = {
                unit: path.reason
                or (len(path) == 1 and around[unit].find_path(target).reason)
                or priced(unit.state, parts.get(unit, path.cells), around[unit])[1]
                for unit, path in alone.items()
            }
            ends = zip(going, goals, strict=True)
            goals = [parts[unit][-1] if unit in parts else goal for unit, goal in ends]
            if not any(refused.values()):
                # The planner knows no cells where paths have to end: it gets around them.
                halts = ({*map(as_cell, each.halting)} for each in around.values())
                closed = [*blocked, *sorted(set.intersection(*halts).difference(goals))]
                plan = self._planner.plan(
                    starts, goals, profiles, blocked=closed, max_steps=MAX_STEPS
                )
                if plan:
                    pairs = zip(going, plan.paths, strict=True)
                    refused = {u: priced(u.state, path, around[u])[1] for u, path in pairs}
                else:
                    refused = {max(alone, key=lambda unit: alone[unit].cost): plan.reason}
            stays |= {unit: refusal(unit.state, why) for unit, why in refused.items() if why}
            if not any(refused.values()):
                partly = tuple(filter(parts.get, going))
                return SquadOrder(tuple(going), tuple(goals), plan, stays, partly)
        return SquadOrder((), (), SquadPlan.none(join_reasons(stays.values())), stays)

    def _stays(self, situations: Mapping[Unit, Situation]) -> dict[Unit, str]:
        """Return why units cannot go anywhere, for those that cannot."""
        stays = {}
        for unit, situation in situations.items():
            why = Reason("too_wide", unit=unit.name) if unit.profile.size > 1 else ""
            if self._board.turn_reason(unit) or situation.reason:
                why = refusal(unit.state, self._board.turn_reason(unit) or situation.reason)
            if why:
                stays[unit] = why
        return stays


def _within_points(
    paths: Mapping[Unit, Path], around: Mapping[Unit, Situation]
) -> dict[Unit, list[Cell]]:
    """Return the paths that are too long as far as the points last, each to a cell of its own."""
    costs = {unit: [step.cost for step in path.steps] for unit, path in paths.items() if path}
    long = [unit for unit, steps in costs.items() if n_affordable(steps, unit.points) < len(steps)]
    ends = {path.cells[-1] for unit, path in paths.items() if path and unit not in long}
    parts = {}
    for unit in sorted(long, key=lambda unit: unit.points):  # those with the least choice first
        free = {each for each in paths[unit] if each not in ends and around[unit].can_stop(each)}
        last = max(turn_ends(paths[unit], unit.points, 0, free.__contains__), default=0)
        if last:
            parts[unit] = paths[unit].cells[: last + 1]
            ends.add(parts[unit][-1])
    return parts


class CommonReach:
    """The cells that each of several units can reach, without the cells they stand on."""

    def __init__(self, reaches: Sequence[Reach]) -> None:
        self._reaches = reaches
        first, *others = reaches
        self.cells: list[Cell] = [
            cell for cell in first.cells if all(cell in other for other in others)
        ]
        """The cells, those that the first unit reaches cheapest first."""

    def cost_to(self, cell: CellLike) -> float:
        """Return the highest cost at which a unit reaches a cell; infinity if one does not."""
        return max(reach.cost_to(cell) for reach in self._reaches)
