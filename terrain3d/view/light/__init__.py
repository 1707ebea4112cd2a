"""Light the scene: sun, shadows and sky, with or without shaders.

May import `window` and `geometry`. Start with `daylight.py`.
"""
