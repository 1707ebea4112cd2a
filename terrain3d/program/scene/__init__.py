"""Show a map with units in a window, or as a picture, and let a player command the units.

May import `ai` and all of `terrain3d`. Start with `game_scene.py`.
"""
