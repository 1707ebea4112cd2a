"""What behaviors are made of: their input, base class, planned paths, and how to combine them."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, Self, cast

import numpy as np

from ai.navigation.blockers import Blockers
from ai.navigation.diagnosis import Route
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path
from ai.navigation.reach import Reach
from ai.rules.footprint import tiles_of
from ai.rules.nodes import KnownCells, Nodes, is_cell
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from ai.search.graph import MILLION
from terrain3d import Cell, Reason, Rect
from terrain3d.core.checks import (
    checked_function,
    instance_of,
    listed,
    number_within,
)
from terrain3d.grid.grid import CellLike, as_cell
from terrain3d.grid.reason import join_reasons

Target = Callable[[], CellLike | None]
"""Returns the target's cell now, or None if there is no target any more."""


class Located(Protocol):
    """What is on a cell, as a `Unit` is."""

    @property
    def cell(self) -> CellLike:
        """The cell where it is now."""


def target_of(name: str, target: CellLike | Target | Located) -> Target:
    """Return a function that returns the cell of a target now; `name` is that of the argument."""
    if callable(target):
        return checked_function(name, target, 0)
    if hasattr(target, "cell"):  # many times as fast as to ask for the protocol
        return lambda: cast(Located, target).cell
    cell = as_cell(target)
    return lambda: cell


@dataclass(frozen=True)
class Situation:
    """A mover on a map at one moment; `Board.situation` returns that of a unit.

    Its answers are those of `Navigation` with the other units as blockers. A cell that the map does
    not have, perhaps because an edit has removed its deck, cannot be reached; it is no error, since
    a behavior may remember older cells.

    Parameters
    ----------
    navigation : Navigation
        Answers queries on the map without units.
    cell : cell
        Where the mover is.
    profile : MoveProfile
        Its rules of movement.
    blocked : cells
        Cells of units that the mover cannot pass.
    passable : cells
        Cells of units that the mover can pass, but where it cannot stop.
    halting : cells
        Cells where a path has to end, as beside an enemy with a zone of control.
    bodies : sequences of cells
        The tiles of each other unit that covers several; they also count as `blocked` or `passable`
        only if they are given there.
    """

    navigation: Navigation
    cell: CellLike
    profile: MoveProfile = DEFAULT_PROFILE
    blocked: Collection[CellLike] = ()
    passable: Collection[CellLike] = ()
    halting: Collection[CellLike] = ()
    bodies: Iterable[Iterable[CellLike]] = ()
    here: Cell = field(init=False)
    """Where the mover is, as a `Cell`."""

    def __post_init__(self) -> None:
        """Drop blockers that are not on the map."""
        instance_of("navigation", self.navigation, Navigation)
        checked_profile(self.profile)
        object.__setattr__(self, "here", as_cell(self.cell))
        tilemap = self.navigation.tilemap
        for name in vars(self.blockers):
            cells = getattr(self, name)
            if not (isinstance(cells, KnownCells) and cells.is_of(tilemap)):
                known = filter(self.has, map(as_cell, listed(name, cells)))
                object.__setattr__(self, name, KnownCells.of(Nodes(tilemap), name, known))
        bodies = (map(as_cell, listed("a body", body)) for body in listed("bodies", self.bodies))
        object.__setattr__(self, "bodies", tuple(tuple(filter(self.has, each)) for each in bodies))

    @property
    def blockers(self) -> Blockers:
        """The other units, as `Navigation`'s queries take them."""
        return Blockers(self.blocked, self.passable, self.halting)

    def has(self, cell: CellLike) -> bool:
        """Return whether the map has a cell."""
        return self.navigation.tilemap.has_cell(cell)

    @property
    def state(self) -> tuple[object, ...]:
        """All that the answers depend on: equal states give equal answers."""
        version = self.navigation.tilemap.version
        return version, self.here, self.profile, self.bodies, *vars(self.blockers).values()

    def without(self, cells: Iterable[CellLike]) -> Self:
        """Return the same situation without the units on some cells."""
        free = [as_cell(cell) for cell in listed("cells", cells)]
        blocked, passable = self._without("blocked", free), self._without("passable", free)
        if blocked is self.blocked and passable is self.passable:
            return self
        made = object.__new__(type(self))  # all is checked already
        vars(made).update(vars(self), blocked=blocked, passable=passable)
        return made

    def _without(self, name: str, free: Iterable[Cell]) -> KnownCells:
        known: KnownCells = getattr(self, name)
        return known.without(free)

    def is_taken(self, cell: CellLike) -> bool:
        """Return whether a unit stands on a tile that the mover would cover at a cell."""
        tiles = tiles_of(as_cell(cell), self.profile)
        return any(tile in self.blocked or tile in self.passable for tile in tiles)

    @property
    def tiles(self) -> tuple[Cell, ...]:
        """The tiles that the mover covers where it is."""
        return self.tiles_at(self.here)

    def tiles_at(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the tiles of the map that the mover covers at a cell of the map."""
        tiles = tiles_of(cell, self.profile)
        return tiles if len(tiles) == 1 else tuple(filter(self.has, tiles))

    def body_at(self, cell: CellLike) -> tuple[Cell, ...]:
        """Return the tiles of the unit on a cell; the cell alone if none of several tiles is."""
        cell = as_cell(cell)
        bodies = cast(tuple[tuple[Cell, ...], ...], self.bodies)
        return next((body for body in bodies if cell in body), (cell,))

    def nearest(self, tiles: Sequence[Cell], cell: Cell | None = None) -> tuple[int, Cell, Cell]:
        """Return how far some tiles are from the mover, its nearest tile, and the nearest of them.

        The distance counts steps on open, flat ground; with `cell` it is that from there.
        """
        distance = self.navigation.tilemap.grid.distance
        own = self.tiles_at(self.here if cell is None else cell)
        return min((distance(tile[:2], end[:2]), tile, end) for tile in own for end in tiles)

    def covering(self, tiles: Iterable[Cell]) -> list[Cell]:
        """Return the cells on which the mover would cover one of some tiles, or beyond the map."""
        cells = dict[Cell, None]()  # in their order
        for row, col, deck in tiles:
            for down, right in itertools.product(range(self.profile.size), repeat=2):
                cells[Cell(row - down, col - right, deck)] = None
        return list(cells)

    def is_beside(self, tiles: Sequence[Cell], cell: Cell | None = None) -> bool:
        """Return whether the mover covers one of some tiles, or is one step from one of them.

        The step is that of a mover of one tile from the nearest tile, as if no unit stood on the
        tiles. With `cell` the mover stands there.
        """
        own = self.tiles_at(self.here if cell is None else cell)
        if not set(own).isdisjoint(tiles):
            return True
        blocked = self._without("blocked", tiles)
        steps_from, profile = self.navigation.steps_from, rules_on(1, self.profile)
        ends = (steps_from(tile, profile, blocked=blocked) for tile in own if self.has(tile))
        return not all(each.keys().isdisjoint(tiles) for each in ends)

    def _stands_beside(self, tiles: Sequence[Cell]) -> list[Cell]:
        """Return the cells where the mover can stop and is beside some tiles."""
        tilemap, profile = self.navigation.tilemap, self.profile
        links = [each for row, col, _ in tiles for each in tilemap.links_in(Rect(row, col, 1, 1))]
        near = {*tiles, *(end for link in links for end in (link.start, link.end))}
        reach = max(1, profile.warp)
        shifts = list(itertools.product(range(1 - profile.size - reach, reach + 1), repeat=2))
        columns = {(row + down, col + right) for row, col, _ in near for down, right in shifts}
        known = filter(tilemap.has_cell, sorted(columns))
        cells = [Cell(*column, deck) for column in known for deck in tilemap.decks_at(column)]
        return [cell for cell in cells if self.can_stop(cell) and self.is_beside(tiles, cell)]

    def path_beside(self, tiles: Sequence[Cell], max_cost: float = math.inf) -> Path:
        """Return a path that ends beside some tiles, or on them, where a unit may stand.

        It is a cheapest one to the tiles as if they were free, if the mover can stop beside them on
        its way; else a cheapest one that ends beside them, if there is any.
        """
        free, goals = self.without(tiles), self.covering(tiles)
        path = free.find_path(goals, max_cost=max_cost)
        stop = next(filter(self.can_stop, reversed(path.cells)), None)
        if stop is not None and self.is_beside(tiles, stop):
            return path
        is_large = self.profile.size > 1
        if path or is_large or not any(map(free.can_stop, goals)):
            stands = self._stands_beside(tiles)
            if stands:
                return self.find_path(stands, max_cost=max_cost) or path
        return path

    def is_halting(self, cell: CellLike) -> bool:
        """Return whether a path has to end at a cell: the mover enters a halting tile there."""
        own = tiles_of(self.here, self.profile)
        entered = set(tiles_of(as_cell(cell), self.profile)).difference(own)
        return any(tile in self.halting for tile in entered)

    def can_stop(self, cell: CellLike) -> bool:
        """Return whether the mover may stop on a cell, by its ground and the other units."""
        if not self.has(cell) or self.is_taken(cell):
            return False
        graph = self.navigation.profile_graph(self.profile)
        return graph.can_stop_at(graph.nodes.of(cell))

    def steps_from(self, cell: CellLike) -> dict[Cell, float]:
        """Return each cell that is one step away from a cell, with the cost of the step."""
        if not self.has(cell):
            return {}
        return self.navigation.steps_from(cell, self.profile, blocked=self.blocked)

    def price(self, cells: Iterable[CellLike]) -> Route:
        """Return what given cells cost, step by step; see `Navigation.price`."""
        return self.navigation.price(cells, self.profile, blockers=self.blockers)

    def steps(self) -> dict[Cell, float]:
        """Return each cell that is one step away and where the mover may stop, with the cost."""
        ends = self.steps_from(self.here)
        return {end: cost for end, cost in ends.items() if self.can_stop(end)}

    def find_path(
        self,
        goal: CellLike | Sequence[CellLike],
        *,
        max_cost: float = math.inf,
        partial: bool = False,
    ) -> Path:
        """Return a cheapest path; see `Navigation.find_path`."""
        if not self.has(self.here):
            return Path.none(self.reason)
        goals = (
            [as_cell(goal)]
            if is_cell(goal)
            else [as_cell(each) for each in listed("goal", cast(Sequence[CellLike], goal))]
        )
        known = [each for each in goals if self.has(each)]
        if goals and not known:
            return Path.none(Reason("off_the_map", cell=goals[0]))
        return self.navigation.find_path(
            self.here,
            known[0] if len(known) == 1 else known,
            self.profile,
            max_cost=max_cost,
            partial=partial,
            blockers=self.blockers,
        )

    def reach(self, budget: float) -> Reach:
        """Return all cells that a budget reaches; see `Navigation.reach`."""
        if not self.has(self.here):
            nothing = np.zeros((0, 7), dtype=np.int64)
            return Reach(self.navigation.tilemap, budget, nothing, MILLION, self.reason)
        return self.navigation.reach(self.here, budget, self.profile, blockers=self.blockers)

    @property
    def reason(self) -> str:
        """Why no path leads from the mover's cell; "" if the map has the cell."""
        return "" if self.has(self.here) else Reason("ground_gone", cell=self.here)


@lru_cache(maxsize=64)
def rules_on(n_tiles: int, profile: MoveProfile) -> MoveProfile:
    """Return the rules of a mover on so many tiles: on one if the profile has another size."""
    return profile if profile.size**2 == n_tiles else replace(profile, size=1)


class Stay(Reason):
    """A reason to stay on purpose: the mover is where its behavior wants it.

    Any other text is a reason why a behavior cannot or need not act; `FirstOf` then asks the next.
    """


class Behavior(ABC):
    """Chooses the next cell of one mover, again and again.

    To write a behavior, implement `_choose`, and extend `advance` if it depends on time. A behavior
    keeps state about its mover, so each mover needs its own. It should not raise when the map or
    the other units change: without a cell to go to, the mover stays.
    """

    reason: str = ""
    """Why the mover stays, by the last answer, as a `Stay` if on purpose; "" if it moves on."""
    _parts: Sequence[Behavior | Replanning] = ()
    """All for which time passes as for the behavior."""

    def next_cell(self, situation: Situation) -> Cell | None:
        """Return the next cell: one step away, or a few steps if the mover cannot stop before.

        Returns
        -------
        Cell or None
            None if the mover stays; `reason` says why.

        Raises
        ------
        TypeError
            `_choose` returned neither a cell nor a reason.
        """
        choice = self._choose(instance_of("situation", situation, Situation))
        self.reason = choice if isinstance(choice, str) else ""
        return None if isinstance(choice, str) else as_cell(choice)

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass; any split of a time gives the same result."""
        number_within("dt_s", dt_s, 0)
        for part in self._parts:
            part.advance(dt_s)

    @abstractmethod
    def _choose(self, situation: Situation) -> CellLike | str:
        """Return the next cell, or the reason why the mover stays: a `Stay` if on purpose.

        `situation.steps()` returns the cells one step away where the mover may stop.
        """


class PlannedPath:
    """The path that a behavior follows from any of its cells, of which none is repeated."""

    def __init__(self, cells: Iterable[Cell] = ()) -> None:
        self.follow(cells)
        # The reasons why goals could not be reached, in this state of the situation.
        self._state: tuple[object, ...] | None = None
        self._reasons: dict[Cell, str] = {}

    def follow(self, cells: Iterable[Cell]) -> None:
        """Follow another path from now on."""
        self._cells = tuple(cells)
        self._place = {cell: number for number, cell in enumerate(self._cells)}
        self._version: int | None = None  # of the map when `towards` used it last

    @property
    def goal(self) -> Cell | None:
        """The last cell; None without a path."""
        return self._cells[-1] if self._cells else None

    def next_cell(self, situation: Situation) -> Cell | None:
        """Return the next cell where it may stop; None at the goal, off the path, or if blocked."""
        number = self._place.get(situation.here)
        if number is None:
            return None
        for start, end in itertools.pairwise(self._cells[number:]):
            if end not in situation.steps_from(start):
                return None
            if situation.can_stop(end):
                return end
        return None

    def towards(
        self, situation: Situation, goal: Cell, ends: Sequence[Cell] | None = None
    ) -> Cell | str:
        """Return the next cell on a path on which the mover covers a goal, or why there is none.

        With `ends` the path leads to the nearest of them instead.

        A cheapest path is searched if the current one leads elsewhere, is blocked, the map has
        changed, or the mover is not on it. A goal without a path is searched again only after
        something has changed.
        """
        version = situation.navigation.tilemap.version
        if self._version not in (None, version):
            self.follow(())
        self._version = version
        ends = situation.covering([goal]) if ends is None else ends
        cell = self.next_cell(situation) if self.goal in ends else None
        if cell is not None:
            return cell
        if self._state != situation.state:
            self._state, self._reasons = situation.state, {}
        if goal not in self._reasons:
            path = situation.find_path(ends or goal)
            self.follow(path)
            self._version = version
            cell = self.next_cell(situation)
            if cell is not None:
                return cell
            self._reasons[goal] = path.reason or Reason("is_there", cell=goal)
        return self._reasons[goal]


class Replanning:
    """Decides when a behavior plans again for goals that move.

    A plan is due if there is none, a goal is new or gone, or the map or whatever else has a version
    has changed; if a goal has moved more than `replan_tiles` since the last plan; and, if a goal
    has moved at all, after `replan_s`.

    Parameters
    ----------
    replan_tiles : number
        >= 0.
    replan_s : float, in seconds
        >= 0.
    """

    def __init__(self, replan_tiles: float, replan_s: float) -> None:
        self._replan_tiles = number_within("replan_tiles", replan_tiles, 0)
        self._replan_s = number_within("replan_s", replan_s, 0)
        self.goals: Sequence[Cell] = []
        """Where the goals were at the last plan; none before."""
        self._version = -1
        self._age_s = 0.0

    def advance(self, dt_s: float) -> None:
        """Let time pass, which counts for `replan_s`."""
        self._age_s += dt_s

    def record(
        self, situation: Situation, goals: Sequence[Cell], version: int | None = None
    ) -> None:
        """Record that a plan was made for goals; `version` is as in `is_due`."""
        self.goals, self._age_s = goals, 0.0
        self._version = situation.navigation.tilemap.version if version is None else version

    def is_due(
        self,
        situation: Situation,
        goals: Sequence[Cell],
        version: int | None = None,
        *,
        has_changed: bool = False,
        is_choice: bool = False,
    ) -> bool:
        """Return whether to plan again.

        Parameters
        ----------
        goals : sequence of Cell
            Where they are now.
        version : int, optional
            That of what the plan depends on beside the goals; of the map if not given.
        has_changed : bool
            Whether something has changed that counts like a goal that has moved.
        is_choice : bool
            Whether a moved goal counts at once, before `replan_s`.
        """
        tilemap = situation.navigation.tilemap
        version = tilemap.version if version is None else version
        if version != self._version or len(goals) != len(self.goals):
            return True
        distance, pairs = tilemap.grid.distance, zip(goals, self.goals, strict=True)
        if any(distance(now[:2], then[:2]) > self._replan_tiles for now, then in pairs):
            return True
        has_changed = has_changed or goals != self.goals
        return has_changed and (is_choice or self._age_s >= self._replan_s)


class FirstOf(Behavior):
    """Follow the first behavior that returns a cell or a `Stay`.

    All are asked in their order at every step, up to the first that answers with a cell or a
    `Stay`; so an earlier one takes over as soon as it can act. Behaviors that are not asked keep
    what they remember, and time passes for them too. If none acts, the reason joins all reasons.

    Parameters
    ----------
    *behaviors : Behavior
        At least one, the preferred first.
    """

    _parts: Sequence[Behavior]

    def __init__(self, *behaviors: Behavior) -> None:
        if not behaviors:
            raise ValueError("FirstOf needs at least 1 behavior, got none")
        self._parts = [instance_of("a behavior", each, Behavior) for each in behaviors]

    def _choose(self, situation: Situation) -> Cell | str:
        reasons = []
        for behavior in self._parts:
            choice = behavior.next_cell(situation) or behavior.reason
            if isinstance(choice, Cell | Stay):
                return choice
            reasons.append(choice)
        return join_reasons(reasons)


class While(Behavior):
    """Follow a behavior as long as a condition holds; otherwise stay.

    While the condition does not hold, the behavior is not asked: it keeps what it remembers, and
    time passes for it. Its reasons are passed on.

    Parameters
    ----------
    condition : callable
        Returns whether the behavior is followed; called without arguments before every step.
    """

    def __init__(self, condition: Callable[[], bool], behavior: Behavior) -> None:
        self._condition = checked_function("condition", condition, 0)
        self._behavior = instance_of("behavior", behavior, Behavior)
        self._parts = (self._behavior,)

    def _choose(self, situation: Situation) -> Cell | str:
        if not self._condition():
            return Reason("condition_fails")
        return self._behavior.next_cell(situation) or self._behavior.reason
