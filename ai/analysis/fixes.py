"""Find the smallest change of a map, or of the profile, that removes a problem.

Candidates come from the pairs of neighbors that the problem parts, the smallest change first. Each
is tried out on a copy of the map: it has to remove the problem and may not bring a new one.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ai.analysis.clusters import ranges
from ai.analysis.map_check import Finding, Fix, MapReport, Snapshot
from ai.rules.nodes import NO_NODES
from ai.rules.profile import MoveProfile
from ai.rules.step_rule import StepRule
from ai.rules.steps import WALL
from ai.search.graph import NO_STEP, NO_STEP_FLOAT
from ai.search.landmark_selection import Progress
from terrain3d import Cell, TileMap

MAX_TRIES = 40
"""How many edits are tried for each problem."""

_PER_RULE = 16
_MOST_WALLS = 64
_MOST_LEVELS = 3
_STARTS = 16

Nodes = NDArray[np.int64]
_Sized = tuple[int, Fix]

Check = Callable[[MoveProfile], MapReport]
"""Checks the copy of the map as it is now, for a profile."""


def find_fixes(
    report: MapReport,
    count: int,
    candidates: "Candidates",
    draft: TileMap,
    check: Check,
    progress: Progress | None = None,
) -> list[Fix | None]:
    """Return the smallest change that removes each of the first problems, None if none is found.

    `report` is that of the map as it is, and `draft` a copy of the map to try changes on, which
    `check` checks.
    """
    profile = candidates.rule.profile
    known = {problem.key for problem in report.problems}

    def is_fixed(problem: Finding, fix: Fix) -> bool:
        version = draft.version
        try:
            fix.apply(draft)
            left = [each.key for each in check(fix.apply_to_profile(profile)).problems]
        except (ValueError, IndexError):  # the map, or the profile, cannot be changed like that
            return False
        finally:
            if draft.version != version:
                draft.undo()
        return problem.key not in left and known.issuperset(left)

    fixes: list[Fix | None] = []
    problems = report.problems[:count]
    for problem in problems:
        tried = (fix for fix in candidates.of(problem) if is_fixed(problem, fix))
        fixes.append(next(tried, None))
        if progress is not None:
            progress(len(fixes), len(problems))
    return fixes


class Candidates:
    """Changes that may remove the problems of a map, as the map is now."""

    def __init__(self, rule: StepRule, snapshot: Snapshot) -> None:
        self.rule = rule
        self._snapshot, self._regions = snapshot, snapshot.regions
        self._tilemap = rule.footprint.tilemap
        self._level = rule.footprint.level.reshape(-1).astype(np.int64)
        table, moves = snapshot.graph.step_cost, rule.moves
        decks = np.arange(moves.n_layers if table.shape[1] else 0)[:, None]
        self._slots = (decks * len(moves.length) + np.arange(moves.n_straight)).ravel().tolist()

    def of(self, problem: Finding) -> Iterator[Fix]:
        """Yield changes for a problem: edits first, the smallest ones first, a link last."""
        ends = self.rule.nodes.of_record(problem.where)
        if problem.kind == "link":
            start, end = problem.cells
            closed = ends[~self.rule.can_arrive(ends)]
            yield from (fix for node in closed.tolist() for fix in self._new_ground(node))
            yield Fix(f"remove the link from {start} to {end}", (("remove_link", start, end),))
        elif not self._snapshot.stops[ends[0]]:
            yield from self._new_ground(int(ends[0]))
        else:
            yield from self._for_region(problem, int(self._regions.label[ends[0]]))

    def _new_ground(self, node: int) -> Iterator[Fix]:
        """Yield changes of a surface to a kind on which the mover can stop, as those beside it."""
        near = self._beside(np.array([node]))[1]
        around = self.rule.footprint.kind.reshape(-1)[near].tolist()
        usable = np.flatnonzero(self.rule.kind_stop).tolist()
        chosen = [kind for kind in dict.fromkeys((*around, *usable)) if kind in usable]
        yield from (self._paint(node, kind) for kind in chosen[:_PER_RULE])

    def _for_region(self, problem: Finding, region: int) -> Iterator[Fix]:
        """Yield changes that may join a region to the one from which it is cut off."""
        regions = self._regions
        is_spawn = problem.kind == "spawn"
        home = self._snapshot.spawn_home() if is_spawn else regions.largest
        is_reached, returns = regions.around(home)
        is_way_in = not is_reached[region]
        is_other = (is_reached if is_way_in else returns)[regions.label]
        own = np.flatnonzero(regions.label == region)
        here, there = self._beside(own)
        to_other = is_other[there] & self.rule.can_arrive(there)
        ends = here[to_other], there[to_other]
        starts, targets = reversed(ends) if is_way_in else ends
        edits = [*self._at_walls(starts, targets), *self._at_heights(*ends, is_way_in=is_way_in)]
        edits += self._at_gaps(here, there, is_other, home)
        edits.sort(key=lambda each: each[0])
        yield from (fix for _, fix in list(dict.fromkeys(edits))[:MAX_TRIES])
        yield from self._limits(starts, targets)
        at_home = np.flatnonzero((regions.label == home) & self._snapshot.stops)
        # The nearest pair from some of the surfaces on.
        some = own[np.linspace(0, len(own) - 1, _STARTS).astype(np.int64)]
        pairs = [
            (self._nearest(own, end), end) for end in (self._nearest(at_home, n) for n in some)
        ]
        start, end = min(pairs, key=lambda pair: self._distances(np.array(pair[:1]), pair[1])[0])
        here_cell, there_cell = self._cell(start), self._cell(end)
        link = "add_link", here_cell, there_cell, 1
        yield Fix(f"add a link from {here_cell} to {there_cell}", (link,))

    def _at_walls(self, starts: Nodes, targets: Nodes) -> list[_Sized]:
        """Return the removals of walls between pairs of surfaces."""
        found: list[_Sized] = []
        rise = self._level[targets] - self._level[starts]
        is_flat = (rise <= self.rule.mover.max_climb) & (-rise <= self.rule.mover.max_drop)
        pairs = np.stack([starts, targets], axis=1)[is_flat] if self._tilemap.walls else ()
        for start, end in ((self._cell(a), self._cell(b)) for a, b in pairs[:_MOST_WALLS]):
            if self.rule.status(start, end)[0] == WALL:
                text = f"open the wall between {start} and {end}"
                found.append((1, Fix(text, (("remove_wall", start, end),))))
        return found[:_PER_RULE]

    def _at_heights(self, own: Nodes, other: Nodes, *, is_way_in: bool) -> Iterator[_Sized]:
        """Yield the least changes of levels, for steps one way, and for steps there and back."""
        climb, drop = self.rule.mover.max_climb, self.rule.mover.max_drop
        above = self._level[own] - self._level[other]
        rise = above if is_way_in else -above
        one_way = np.where(rise > 0, rise - climb, -rise - drop)
        for excess in (one_way, np.abs(rise) - min(climb, drop)):
            steep = np.flatnonzero(excess > 0)
            for pair in steep[np.argsort(excess[steep], kind="stable")][:_PER_RULE].tolist():
                by = int(excess[pair])
                for node, is_high in ((own[pair], above[pair] > 0), (other[pair], above[pair] < 0)):
                    yield by, self._shift(node, -by if is_high else by)

    def _at_gaps(
        self, here: Nodes, there: Nodes, is_other: NDArray[np.bool_], home: int
    ) -> Iterator[_Sized]:
        """Yield new levels, and new ground, for tiles between both sides."""
        can_arrive, label = self.rule.can_arrive, self._regions.label
        is_beyond = (label[there] != home) & (label[there] != label[here])
        is_gap = ~can_arrive(there) | is_beyond
        start, gap = here[is_gap], there[is_gap]
        middle, end = self._beside(np.unique(gap))
        is_used = is_other[end] & self._snapshot.stops[end]
        middle, end = middle[is_used], end[is_used]
        order = np.argsort(middle, kind="stable")
        middle, end = middle[order], end[order]
        first = np.searchsorted(middle, gap)
        count = np.searchsorted(middle, gap, side="right") - first
        entries, _ = ranges(first, count)
        start, gap, end = np.repeat(start, count), middle[entries], end[entries]
        step = min(self.rule.mover.max_climb, self.rule.mover.max_drop)
        lowest = np.maximum(self._level[start], self._level[end]) - step
        highest = np.minimum(self._level[start], self._level[end]) + step
        level = np.clip(self._level[gap], lowest, highest)
        size = np.abs(level - self._level[gap]) + ~can_arrive(gap)
        fits = np.flatnonzero((lowest <= highest) & (size > 0))
        kinds = self.rule.footprint.kind.reshape(-1)
        for place in fits[np.argsort(size[fits], kind="stable")][:_PER_RULE].tolist():
            node, new_level = int(gap[place]), int(level[place])
            if can_arrive(gap[[place]])[0]:
                fix = self._shift(node, new_level - int(self._level[node]))
            else:
                fix = self._paint(node, int(kinds[start[place]]), new_level)
            yield int(size[place]), fix

    def _limits(self, starts: Nodes, targets: Nodes) -> Iterator[Fix]:
        """Yield profiles that climb or drop just enough, there, and there and back."""
        now = {"max_climb": self.rule.mover.max_climb, "max_drop": self.rule.mover.max_drop}
        rise = self._level[targets] - self._level[starts]
        for name, over in (("max_climb", rise), ("max_drop", -rise)):
            steep = over[over > now[name]]
            if not len(steep):
                continue
            by = int(steep.min())
            for limits in ({name: by}, {each: max(by, value) for each, value in now.items()}):
                new = {each: value for each, value in limits.items() if value != now[each]}
                words = [f"{each[4:]} {by} instead of {now[each]}" for each in new]
                if sum(new.values()) - sum(now[each] for each in new) <= _MOST_LEVELS:
                    yield Fix(" and ".join(words), limits=tuple(new.items()))

    def _shift(self, node: int, by: int) -> Fix:
        """Return the change of the level of a surface."""
        cell = self._cell(node)
        text = f"{'lower' if by < 0 else 'raise'} {cell} by {abs(by)}"
        return Fix(text, (("set_level", cell, self._tilemap.level_at(cell) + by),))

    def _paint(self, node: int, kind: int, level: int | None = None) -> Fix:
        """Return the change of a surface to a kind, and to a level if one is given."""
        cell, name = self._cell(node), self._tilemap.kinds[kind].name
        edits: tuple[tuple[object, ...], ...] = (("set_kind", cell, name),)
        if level is None or level == self._tilemap.level_at(cell):
            return Fix(f"make {cell} {name}", edits)
        return Fix(f"make {cell} {name} at level {level}", (*edits, ("set_level", cell, level)))

    def _beside(self, nodes: Nodes) -> tuple[Nodes, Nodes]:
        """Return pairs of nodes and their neighbors across an edge, (n,) each."""
        graph = self._snapshot.graph
        none = NO_STEP if graph.is_whole else NO_STEP_FLOAT
        parts = [nodes[graph.step_cost[nodes, slot] != none] for slot in self._slots]
        ends = [graph.target_of(part, slot) for part, slot in zip(parts, self._slots, strict=True)]
        return np.concatenate([NO_NODES, *parts]), np.concatenate([NO_NODES, *ends])

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
        return self.rule.nodes.cell(int(node))
