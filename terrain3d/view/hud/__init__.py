"""Draw panels, help and the small map on the window.

May import `camera`, `scene`, `light`, `window` and `geometry`. Start with `hud.py`.
"""
