"""A unit: who it is, which cells it holds, and its pose on the way there."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ai.motion.motion import SPEED_TILES_S, Motion, Pose
from ai.motion.placement import point_on
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from terrain3d import Cell, Signal, TileMap
from terrain3d.core.checks import number_within, true_or_false
from terrain3d.grid.grid import CellLike, as_cell


def is_there(tilemap: TileMap, cell: Cell) -> bool:
    """Tell whether the map has the deck of a cell, which an edit may have taken away."""
    return tilemap.has_cell(cell)


@dataclass
class _Way:
    """Cells to walk along, and the motion over the ground as it was at a version of the map."""

    cells: tuple[Cell, ...]
    motion: Motion
    heading_deg: float
    version: int
    step_s: float | None


class Unit:
    """A mover with a name, a team and a place.

    The board changes `cell` at once when an order is given; the pose follows as time passes.

    Parameters
    ----------
    name, team : str
        Shown to people. Those of one team let each other pass.
    cell : cell
        Where it stands; checked by the board it is added to. If it covers several tiles, the
        north-west one.
    profile : MoveProfile
        How it moves.
    move : number
        What one order may cost, >= 0.
    speed_tiles_s : float
        How fast it walks, > 0.
    heading_deg : float
        Where it looks at first, -360..360; 0 is north, 90 west.
    has_zoc : bool
        Whether it has a zone of control: other teams end their moves where it could step next.

    Raises
    ------
    TypeError
        A value is not of the type said above.
    ValueError
        The move points, the speed or the heading are out of their limits.
    """

    move_started = Signal("cells")
    """It sets out along these cells."""
    step_finished = Signal("cell")
    """Its pose has come to a cell of its way."""
    move_finished = Signal("cell")
    """Its pose has come to the end of its way."""

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
    ) -> None:
        for what, text in (("name", name), ("team", team)):
            if not isinstance(text, str):
                raise TypeError(f"a unit's {what} must be text, got {text!r}")
        if profile is not None and not isinstance(profile, MoveProfile):
            raise TypeError(f"profile of {name} must be a MoveProfile, got {profile!r}")
        number_within("speed_tiles_s", speed_tiles_s, 0)
        if not (math.isfinite(speed_tiles_s) and speed_tiles_s > 0):
            raise ValueError(f"speed_tiles_s must be finite and > 0, got {speed_tiles_s!r}")
        self.name = name
        self.team = team
        self.profile = profile or MoveProfile()
        self.move = number_within("move", move, 0)
        self.speed_tiles_s = speed_tiles_s
        self.has_zoc = true_or_false(f"has_zoc of {name}", has_zoc)
        self._cell = as_cell(cell)
        self._heading_deg = number_within("heading_deg", heading_deg, -360, 360)
        self._tilemap: TileMap | None = None
        self._ways: deque[_Way] = deque()
        self._elapsed_s = 0.0
        self._steps_done = 0

    def __repr__(self) -> str:
        """Show the name, team and place."""
        return f"<Unit {self.name!r} of {self.team} on {self._cell}>"

    @property
    def cell(self) -> Cell:
        """The cell it holds; while it walks, the one it walks to."""
        return self._cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells it holds: more than one if it covers several tiles."""
        return tiles_of(self._cell, self.profile)

    @property
    def is_moving(self) -> bool:
        """Whether its pose is still on the way to its cell."""
        return bool(self._ways)

    @property
    def pose(self) -> Pose:
        """Where it is and looks at this moment; `RuntimeError` before it is on a board."""
        if self._ways:
            return self._current_way().motion.pose(self._elapsed_s)
        if self._tilemap is None:
            raise RuntimeError(f"{self!r} has no pose before a board has added it")
        return Pose(point_on(self._tilemap, self._cell, self.profile), self._heading_deg)

    def advance(self, dt_s: float) -> None:
        """Let `dt_s` seconds pass for its pose; any split of a time gives the same result.

        Raises
        ------
        ValueError
            `dt_s` is negative or not finite.
        """
        if not (math.isfinite(dt_s) and dt_s >= 0):
            raise ValueError(f"dt_s must be a finite number of seconds >= 0, got {dt_s!r}")
        # One step at a time, so that a listener finds the pose on the cell it hears of, and may
        # give orders or take them back there; then the rest of the time goes by.
        while self._ways:
            way = self._current_way()
            motion, cells = way.motion, way.cells
            if self._steps_done == len(cells) - 1:
                self._heading_deg = motion.pose(motion.duration_s).heading_deg
                self._ways.popleft()
                self._begin_way()
                self.move_finished.emit(cells[-1])
                continue
            end_s = motion.step_end_s(self._steps_done)
            if self._elapsed_s + dt_s < end_s:
                self._elapsed_s += dt_s
                return
            dt_s = max(0.0, dt_s - (end_s - self._elapsed_s))
            self._elapsed_s = end_s
            self._steps_done += 1
            self.step_finished.emit(cells[self._steps_done])

    @property
    def is_placed(self) -> bool:
        """Whether a board has put it on a map."""
        return self._tilemap is not None

    @property
    def heading_deg(self) -> float:
        """Where it will look when it has come to its cell."""
        if not self._ways:
            return self._heading_deg
        last = self._ways[-1].motion
        return last.pose(last.duration_s).heading_deg

    def leave(self) -> None:
        """Be on no board any more. Called by its board."""
        self._ways.clear()
        self._begin_way()
        self._tilemap = None

    def place(self, tilemap: TileMap, cell: Cell, heading_deg: float = 0.0) -> None:
        """Put it on a cell at once; ways it was on end. Called by its board."""
        self._ways.clear()
        self._begin_way()
        self._tilemap, self._cell, self._heading_deg = tilemap, cell, heading_deg

    def follow(self, cells: Sequence[Cell], step_s: float | None = None) -> None:
        """Take a way's last cell now and let the pose walk there. Called by its board.

        A way given while it walks begins where the one before ends. With `step_s` every step takes
        so long, and a cell that follows itself is a wait.
        """
        if self._tilemap is None:
            raise RuntimeError(f"{self!r} cannot walk before a board has added it")
        along, heading = tuple(cells), self.heading_deg
        motion = self._motion(self._tilemap, along, heading, step_s)
        self._ways.append(_Way(along, motion, heading, self._tilemap.version, step_s))
        self._cell = along[-1]
        self.move_started.emit(list(along))

    def _motion(
        self, tilemap: TileMap, cells: Sequence[Cell], heading_deg: float, step_s: float | None
    ) -> Motion:
        points = [point_on(tilemap, cell, self.profile) for cell in cells]
        is_warp = self.profile.warp > 0
        return Motion(points, self.speed_tiles_s, heading_deg, is_warp=is_warp, step_s=step_s)

    def _current_way(self) -> _Way:
        """Give the way it is on, over the ground as it is now."""
        way = self._ways[0]
        tilemap = self._tilemap
        if tilemap is not None and way.version != tilemap.version:
            step = min(self._steps_done, len(way.cells) - 2)
            part = way.motion.part_of_step(step, self._elapsed_s)
            way.motion = self._motion(tilemap, way.cells, way.heading_deg, way.step_s)
            way.version = tilemap.version
            self._elapsed_s = way.motion.time_in_step_s(step, part)
        return way

    def _begin_way(self) -> None:
        self._elapsed_s = 0.0
        self._steps_done = 0
