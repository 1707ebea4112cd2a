"""Edit a map without a window: areas, brushes, strokes and tools.

May import `terrain3d.map` and what it imports. Start with `map_maker.py`.
"""
