"""Motion: the pose of a mover over time, and its place in the world.

May import `ai.rules`, `ai.search` and `terrain3d` (not its view). Start reading with `motion.py`,
where the points of a path become poses; `placement.py` relates cells to points.
"""
