"""Describe camera, light, colors, settings and screen layout as data.

May import `terrain3d.map` and what it imports. Start with `orbit.py` or `palettes.py`.
"""
