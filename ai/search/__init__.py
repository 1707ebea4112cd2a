"""Exact shortest paths over integer nodes: graphs, searches, heuristics and indexes, no tiles.

May import `ai.compilation`, nothing else of `ai`, and nothing of `terrain3d`. Start with
`graph.py`, the data of a search, then read `guided_graph.py`, which calls the compiled
`astar.py`.
"""
