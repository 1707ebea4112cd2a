"""Keep the units on a map, and answer where each of them could go."""

from collections.abc import Collection, Mapping

from ai.behaviors.situation import Situation
from ai.board.attack_range import AttackRange
from ai.board.joint_moves import cost_reason
from ai.board.obstacles import Obstacles, ZonesOfControl, occupied_reason
from ai.board.targets import Targets
from ai.board.threat import Threat
from ai.board.turns import Turns, turns_of
from ai.board.unit import Unit
from ai.navigation.blockers import BlockerCells
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from ai.rules.weapon import Weapon
from terrain3d import Cell, Reason
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike


def check_on_board(unit: Unit, units: Collection[Unit]) -> None:
    """Raise `ValueError` for a unit that is not among those of a board, `TypeError` for no unit."""
    if instance_of("a unit", unit, Unit) not in units:
        raise ValueError(f"{unit.name} is not on this board")


class Occupancy:
    """The units on a map, and the cached answers about each of them.

    Answers hold while the map and all units stay as they are. So one reach and one plan serve the
    picture of an order, its check and the order itself.
    """

    def __init__(self, navigation: Navigation, turns: str | None) -> None:
        self.navigation = navigation
        self.units: list[Unit] = []
        """In the order in which they were added."""
        self.turns: Turns = turns_of(turns, self.units)
        self._zones = ZonesOfControl(navigation)
        self._state: tuple[object, ...] = ()
        self._options: dict[Unit, UnitOptions] = {}
        self._threats: dict[tuple[object, ...], Threat] = {}
        self._ranges: dict[Weapon, AttackRange] = {}

    def check_free(self, unit: Unit) -> Cell:
        """Return the cell of a unit that can be added; errors as in `Board.add`."""
        instance_of("a unit", unit, Unit)
        cell = self.navigation.tilemap.cell(unit.cell)
        if unit.is_placed:
            where = "this" if unit in self.units else "another"
            raise ValueError(f"{unit.name} is on {where} board already")
        if any(unit.name == other.name for other in self.units):
            raise ValueError(f"this board has another unit named {unit.name!r}")
        why = self.navigation.explain_stop(cell, unit.profile)
        if why:
            raise ValueError(f"{unit.name} cannot stand there: {why}")
        why = occupied_reason(self.units, unit, cell)
        if why:
            raise ValueError(f"{why} already")
        return cell

    def check_known(self, unit: Unit) -> None:
        """Raise as `check_on_board` does."""
        check_on_board(unit, self.units)

    def unit_at(self, cell: CellLike) -> Unit | None:
        """Return the unit that covers a cell, or None."""
        cell = self.navigation.tilemap.cell(cell)
        return next((unit for unit in self.units if cell in unit.cells), None)

    def stand_reason(self, unit: Unit, cell: Cell, absent: Collection[Unit]) -> str:
        """Return why a unit cannot stand on a cell if some units were absent; "" if it can."""
        tilemap = self.navigation.tilemap
        for tile in tiles_of(cell, unit.profile):
            if not tilemap.has_surface(tile):
                return Reason("no ground is left at {}", tile)
        return occupied_reason((each for each in self.units if each not in absent), unit, cell)

    def options(self, unit: Unit) -> "UnitOptions":
        """Return what a unit could do now; errors as in `check_known`."""
        self.check_known(unit)
        self._drop_outdated()
        if unit not in self._options:
            obstacles = Obstacles(unit, self.units, self.navigation.tilemap, self._zones)
            self._options[unit] = UnitOptions(unit, self, obstacles)
        return self._options[unit]

    def attack_range(self, weapon: Weapon) -> AttackRange:
        """Return what a weapon hits, with the answers found so far."""
        if weapon not in self._ranges:
            self._ranges[weapon] = AttackRange(self.navigation.tilemap, weapon)
        return self._ranges[weapon]

    def targets(self, unit: Unit, weapon: Weapon) -> Targets:
        """Return what a unit can hit, now and after a move."""
        tilemap, reach = self.navigation.tilemap, self.options(unit).reach()
        enemies = [each for each in self.units if each.team != unit.team]
        return Targets(unit, reach, self.attack_range(weapon), tilemap, enemies)

    def threat(self, team: str, weapons: Mapping[Unit, Weapon]) -> Threat:
        """Return which units of other teams could reach or hit each tile."""
        self._drop_outdated()
        asked = team, tuple(weapons.items())
        if asked in self._threats:
            return self._threats[asked]
        tilemap, reach = self.navigation.tilemap, self.navigation.reach
        shared: dict[tuple[str, MoveProfile], BlockerCells] = {}
        reaches: list[tuple[Unit, Reach]] = []
        for unit in self.units:
            if unit.team == team or not tilemap.has_cell(unit.cell):
                continue
            key = unit.team, unit.profile
            if key not in shared:  # a mover does not block itself, so all its likes share them
                blockers = self.options(unit).situation.blockers
                shared[key] = {**blockers, "passable": (*blockers["passable"], *unit.cells)}
            reaches.append((unit, reach(unit.cell, unit.move, unit.profile, **shared[key])))
        ranges = {unit: self.attack_range(weapon) for unit, weapon in weapons.items()}
        self._threats[asked] = Threat(tilemap, reaches, ranges)
        return self._threats[asked]

    def _drop_outdated(self) -> None:
        """Drop all answers if the map or a unit has changed."""
        facts = [(u, u.cell, u.profile, u.team, u.has_zoc, u.move) for u in self.units]
        state = self.navigation.tilemap.version, *facts
        if state != self._state:
            self._state, self._options, self._threats = state, {}, {}


class UnitOptions:
    """The options of one unit while the map and all units stay as they are."""

    def __init__(self, unit: Unit, occupancy: Occupancy, obstacles: Obstacles) -> None:
        self._unit, self._occupancy, self._obstacles = unit, occupancy, obstacles
        self.situation = Situation(
            occupancy.navigation, unit.cell, unit.profile, **obstacles.blockers
        )
        # The latest answers, each with its arguments.
        self._reach: tuple[float, Reach] | None = None
        self._path: tuple[Cell, Path] | None = None
        self._plan: tuple[Cell, float, Path] | None = None

    def reach(self) -> Reach:
        """Return all cells that one order can take the unit to, now or in its next turn."""
        budget = self._occupancy.turns.budget(self._unit)
        if self._reach is None or self._reach[0] != budget:
            self._reach = budget, self.situation.reach(budget)
        return self._reach[1]

    def find_path(self, goal: Cell) -> Path:
        """Return a cheapest path around the other units at any cost, or no path with a reason."""
        if self._path is None or self._path[0] != goal:
            why = occupied_reason(self._occupancy.units, self._unit, goal)
            path = Path.none(why) if why else self.situation.find_path(goal)
            self._path = goal, path if why else self._obstacles.name_blockers(path)
        return self._path[1]

    def plan(self, goal: Cell) -> Path:
        """Return the path of an order to a cell, or no path with the reason of the refusal."""
        turns, unit = self._occupancy.turns, self._unit
        why = turns.reason(unit)
        if why:
            return Path.none(why)
        if self._plan is None or self._plan[:2] != (goal, unit.points):
            self._plan = goal, unit.points, self._planned(goal)
        return self._plan[2]

    def _planned(self, goal: Cell) -> Path:
        reach = self.reach()
        if goal in reach:
            return reach.path_to(goal)
        path = self.find_path(goal)
        if not path:
            return path
        return Path.none(cost_reason(self._unit, self._unit.points, path.cost))
