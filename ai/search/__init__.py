"""Search over integer nodes: it knows graphs, costs and estimates, and no tiles."""

from ai.search.estimate import Estimate, Plane
from ai.search.graph import Graph, Links
from ai.search.landmarks import Landmarks
from ai.search.outcome import CLOSED, EXHAUSTED, GOAL_FOUND, NO_NODE, PAUSED
from ai.search.parts import Parts
from ai.search.query import NO_BLOCKS, Course
from ai.search.reverse import reversed_graph, turn_around
from ai.search.scratch import Scratch, WholeScratch
from ai.search.survey import Progress, survey

__all__ = [
    "CLOSED",
    "EXHAUSTED",
    "GOAL_FOUND",
    "NO_BLOCKS",
    "NO_NODE",
    "PAUSED",
    "Course",
    "Estimate",
    "Graph",
    "Landmarks",
    "Links",
    "Parts",
    "Plane",
    "Progress",
    "Scratch",
    "WholeScratch",
    "reversed_graph",
    "survey",
    "turn_around",
]
