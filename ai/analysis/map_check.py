"""Find what is wrong with a map for one profile.

A surface is one that the mover can stop on. Surfaces that reach each other are a region. Regions
that the largest one does not reach are islands, or decks if all of their surfaces are on decks;
regions that it reaches, but that do not lead back, are traps. What the mover cannot stop on, as
water, is no problem by itself.
"""

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ai.analysis.choke_points import cut_off_sizes
from ai.analysis.map_report import CHOKE_POINT, Finding, MapReport
from ai.analysis.regions import Regions
from ai.rules.reasons import stop_reason
from ai.rules.step_rule import StepRule
from ai.search.graph import Graph
from terrain3d import Cell

MIN_PART = 16
"""The fewest surfaces that a choke point in a report cuts off."""

MAX_NOTES = 100


@dataclass(frozen=True)
class Snapshot:
    """Copy of the data that a check reads; later edits do not change it."""

    graph: Graph
    stops: NDArray[np.bool_]
    """(n_nodes,) where the mover can stop."""
    shape: tuple[int, int, int]
    """Layers, rows and columns."""
    spawns: tuple[Cell, ...]
    """Those on which the mover can stop."""
    faults: tuple[Finding, ...]
    """Links and spawns where the mover cannot stand."""

    @classmethod
    def of(
        cls, rule: StepRule, graph: Graph, stops: NDArray[np.bool_], spawns: Sequence[Cell]
    ) -> "Snapshot":
        """Read a map by the rule of a profile and its graph."""
        reasons = {spawn: stop_reason(rule, spawn) for spawn in spawns}
        faults = [
            Finding("spawn", _where([spawn]), 1, f"cannot be a spawn: {reason}")
            for spawn, reason in reasons.items()
            if reason
        ]
        return cls(
            copy.copy(graph),
            stops,
            rule.footprint.level.shape,
            tuple(spawn for spawn, reason in reasons.items() if not reason),
            (*faults, *_useless_links(rule)),
        )

    @cached_property
    def regions(self) -> Regions:
        """The regions."""
        return Regions.of(self.graph, self.stops)

    def report(self, *, has_notes: bool = True) -> MapReport:
        """Return the problems and, if asked for, the notes."""
        found = [*self.faults, *self._cut_spawns()]
        found.sort(key=lambda each: (each.kind != "spawn", -each.size, each.where[0].tolist()))
        # Of the same size other problems come before regions, which may be very many.
        found += self._cut_regions()
        found.sort(key=lambda each: (each.kind != "spawn", -each.size))
        notes = islice(self._choke_points(), MAX_NOTES) if has_notes else ()
        n_surfaces, n_connected = int(self.stops.sum()), int(self.regions.size.max(initial=0))
        return MapReport(tuple(found), tuple(notes), n_surfaces, n_connected)

    def _cut_regions(self) -> Iterable[Finding]:
        """Yield islands, decks and traps, the largest first; ties are in reading order."""
        regions = self.regions
        is_reached, returns = regions.around(regions.largest)
        is_cut = (regions.size > 0) & ~(is_reached & returns)
        nodes = np.flatnonzero(self.stops & is_cut[regions.label])
        nodes = nodes[np.argsort(regions.label[nodes], kind="stable")]
        where, labels = self._cells(nodes), regions.label[nodes]
        ends = np.flatnonzero(np.diff(labels, append=-1)) + 1
        begins = np.append(0, ends)[:-1]
        is_trap = is_reached[labels[begins]]
        is_deck = np.minimum.reduceat(where[:, 2], begins) > 0 if len(nodes) else is_trap
        order = np.lexsort((*where[begins].T[::-1], begins - ends))
        found = (each[order].tolist() for each in (begins, ends, is_trap, is_deck))
        for begin, end, is_one_way, is_above in zip(*found, strict=True):
            if is_one_way:
                yield Finding("trap", where[begin:end], end - begin, "can be entered, but not left")
            else:
                kind = "deck" if is_above else "island"
                yield Finding(kind, where[begin:end], end - begin, "cannot be reached")

    def spawn_home(self) -> int:
        """Return the region with the most spawns; ties go to the largest."""
        found = self._spawns_by_region()
        return max(found, key=lambda region: (len(found[region]), self.regions.size[region]))

    def _spawns_by_region(self) -> Mapping[int, list[Cell]]:
        by_region = defaultdict[int, list[Cell]](list)
        labels = self.regions.label.reshape(self.shape)
        for spawn in self.spawns:
            by_region[int(labels[spawn.deck, spawn.row, spawn.col])].append(spawn)
        return by_region

    def _cut_spawns(self) -> Iterable[Finding]:
        by_region = self._spawns_by_region()
        if len(by_region) < 2:
            return
        home = self.spawn_home()
        is_reached, returns = self.regions.around(home)
        for region, spawns in by_region.items():
            if is_reached[region] and returns[region]:
                continue
            other = f"the spawn on {by_region[home][0]}"
            what = f"cannot reach {other}, nor be reached from it"
            if is_reached[region] or returns[region]:
                what = f"cannot {'reach' if is_reached[region] else 'be reached from'} {other}"
            yield Finding("spawn", _where(spawns), len(spawns), what)

    def _choke_points(self) -> Iterable[Finding]:
        """Yield choke points; those beside each other are one, of the size of the largest."""
        sizes = cut_off_sizes(self.graph, self.stops)
        chosen = np.flatnonzero(sizes >= MIN_PART)
        order = chosen[np.lexsort((chosen, -sizes[chosen]))].tolist()
        left = set(order)
        for node in order:
            if node not in left:
                continue
            left.remove(node)
            group = [node]
            for member in group:
                near = {end for end, _ in self.graph.edges_from(member)} & left
                left -= near
                group += sorted(near)
            size = int(sizes[node])
            where = self._cells(np.array(sorted(group)))
            yield Finding(CHOKE_POINT, where, size, f"would cut off {size} surfaces")

    def _cells(self, nodes: NDArray[np.int64]) -> NDArray[np.int32]:
        """(n, 3) row, column and deck of nodes, read-only."""
        deck, row, col = np.unravel_index(nodes, self.shape)
        return _where(np.stack([row, col, deck], axis=1))


def _where(cells: Sequence[Cell] | NDArray[np.int64]) -> NDArray[np.int32]:
    where = np.array(cells, dtype=np.int32)
    where.flags.writeable = False
    return where


def _useless_links(rule: StepRule) -> Iterable[Finding]:
    """Yield the links with an end where the mover cannot stand; a mover that warps uses none."""
    links = () if rule.profile.warp else rule.footprint.tilemap.links
    used = [link for link in links if rule.profile.link_cost.get(link.kind, link.cost) is not None]
    ends = np.array([(link.start, link.end) for link in used], dtype=np.int64).reshape(-1, 3)
    is_open = rule.can_arrive(rule.nodes.of_record(ends)).reshape(-1, 2)
    for link, is_open_at in zip(used, is_open.tolist(), strict=True):
        if not all(is_open_at):
            closed = link.end if is_open_at[0] else link.start
            text = f"the {link.kind} from {link.start} to {link.end} leads nowhere: "
            text += stop_reason(rule, closed)
            yield Finding("link", _where([link.start, link.end]), 2, text)
