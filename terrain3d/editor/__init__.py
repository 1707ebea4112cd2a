"""Edit a map without a window: areas, brushes, strokes and tools.

The names below serve programs: areas list tiles, brushes write to an open `TileMap.edit`, and
`MapEditor` is the whole editor without a picture. May import `terrain3d.map` and what it imports.
Start reading with `map_editor.py`.
"""

from terrain3d.editor.areas import disc, flood, line, rectangle
from terrain3d.editor.brushes import Bridge, Connect, Erase, Level, Paint, Raise, Ramp
from terrain3d.editor.map_editor import MapEditor
from terrain3d.editor.tool_settings import ToolSettings
from terrain3d.editor.wall_tool import WallTool

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
