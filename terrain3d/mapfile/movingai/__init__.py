"""Read and write the maps of the MovingAI benchmarks.

May import `terrain3d.grid`, `terrain3d.core` and the modules of `terrain3d.mapfile` except
`formats`. Start with `movingai_map.py`.
"""
