"""Motion: the pose of a mover over time, and its place in the world.

May import `ai.rules`, `ai.search` and `terrain3d` (not its view). `motion.py` relates cells to
points, and turns the points of a path into poses.
"""
