"""Search over integer nodes: it knows graphs, costs and estimates, and no tiles."""

from ai.search.algorithms_stepwise import Progress
from ai.search.components import Parts
from ai.search.graph import Graph, Links
from ai.search.index import MOST_LANDMARKS, Index, make_index, usual_size
from ai.search.landmarks import Landmarks
from ai.search.lower_bounds import Estimate, Plane
from ai.search.next_hops import MOST_NODES, NextHops
from ai.search.query import NO_BLOCKS, Course
from ai.search.result import CLOSED, EXHAUSTED, GOAL_FOUND, NO_NODE, PAUSED
from ai.search.reverse import reversed_graph, turn_around
from ai.search.workspace import Scratch, WholeScratch

__all__ = [
    "CLOSED",
    "EXHAUSTED",
    "GOAL_FOUND",
    "MOST_LANDMARKS",
    "MOST_NODES",
    "NO_BLOCKS",
    "NO_NODE",
    "PAUSED",
    "Course",
    "Estimate",
    "Graph",
    "Index",
    "Landmarks",
    "Links",
    "NextHops",
    "Parts",
    "Plane",
    "Progress",
    "Scratch",
    "WholeScratch",
    "make_index",
    "reversed_graph",
    "turn_around",
    "usual_size",
]
