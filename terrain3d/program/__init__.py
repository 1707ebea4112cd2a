"""Compose the program of `ai` and `terrain3d`: the commands, and the scene in a window.

This is the only subpackage that may import both `ai` and `terrain3d.view`. Only `scene` needs the
engine; the commands import it when they draw. Start with `commands.py`, then
`scene/game_scene.py`.
"""

from terrain3d.program.commands import main

__all__ = ["main"]
