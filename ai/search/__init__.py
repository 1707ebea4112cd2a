"""Search over integer nodes: it knows graphs, costs and estimates, and no tiles."""

from ai.search.best_first import Found, best_first, reversed_path, warm_up
from ai.search.graph import Graph

__all__ = ["Found", "Graph", "best_first", "reversed_path", "warm_up"]
