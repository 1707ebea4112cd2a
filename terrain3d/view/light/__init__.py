"""Light the scene: sun, shadows, sky, with shaders and without.

May import `window` and `geometry`. Start with `daylight.py`.
"""
