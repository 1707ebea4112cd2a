"""Read and write the maps and scenarios of the MovingAI benchmarks.

May import `terrain3d.grid` and `terrain3d.core`. Start with `movingai_map.py`.
"""
