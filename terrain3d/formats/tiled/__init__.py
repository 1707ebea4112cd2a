"""Read and write maps of the Tiled editor, `.tmx` and `.tmj`; docs/formats.md describes the rules.

May import the modules of `terrain3d.formats`. Start with `reader.py`.
"""
