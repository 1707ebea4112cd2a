"""Navigation: path, reach and cost queries on a map, exact and current with its edits.

May import `ai.rules`, `ai.search` and `terrain3d` (not its view). Start reading with
`navigation.py`, which has every query as a method; `graph_cache.py` holds the data that they share.
"""

from ai.navigation import reasons as reasons
