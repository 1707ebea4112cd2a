"""A unit: its name, team, rules and cell, and its pose while it walks."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ai.motion.motion import SPEED_TILES_S, Motion, Pose, point_on
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile, checked_profile
from terrain3d import Cell, Signal, TileMap
from terrain3d.core.checks import (
    checked,
    finite_number,
    instance_of,
    number_within,
    positive_number,
    true_or_false,
)
from terrain3d.grid.grid import CellLike, as_cell

_NOWHERE: tuple[object, Pose] = None, Pose((0.0, 0.0, 0.0), 0.0)


@dataclass
class _Walk:
    """Cells to walk along, the motion over the ground at a version of the map, and what is done."""

    cells: tuple[Cell, ...]
    motion: Motion
    heading_deg: float
    version: int
    step_s: float | None
    elapsed_s: float = 0.0
    steps_done: int = 0
    facing_deg: float | None = None
    """The heading that it turns to at the end; None for that of the last step."""

    @property
    def end_heading_deg(self) -> float:
        """The heading at the end."""
        last = self.motion.pose(self.motion.duration_s)
        return last.heading_deg if self.facing_deg is None else self.facing_deg


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
        cover after one step, leap, link or warp.
    wait : number
        On a board with ``turns="wait"``, the time from one of its turns to the next if it spends no
        points, > 0; each point that it spends adds 1.

    Raises
    ------
    TypeError
        A value has another type than listed above; so does assigning such a value later.
    ValueError
        The move points, the speed or the heading is out of its limits.
    """

    move_started = Signal("cells")
    """The unit starts to walk along these cells."""
    step_finished = Signal("cell")
    """Its pose has reached a cell of its path."""
    move_finished = Signal("cell")
    """Its pose has reached the end of its path."""

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
    ) -> None:
        self._name = instance_of("a unit's name", name, str)
        self.team = team
        self.profile = MoveProfile() if profile is None else profile
        self.move = move
        self.speed_tiles_s = speed_tiles_s
        self.has_zoc = has_zoc
        self.wait = wait
        self._cell = as_cell(cell)
        self._heading_deg = number_within("heading_deg", heading_deg, -360, 360)
        self._tilemap: TileMap | None = None
        self._last_pose: Pose | None = None
        self._walks: deque[_Walk] = deque()
        self._stood = _NOWHERE
        self.allot(None, 0.0)

    team: str = checked(partial(instance_of, kind=str))
    profile: MoveProfile = checked(lambda name, value: checked_profile(value, name))
    move: float = checked(partial(number_within, low=0))
    speed_tiles_s: float = checked(positive_number)
    has_zoc: bool = checked(true_or_false)
    wait: float = checked(positive_number)

    def __repr__(self) -> str:
        """Show the name, team and cell."""
        return f"<Unit {self.name!r} of {self.team} on {self._cell}>"

    def __getstate__(self) -> dict[str, object]:
        """Return the state to copy or pickle: that of a unit which its board has removed."""
        own = {name: part for name, part in vars(self).items() if not isinstance(part, Signal)}
        own |= {"_tilemap": None, "_stood": _NOWHERE, "_walks": deque()}
        last = self.pose if self.is_placed else self._last_pose
        return {**own, "_last_pose": last, "_points": None, "_waiting": 0.0}

    @property
    def name(self) -> str:
        """Its name; it cannot change on a board, whose units have different names."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        if self.is_placed:
            raise ValueError(f"the name of {self._name} cannot change while it is on a board")
        self._name = instance_of("a unit's name", name, str)

    @property
    def cell(self) -> Cell:
        """The cell it holds; while it walks, the cell it walks to."""
        return self._cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells it holds: more than one if it covers several tiles."""
        return tiles_of(self._cell, self.profile)

    @property
    def points(self) -> float:
        """The move points it has left in this turn; all of them on a board without turns."""
        return self.move if self._points is None else min(self._points, self.move)

    @property
    def waiting(self) -> float:
        """Its waiting time on a board with ``turns="wait"``; the unit with the least acts."""
        return self._waiting

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
        if self._walks:
            walk = self._current_walk()
            return walk.motion.pose(walk.elapsed_s)
        if self._tilemap is None and self._last_pose is not None:
            return self._last_pose
        if self._tilemap is None:
            raise RuntimeError(f"{self!r} has no pose before a board has added it")
        wanted = self._tilemap, self._cell, self.profile, self._tilemap.version, self._heading_deg
        if wanted != self._stood[0]:  # every frame reads it
            self._stood = wanted, Pose(point_on(*wanted[:3]), self._heading_deg)
        return self._stood[1]

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass for its pose; any split of a time gives the same result.

        Raises
        ------
        TypeError, ValueError
            `dt_s` is not a number, or is negative or not finite.
        """
        finite_number("dt_s", dt_s, 0)
        # One step at a time: a listener finds the pose on the cell that a signal names, and may
        # give or undo orders there before the rest of the time passes.
        while self._walks:
            walk = self._current_walk()
            motion, cells = walk.motion, walk.cells
            if walk.steps_done == len(cells) - 1:
                self._heading_deg = walk.end_heading_deg
                self._walks.popleft()
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
        return self._tilemap is not None

    @property
    def heading_deg(self) -> float:
        """Its heading on its cell, once it has arrived there."""
        return self._walks[-1].end_heading_deg if self._walks else self._heading_deg

    def allot(self, points: float | None, waiting: float) -> None:
        """Set what it has left in its turn, None for all, and its waiting time. For its board."""
        self._points, self._waiting = points, waiting

    def leave(self) -> None:
        """Leave the map. Called by its board."""
        self._last_pose = self.pose
        self._walks.clear()
        self.allot(None, 0.0)
        self._tilemap = None

    def place(self, tilemap: TileMap, cell: Cell, heading_deg: float = 0.0) -> None:
        """Put it on a cell at once and end its walks. Called by its board."""
        self._walks.clear()
        self._tilemap, self._cell, self._heading_deg = tilemap, cell, heading_deg

    def turn(self, heading_deg: float) -> None:
        """Turn on its cell, once it has arrived there. Called by its board."""
        if self._walks:
            self._walks[-1].facing_deg = heading_deg
        else:
            self._heading_deg = heading_deg

    def follow(self, cells: Sequence[Cell], step_s: float | None = None) -> None:
        """Hold the last of some cells from now on, and walk there. Called by its board.

        While it walks, the new walk begins at the end of the one before. With `step_s` every step
        takes that many seconds, and a repeated cell is a wait.
        """
        if self._tilemap is None:
            raise RuntimeError(f"{self!r} cannot walk before a board has added it")
        along, heading = tuple(cells), self.heading_deg
        motion = self._motion(self._tilemap, along, heading, step_s)
        self._walks.append(_Walk(along, motion, heading, self._tilemap.version, step_s))
        self._cell = along[-1]
        self.move_started.emit(list(along))

    def _motion(
        self, tilemap: TileMap, cells: Sequence[Cell], heading_deg: float, step_s: float | None
    ) -> Motion:
        points = [point_on(tilemap, cell, self.profile) for cell in cells]
        is_warp = self.profile.warp > 0
        return Motion(points, self.speed_tiles_s, heading_deg, is_warp=is_warp, step_s=step_s)

    def _current_walk(self) -> _Walk:
        """Return the current walk, with its motion over the ground as it is now."""
        walk = self._walks[0]
        tilemap = self._tilemap
        if tilemap is not None and walk.version != tilemap.version:
            step = min(walk.steps_done, len(walk.cells) - 2)
            part = walk.motion.part_of_step(step, walk.elapsed_s)
            walk.motion = self._motion(tilemap, walk.cells, walk.heading_deg, walk.step_s)
            walk.version = tilemap.version
            walk.elapsed_s = walk.motion.time_in_step_s(step, part)
        return walk
