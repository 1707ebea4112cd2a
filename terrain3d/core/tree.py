"""The scene tree: its root, frames, groups, and nodes queued to be freed."""

import math
from collections.abc import Callable

from terrain3d.core.node import Node


class SceneTree:
    """A tree of nodes below a root, to which frames pass."""

    def __init__(self) -> None:
        self.root = Node("root")
        self._to_free: list[Node] = []
        self.root._enter(self)
        self.root._get_ready()

    def advance(self, dt_s: float) -> None:
        """Process a frame of `dt_s` seconds for every node, then free queued nodes.

        Raises
        ------
        ValueError
            `dt_s` is negative or not a finite number.
        """
        if not (math.isfinite(dt_s) and dt_s >= 0):
            raise ValueError(f"dt_s must be a finite number of seconds >= 0, got {dt_s!r}")
        try:
            for node in tuple(self.root.walk()):
                if node._tree is self:
                    node._process(dt_s)
        finally:
            self._free_queued()

    def queue_free(self, node: Node) -> None:
        """Free a node at the end of the frame; `ValueError` for the root."""
        if node is self.root:
            raise ValueError("the root of a tree cannot be freed")
        if node not in self._to_free:
            self._to_free.append(node)

    def close(self) -> None:
        """Free every node but the root at once, without a frame."""
        self._to_free.extend(reversed(self.root.children))
        self._free_queued()

    def _free_queued(self) -> None:
        try:
            while self._to_free:  # a leaving node may queue others
                self._to_free.pop(0)._free()
        finally:
            if self._to_free:
                self._free_queued()

    def get_nodes_in_group(self, group: str) -> list[Node]:
        """Return the nodes of a group in this tree, parents before children."""
        return [node for node in self.root.walk() if node.is_in_group(group)]

    def call_group(self, group: str, call: Callable[[Node], object]) -> None:
        """Call `call(node)` for each node of a group."""
        for node in self.get_nodes_in_group(group):
            call(node)
