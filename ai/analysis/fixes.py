"""Find the smallest change of a map, or of the profile, that removes a problem.

Changes of a map open a wall, which counts 1, or set the level of a surface, which counts the
difference. Ground that the mover cannot use may get another kind as well, which counts 1 more.
Levels are tried at which a step, or the room above a surface, becomes legal or illegal. Of equally
large changes walls come first, then levels. Only if no such change helps, limits of the profile are
raised, the least first, and at last a link is added.

Each change is tried out on a copy of the map: it has to remove the problem and may not bring a new
one. Only changes near a gap are tried: near what leads there, and near what leads on from there.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ai.analysis.map_check import Finding, Fix, MapReport, Snapshot
from ai.rules.footprint import tiles_of
from ai.rules.profile import MoveProfile
from ai.rules.step_rule import StepRule
from ai.search.landmarks import Progress
from terrain3d import Cell, Rect, TileMap
from terrain3d.grid.columns import MAX_LEVEL
from terrain3d.grid.reason import Reason

MAX_TRIES = 4096
"""How many edits are tried for each problem."""

_MIN_CHECKED, _CHECKED_NODES = 40, 2**18  # how many of them in whole checks, and nodes in these
_MOST_LEVELS = 3
_STARTS = 16

Mask = NDArray[np.bool_]
Nodes = NDArray[np.int64]

Look = Callable[[MoveProfile], Snapshot]
"""Reads the copy of the map as it is now, for a profile."""


class _Gap(NamedTuple):
    """What parts a region from the one that it should reach, and be reached from."""

    missing: list[tuple[Mask, Mask]]
    """For each missing direction, (n_nodes,) what leads to the gap, and on from behind it."""
    small: list[Nodes]
    """The surfaces of each of the two regions that are all under one mover."""


class FixSearch:
    """Looks for changes that remove the problems of a report.

    `rule` and `snapshot` are those of the report; `draft` is a copy of the map to try changes on,
    which `look` reads.
    """

    def __init__(
        self, report: MapReport, rule: StepRule, snapshot: Snapshot, draft: TileMap, look: Look
    ) -> None:
        self._problems, self._known = report.problems, {each.key for each in report.problems}
        self._rule, self._snapshot, self._draft, self._look = rule, snapshot, draft, look
        ends = [each for link in draft.links for each in (link.start, link.end)]
        record = np.array(ends, dtype=np.int64).reshape(-1, 3)
        self._links = rule.nodes.of_record(record).reshape(-1, 2)

    def find(self, count: int, progress: Progress | None = None) -> list[Fix | None]:
        """Return the smallest change for each of the first problems; None if none is found."""
        fixes: list[Fix | None] = []
        problems = self._problems[:count]
        for problem in problems:
            fixes.append(self._smallest(problem))
            if progress is not None:
                progress(len(fixes), len(problems))
        return fixes

    def _smallest(self, problem: Finding) -> Fix | None:
        nodes = self._rule.nodes.of_record(problem.where)
        if problem.kind != "link" and self._snapshot.stops[nodes[0]]:
            return self._joining(problem, int(self._snapshot.regions.label[nodes[0]]))
        last = []
        if problem.kind == "link":
            nodes = nodes[~self._rule.can_arrive(nodes)]
            start, end = problem.cells
            remove = "remove_link", start, end
            last = [Fix(f"remove the link from {start} to {end}", (remove,))]
        return self._first(problem, self._edits(self._tiles_under(nodes), nodes), last)

    def _joining(self, problem: Finding, region: int) -> Fix | None:
        """Return the smallest change that joins a region to the one that it is cut off from."""
        regions, stops = self._snapshot.regions, self._snapshot.stops
        home = self._snapshot.spawn_home() if problem.kind == "spawn" else regions.largest
        there, here = regions.around(home), regions.around(region)
        missing = []
        if not there.is_reached[region]:
            missing.append((there.is_reached[regions.label], here.returns[regions.label]))
        if not there.returns[region]:
            missing.append((here.is_reached[regions.label], there.returns[regions.label]))
        own, other = (np.flatnonzero((regions.label == each) & stops) for each in (region, home))
        small = [part for part in (own, other) if self._extent(part) <= self._rule.profile.size]
        columns = np.logical_and.reduce([self._near(mask) for masks in missing for mask in masks])
        for part in small:
            columns |= self._tiles_under(part)
        last = self._other_changes(own, other)
        return self._first(problem, self._edits(columns, own), last, _Gap(missing, small))

    def _first(
        self, problem: Finding, edits: Iterable[Fix], last: Iterable[Fix], gap: _Gap | None = None
    ) -> Fix | None:
        """Return the first change that removes a problem and brings no other one."""
        n_left = max(_MIN_CHECKED, _CHECKED_NODES // len(self._snapshot.stops))
        for fix in itertools.islice(edits, MAX_TRIES):
            is_removed = self._removes(fix, problem, gap)
            if is_removed:
                return fix
            n_left -= is_removed is not None
            if not n_left:
                break
        return next((fix for fix in last if self._removes(fix, problem)), None)

    def _removes(self, fix: Fix, problem: Finding, gap: _Gap | None = None) -> bool | None:
        """Return whether a change removes a problem and brings no other one.

        None, without a check, if the map or profile cannot be so, or it leads over no gap.
        """
        draft, profile = self._draft, self._rule.profile
        version = draft.version
        try:
            try:
                fix.apply(draft)
                now = self._look(fix.apply_to_profile(profile) if fix.limits else profile)
            except (ValueError, IndexError):
                return None
            if gap is not None and not self._may_help(fix, gap, now):
                return None
            left = (each.key for each in now.problems())
            return all(key in self._known and key != problem.key for key in left)
        finally:
            if draft.version != version:
                draft.undo()

    def _may_help(self, fix: Fix, gap: _Gap, now: Snapshot) -> bool:
        """Return whether steps near a change lead into each gap and out of it, or a region is gone.

        A path over the gap has a first step off what leads there, and a last one to what leads on.
        """
        if self._rule.profile.warp:  # its edges are too many to look through
            return True
        row, col, _ = fix.edits[0][1]
        reach = self._rule.profile.size + 1
        rect = Rect(row, col, 1, 1).grown(reach, self._draft.rows, self._draft.cols)
        near = self._rule.nodes.in_rect(rect, self._snapshot.shape[0])
        linked = self._links[np.isin(self._links, near).any(axis=1)]
        source, target = now.graph.edges_out(np.union1d(near, linked))
        return all(
            (before[source] & ~before[target]).any() and (behind[target] & ~behind[source]).any()
            for before, behind in gap.missing
        ) or any(not now.stops[part].any() for part in gap.small)

    def _near(self, mask: Mask) -> Mask:
        """(rows, cols) tiles where an edit can change a step from or to nodes of a mask."""
        both = mask.copy()
        both[self._links[mask[self._links].any(axis=1)]] = True
        reach = max(self._rule.profile.size, self._rule.profile.warp)
        columns: Mask = np.asarray(both.reshape(self._snapshot.shape).any(axis=0))
        for axis in range(2):
            width = [(reach, reach) if each == axis else (0, 0) for each in range(2)]
            wide = np.pad(columns, width)
            windows = sliding_window_view(wide, 2 * reach + 1, axis=axis)
            columns = np.asarray(windows.any(axis=-1))
        return columns

    def _tiles_under(self, nodes: Nodes) -> Mask:
        """(rows, cols) tiles under a mover on some nodes."""
        mask = np.zeros(self._snapshot.shape[1:], dtype=np.bool_)
        for node in nodes.tolist():
            for row, col, _ in tiles_of(self._cell(node), self._rule.profile):
                mask[row : row + 1, col : col + 1] = True  # it may reach off the map
        return mask

    def _extent(self, nodes: Nodes) -> int:
        """Return over how many rows or columns some nodes extend."""
        places = np.stack(np.unravel_index(nodes, self._snapshot.shape))
        return 1 + int(np.ptp(places[1:], axis=1).max())

    def _edits(self, columns: Mask, own: Nodes) -> Iterator[Fix]:
        """Yield edits in some columns, the smallest first; of equal ones first those of `own`."""
        draft, nodes, is_own = self._draft, self._rule.nodes, {*own.tolist()}
        for wall in draft.walls:
            if columns[wall.start[:2]] or columns[wall.end[:2]]:
                ends = wall.start, wall.end
                if not wall.one_way and nodes.of(wall.start) in is_own:
                    ends = wall.end, wall.start
                text = Reason("open_wall", start=ends[0], end=ends[1])
                yield Fix(text, (("remove_wall", *ends),))
        stops = self._rule.footprint.kind_stop[draft.surface_kind]
        exists = columns & ~draft.surface_void
        exists[0] |= columns  # void can get ground
        found = []
        for deck, row, col in np.argwhere(exists).tolist():
            cell, level = Cell(row, col, deck), int(draft.surface_level[deck, row, col])
            away = self._levels(cell) - level
            rank = deck, row, col
            is_other = nodes.of(cell) not in is_own
            if not draft.surface_void[rank]:
                found += [(abs(by), False, is_other, rank, by) for by in away.tolist() if by]
            if not stops[rank]:
                found += [(1 + abs(by), True, is_other, rank, by) for by in away.tolist()]
        for _, is_paint, _, (deck, row, col), by in sorted(found):
            cell = Cell(row, col, deck)
            level = int(draft.surface_level[deck, row, col]) + by
            if not is_paint:
                text = Reason("lower" if by < 0 else "raise", cell=cell, levels=abs(by))
                yield Fix(text, (("set_level", cell, level),))
            elif (kind := self._kind_for(cell)) is not None:
                yield _painted(cell, kind, level if by else None)

    def _levels(self, cell: Cell) -> NDArray[np.int64]:
        """(n,) levels to try for a surface, and its own level.

        From the others on, on the way from its own, a step becomes legal, or the room above a
        surface, or for a large mover another one.
        """
        draft, profile, reach = self._draft, self._rule.profile, self._rule.profile.size
        rows = slice(max(0, cell.row - reach), cell.row + reach + 1)
        near = np.s_[:, rows, max(0, cell.col - reach) : cell.col + reach + 1]
        exists, level = ~draft.surface_void[near], draft.surface_level[near].astype(np.int64)
        under = (level - draft.surface_thickness[near])[1:][exists[1:]] - profile.headroom
        own, level = draft.level_at(cell), level[exists]
        over = level + profile.headroom + draft.surface_thickness[cell.deck, cell.row, cell.col]
        by_tile = {-profile.size_tolerance, profile.size_tolerance} if profile.size > 1 else ()
        room = under, over if cell.deck else over[:0], *(level + by for by in by_tile)
        ends = [part + by for part in room for by in (-1, 0, 1)]
        limits = profile.max_climb, profile.max_drop
        lower = np.concatenate([*ends, *(level + limit for limit in limits)])
        upper = np.concatenate([*ends, *(level - limit for limit in limits)])
        tried = np.unique(np.concatenate([[own], lower[lower < own], upper[upper > own]]))
        return tried[(tried >= 0) & (tried <= MAX_LEVEL)]

    def _kind_for(self, cell: Cell) -> str | None:
        """Return a kind on which the mover can stop, as beside a surface if possible."""
        draft = self._draft
        beside = (
            int(draft.surface_kind[deck, row, col])
            for row, col, _ in draft.grid.neighbors(cell[:2])
            for deck in draft.decks_at((row, col))
        )
        usable = np.flatnonzero(self._rule.footprint.kind_stop[: len(draft.kinds)]).tolist()
        kind = next((each for each in (*beside, *usable) if each in usable), None)
        return None if kind is None else draft.kinds[kind].name

    def _other_changes(self, own: Nodes, other: Nodes) -> Iterator[Fix]:
        """Yield profiles that climb or drop some levels more, the fewest first, then a link."""
        mover = self._rule.profile
        now = {"max_climb": mover.max_climb, "max_drop": mover.max_drop}
        for total in range(1, _MOST_LEVELS + 1 if not (mover.can_fly or mover.warp) else 1):
            for drop in range(total + 1):
                more = {"max_climb": total - drop, "max_drop": drop}
                limits = tuple((name, now[name] + by) for name, by in more.items() if by)
                max_climb, max_drop = now.values()
                climb = Reason("more_climb", limit=max_climb + total - drop, now=max_climb)
                fall = Reason("more_drop", limit=max_drop + drop, now=max_drop)
                both = Reason("more_climb_and_drop", climb=climb, drop=fall)
                text = both if len(limits) > 1 else fall if drop else climb
                yield Fix(text, limits=limits)
        # Between the nearest pair of some surfaces of the region and of the other one.
        some = own[np.unique(np.linspace(0, len(own) - 1, _STARTS).astype(np.int64))]
        pairs = [(self._nearest(own, end), end) for end in (self._nearest(other, n) for n in some)]
        pair = min(pairs, key=lambda pair: self._distances(np.array(pair[:1]), pair[1])[0])
        start, end = map(self._cell, pair)
        text = Reason("new_link", start=start, end=end)
        yield Fix(text, (("add_link", start, end, 1),))

    def _nearest(self, nodes: Nodes, node: int) -> int:
        """Return which of some nodes lies nearest to another."""
        return int(nodes[self._distances(nodes, node).argmin()])

    def _distances(self, nodes: Nodes, node: int) -> NDArray[np.int64]:
        """(n,) rows, columns and decks between some nodes and another, added up."""
        away = np.stack(np.unravel_index(nodes, self._snapshot.shape), axis=1)
        distances: NDArray[np.int64] = np.abs(
            away - np.unravel_index(node, self._snapshot.shape)
        ).sum(axis=1)
        return distances

    def _cell(self, node: int) -> Cell:
        return self._rule.nodes.cell(int(node))


def _painted(cell: Cell, kind: str, level: int | None) -> Fix:
    """Return a fix that changes the kind of a surface, and its level if one is given."""
    paint = "set_kind", cell, kind
    if level is None:
        return Fix(Reason("make_kind", cell=cell, kind=kind), (paint,))
    text = Reason("make_kind_at_level", cell=cell, kind=kind, level=level)
    return Fix(text, (paint, ("set_level", cell, level)))
