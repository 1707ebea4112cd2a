"""What a squad's planner is asked, as callers give it: checked, and as nodes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ai.navigation.navigation import Navigation
from ai.rules.profile import MoveProfile
from ai.squads.steps import Ints
from terrain3d import Cell
from terrain3d.core.checks import instance_of
from terrain3d.grid.grid import CellLike


class Reservation(NamedTuple):
    """A way that is settled already: a unit on the i-th cell at tick i, and then on the last one.

    The cells of a `Path` are such a way: it takes a step each tick.
    """

    cells: Sequence[CellLike]
    profile: MoveProfile


def profiles_of(profile: MoveProfile | Sequence[MoveProfile], n_units: int) -> list[MoveProfile]:
    """List the profiles that a caller gave, one for all or one a unit.

    Raises
    ------
    TypeError, ValueError
        One is none, or its units cover several tiles.
    """
    profiles = list(profile) if isinstance(profile, Iterable) else [profile] * n_units
    for each in profiles:
        if instance_of("a profile", each, MoveProfile).size > 1:
            raise ValueError(f"units of a squad cover 1 tile, got one of size {each.size}")
    return profiles


@dataclass(frozen=True)
class Request:
    """Units with their starts and goals, and who else is about.

    Parameters
    ----------
    starts, goals : tuple of Cell
    profiles : tuple of MoveProfile
        One a unit.
    walls : tuple of Cell
        Where others stand and stay.
    queued : tuple of (n_ticks,) int64
        Nodes of ways that are settled.
    queued_profiles : tuple of MoveProfile
    """

    starts: tuple[Cell, ...]
    goals: tuple[Cell, ...]
    profiles: tuple[MoveProfile, ...]
    walls: tuple[Cell, ...]
    queued: tuple[Ints, ...]
    queued_profiles: tuple[MoveProfile, ...]

    @classmethod
    def of(
        cls,
        navigation: Navigation,
        starts: Sequence[CellLike],
        goals: Sequence[CellLike],
        profile: MoveProfile | Sequence[MoveProfile],
        blocked: Iterable[CellLike],
        queued: Sequence[Reservation],
    ) -> "Request":
        """Check what was given; see `SquadPlanner.plan`."""
        for way in queued:
            instance_of("each queued way", way, Reservation)
        profiles = profiles_of(profile, len(starts))
        if not len(starts) == len(goals) == len(profiles):
            raise ValueError(
                f"got {len(starts)} starts, {len(goals)} goals and {len(profiles)} profiles"
            )
        profiles_of([way.profile for way in queued], len(queued))
        if not all(len(way.cells) for way in queued):
            raise ValueError("a queued way has no cells")
        as_cell = navigation.tilemap.cell
        nodes = navigation.profile_graph().nodes
        places = tuple(as_cell(cell) for cell in starts)
        ways = [[nodes.of(cell) for cell in way.cells] for way in queued]
        return cls(
            places,
            tuple(as_cell(cell) for cell in goals),
            tuple(profiles),
            tuple(sorted({as_cell(cell) for cell in blocked} - {*places})),
            tuple(np.array(way, dtype=np.int64) for way in ways),
            tuple(way.profile for way in queued),
        )

    @property
    def kinds(self) -> list[MoveProfile]:
        """All profiles, each once."""
        return list(dict.fromkeys([*self.profiles, *self.queued_profiles]))

    @property
    def aims(self) -> list[tuple[Cell, MoveProfile]]:
        """Where each unit wants to go, and who it is."""
        return list(zip(self.goals, self.profiles, strict=True))

    def crowding(self, navigation: Navigation) -> str:
        """Say which cell two units stand on, or would end on; "" if there is none."""
        cell_of = navigation.profile_graph().nodes.cell
        for cells, place, what in ((self.starts, 0, "stand"), (self.goals, -1, "end")):
            others = {cell_of(int(way[place])) for way in self.queued}
            counts = Counter(cells)
            twice = sorted(cell for cell in counts if counts[cell] > 1 or cell in others)
            if twice:
                return f"two units would {what} on {twice[0]}"
        return ""
