"""Search over integer nodes: it knows graphs, costs and estimates, and no tiles."""

from ai.search.estimate import Estimate
from ai.search.graph import Graph, Links
from ai.search.kernel import (
    EXHAUSTED,
    GOAL_FOUND,
    N_EXPANDED,
    NO_NODE,
    PAUSED,
    places,
)
from ai.search.landmarks import Landmarks
from ai.search.parts import Parts
from ai.search.query import Course
from ai.search.reverse import reversed_graph, turn_around
from ai.search.scratch import Scratch
from ai.search.survey import Progress, survey

__all__ = [
    "EXHAUSTED",
    "GOAL_FOUND",
    "NO_NODE",
    "N_EXPANDED",
    "PAUSED",
    "Course",
    "Estimate",
    "Graph",
    "Landmarks",
    "Links",
    "Parts",
    "Progress",
    "Scratch",
    "places",
    "reversed_graph",
    "survey",
    "turn_around",
]
