"""Exact shortest paths over integer nodes: graphs, searches, heuristics and indexes, no tiles.

May import nothing else of `ai` nor `terrain3d`. Start with `graph.py`, the data of a search, then
read the compiled `astar.py`. `jit.py` says what is compiled, and when again.
"""
