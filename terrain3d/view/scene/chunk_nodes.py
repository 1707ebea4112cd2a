"""Builds, shows and drops the chunks of a terrain as the camera moves and the map changes."""

from __future__ import annotations

import time
from functools import reduce
from math import inf
from typing import TYPE_CHECKING

from panda3d.core import BoundingBox, NodePath, Point3

from terrain3d.grid.grid import Rect
from terrain3d.mesh.chunk import chunk_mesh
from terrain3d.mesh.chunk_tree import Chunk, ChunkTree, Sight
from terrain3d.mesh.ground.coarse import coarse_mesh
from terrain3d.view.geometry.geom import make_geom_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from terrain3d.map.tilemap import TileMap

BUDGET_S = 0.008
"""Time to build chunks in a frame; one is built in any case."""
_N_EDITED = 16
"""Chunks that are built again in the frame of an edit, however long that takes."""
_N_SPARE = 128
"""Chunks that are kept although they are not shown."""


class ChunkNodes:
    """The nodes of a map's chunks; those that are shown are children of `parent`.

    `has_ground_cover` is whether full chunks have small plants and stones. A small map is built at
    once; of a larger one there is a coarse mesh until `update` is called.
    """

    def __init__(self, tilemap: TileMap, parent: NodePath, *, has_ground_cover: bool) -> None:
        self._tilemap, self._parent = tilemap, parent
        self._has_ground_cover = has_ground_cover
        self._tree = ChunkTree(tilemap.grid)
        self._nodes: dict[Chunk, NodePath] = {}  # those hidden last are at the end
        self._stale: set[Chunk] = set()
        self._n_urgent = 0
        self._shown: set[Chunk] = set()
        self._sight: Sight | None = None
        self.full_rect: Rect | None = None
        """The smallest rectangle around the full chunks that are shown; None without any."""
        if self._tree.root.stride > 1:
            self._build(self._tree.root)
        self._replan()
        if self._tree.root.stride == 1:
            self.update(None, inf)

    @property
    def is_whole(self) -> bool:
        """Whether all of the map is shown in full, from any distance."""
        return self._tree.is_whole

    @property
    def is_built(self) -> bool:
        """Whether nothing is left to build for the latest view."""
        return not self._stale and not self._plan.missing

    def mark(self, changed: Iterable[Rect]) -> None:
        """Have the chunks built again that an edit of these cells may change."""
        rects = tuple(changed)
        self._mark([c for c in self._nodes if any(c.touches(rect) for rect in rects)])
        self._n_urgent = _N_EDITED

    def set_ground_cover(self, has_ground_cover: bool) -> None:
        """Have full chunks built again, with or without small plants and stones."""
        if has_ground_cover != self._has_ground_cover:
            self._has_ground_cover = has_ground_cover
            self._mark([chunk for chunk in self._nodes if not chunk.stride])

    def update(self, sight: Sight | None, budget_s: float = BUDGET_S) -> None:
        """Show the chunks for a view, and build those that it lacks, as far as the time allows."""
        if sight != self._sight:
            self._sight = sight
            self._replan()
        if self.is_built:
            return
        end_s = time.perf_counter() + budget_s
        edited = [chunk for chunk in self._stale if chunk in self._shown]
        missing, wanted = self._plan.missing, self._plan.wanted
        if budget_s == inf:  # nothing has to stand in for what is wanted
            missing = [chunk for chunk in missing if chunk in wanted]
        n_urgent, self._n_urgent = min(self._n_urgent, len(edited)), 0
        # What is not shown waits until a frame without edits.
        hidden = self._stale - self._shown if budget_s == inf or not n_urgent else ()
        for number, chunk in enumerate([*edited, *missing, *hidden]):
            if number >= max(n_urgent, 1) and time.perf_counter() > end_s:
                break
            self._build(chunk)
        self._replan()

    def close(self) -> None:
        """Free all chunks."""
        for chunk in list(self._nodes):
            self._drop(chunk)

    def _mark(self, chunks: Iterable[Chunk]) -> None:
        """Mark chunks as stale; full ones that are not shown are dropped instead."""
        for chunk in chunks:
            if chunk.stride or chunk in self._shown:
                self._stale.add(chunk)
            else:
                self._drop(chunk)
        self._replan()

    def _replan(self) -> None:
        """Decide again what to show, show it, and drop what has not been shown for long."""
        height = self._tilemap.top_level * self._tilemap.step_height
        self._plan = plan = self._tree.plan(self._sight, height, self._nodes)
        shown = plan.shown or self._shown
        for chunk in self._shown - shown:
            node = self._nodes.pop(chunk)
            node.detach_node()
            self._nodes[chunk] = node
        for chunk in shown - self._shown:
            self._nodes[chunk].reparent_to(self._parent)
        if shown != self._shown:
            self._shown = shown
            full = [chunk.rect for chunk in shown if not chunk.stride]
            self.full_rect = reduce(Rect.union, full) if full else None
        kept = shown | plan.wanted | plan.divided
        spare = [chunk for chunk in self._nodes if chunk not in kept]
        for chunk in spare[:-_N_SPARE]:
            self._drop(chunk)

    def _build(self, chunk: Chunk) -> None:
        tilemap, rect = self._tilemap, chunk.rect
        if chunk.stride:
            mesh = coarse_mesh(tilemap, rect, chunk.stride)
        else:
            mesh = chunk_mesh(tilemap, rect, has_ground_cover=self._has_ground_cover)
        if chunk in self._nodes:
            self._drop(chunk)
        geometry = make_geom_node("chunk", mesh)
        if len(mesh.positions):  # else the engine looks for the bounds more slowly
            spans = [(part.min(), part.max()) for part in mesh.positions.T]
            geometry.set_bounds(BoundingBox(*(Point3(*end) for end in zip(*spans, strict=True))))
        self._nodes[chunk] = node = NodePath(geometry)
        if chunk in self._shown:
            node.reparent_to(self._parent)

    def _drop(self, chunk: Chunk) -> None:
        self._nodes.pop(chunk).remove_node()
        self._stale.discard(chunk)
