"""Exact shortest paths over integer nodes: graphs, searches, heuristics and indexes, no tiles.

May import nothing else of `ai` nor `terrain3d`. Start with
`graph.py`, the data of a search, then read `guided_graph.py`, which calls the compiled
`astar.py`.
"""
