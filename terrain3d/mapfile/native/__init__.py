"""Read and write the native `.tmap` format.

May import `terrain3d.grid`, `terrain3d.core` and the modules of `terrain3d.mapfile` except
`formats`. Start with `tmap.py`.
"""
