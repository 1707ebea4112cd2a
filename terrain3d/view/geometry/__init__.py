"""Copy meshes and textures into Panda3D.

Start with `geom.py`.
"""
