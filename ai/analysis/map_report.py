"""Report of a map check: problems of a map for a profile, and fixes."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.rules.profile import MoveProfile, checked_profile
from terrain3d import Cell, TileMap
from terrain3d.core.checks import instance_of
from terrain3d.core.wording import counted

KINDS = ("spawn", "island", "deck", "trap", "link")
"""The kinds of problems."""

CHOKE_POINT = "choke point"
"""The kind of a note."""

_SHOWN = 20


@dataclass(frozen=True)
class Fix:
    """A change of the map, or of the profile, that removes a problem.

    Parameters
    ----------
    text : str
        The change in words, as "lower (4, 7) by 1".
    edits : sequence of tuple
        Name and arguments of each call of `terrain3d.map.edit.Edit`; none if the profile changes.
    limits : sequence of (name, value)
        Fields of the profile with other values; none if the map changes.
    """

    text: str
    edits: tuple[tuple[Any, ...], ...] = ()
    limits: tuple[tuple[str, Any], ...] = ()

    def apply(self, tilemap: TileMap) -> None:
        """Carry out the edits on a map, as one undo entry."""
        with instance_of("tilemap", tilemap, TileMap).edit(self.text) as edit:
            for name, *arguments in self.edits:
                getattr(edit, name)(*arguments)

    def apply_to_profile(self, profile: MoveProfile) -> MoveProfile:
        """Return a profile with the other limits."""
        return replace(checked_profile(profile), **dict(self.limits))

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-like data."""
        edits = [list(edit) for edit in self.edits]
        return {"text": self.text, "edits": edits, "limits": dict(self.limits)}


@dataclass(frozen=True, eq=False, slots=True)  # there may be very many
class Finding:
    """A problem of a map, or a note on it.

    Parameters
    ----------
    kind : str
        For a problem one of `KINDS`, for a note `CHOKE_POINT`.
    where : (n, 3) int32
        Row, column and deck of its surfaces; read-only.
    size : int
        The number of its surfaces; of a choke point how many it cuts off.
    what : str
        What is wrong with the surfaces.
    fix : Fix, optional
        The smallest change found that removes it.
    """

    kind: str
    where: NDArray[np.int32]
    size: int
    what: str
    fix: Fix | None = None

    @property
    def key(self) -> tuple[str, bytes]:
        """What it is about; equal for an island that has become a trap."""
        return self.kind if self.kind in ("spawn", "link") else "region", self.where.tobytes()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The surfaces, in reading order."""
        return tuple(Cell(*row) for row in self.where.tolist())

    @property
    def text(self) -> str:
        """The problem in one line, with the first of its surfaces."""
        if self.kind == "link":
            return self.what
        first, n_more = Cell(*self.where[0].tolist()), len(self.where) - 1
        return f"{first}{f' and {n_more} more' * bool(n_more)} {self.what}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-like data."""
        fix = None if self.fix is None else self.fix.to_dict()
        cells = self.where.tolist()
        return {"kind": self.kind, "size": self.size, "text": self.text, "cells": cells, "fix": fix}


@dataclass(frozen=True)
class MapReport:
    """The problems of a map for one profile.

    Parameters
    ----------
    problems : sequence of Finding
        Spawns first, then the largest ones first.
    notes : sequence of Finding
        Choke points, those first that cut off the most.
    n_surfaces : int
        On how many surfaces the mover can stop.
    n_connected : int
        How many of them the largest region has, in which all reach each other.
    """

    problems: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    n_surfaces: int
    n_connected: int

    @property
    def is_sound(self) -> bool:
        """Whether the mover can stop somewhere and there are no problems."""
        return self.n_surfaces > 0 and not self.problems

    def with_fixes(self, fixes: list[Fix | None]) -> "MapReport":
        """Return the report with a fix, or None, for each of the first problems."""
        fixed = [replace(each, fix=fix) for each, fix in zip(self.problems, fixes, strict=False)]
        return replace(self, problems=(*fixed, *self.problems[len(fixed) :]))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-like data."""
        return {
            "sound": self.is_sound,
            "surfaces": self.n_surfaces,
            "connected": self.n_connected,
            "problems": [problem.to_dict() for problem in self.problems],
            "notes": [note.to_dict() for note in self.notes],
        }

    def __str__(self) -> str:
        """Return the report as text: a summary, the largest problems with fixes, the notes."""
        counts = Counter(problem.kind for problem in self.problems)
        found = [counted(counts[kind], kind) for kind in KINDS if counts[kind]]
        state = ", ".join(found) or ("sound" if self.n_surfaces else "the mover can stop nowhere")
        lines = [f"{self.n_connected} of {self.n_surfaces} surfaces are connected: {state}"]
        for findings in (self.problems, self.notes):
            for each in findings[:_SHOWN]:
                fix = f"; fix: {each.fix.text}" if each.fix is not None else ""
                lines.append(f"{each.kind}: {each.text}{fix}")
            if len(findings) > _SHOWN:
                lines.append(f"and {len(findings) - _SHOWN} more")
        return "\n".join(lines)
