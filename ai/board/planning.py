"""Where units could go and what they could hit, in one state of a game and as one side sees it."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from ai.board.attack import AttackRange, Threat, Weapon
from ai.board.log import MoveRefused, without_waits
from ai.board.situation import Situation
from ai.board.state import GameState
from ai.board.unit import Unit, UnitState
from ai.navigation.blockers import NO_CELLS, Blockers
from ai.navigation.diagnosis import Route
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, as_partial, plain_number
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.nodes import KnownCells, Nodes
from ai.rules.profile import MoveProfile
from ai.search.graph import MILLION
from ai.squads.steps import first_conflict
from terrain3d import Cell, Reason, TileMap


class Plan(Path):
    """The path that an order would take; false, with a reason, if the order would be refused.

    `Board.move` carries it out as long as the map, the units and the turn are as they were. In fog
    only the units that the side sees count; those that it does not see may stop the unit early. A
    pickled plan is read as a `Path`.

    Attributes
    ----------
    unit : Unit
        The unit that would move.
    cell : Cell
        The cell that was asked for; with `partial` the path may end before it.
    path : Path
        The plan itself, if the order takes the unit to the cell; else the cheapest path to the
        cell, of which the order may be the first part.
    turn_ends : tuple of int
        The number of the cell of `path` on which each turn ends; without turns only the first: how
        far the points last. Empty for a refused order that was planned without `partial`.
    state : GameState
        That of the game, as the side of the unit sees it.
    """

    __slots__ = ("cell", "path", "state", "turn_ends", "unit")

    def __init__(
        self,
        order: Path,
        state: GameState,
        unit: Unit,
        cell: Cell,
        path: Path | None = None,
        turn_ends: tuple[int, ...] = (),
    ) -> None:
        super().__init__(
            order._record, order._unit, order._tilemap, order._why, partial=order.partial
        )
        self.state, self.unit, self.cell = state, unit, cell
        self.path, self.turn_ends = self if path is None else path, turn_ends


class Ground:
    """What the map alone decides about units and weapons, until it is edited."""

    def __init__(self, navigation: Navigation) -> None:
        self.navigation, self.nodes = navigation, Nodes(navigation.tilemap)
        self._tiles: dict[tuple[Cell, int], frozenset[int]] = {}
        self._zones: dict[tuple[Cell, MoveProfile], frozenset[int]] = {}
        self._ranges: dict[Weapon, AttackRange] = {}
        self._version = navigation.tilemap.version

    def share(self, navigation: Navigation) -> Ground:
        """Return one for a map that `TileMap.share` has made of this one's.

        What either finds is known to both, until one of the maps is edited.
        """
        made = Ground(navigation)
        if self._version == made._version:
            made._tiles, made._zones = self._tiles, self._zones
            tilemap = navigation.tilemap
            made._ranges = {weapon: each.share(tilemap) for weapon, each in self._ranges.items()}
        return made

    @property
    def is_outdated(self) -> bool:
        """Whether the map has been edited since."""
        return self._version != self.navigation.tilemap.version

    def tiles_of(self, cell: Cell, profile: MoveProfile) -> frozenset[int]:
        """Return the nodes of what a unit covers; none if its deck is gone: it blocks nothing."""
        key = cell, profile.size
        found = self._tiles.get(key)
        if found is None:
            has_cell = self.navigation.tilemap.has_cell
            tiles = tiles_of(cell, profile) if has_cell(cell) else ()
            found = self._tiles[key] = frozenset(map(self.nodes.of, filter(has_cell, tiles)))
        return found

    def zone_of(self, cell: Cell, profile: MoveProfile) -> frozenset[int]:
        """Return the nodes of the zone of control of a unit that has one.

        It controls every surface that it would cover after one step, link or warp, also those
        over which it only flies; enemies end their moves there.
        """
        key = cell, profile
        found = self._zones.get(key)
        if found is None:
            has_cell = self.navigation.tilemap.has_cell
            ends = self.navigation.steps_from(cell, profile) if has_cell(cell) else ()
            found = frozenset().union(*(self.tiles_of(end, profile) for end in ends))
            self._zones[key] = found
        return found

    def attack_range(self, weapon: Weapon) -> AttackRange:
        """Return what a weapon hits."""
        if weapon not in self._ranges:
            self._ranges[weapon] = AttackRange(self.navigation.tilemap, weapon)
        return self._ranges[weapon]

    def seen_from(self, units: Iterable[UnitState]) -> NDArray[np.bool_]:
        """(rows, cols) bool, of which columns some units see a surface."""
        tilemap = self.navigation.tilemap
        mask = np.zeros((tilemap.rows, tilemap.cols), dtype=np.bool_)
        for unit in units:
            eyes = self.attack_range(Weapon(0, unit.sight))
            for found in eyes.hits(unit.cells).values():
                mask[found[:, 0], found[:, 1]] = True
        return mask


class SideView:
    """The units that a side sees in one state of a game, as obstacles for each other.

    Answers are kept, so that one reach serves all plans of a unit.
    """

    def __init__(
        self,
        ground: Ground,
        state: GameState,
        whole: GameState,
        unit_of: Callable[[UnitState], Unit],
    ) -> None:
        self.ground, self.state, self.unit_of = ground, state, unit_of
        self.whole = whole
        """The state with all units, by which units take turns."""
        self.navigation = ground.navigation
        self._obstacles: dict[tuple[str, bool], Blockers] = {}
        self._options: dict[int, UnitOptions] = {}
        self._threats: dict[tuple[object, ...], Threat] = {}

    def options(self, unit: UnitState) -> UnitOptions:
        """Return what a unit could do now."""
        found = self._options.get(unit.number)
        if found is None:
            found = self._options[unit.number] = UnitOptions(unit, self)
        return found

    def obstacles(self, unit: UnitState) -> Blockers:
        """Return what is in the way of a unit, as if it could pass itself."""
        team, key = unit.team, (unit.team, unit.profile.ignores_zoc)
        found = self._obstacles.get(key)
        if found is None:
            sides, halts = self.state.sides, not unit.profile.ignores_zoc
            blocked, passable, halting = set[int](), set[int](), set[int]()
            for other in self.state.units:
                tiles = self.ground.tiles_of(other.cell, other.profile)
                if sides.are_allies(other.team, team):
                    passable |= tiles
                    continue
                blocked |= tiles
                if halts and other.has_zoc and sides.are_enemies(other.team, team):
                    halting |= self.ground.zone_of(other.cell, other.profile)
            nodes = self.ground.nodes
            found = self._obstacles[key] = Blockers(
                KnownCells(nodes, blocked), KnownCells(nodes, passable), KnownCells(nodes, halting)
            )
        return found

    def threat(self, team: str, weapons: Mapping[Unit, tuple[Weapon, ...]]) -> Threat:
        """Return which units of other teams could reach or hit each tile."""
        asked = team, tuple(weapons.items())
        if asked not in self._threats:
            tilemap, sides = self.navigation.tilemap, self.state.sides
            reaches = [
                (self.unit_of(unit), self.reach_of(unit, unit.move))
                for unit in self.state.units
                if sides.are_enemies(unit.team, team) and tilemap.has_cell(unit.cell)
            ]
            attack_range = self.ground.attack_range
            ranges = {unit: [*map(attack_range, each)] for unit, each in weapons.items()}
            self._threats[asked] = Threat(tilemap, reaches, ranges)
        return self._threats[asked]

    def reach_of(self, unit: UnitState, budget: float) -> Reach:
        """Return what points of a unit reach from its cell on the map."""
        around = self.obstacles(unit)
        return self.navigation.reach(unit.cell, budget, unit.profile, blockers=around)

    def joint_paths(self, cells: Mapping[UnitState, Sequence[Cell]]) -> dict[UnitState, Path] | str:
        """Return the paths of units that move along cells together; why not, if they cannot.

        It must be the turn of each unit, and every step legal around the units that stay. The cost
        must not exceed its move points, and it waits and ends only where it may stop, or where it
        starts. No two units may be in conflict as squads are.
        """
        tiles = [tile for unit in cells for tile in unit.cells]
        units, routes = list(cells), dict[UnitState, Route]()
        for unit, path in cells.items():
            around = self.options(unit).situation.without(tiles)
            routes[unit], why = priced(unit, path, around)
            why = self.whole.late_reason(unit, self.state.units) or why
            if unit.profile.size > 1:
                return Reason("too_wide", unit=unit.name)
            if why:
                return refusal(unit, why)
        profiles = [unit.profile for unit in units]
        if found := first_conflict(self.navigation, list(cells.values()), profiles):
            both = {"unit": units[found.unit].name, "other": units[found.other].name}
            return Reason(found.code, **both, cell=found.cell)
        return {unit: path_along(routes[unit], self.navigation.tilemap) for unit in units}


class UnitOptions:
    """The options of one unit while the map, all units and the turn stay as they are.

    All other units are in its way; one whose deck is gone blocks nothing.
    """

    def __init__(self, unit: UnitState, view: SideView) -> None:
        self.unit, self.view = unit, view
        self.tilemap = view.navigation.tilemap

    @cached_property
    def situation(self) -> Situation:
        """Where the unit is, and the other units as blockers."""
        unit, view = self.unit, self.view
        cells = view.obstacles(unit)
        has_cell = self.tilemap.has_cell
        bodies = [
            each.cells
            for each in view.state.units
            if each.profile.size > 1 and each.number != unit.number and has_cell(each.cell)
        ]
        passable = KnownCells.of(view.ground.nodes, "passable", cells.passable)
        return Situation(
            view.navigation,
            unit.cell,
            unit.profile,
            blocked=cells.blocked,
            passable=passable.without(unit.cells),
            halting=cells.halting,
            bodies=bodies,
        )

    @cached_property
    def reach(self) -> Reach:
        """All cells that one order can take the unit to, now or in its next turn."""
        unit, budget = self.unit, self.view.whole.budget(self.unit)
        if not self.tilemap.has_cell(unit.cell):
            return self.situation.reach(budget)
        return self.view.reach_of(unit, budget)

    def is_halting(self, cell: Cell) -> bool:
        """Return whether a zone of control ends the move of the unit on a cell."""
        halting = self.view.obstacles(self.unit).halting
        return len(halting) > 0 and self.situation.is_halting(cell)

    def find_path(self, goal: Cell) -> Path:
        """Return a cheapest path around the other units at any cost, or no path with a reason."""
        why = occupied_reason(self.view.state.units, self.unit, goal)
        if why:
            return Path.none(why)
        path = self.situation.find_path(goal)
        return path or Path.none(_NamedReason(path, self.unit, self.view))

    def _cheap_path(self, goal: Cell, budget: float) -> Path:
        """Return the path of `reach` to a cell, by a search for it alone if that is not known."""
        view, unit = self.view, self.unit
        if "reach" in vars(self) or not self.tilemap.has_cell(unit.cell):
            return self.reach.path_to(goal)
        around, find_path = view.obstacles(unit), view.navigation.find_path
        return find_path(unit.cell, goal, unit.profile, max_cost=budget, blockers=around)

    def walkable(self, plan: Plan) -> Plan:
        """Return the part of a plan that the unit can walk, at its true cost.

        It ends on a cell where the unit may stop, before the end of the plan only with the reason.
        """
        route, why = walked(self.unit, plan.cells, self.situation)
        path = path_along(route, self.tilemap) if len(route.cells) > 1 else plan.head(1)
        reason: object = plan._why
        if why:
            reason = str(_NamedReason(Path.none(why), self.unit, self.view))
        path = as_partial(path, reason) if reason else path
        return Plan(path, plan.state, plan.unit, plan.cell, plan.path, plan.turn_ends)

    def _find_route(self, via: Sequence[Cell], goal: Cell) -> Path:
        """Return the cheapest paths from each of some cells to the next as one; or no path.

        The unit does not stop on the cells: it may pass allies there, and no zone of control may
        halt it before the goal.
        """
        situation, cells, profile = self.situation, [self.situation.here], self.unit.profile
        for number, end in enumerate((cells[0], *via, goal)):
            if not situation.has(end):
                return Path.none(Reason("off_the_map", cell=end))
            blockers, is_passed = situation.blockers, number <= len(via)
            if is_passed:
                blockers = replace(blockers, passable=NO_CELLS)
            leg = situation.navigation.find_path(cells[-1], end, profile, blockers=blockers)
            if is_passed and situation.is_halting(end):
                leg = Path.none(Reason("has_to_end", cell=end))
            if not leg:
                return Path.none(_NamedReason(leg, self.unit, self.view))
            cells += leg.cells[1:]
        return path_along(situation.price(cells), self.tilemap)

    def plan(self, goal: Cell, *, partial: bool, via: Sequence[Cell] = ()) -> Plan:
        """Return the plan of an order to a cell; see `Board.plan`."""
        unit, state, handle = self.unit, self.view.state, self.view.unit_of(self.unit)
        late = self.view.whole.late_reason(unit, state.units)
        if late and not partial:
            return Plan(Path.none(late), state, handle, goal)
        budget = self.view.whole.budget(unit)
        order = Path.none("") if late or via else self._cheap_path(goal, budget)
        cheapest = order
        if not order:
            cheapest = self._find_route(via, goal) if via else self.find_path(goal)
        too_dear = cheapest._why
        if cheapest and not order:
            costs = [step.cost for step in cheapest.steps]
            too_dear = cost_reason(unit, cheapest.cells, costs)
            if via and not late and n_affordable(costs, budget) == len(costs):
                order = cheapest
        if order:
            ends = (len(order) - 1,)[: len(order) - 1]
            return Plan(order, state, handle, goal, turn_ends=ends)
        order = Path.none(late or too_dear)
        if not partial:
            return Plan(order, state, handle, goal, cheapest)
        ends = turn_ends(cheapest, budget, unit.move, self.situation.can_stop)
        if any(ends[:1]) and not late:
            order = as_partial(cheapest.head(ends[0] + 1), too_dear)
        return Plan(order, state, handle, goal, cheapest, ends if state.order else ends[:1])


class _NamedReason:
    """The reason why there is no path, with the name of the blocking unit; made when it is read."""

    def __init__(self, path: Path, unit: UnitState, view: SideView) -> None:
        self._path, self._unit, self._view = path, unit, view

    def __str__(self) -> str:
        """Return the reason, with the name of the enemy that it is about, if it is about one."""
        reason, team, profile = self._path.reason, self._unit.team, self._unit.profile
        if not isinstance(reason, Reason) or reason.code not in {"is_occupied", "has_to_end"}:
            return reason
        (cell,) = reason.cells
        covered, sides, ground = tiles_of(cell, profile), self._view.state.sides, self._view.ground
        nodes = ground.tiles_of(cell, profile)
        for other in self._view.state.units:
            if sides.are_allies(other.team, team):
                continue
            if reason.code == "has_to_end":
                is_enemy = other.has_zoc and sides.are_enemies(other.team, team)
                if is_enemy and not nodes.isdisjoint(ground.zone_of(other.cell, other.profile)):
                    return Reason("zone_ends_path", unit=other.name, cell=cell)
            elif shared := [tile for tile in other.cells if tile in covered]:
                return Reason("stands_on", unit=other.name, cell=shared[0])
        return reason


def refusal(unit: UnitState, why: str) -> Reason:
    """Return the reason that a unit cannot go to a cell."""
    return Reason("cannot_go", unit=unit.name, why=why)


def cost_reason(unit: UnitState, cells: Sequence[Cell], costs: Sequence[float]) -> Reason:
    """Return the reason that the steps between cells cost more points than a unit has left.

    If one of them costs more than it ever has, the reason says so.
    """
    for cell, cost in zip(cells[1:], map(plain_number, costs), strict=False):
        if not n_affordable([cost], unit.move):
            most = plain_number(unit.move)
            return Reason("expensive_step", cell=cell, cost=cost, unit=unit.name, points=most)
    cost, has = plain_number(sum(costs)), plain_number(unit.points_left)
    return Reason("too_expensive", cost=cost, unit=unit.name, points=has)


def occupied_reason(units: Iterable[UnitState], unit: UnitState, cell: Cell) -> str:
    """Return which other unit stands where a unit would stand at a cell; "" if none does."""
    wanted = tiles_of(cell, unit.profile)
    for other in units:
        shared = [tile for tile in other.cells if tile in wanted]
        if shared and other.number != unit.number:
            return Reason("stands_on", unit=other.name, cell=shared[0])
    return ""


def path_along(route: Route, tilemap: TileMap) -> Path:
    """Return a route as a path; no path with the reason if a step of it is not legal."""
    if route.reason:
        return Path.none(route.reason)
    costs = itertools.accumulate((round(each.cost * MILLION) for each in route.answers), initial=0)
    record = [(*c, cost, tilemap.level_at(c)) for c, cost in zip(route.cells, costs, strict=True)]
    return Path(np.array(record), 1, tilemap)


def walked(unit: UnitState, cells: Sequence[Cell], situation: Situation) -> tuple[Route, str]:
    """Return the part of a path that a unit can walk, and why that is not the whole of it.

    It ends where the unit may stop. The reason is "" if the unit can walk the whole path.
    """
    there = tuple(itertools.takewhile(situation.has, cells))
    answers = situation.price(there).answers if there else ()
    legal = tuple(itertools.takewhile(lambda answer: answer.legal, answers))
    costs = [answer.cost for answer in legal]
    count = end = n_affordable(costs, unit.points_left)
    while end and there[end] != there[0] and not situation.can_stop(there[end]):
        end -= 1
    why = ""
    if count < len(legal):
        why = cost_reason(unit, there, costs)
    elif count < len(answers):
        why = answers[count].reason
    elif len(there) < len(cells):
        why = Reason("ground_gone", cell=cells[len(there)])
    elif end < count and situation.is_taken(cells[-1]):
        why = Reason("is_occupied", cell=cells[-1])
    elif end < count:
        why = situation.navigation.explain_stop(cells[-1], unit.profile)
    return Route(there[: end + 1], legal[:end]), why


def priced(unit: UnitState, path: Sequence[Cell], situation: Situation) -> tuple[Route, str]:
    """Return what `walked` does, for a path with waits on which other units move as well."""
    if not path or path[0] != situation.here:
        return Route((), ()), Reason("other_start", cell=situation.here)
    route, why = walked(unit, without_waits(path), situation)
    waits = (cell for cell, after in itertools.pairwise(path) if cell == after != path[0])
    stuck = next(itertools.filterfalse(situation.can_stop, waits), None)
    return route, why or ("" if stuck is None else Reason("cannot_stop", cell=stuck))


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


def units_without_ground(tilemap: TileMap, state: GameState) -> frozenset[int]:
    """Return the numbers of the units that do not stand on ground."""
    has_surface = tilemap.has_surface
    return frozenset(unit.number for unit in state.units if not all(map(has_surface, unit.cells)))


def check_places(
    tilemap: TileMap, before: GameState, after: GameState, lost: frozenset[int]
) -> None:
    """Raise `MoveRefused` if a unit stands on nothing, or two on one tile.

    Units in `lost`, whose ground was gone before, do not count where they stay.
    """
    stood = {unit.number: unit.cells for unit in before.units if unit.number in lost}
    moved = [unit for unit in after.units if stood.get(unit.number) != unit.cells]
    for unit in moved:
        for tile in unit.cells:
            if not tilemap.has_surface(tile):
                raise MoveRefused(refusal(unit, Reason("no_ground_left", cell=tile)))
    for both in after.overlaps():
        for unit, other in itertools.permutations(both[:2]):
            if unit in moved:
                why = Reason("stands_on", unit=other.name, cell=both[2])
                raise MoveRefused(refusal(unit, why))


def are_alike(state: GameState, other: GameState) -> bool:
    """Return whether units have the same plans in two states."""
    if state is other:
        return True
    kept = attrgetter("units", "spent", "sides", "turn_key")
    return bool(kept(state) == kept(other))
