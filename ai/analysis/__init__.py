"""Map analysis: problems and choke points for a profile; height and cover.

May import `ai.navigation` and what it imports. Start with `map_check.py`, which finds the problems
of a map.
"""
