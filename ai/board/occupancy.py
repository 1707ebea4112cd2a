"""Who stands where on a map, and where each of them could go."""

from ai.behaviors.situation import Situation
from ai.board.obstacles import Obstacles, occupied_reason
from ai.board.unit import Unit
from ai.board.zone_of_control import Zones
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, plain_number
from ai.navigation.reach import Reach
from ai.navigation.resumable_search import Search
from ai.rules.profile import MoveProfile
from terrain3d import Signal, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike


class Lineup:
    """Units on the cells of a map, and the answers to what they could do; nobody moves.

    Parameters
    ----------
    tilemap : TileMap
        The ground.
    """

    unit_added = Signal("unit")
    unit_removed = Signal("unit")

    def __init__(self, tilemap: TileMap) -> None:
        self._navigation = Navigation(tilemap)
        self._zones = Zones(self._navigation)
        self._units: list[Unit] = []

    def __repr__(self) -> str:
        """Show how many units there are, and the map."""
        return f"<{type(self).__name__} of {len(self._units)} units on {self.tilemap!r}>"

    @property
    def tilemap(self) -> TileMap:
        """The ground."""
        return self._navigation.tilemap

    @property
    def navigation(self) -> Navigation:
        """The ways over the ground, with nobody in the way."""
        return self._navigation

    @property
    def units(self) -> tuple[Unit, ...]:
        """All units, in the order they were added."""
        return tuple(self._units)

    def add(self, unit: Unit) -> Unit:
        """Put a unit on its cell and return it.

        Raises
        ------
        IndexError
            Its cell is outside the map or on a deck that is not there.
        ValueError
            It is on a board already, or it cannot stop on its cell, or somebody stands there.
        """
        instance_of("a unit", unit, Unit)
        cell = self.tilemap.cell(unit.cell)
        if unit.is_placed:
            where = "this" if unit in self._units else "another"
            raise ValueError(f"{unit.name} is on {where} board already")
        why = self._navigation.explain_stop(cell, unit.profile)
        if why:
            raise ValueError(f"{unit.name} cannot stand there: {why}")
        why = occupied_reason(self._units, unit, cell)
        if why:
            raise ValueError(f"{why} already")
        unit.place(self.tilemap, cell, unit.heading_deg)
        self._units.append(unit)
        self.unit_added.emit(unit)
        return unit

    def remove(self, unit: Unit) -> None:
        """Take a unit off the map.

        Raises
        ------
        ValueError
            It is not here.
        """
        self._refuse_stranger(unit)
        self._units.remove(unit)
        unit.leave()
        self.unit_removed.emit(unit)

    def unit_at(self, cell: CellLike) -> Unit | None:
        """Give the unit that holds a cell, be it one of several that it covers, or None."""
        cell = self.tilemap.cell(cell)
        return next((unit for unit in self._units if cell in unit.cells), None)

    def situation(self, unit: Unit) -> Situation:
        """Tell where a unit is and who is in its way, for whoever decides what it does next."""
        others = self._others_of(unit)
        return Situation(self._navigation, unit.cell, unit.profile, **others.blockers)

    def reach(self, unit: Unit) -> Reach:
        """Find all cells that one order can take a unit to."""
        return self.situation(unit).reach(unit.move)

    def find_path(self, unit: Unit, cell: CellLike) -> Path:
        """Find a cheapest way around the others, however dear; no way has its reason."""
        goal = self.tilemap.cell(cell)
        others = self._others_of(unit)
        why = occupied_reason(self._units, unit, goal)
        if why:
            return Path.none(why)
        return others.named(self.situation(unit).find_path(goal))

    def begin_search(
        self,
        unit: Unit,
        cell: CellLike,
        profile: MoveProfile | None = None,
        *,
        algorithm: str = "astar",
        heuristic: str = "auto",
    ) -> Search:
        """Begin to look for the way that `find_path` finds, bit by bit; see `Search`.

        Parameters
        ----------
        unit, cell
            As in `find_path`.
        profile : MoveProfile, optional
            Other rules than the unit's own.
        algorithm, heuristic : str
            As in `Navigation.begin_search`.
        """
        others = self._others_of(unit)
        return self._navigation.begin_search(
            unit.cell,
            cell,
            profile or unit.profile,
            algorithm=algorithm,
            heuristic=heuristic,
            **others.blockers,
        )

    def plan(self, unit: Unit, cell: CellLike) -> Path:
        """Find the way an order would take; no way, with its reason, if it would be refused."""
        reach = self.reach(unit)
        if cell in reach:
            return reach.path_to(cell)
        path = self.find_path(unit, cell)
        if not path:
            return path
        points = plain_number(unit.move)
        return Path.none(f"costs {path.cost}, {unit.name} has {points} move points")

    def _refuse_stranger(self, unit: Unit) -> None:
        instance_of("a unit", unit, Unit)
        if unit not in self._units:
            raise ValueError(f"{unit.name} is not on this board")

    def _others_of(self, unit: Unit) -> Obstacles:
        self._refuse_stranger(unit)
        return Obstacles(unit, self._units, self.tilemap, self._zones)
