"""A unit: its frozen state, its pose while it walks, and the units in the extras of a map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from ai.motion.motion import SPEED_TILES_S, Motion, Pose, heading_between, point_on
from ai.movers import BY_NAME, named
from ai.rules.footprint import tiles_of
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from terrain3d import Cell, Signal, TileMap
from terrain3d.core.checks import (
    finite_number,
    instance_of,
    number_within,
    positive_number,
    quoted,
    true_or_false,
    whole_within,
    with_whole_numbers,
)
from terrain3d.grid.grid import CellLike, as_cell

if TYPE_CHECKING:
    from ai.board.board import Board

MAX_SIGHT, SIGHT = 64, 8
"""The farthest that a unit can see in fog, and how far it does unless it is given, in tiles."""


class FrozenMap(Mapping[str, Any]):
    """A mapping that cannot change; lists in it are tuples, and mappings are such mappings."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - JSON-like
        """Return a value."""
        return self._values[name]

    def __setitem__(self, name: str, value: object) -> NoReturn:
        """Raise `TypeError`: it cannot change."""
        how = "with board.action(...) as action: action.set(unit, ...)"
        raise TypeError(f"{quoted(name)} is read-only here; to change stats write {how}")

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self._values)

    def __hash__(self) -> int:
        """Return a hash, equal for equal mappings."""
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        """Show the values."""
        return repr(self._values)


_MAX_WHOLE = 2**53
"""Whole numbers up to this are the same in every program that reads JSON."""

_MAX_DEPTH = 32
"""Of a game's data: a map file takes more, with the record around it."""


def json_like(name: str, value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - JSON, and of its type
    """Return JSON-like data that cannot change; `TypeError` or `ValueError` for other data."""
    if depth > _MAX_DEPTH:
        raise ValueError(f"{name} may be at most {_MAX_DEPTH} deep")
    match value:
        case None | str() | bool():
            return value
        case Mapping():
            for key in value:
                instance_of(f"a name in {name}", key, str)
            inside = {key: (f"{name}[{quoted(key)}]", value[key]) for key in value}
            return FrozenMap({key: json_like(*part, depth + 1) for key, part in inside.items()})
        case list() | tuple():
            parts = ((f"{name}[{number}]", part) for number, part in enumerate(value))
            return tuple(json_like(*part, depth + 1) for part in parts)
        case int() | np.integer():
            return whole_within(name, int(value), -_MAX_WHOLE, _MAX_WHOLE)
        case np.bool_():
            return bool(value)
        case float() | np.floating():
            return finite_number(name, float(value))
    what = "None, true or false, a number, text, a list or an object"
    raise TypeError(f"{name} must be {what}, got {quoted(value)}")


class UnitState(NamedTuple):
    """All that a game knows of a unit."""

    name: str
    team: str
    cell: Cell
    profile: MoveProfile
    move: float
    has_zoc: bool
    points: float | None
    """What it has left in its turn; None for all."""
    waiting: float
    heading_deg: float
    """Its heading on its cell, once it has arrived there."""
    speed_tiles_s: float
    wait: float
    sight: int
    stats: FrozenMap
    number: int = 0
    """How many units the board had been given before it, and itself; 0 on no board."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells it holds: more than one if it covers several tiles."""
        return tiles_of(self.cell, self.profile)

    @property
    def points_left(self) -> float:
        """The move points left in its turn."""
        return self.move if self.points is None else min(self.points, self.move)

    def with_points(self, left: float) -> UnitState:
        """Return the state with so many move points left."""
        return self._replace(points=left if left < self.move else None)

    def fresh(self, waiting: float = 0.0) -> UnitState:
        """Return the state with all of its points, at the begin of a wait."""
        return self._replace(points=None, waiting=waiting)


@dataclass
class Walk:
    """Cells to walk along, and what is done."""

    cells: tuple[Cell, ...]
    heading_deg: float
    step_s: float | None
    motion: Motion | None = None
    """Over the ground at a version of the map; None before a pose is asked for."""
    version: int = 0
    elapsed_s: float = 0.0
    steps_done: int = 0


CHECKS: Mapping[str, Callable[[str, Any], Any]] = MappingProxyType(
    {
        "team": partial(instance_of, kind=str),
        "profile": lambda name, value: checked_profile(value, name),
        "move": partial(number_within, low=0),
        "speed_tiles_s": positive_number,
        "has_zoc": true_or_false,
        "wait": positive_number,
        "sight": partial(whole_within, low=0, high=MAX_SIGHT),
        "heading_deg": partial(number_within, low=-360, high=360),
        "stats": lambda name, value: json_like(name, instance_of(name, value, Mapping)),
    }
)
"""The checks of values that may change on a board; each returns what is kept."""


def _value(name: str) -> Any:  # noqa: ANN401 - as declared
    """Return a property that may be assigned, also on a board, where it is an entry of the log."""

    def assign(unit: Unit, value: object) -> None:
        unit._change({name: CHECKS[name](name, value)})

    return property(attrgetter(f"state.{name}"), assign)


class Unit:
    """A mover with a name, a team and a cell.

    The board changes `cell` as soon as an order is given; the pose follows as time passes.

    Parameters
    ----------
    name : str
        Shown to players; the units of a board have different names.
    team : str
        Units of one team can pass each other.
    cell : cell
        Where it stands; the board checks it. The north-west tile of a unit that covers several.
    profile : MoveProfile
        Its rules of movement.
    move : number
        Its move points, >= 0: the highest cost of one order; on a board with turns, of its orders
        in one turn.
    speed_tiles_s : float
        Its walking speed, > 0.
    heading_deg : float
        Its first heading, -360..360; 0 is north, 90 west.
    has_zoc : bool
        Whether it has a zone of control: other teams end their moves on every tile that it would
        cover after one step, link or warp.
    wait : number
        On a board with ``turns="wait"``, the time from one of its turns to the next if it spends no
        points, > 0; each point that it spends adds 1.
    sight : int
        On a board with ``fog=True``, how many tiles far it sees, 0..64.
    stats : mapping, optional
        What a game knows of it, such as ``{"hp": 12}``: JSON-like, with finite numbers.

    Raises
    ------
    TypeError
        A value has another type than listed above, also one that is assigned later.
    ValueError
        The move points, the speed or the heading is out of its limits.
    """

    move_started = Signal("cells")
    """The unit starts to walk along these cells."""
    step_finished = Signal("cell")
    """Its pose has reached a cell of its path."""
    move_finished = Signal("cell")
    """Its pose has reached the end of its path."""

    state: UnitState
    """What its board knows of it; replaced when it changes."""
    _board: Board | None = None
    _walks: tuple[Walk, ...] = ()
    """The walk that it is on, and those that follow it."""
    _last_pose: Pose | None = None
    _stood: tuple[object, Pose] = None, Pose((0.0, 0.0, 0.0), 0.0)
    """Its pose where it stands, and all that it depends on."""

    def __init__(
        self,
        name: str,
        cell: CellLike,
        team: str = "blue",
        profile: MoveProfile | None = None,
        move: float = 5,
        speed_tiles_s: float = SPEED_TILES_S,
        *,
        heading_deg: float = 0.0,
        has_zoc: bool = False,
        wait: float = 10,
        sight: int = SIGHT,
        stats: Mapping[str, Any] | None = None,
    ) -> None:
        usual = MoveProfile() if profile is None else profile
        values = {"team": team, "profile": usual, "move": move, "has_zoc": has_zoc, "wait": wait}
        values |= {"speed_tiles_s": speed_tiles_s, "sight": sight, "heading_deg": heading_deg}
        values["stats"] = {} if stats is None else stats
        self.state = UnitState(
            name=instance_of("a unit's name", name, str),
            cell=as_cell(cell),
            points=None,
            waiting=0.0,
            **{each: CHECKS[each](each, value) for each, value in values.items()},
        )

    @classmethod
    def _of(cls, state: UnitState) -> Unit:
        """Return a unit with a state."""
        unit = object.__new__(cls)
        unit.state = state
        return unit

    def _twin(self) -> Unit:
        """Return a unit in the same state, with what a subclass keeps."""
        made = type(self)._of(self.state)
        vars(made).update(self.__getstate__(), state=self.state)
        return made

    team: str = _value("team")
    profile: MoveProfile = _value("profile")
    move: float = _value("move")
    speed_tiles_s: float = _value("speed_tiles_s")
    has_zoc: bool = _value("has_zoc")
    wait: float = _value("wait")
    sight: int = _value("sight")
    heading_deg: float = _value("heading_deg")

    def __repr__(self) -> str:
        """Show the name, team and cell."""
        return f"<Unit {self.name!r} of {self.team} on {self.cell}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the state to copy or pickle: that of a unit which its board has removed.

        Listeners to its signals follow the original.
        """
        kept = {name: each for name, each in vars(self).items() if not isinstance(each, Signal)}
        left = {"state": self.state.fresh()._replace(number=0), "_board": None, "_walks": ()}
        return kept | left | {"_last_pose": self._pose_or_none, "_stood": Unit._stood}

    @property
    def name(self) -> str:
        """Its name; it cannot change on a board, whose units have different names."""
        return self.state.name

    @name.setter
    def name(self, name: str) -> None:
        if self.is_placed:
            raise ValueError(f"the name of {self.name} cannot change while it is on a board")
        self.state = self.state._replace(name=instance_of("a unit's name", name, str))

    @property
    def stats(self) -> Mapping[str, Any]:
        """What the game knows of it, read-only; `Board.action` changes it."""
        return self.state.stats

    @property
    def cell(self) -> Cell:
        """The cell it holds or walks to; `Board.move` and `Action.place` change it."""
        return self.state.cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells it holds: more than one if it covers several tiles."""
        return self.state.cells

    @property
    def points(self) -> float:
        """The move points left in this turn; moves and `Action.spend` take them."""
        return self.state.points_left

    @property
    def waiting(self) -> float:
        """Its waiting time on a board with ``turns="wait"``; the unit with the least acts."""
        return self.state.waiting

    def _change(self, values: dict[str, Any]) -> None:
        """Take checked values, by its board if it is on one."""
        if self._board is None:
            self.state = self.state._replace(**values)
        else:
            self._board._assign(self.state, values)

    @property
    def is_moving(self) -> bool:
        """Whether its pose has not reached its cell yet."""
        return bool(self._walks)

    @property
    def pose(self) -> Pose:
        """Its position and heading now; the last ones once its board has removed it.

        Raises
        ------
        RuntimeError
            It has not been on a board.
        """
        pose = self._pose_or_none
        if pose is None:
            raise RuntimeError(f"{self!r} has no pose before a board has added it")
        return pose

    @property
    def _pose_or_none(self) -> Pose | None:
        if self._walks:
            walk, motion = self._current_walk()
            return motion.pose(walk.elapsed_s)
        if self._board is None:
            return self._last_pose
        tilemap, state = self._board.tilemap, self.state
        wanted = tilemap, state.cell, state.profile, tilemap.version, state.heading_deg
        if wanted != self._stood[0]:  # every frame reads it
            self._stood = wanted, Pose(point_on(*wanted[:3]), state.heading_deg)
        return self._stood[1]

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass for its pose; any split of a time gives the same result."""
        finite_number("dt_s", dt_s, 0)
        # One step at a time: a listener finds the pose on the cell that a signal names, and may
        # give or undo orders there before the rest of the time passes.
        while self._walks:
            walk, motion = self._current_walk()
            cells = walk.cells
            if walk.steps_done == len(cells) - 1:
                self._walks = self._walks[1:]
                self.move_finished.emit(cells[-1])
                continue
            end_s = motion.step_end_s(walk.steps_done)
            if walk.elapsed_s + dt_s < end_s:
                walk.elapsed_s += dt_s
                return
            dt_s = max(0.0, dt_s - (end_s - walk.elapsed_s))
            walk.elapsed_s = end_s
            walk.steps_done += 1
            self.step_finished.emit(cells[walk.steps_done])

    @property
    def is_placed(self) -> bool:
        """Whether a board has put it on a map."""
        return self._board is not None

    def _enter(self, board: Board, state: UnitState) -> None:
        """Stand on the map of a board."""
        vars(self).update(_board=board, _walks=(), state=state)

    def _leave(self) -> None:
        """Leave the map, and keep the pose."""
        last = self._pose_or_none
        vars(self).update(_last_pose=last, _walks=(), _board=None)
        self.state = self.state.fresh()._replace(number=0)

    def _stand(self) -> None:
        """Be on its cell at once, wherever it walks."""
        self._walks = ()

    def _walk(self, cells: tuple[Cell, ...], heading_deg: float, step_s: float | None) -> None:
        """Walk along cells after the walks before, from a heading.

        With `step_s` every step takes that many seconds, and a repeated cell is a wait.
        """
        self._walks = (*self._walks, Walk(cells, heading_deg, step_s))
        self.move_started.emit(list(cells))

    def _current_walk(self) -> tuple[Walk, Motion]:
        """Return the current walk, and its motion over the ground as it is now."""
        walk, board = self._walks[0], self._board
        assert board is not None
        if walk.motion is None or walk.version != board.tilemap.version:
            old, walk.version = walk.motion, board.tilemap.version
            points = [point_on(board.tilemap, cell, self.profile) for cell in walk.cells]
            walk.motion = Motion(
                points,
                self.speed_tiles_s,
                walk.heading_deg,
                is_warp=self.profile.warp > 0,
                step_s=walk.step_s,
            )
            if old is not None:
                step = min(walk.steps_done, len(walk.cells) - 2)
                part = old.part_of_step(step, walk.elapsed_s)
                walk.elapsed_s = walk.motion.time_in_step_s(step, part)
        return walk, walk.motion


def heading_after(tilemap: TileMap, cells: tuple[Cell, ...], heading_deg: float) -> float:
    """Return the heading of a unit that has walked along cells: that of the last step ahead."""
    center = tilemap.grid.center
    for number in range(len(cells) - 1, 0, -1):
        start, end = (Cell(*cell[:2]) for cell in cells[number - 1 : number + 1])
        ahead = heading_between(center(start), center(end))
        if ahead is not None:
            return ahead
    return heading_deg


EXTRA = "units"
"""The name in `TileMap.extras` under which a map carries its units."""


def units_of(tilemap: TileMap) -> list[Unit]:
    """Return the units in the extras of a map, in their order; none if it carries none.

    Raises
    ------
    TypeError, ValueError, IndexError
        An entry is no unit, or its cell is not on the map; the text says which entry.
    """
    units = []
    for number, entry in enumerate(instance_of(EXTRA, tilemap.extras.get(EXTRA, []), list)):
        try:
            unit = unit_of(entry)
            tilemap.cell(unit.cell)
        except (IndexError, TypeError, ValueError) as error:
            raise type(error)(f"{EXTRA}[{number}]: {error}") from None
        units.append(unit)
    return units


def unit_of(entry: Any, rules: MoveProfile = DEFAULT_PROFILE) -> Unit:  # noqa: ANN401 - JSON-like
    """Return the unit of an entry.

    Parameters
    ----------
    entry : mapping
        `name`, `cell` and, if it likes, other parameters of `Unit`; instead of `profile` a `mover`,
        a name in `ai.movers.BY_NAME`. Fields with other names are left alone.
    rules : MoveProfile
        That of an entry without a mover. Movers have its limits and costs where they set none.

    Raises
    ------
    TypeError, ValueError
        It is none, or has a wrong value.
    """
    instance_of("it", entry, Mapping)
    for field in ("name", "cell"):
        if field not in entry:
            raise ValueError(f"it has no {field}")
    mover = entry.get("mover")
    profile = rules if mover is None else named(instance_of("mover", mover, str), rules)
    if profile is None:
        raise ValueError(f"mover must be one of {', '.join(BY_NAME)}, got {quoted(mover)}")
    names = [name for name in CHECKS if name in entry and name != "profile"]
    values = {name: with_whole_numbers(entry[name]) for name in names}
    return Unit(entry["name"], with_whole_numbers(entry["cell"]), profile=profile, **values)
