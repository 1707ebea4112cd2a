"""Read and write the native `.tmap` format.

May import `terrain3d.grid` and `terrain3d.core`. Start with `native.py`.
"""
