"""Answer path, reach and cost queries on a map, exactly, and keep the answers current.

May import `ai.rules`, `ai.search` and `terrain3d` (not its view). Start with `navigation.py`,
which has every query as a method.
"""
