"""Play recorded searches on the map.

May import `hud` and what it imports. Start with `search_theatre_3d.py`.
"""
