"""Godot's nodes and signals, and helpers for checks, files, errors and languages.

The order of a node's life cycle is Godot's. `_enter_tree` runs from the parent down, `_ready` once
from the children up, `_process` from the parent down each frame, `_exit_tree` from the children up.
Nodes passed to `queue_free` leave at the end of the frame, and `_freed` runs for each of them.

Imports nothing else of this project but its catalogs. Start reading with `node.py`.
"""
