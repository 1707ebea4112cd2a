"""Exact shortest paths over integer nodes: graphs, searches, heuristics and indexes, no tiles.

May import `ai.compilation`, nothing else of `ai`, and nothing of `terrain3d`. Start with
`graph.py`, the data of a search, then read `guided_graph.py`, which calls the compiled
`astar_int.py` and `astar_float.py`.
"""

from ai.search.components import Components
from ai.search.distance_heuristic import Heuristic, NodeLayout
from ai.search.graph import Graph, Links
from ai.search.guided_graph import NO_REGIONS, GuidedGraph
from ai.search.landmark_repair import are_bounds, repair_landmarks
from ai.search.landmark_selection import Progress, choose_landmarks
from ai.search.landmarks import MAX_LANDMARKS, Landmarks, unit_of
from ai.search.predecessors import MAX_HOP_NODES, Predecessors
from ai.search.reverse import reverse_slots, reversed_graph
from ai.search.search_state import (
    CLOSED,
    EXHAUSTED,
    FIRST_PARENTS,
    GOAL_FOUND,
    NO_NODE,
    OWN_PARENTS,
    PAUSED,
    SETTLED_PARENTS,
)
from ai.search.straight_paths import straight_path
from ai.search.workspace import IntWorkspace, Workspace

__all__ = [
    "CLOSED",
    "EXHAUSTED",
    "FIRST_PARENTS",
    "GOAL_FOUND",
    "MAX_HOP_NODES",
    "MAX_LANDMARKS",
    "NO_NODE",
    "NO_REGIONS",
    "OWN_PARENTS",
    "PAUSED",
    "SETTLED_PARENTS",
    "Components",
    "Graph",
    "GuidedGraph",
    "Heuristic",
    "IntWorkspace",
    "Landmarks",
    "Links",
    "NodeLayout",
    "Predecessors",
    "Progress",
    "Workspace",
    "are_bounds",
    "choose_landmarks",
    "repair_landmarks",
    "reverse_slots",
    "reversed_graph",
    "straight_path",
    "unit_of",
]
