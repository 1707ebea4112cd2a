"""Camera, light, colors, settings and screen layout as engine-free data and arithmetic.

May import `terrain3d.editor`, `terrain3d.mesh`, `terrain3d.map` and what they import. Start with
`orbit.py`, the camera, or `settings.py`, which lists what a player can choose.
"""
