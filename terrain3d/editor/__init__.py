"""Edit a map without a window: areas of tiles, tools and the editor.

The names below serve programs: areas list tiles, tools write to an open `TileMap.edit`, and
`MapEditor` is the whole editor without a picture. May import `terrain3d.map` and what it imports.
Start reading with `tools.py`.
"""

from terrain3d.editor import reasons as reasons
from terrain3d.editor.areas import disc, flood, line, rectangle
from terrain3d.editor.map_editor import MapEditor
from terrain3d.editor.tool_settings import ToolSettings
from terrain3d.editor.tools import Bridge, Connect, Erase, Level, Paint, Raise, Ramp, WallTool

__all__ = [
    "Bridge",
    "Connect",
    "Erase",
    "Level",
    "MapEditor",
    "Paint",
    "Raise",
    "Ramp",
    "ToolSettings",
    "WallTool",
    "disc",
    "flood",
    "line",
    "rectangle",
]
