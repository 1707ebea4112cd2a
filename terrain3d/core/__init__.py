"""Godot's node life cycle: a tree of nodes that enter, get ready, process time and leave.

The order is Godot's. `_enter_tree` runs from the parent down, `_ready` from the children up and
once in a node's life, `_process` from the parent down once a frame, `_exit_tree` from the children
up. What `queue_free` names leaves at the end of the frame, and `_freed` runs for all of it.
"""

from terrain3d.core.node import Node
from terrain3d.core.tree import SceneTree

__all__ = ["Node", "SceneTree"]
