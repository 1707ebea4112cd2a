"""The units on a map, as obstacles for each other; where each could go, alone or together."""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple, cast

import numpy as np

from ai.behaviors.behavior import Situation
from ai.board.attack import AttackRange, Threat, Weapon
from ai.board.log import MoveRefused, without_waits
from ai.board.turns import NO_SIDES, Sides, Turns, TurnState, n_affordable, turn_ends, turns_of
from ai.board.unit import Unit, UnitState
from ai.navigation.blockers import NO_CELLS, Blockers
from ai.navigation.diagnosis import Route
from ai.navigation.known_map import KnownMap
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, as_partial, plain_number
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.nodes import KnownCells, Nodes
from ai.rules.profile import MoveProfile
from ai.search.graph import MILLION
from ai.squads.steps import first_conflict
from terrain3d import Cell, Reason, TileMap
from terrain3d.core.checks import instance_of, quoted

JointPaths = Mapping[Unit, Sequence[Cell]]
"""For each unit its cell at tick 0, 1, ...; after the last it stays."""


class BoardState(NamedTuple):
    """All that plans on a board depend on: in equal states a unit has equal plans."""

    occupancy: "Occupancy"
    version: int
    """That of the map."""
    turn: TurnState
    units: tuple[tuple[object, ...], ...]


class Plan(Path):
    """The path that an order would take; false, with a reason, if the order would be refused.

    `Board.move` carries it out as long as the map, all units and the turn are as they were, for a
    plan with `known` as far as its side knows. A pickled plan is read as a `Path`.

    Attributes
    ----------
    unit : Unit
        The unit that would move.
    cell : Cell
        The cell that was asked for; with `partial` the path may end before it.
    path : Path
        The cheapest path to the cell, if no order takes the unit there now: the order may be its
        first part. For other orders the plan itself.
    turn_ends : tuple of int
        The number of the cell of `path` on which each turn ends; without turns only the first: how
        far the points last. Empty for a refused order that was planned without `partial`.
    """

    __slots__ = ("cell", "path", "state", "turn_ends", "unit")

    def __init__(
        self,
        order: Path,
        state: BoardState,
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


class Occupancy:
    """The units on a map, and the cached answers about each of them.

    Answers hold while the map, all units and the turn stay as they are. So one reach serves all
    plans of a unit.
    """

    def __init__(self, navigation: Navigation, turns: str | None, sides: Sides = NO_SIDES) -> None:
        self.whole = self
        """That of all units on the true map."""
        self.navigation = navigation
        self.units: list[Unit] = []
        """In the order in which they were added."""
        self.sides = sides
        self.turns: Turns = turns_of(turns, self.units, sides)
        self._tiles: dict[tuple[Cell, MoveProfile], frozenset[int]] = {}
        self._zones: dict[tuple[Cell, MoveProfile], frozenset[int]] = {}
        self.nodes = Nodes(navigation.tilemap)
        self._state: BoardState | None = None
        self._unit_states: list[UnitState] = []  # of which `_state` was made
        self._obstacles: dict[tuple[str, bool], Blockers] = {}
        self._options: dict[Unit, UnitOptions] = {}
        self._threats: dict[tuple[object, ...], Threat] = {}
        self._ranges: dict[Weapon, AttackRange] = {}
        self._sights: dict[str, Sight] = {}
        self._version = navigation.tilemap.version  # of the map, for zones and ranges

    def share(self, navigation: Navigation) -> "Occupancy":
        """Return one without units over a map that `TileMap.share` has made of this one's.

        Zones of control and ranges of weapons that either finds are known to both, until one of the
        maps is edited.
        """
        made = Occupancy(navigation, self.turns.order, self.sides)
        if self._version == made._version:
            made._tiles, made._zones = self._tiles, self._zones
            tilemap = navigation.tilemap
            made._ranges = {weapon: each.share(tilemap) for weapon, each in self._ranges.items()}
        return made

    def find(self, name: str) -> Unit | None:
        """Return the unit with a name; None if there is none."""
        return next((unit for unit in self.units if unit.state.name == name), None)

    def check_free(self, unit: Unit) -> Cell:
        """Return the cell of a unit that can be added; errors as in `Board.add`."""
        instance_of("a unit", unit, Unit)
        cell = self.navigation.tilemap.cell(unit.cell)
        if unit.is_placed:
            where = "this" if unit in self.units else "another"
            raise ValueError(f"{unit.name} is on {where} board already")
        if self.find(unit.name) is not None:
            raise ValueError(f"this board has another unit named {quoted(unit.name)}")
        why = self.navigation.explain_stop(cell, unit.profile)
        if why:
            raise ValueError(f"{unit.name} cannot stand there: {why}")
        why = occupied_reason(self.units, unit, cell)
        if why:
            raise ValueError(f"{why} already")
        return cell

    def check_apart(self) -> None:
        """Raise an error if a unit stands outside the map, or two on one tile."""
        holder: dict[Cell, Unit] = {}
        for unit in self.units:
            for tile in unit.cells:
                self.navigation.tilemap.grid.within(tile)
                other = holder.setdefault(tile, unit)
                if other is not unit:
                    raise ValueError(f"{other.name} and {unit.name} would both stand on {tile}")

    def stand_reason(self, unit: Unit) -> str:
        """Return why a unit cannot stand where it is; "" if it can."""
        for tile in unit.cells:
            if not self.navigation.tilemap.has_surface(tile):
                return Reason("no_ground_left", cell=tile)
        return occupied_reason(self.units, unit, unit.cell)

    def seen_by(self, team: str, known: KnownMap | None) -> "Occupancy":
        """Return the board as a team sees it that knows a map; all of it without one.

        `TypeError` or `ValueError` if it is no `KnownMap`, or one of another grid.
        """
        if known is None:
            return self
        grid, own = instance_of("known", known, KnownMap).tilemap.grid, self.navigation.tilemap.grid
        if grid != own:
            raise ValueError(f"known must be of a map of {own}, got one of {grid}")
        sight = self._sights.get(team)
        if sight is None or sight.known is not known:
            sight = self._sights[team] = Sight(self, team, known)
        sight.state()
        return sight

    def options(self, unit: Unit, known: KnownMap | None = None) -> "UnitOptions":
        """Return what a unit could do now, or by what its side knows.

        Errors as in `check_on_board` and `seen_by`.
        """
        if known is not None:
            check_on_board(unit, self.units)
            return self.seen_by(unit.team, known).options(unit)
        state = self.state()
        check_on_board(unit, self.units)
        if unit not in self._options:
            self._options[unit] = UnitOptions(unit, self, state)
        return self._options[unit]

    def _tiles_of(self, cell: Cell, profile: MoveProfile) -> frozenset[int]:
        """Return the nodes of what a unit covers; none if its deck is gone: it blocks nothing."""
        key = cell, profile
        if key not in self._tiles:
            has_cell = self.navigation.tilemap.has_cell
            tiles = tiles_of(cell, profile) if has_cell(cell) else ()
            self._tiles[key] = frozenset(map(self.nodes.of, filter(has_cell, tiles)))
        return self._tiles[key]

    def _zone_of(self, cell: Cell, profile: MoveProfile) -> frozenset[int]:
        """Return the nodes of the zone of control of a unit that has one.

        It controls every surface that it would cover after one step, link or warp, also those
        over which it only flies; enemies end their moves there.
        """
        key = cell, profile
        if key not in self._zones:
            has_cell = self.navigation.tilemap.has_cell
            ends = self.navigation.steps_from(cell, profile) if has_cell(cell) else ()
            self._zones[key] = frozenset().union(*(self._tiles_of(end, profile) for end in ends))
        return self._zones[key]

    def obstacles(self, unit: Unit) -> Blockers:
        """Return what is in the way of a unit, as if it could pass itself."""
        team, key = unit.team, (unit.team, unit.profile.ignores_zoc)
        found = self._obstacles.get(key)
        if found is None:
            sides, teams = self.sides, {each.state.team for each in self.units}
            allies = {each for each in teams if sides.are_allies(each, team)}
            halts = not unit.profile.ignores_zoc
            enemies = {each for each in teams if halts and sides.are_enemies(each, team)}
            blocked, passable, halting = set[int](), set[int](), set[int]()
            for other in self.units:
                state = other.state  # reading all of a unit at once is faster
                body = state.cell, state.profile
                tiles = self._tiles.get(body) or self._tiles_of(*body)
                if state.team in allies:
                    passable |= tiles
                    continue
                blocked |= tiles
                if state.has_zoc and state.team in enemies:
                    halting |= self._zones.get(body) or self._zone_of(*body)
            found = self._obstacles[key] = Blockers(
                KnownCells(self.nodes, blocked),
                KnownCells(self.nodes, passable),
                KnownCells(self.nodes, halting),
            )
        return found

    def attack_range(self, weapon: Weapon) -> AttackRange:
        """Return what a weapon hits, with the answers found since the last edit of the map."""
        self.state()
        if weapon not in self._ranges:
            self._ranges[weapon] = AttackRange(self.navigation.tilemap, weapon)
        return self._ranges[weapon]

    def threat(self, team: str, weapons: Mapping[Unit, Weapon]) -> Threat:
        """Return which units of other teams could reach or hit each tile."""
        self.state()
        asked = team, tuple(weapons.items())
        if asked in self._threats:
            return self._threats[asked]
        tilemap = self.navigation.tilemap
        reaches = [
            (unit, self.reach_of(unit.cell, unit.move, unit))
            for unit in self.units
            if self.sides.are_enemies(unit.team, team) and tilemap.has_cell(unit.cell)
        ]
        ranges = {unit: self.attack_range(weapon) for unit, weapon in weapons.items()}
        self._threats[asked] = Threat(tilemap, reaches, ranges)
        return self._threats[asked]

    def reach_of(self, cell: Cell, budget: float, unit: Unit) -> Reach:
        """Return what points of a unit reach from a cell of the map."""
        return self.navigation.reach(cell, budget, unit.profile, blockers=self.obstacles(unit))

    def joint_paths(self, cells: JointPaths, known: KnownMap | None = None) -> dict[Unit, Path]:
        """Return the paths of units that move along cells together; `MoveRefused` if they cannot.

        It must be the turn of each unit, and every step legal around the units that stay. The cost
        must not exceed its move points, and it waits and ends only where it may stop, or where it
        starts. No two units may be in conflict as squads are. `known` is as of `Board.reach`.
        """
        tiles = [tile for unit in cells for tile in unit.cells]
        situations, why = dict[Unit, Situation](), ""
        for unit, path in cells.items():
            seen = self.seen_by(unit.team, known)
            around = situations[unit] = seen.options(unit).situation.without(tiles)
            own = self.turns.reason(unit, seen.units)
            own = own or path_reason(unit, unit.points, path, around)
            why = why or wide_unit_reason([unit]) or (own and refusal(unit, own))
        navigation = (known or self).navigation
        why = why or _conflict_reason(cells, navigation)
        if why:
            raise MoveRefused(cast(Reason, why))
        routes = {unit: situations[unit].price(without_waits(cells[unit])) for unit in cells}
        return {unit: path_along(route, navigation.tilemap) for unit, route in routes.items()}

    def walkable_together(
        self, cells: JointPaths, known: KnownMap | None
    ) -> tuple[dict[Unit, Path], JointPaths, dict[Unit, str]]:
        """Return paths, cells and reasons to stop early of a joint move that is legal as known."""
        paths, walked, stops = self.joint_paths(cells, known), dict(cells), dict[Unit, str]()
        n_ticks = max(map(len, cells.values()), default=0)
        while known is not None:
            try:
                return self.joint_paths(walked), walked, stops
            except MoveRefused as refused:
                n_ticks -= 1
                if n_ticks < 1:
                    raise
                cut = {unit: path[:n_ticks] for unit, path in walked.items() if path[n_ticks:]}
                walked |= cut
                stops |= dict.fromkeys(cut, refused.reason)
        return paths, walked, stops

    def state(self) -> BoardState:
        """Return the state now; drop all answers if the map, a unit or the turn has changed."""
        states = [unit.state for unit in self.units]
        version, turn, known = self.navigation.tilemap.version, self.turns.state, self._state
        if known and states == self._unit_states and (version, turn) == known[1:3]:
            return known
        self._unit_states = states
        state = BoardState(self, version, turn, tuple(map(_OPTIONS, states)))
        if state != known:
            if state.version != self._version:
                self._tiles, self._zones, self._ranges = {}, {}, {}
                self._version = state.version
            self._state, self._options, self._threats, self._obstacles = state, {}, {}, {}
        return state

    def outdated_reason(self, plan: Plan) -> str:
        """Return why a plan is none of this board as it is now; "" if it is."""
        then = plan.state
        if then.occupancy.whole is not self:
            return Reason("other_board")
        now = then.occupancy.state()
        if now == then:
            return ""
        is_edited = now.version != then.version
        return Reason("plan_before_edit" if is_edited else "plan_before_moves")


class Sight(Occupancy):
    """The board as one side sees it: the map that it knows, with the units that it sees.

    It sees those of its team and of allies, and others of which any tile is in sight.
    """

    def __init__(self, whole: Occupancy, team: str, known: KnownMap) -> None:
        super().__init__(known.navigation, None, whole.sides)
        self.whole, self.known, self._team = whole, known, team

    def state(self) -> BoardState:
        """Return the state as the side sees it now."""
        is_ally, sees = self.sides.are_allies, self.known.sees
        units, self.turns = self.whole.units, self.whole.turns
        self.units = [each for each in units if is_ally(each.team, self._team) or sees(each.cells)]
        return super().state()


class UnitOptions:
    """The options of one unit while the map, all units and the turn stay as they are.

    All other units are in its way; one whose deck is gone blocks nothing.
    """

    def __init__(self, unit: Unit, occupancy: Occupancy, state: BoardState) -> None:
        self._unit, self._occupancy, self._state = unit, occupancy, state
        self.tilemap = occupancy.navigation.tilemap

    @cached_property
    def situation(self) -> Situation:
        """Where the unit is, and the other units as blockers."""
        unit, occupancy = self._unit, self._occupancy
        cells = occupancy.obstacles(unit)
        has_cell = self.tilemap.has_cell
        bodies = [
            each.cells
            for each in occupancy.units
            if each.state.profile.size > 1 and each is not unit and has_cell(each.cell)
        ]
        passable = KnownCells.of(occupancy.nodes, "passable", cells.passable)
        return Situation(
            occupancy.navigation,
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
        unit, budget = self._unit, self._occupancy.turns.budget(self._unit)
        if not self.tilemap.has_cell(unit.cell):
            return self.situation.reach(budget)
        return self._occupancy.reach_of(unit.cell, budget, unit)

    def is_halting(self, cell: Cell) -> bool:
        """Return whether a zone of control ends the move of the unit on a cell."""
        halting = self._occupancy.obstacles(self._unit).halting
        return len(halting) > 0 and self.situation.is_halting(cell)

    def find_path(self, goal: Cell) -> Path:
        """Return a cheapest path around the other units at any cost, or no path with a reason."""
        why = occupied_reason(self._occupancy.units, self._unit, goal)
        if why:
            return Path.none(why)
        path = self.situation.find_path(goal)
        return path or Path.none(_NamedReason(path, self._unit, self._occupancy))

    def _cheap_path(self, goal: Cell, budget: float) -> Path:
        """Return the path of `reach` to a cell, by a search for it alone if that is not known."""
        occupancy, unit = self._occupancy, self._unit
        if "reach" in vars(self) or not self.tilemap.has_cell(unit.cell):
            return self.reach.path_to(goal)
        around, find_path = occupancy.obstacles(unit), occupancy.navigation.find_path
        return find_path(unit.cell, goal, unit.profile, max_cost=budget, blockers=around)

    def walkable(self, plan: Plan) -> Plan:
        """Return the part of a plan that the unit can walk, at its true cost.

        It ends on a cell where the unit may stop, before the end of the plan only with the reason.
        """
        situation, unit, cells = self.situation, self._unit, plan.cells
        there = tuple(itertools.takewhile(situation.has, cells))
        answers = situation.price(there).answers if there else ()
        legal = tuple(itertools.takewhile(lambda answer: answer.legal, answers))
        costs = [answer.cost for answer in legal]
        count = end = n_affordable(costs, unit.points)
        while end and not situation.can_stop(there[end]):
            end -= 1
        why: object = plan._why
        if count < len(legal):
            why = cost_reason(unit, unit.points, there, costs[: count + 1])
        elif count < len(answers):
            met = Path.none(answers[count].reason)
            why = str(_NamedReason(met, unit, self._occupancy))
        elif len(there) < len(cells):
            why = Reason("ground_gone", cell=cells[len(there)])
        elif end < count:
            taken = occupied_reason(self._occupancy.units, unit, cells[-1])
            why = taken or situation.navigation.explain_stop(cells[-1], unit.profile)
        walked = Route(there[: end + 1], legal[:end])
        path = path_along(walked, situation.navigation.tilemap) if end else plan.head(1)
        path = as_partial(path, why) if why else path
        return Plan(path, plan.state, unit, plan.cell, plan.path, plan.turn_ends)

    def _find_route(self, via: Sequence[Cell], goal: Cell) -> Path:
        """Return the cheapest paths from each of some cells to the next as one; or no path.

        The unit does not stop on the cells: it may pass allies there, and no zone of control may
        halt it before the goal.
        """
        situation, cells, profile = self.situation, [self.situation.here], self._unit.profile
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
                return Path.none(_NamedReason(leg, self._unit, self._occupancy))
            cells += leg.cells[1:]
        return path_along(situation.price(cells), self.tilemap)

    def plan(self, goal: Cell, *, partial: bool, via: Sequence[Cell] = ()) -> Plan:
        """Return the plan of an order to a cell; see `Board.plan`."""
        unit, state, turns = self._unit, self._state, self._occupancy.turns
        late = turns.reason(unit, self._occupancy.units)
        if late and not partial:
            return Plan(Path.none(late), state, unit, goal)
        budget = turns.budget(unit)
        order = Path.none("") if late or via else self._cheap_path(goal, budget)
        cheapest = order
        if not order:
            cheapest = self._find_route(via, goal) if via else self.find_path(goal)
        too_dear = cheapest._why
        if cheapest and not order:
            costs = [step.cost for step in cheapest.steps]
            too_dear = cost_reason(unit, unit.points, cheapest.cells, costs)
            if via and not late and n_affordable(costs, budget) == len(costs):
                order = cheapest
        if order:
            return Plan(order, state, unit, goal, turn_ends=(len(order) - 1,)[: len(order) - 1])
        order = Path.none(late or too_dear)
        if not partial:
            return Plan(order, state, unit, goal, cheapest)
        ends = turn_ends(cheapest, budget, unit.move, self.situation.can_stop)
        if any(ends[:1]) and not late:
            order = as_partial(cheapest.head(ends[0] + 1), too_dear)
        return Plan(order, state, unit, goal, cheapest, ends if turns.order else ends[:1])


class _NamedReason:
    """The reason why there is no path, with the name of the blocking unit; made when it is read."""

    def __init__(self, path: Path, unit: Unit, occupancy: Occupancy) -> None:
        self._path = path
        self._profile = unit.profile
        self._enemies: list[tuple[str, tuple[Cell, ...], KnownCells]] = []
        for other in occupancy.units:  # who may have moved by the time it is read
            if not occupancy.sides.are_allies(other.team, unit.team):
                has_zone = other.has_zoc and occupancy.sides.are_enemies(other.team, unit.team)
                zone = occupancy._zone_of(other.cell, other.profile) if has_zone else ()
                known = KnownCells(occupancy.nodes, zone)
                self._enemies.append((other.name, other.cells, known))

    def __str__(self) -> str:
        """Return the reason with the name of the unit that stands there or controls the tile."""
        reason = self._path.reason
        if not isinstance(reason, Reason):
            return reason
        return self._named(reason)

    def _named(self, reason: Reason) -> Reason:
        """Return a reason with the name of the enemy that it is about, if it is about one."""
        if reason.code not in {"is_occupied", "has_to_end"}:
            return reason
        [cell] = reason.cells
        covered = tiles_of(cell, self._profile)
        for name, tiles, zone in self._enemies:
            if reason.code == "has_to_end" and any(tile in zone for tile in covered):
                return Reason("zone_ends_path", unit=name, cell=cell)
            shared = [tile for tile in tiles if tile in covered]
            if reason.code == "is_occupied" and shared:
                return Reason("stands_on", unit=name, cell=shared[0])
        return reason


def refusal(unit: Unit, why: str) -> Reason:
    """Return the reason that a unit cannot go to a cell."""
    return Reason("cannot_go", unit=unit.name, why=why)


def cost_reason(unit: Unit, points: float, cells: Sequence[Cell], costs: Sequence[float]) -> Reason:
    """Return the reason that the steps between cells cost more points than a unit has.

    If one of them costs more than it ever has, the reason says so.
    """
    for cell, cost in zip(cells[1:], map(plain_number, costs), strict=False):
        if not n_affordable([cost], unit.move):
            most = plain_number(unit.move)
            return Reason("expensive_step", cell=cell, cost=cost, unit=unit.name, points=most)
    cost, has = plain_number(sum(costs)), plain_number(points)
    return Reason("too_expensive", cost=cost, unit=unit.name, points=has)


def occupied_reason(units: Iterable[Unit], unit: Unit, cell: Cell) -> str:
    """Return which other unit stands where a unit would stand at a cell; "" if none does."""
    wanted = tiles_of(cell, unit.profile)
    for other in units:
        shared = [tile for tile in other.cells if tile in wanted]
        if shared and other is not unit:
            return Reason("stands_on", unit=other.name, cell=shared[0])
    return ""


def check_on_board(unit: Unit, units: Collection[Unit]) -> None:
    """Raise `ValueError` for a unit that is not among those of a board, `TypeError` for no unit."""
    if instance_of("a unit", unit, Unit) not in units:
        raise ValueError(f"{unit.name} is not on this board")


_OPTIONS = itemgetter(slice(8))
"""What decides where units could go, of a `UnitState`: all up to its waiting time."""


def wide_unit_reason(units: Iterable[Unit]) -> str:
    """Return which unit is too wide for a joint move; "" if none is."""
    wide = [unit.name for unit in units if unit.profile.size > 1]
    return Reason("too_wide", unit=wide[0]) if wide else ""


def path_along(route: Route, tilemap: TileMap) -> Path:
    """Return a route as a path; no path with the reason if a step of it is not legal."""
    if route.reason:
        return Path.none(route.reason)
    costs = itertools.accumulate((round(each.cost * MILLION) for each in route.answers), initial=0)
    record = [(*c, cost, tilemap.level_at(c)) for c, cost in zip(route.cells, costs, strict=True)]
    return Path(np.array(record), 1, tilemap)


def path_reason(
    unit: Unit,
    points: float,
    path: Sequence[Cell],
    situation: Situation,
) -> str:
    """Return why a unit with some points cannot take a path, conflicts aside; "" if it can."""
    if not path or path[0] != situation.here:
        return Reason("other_start", cell=situation.here)
    waits = [cell for cell, after in itertools.pairwise(path) if cell == after]
    cells, costs = without_waits(path), list[float]()
    for start, end in itertools.pairwise(cells):
        price = situation.steps_from(start).get(end)
        if price is None:
            return Reason("no_legal_step", start=start, end=end)
        if situation.is_halting(start):
            return Reason("has_to_end", cell=start)
        costs.append(price)
    if n_affordable(costs, points) < len(costs):
        return cost_reason(unit, points, cells, costs)
    for cell in (*waits, cells[-1]):
        if cell != cells[0] and not situation.can_stop(cell):
            return Reason("cannot_stop", cell=cell)
    return ""


def _conflict_reason(paths: JointPaths, navigation: Navigation) -> str:
    """Return the first conflict of units on legal paths, by the rules of squads; "" if none."""
    units = list(paths)
    found = first_conflict(navigation, list(paths.values()), [unit.profile for unit in units])
    if found is None:
        return ""
    both = {"unit": units[found.unit].name, "other": units[found.other].name}
    return Reason(found.code, **both, cell=found.cell)
