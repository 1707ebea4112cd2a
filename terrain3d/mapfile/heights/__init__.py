"""Read and write grids of heights: PNG, ESRI ASCII, SRTM and numpy files.

May import `terrain3d.generate`, `terrain3d.grid`, `terrain3d.core` and the modules of
`terrain3d.mapfile` except `formats`. Start with `heights_to_levels.py`; `archive.py` opens zip
archives, and each other module is one format.
"""
