"""What a map is like: its faults, choke points and regions for a profile, and its heights.

May import `ai.rules`, `ai.search` and `ai.compilation`, nothing else of `ai`. Start with
`map_check.py`, which finds the faults of a map for `Navigation.check`, or with `region_graph.py`, a
coarse graph of the map. `path_comparison.py` compares two routes.
"""
