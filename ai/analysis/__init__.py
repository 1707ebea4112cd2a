"""Map analysis: problems, choke points and regions for a profile; height and cover.

May import `ai.rules`, `ai.search` and `ai.compilation`, nothing else of `ai`. Start with
`map_check.py`, which finds the problems of a map for `Navigation.check`, or with
`region_graph.py`, a coarse graph of the map.
"""
