"""Compose the program of `ai` and `terrain3d`: the commands, and the scene in a window.

This is the only subpackage that may import both `ai` and `terrain3d.view`. Only the scene needs the
engine; the commands import it when they draw. Start with `commands.py`, then `game_scene.py`.
"""

import ai

if "Board" not in getattr(ai, "__all__", ()):  # a game in the current folder has such a module too
    hides = "hides the package ai of terrain3d: give it another name"
    raise ImportError(f"{ai.__file__} {hides}", name="ai", path=ai.__file__)

from terrain3d.program.commands import main

__all__ = ["main"]
