"""Find what is wrong with a map for one profile.

A surface is one that the mover can stop on. Surfaces that reach each other are a region. Regions
that the largest one does not reach are islands, or decks if all of their surfaces are on decks;
regions that it reaches, but that do not lead back, are traps. What the mover cannot stop on, as
water, is no problem by itself.
"""

import copy
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ai.analysis.choke_points import cut_off_sizes
from ai.navigation.navigation import Navigation
from ai.rules.profile import DEFAULT_PROFILE, MoveProfile, checked_profile
from ai.rules.reasons import stop_reason
from ai.rules.step_rule import StepRule
from ai.search.components import Components
from ai.search.graph import EdgeArrays, Graph, edge_out, n_out
from ai.search.jit import Int, compiled
from terrain3d import Cell
from terrain3d.core.checks import counted, instance_of, listed
from terrain3d.grid.grid import CellLike
from terrain3d.grid.reason import Reason, register_reasons

register_reasons(
    found_at=("{cell} {what}",),
    found_at_several=("{cell} and {n_more} more {what}",),
    no_spawn=("cannot be a spawn: {why}",),
    trapped=("can be entered, but not left",),
    cut_off=("cannot be reached",),
    cut_spawn=("cannot reach the spawn on {cell}, nor be reached from it",),
    no_way_to_spawn=("cannot reach the spawn on {cell}",),
    no_way_from_spawn=("cannot be reached from the spawn on {cell}",),
    cuts_off=("would cut off {size} surfaces",),
    useless_link=("the {kind} from {start} to {end} leads nowhere: {why}",),
)

KINDS = ("spawn", "island", "deck", "trap", "link")
"""The kinds of problems."""

CHOKE_POINT = "choke point"
"""The kind of a note."""

_SHOWN = 20


class Spawn(Protocol):
    """A mover on a cell, as a `Unit`."""

    @property
    def cell(self) -> Cell:
        """The cell it holds."""

    @property
    def profile(self) -> MoveProfile:
        """Its rules of movement."""


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
    """

    kind: str
    where: NDArray[np.int32]
    size: int
    what: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The surfaces, in reading order."""
        return tuple(Cell(*row) for row in self.where.tolist())

    @property
    def text(self) -> str:
        """The problem in one line, with the first of its surfaces; a `Reason`."""
        if self.kind == "link":
            return self.what
        first, n_more = Cell(*self.where[0].tolist()), len(self.where) - 1
        if n_more:
            return Reason("found_at_several", cell=first, n_more=n_more, what=self.what)
        return Reason("found_at", cell=first, what=self.what)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON-like data."""
        cells = self.where.tolist()
        return {"kind": self.kind, "size": self.size, "text": self.text, "cells": cells}


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
        """Return the report as text: a summary, the largest problems, the notes."""
        counts = Counter(problem.kind for problem in self.problems)
        found = [counted(counts[kind], kind) for kind in KINDS if counts[kind]]
        state = ", ".join(found) or ("sound" if self.n_surfaces else "the mover can stop nowhere")
        lines = [f"{self.n_connected} of {self.n_surfaces} surfaces are connected: {state}"]
        for findings in (self.problems, self.notes):
            lines += [f"{each.kind}: {each.text}" for each in findings[:_SHOWN]]
            if len(findings) > _SHOWN:
                lines.append(f"and {len(findings) - _SHOWN} more")
        return "\n".join(lines)


class Reachability(NamedTuple):
    """What one region reaches, and what reaches it; (n_regions,) each, itself included."""

    is_reached: NDArray[np.bool_]
    returns: NDArray[np.bool_]


@dataclass(frozen=True)
class Regions:
    """The strongly connected components of a graph as regions of surfaces that count.

    A region is the number of a component. Edges lead to the same region or a smaller one.
    """

    graph: Graph
    label: NDArray[np.int32]
    """(n_nodes,) region of each node."""
    size: NDArray[np.int64]
    """(n_regions,) surfaces of each that count; 0 for regions of none."""
    largest: int
    """The region with the most surfaces; ties go to the one with the first surface."""

    @classmethod
    def of(cls, graph: Graph, counts: NDArray[np.bool_]) -> "Regions":
        """Find the regions of a graph; `counts`, (n_nodes,), says which nodes are surfaces."""
        label = Components.of(graph).label
        size = np.bincount(label[counts], minlength=int(label.max(initial=-1)) + 1)
        is_most = size[label[counts]] == size.max(initial=0)
        largest = label[counts][is_most.argmax()] if len(is_most) else 0
        return cls(graph, label, size, int(largest))

    def around(self, region: int) -> Reachability:
        """Return which regions a region reaches, and which reach it."""
        begin = np.append(0, np.cumsum(np.bincount(self.label, minlength=len(self.size))))
        return Reachability(*_follow(self.graph.edges, self.label, self._members, begin, region))

    @cached_property
    def _members(self) -> NDArray[np.int64]:
        """(n_nodes,) all nodes, region by region."""
        return np.argsort(self.label, kind="stable")


@compiled
def _follow(
    edges: EdgeArrays,
    label: NDArray[np.int32],
    members: NDArray[np.int64],
    begin: NDArray[np.int64],
    region: Int,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Walk from a region along all edges, and back."""
    n_regions = len(begin) - 1
    is_reached = np.zeros(n_regions, dtype=np.bool_)
    returns = np.zeros(n_regions, dtype=np.bool_)
    is_reached[region] = returns[region] = True
    # No edge leads to a larger number: one walk down the numbers, and one up, find all.
    for turn in range(n_regions):
        part = np.int64(region - turn if turn <= region else turn)
        if part < region and not is_reached[part]:
            continue
        for entry in range(begin[part], begin[part + 1]):
            member = np.int64(members[entry])
            for edge in range(n_out(member, edges)):
                there, _ = edge_out(member, edge, edges)
                if there < 0:
                    continue
                if part <= region:
                    is_reached[label[there]] = True
                elif returns[label[there]]:
                    returns[part] = True
    return is_reached, returns


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
            Finding("spawn", _where([spawn]), 1, Reason("no_spawn", why=reason))
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

    def report(self) -> MapReport:
        """Return the problems and the notes."""
        found = [*self.faults, *self._cut_spawns()]
        found.sort(key=lambda each: (each.kind != "spawn", -each.size, each.where[0].tolist()))
        # Of the same size other problems come before regions, which may be very many.
        found += self._cut_regions()
        found.sort(key=lambda each: (each.kind != "spawn", -each.size))
        notes = tuple(islice(self._choke_points(), MAX_NOTES))
        n_surfaces, n_connected = int(self.stops.sum()), int(self.regions.size.max(initial=0))
        return MapReport(tuple(found), notes, n_surfaces, n_connected)

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
                yield Finding("trap", where[begin:end], end - begin, Reason("trapped"))
            else:
                kind = "deck" if is_above else "island"
                yield Finding(kind, where[begin:end], end - begin, Reason("cut_off"))

    def _cut_spawns(self) -> Iterable[Finding]:
        """Yield the spawns that are cut off from the region with the most; ties: the largest."""
        by_region, size = defaultdict[int, list[Cell]](list), self.regions.size
        labels = self.regions.label.reshape(self.shape)
        for spawn in self.spawns:
            by_region[int(labels[spawn.deck, spawn.row, spawn.col])].append(spawn)
        if len(by_region) < 2:
            return
        home = max(by_region, key=lambda region: (len(by_region[region]), size[region]))
        is_reached, returns = self.regions.around(home)
        for region, spawns in by_region.items():
            if is_reached[region] and returns[region]:
                continue
            what = Reason(
                "no_way_to_spawn"
                if is_reached[region]
                else "no_way_from_spawn"
                if returns[region]
                else "cut_spawn",
                cell=by_region[home][0],
            )
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
            yield Finding(CHOKE_POINT, where, size, Reason("cuts_off", size=size))

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
            start, end, why = link.start, link.end, stop_reason(rule, closed)
            text = Reason("useless_link", kind=link.kind, start=start, end=end, why=why)
            yield Finding("link", _where([start, end]), 2, text)


def check(
    navigation: Navigation,
    profile: MoveProfile = DEFAULT_PROFILE,
    *,
    spawns: Iterable[CellLike | Spawn] = (),
) -> MapReport:
    """Return what is wrong with a map for a profile.

    Parameters
    ----------
    navigation : Navigation
        Of the map; its rules count.
    profile : MoveProfile
    spawns : cells or units
        Where movers begin; all of them should reach each other. Units of other profiles are left
        out.

    Returns
    -------
    MapReport
        `is_sound`, or with problems, and with notes on choke points.

    Raises
    ------
    TypeError, IndexError
        As of the queries of `Navigation`.
    """
    tilemap = instance_of("navigation", navigation, Navigation).tilemap
    checked_profile(profile)
    given: list[Any] = listed("spawns", spawns)
    with tilemap.lock:
        cells = [
            tilemap.cell(getattr(spawn, "cell", spawn))
            for spawn in given
            if getattr(spawn, "profile", profile) == profile
        ]
        graph = navigation.profile_graph(profile)
        stops = graph.can_stop(np.arange(graph.forward.n_nodes))
        snapshot = Snapshot.of(graph.rule, graph.forward, stops, cells)
    return snapshot.report()
