"""Settings of the map editor's tools, and the strokes that they begin.

A tool changes all tiles of an area, or those between two ends. An area is the track of a brush,
a rectangle, or a flood fill.
"""

from dataclasses import dataclass

from terrain3d.core.checks import instance_of, one_of, whole_within
from terrain3d.editor import areas
from terrain3d.editor.brushes import Bridge, Brush, Connect, Erase, Level, Paint, Raise, Ramp, Span
from terrain3d.editor.strokes import BrushedArea, BrushStroke, DeferredStroke, ToolStroke
from terrain3d.editor.wall_tool import WallTool
from terrain3d.grid.grid import Cell
from terrain3d.map.tilemap import TileMap

BETWEEN = ("ramp", "bridge", "ladder", "wall")
TOOLS = ("raise", "lower", "level", "paint", "erase", *BETWEEN)
AREAS = ("brush", "rectangle", "fill")
MAX_SIZE = 9

MAX_SHOWN_TILES = 4096
"""The most tiles that a preview shows one by one."""


@dataclass(frozen=True)
class ToolSettings:
    """A tool and its settings.

    Parameters
    ----------
    kind : str
        Name of the kind for paint and for bridges.
    tool : str
        One of TOOLS.
    area : str
        One of AREAS; ignored by the tools in BETWEEN.
    size : int
        Size of the brush, 1..MAX_SIZE.

    Raises
    ------
    TypeError, ValueError
        The tool or area is unknown, or the size is out of its limits.
    """

    kind: str
    tool: str = TOOLS[0]
    area: str = AREAS[0]
    size: int = 1

    def __post_init__(self) -> None:
        """Check the fields."""
        instance_of("kind", self.kind, str)
        one_of("tool", self.tool, TOOLS)
        one_of("area", self.area, AREAS)
        whole_within("size", self.size, 1, MAX_SIZE)

    @property
    def needs_second_tile(self) -> bool:
        """Whether the tool needs a second tile."""
        return self.tool in BETWEEN or self.area == "rectangle"

    @property
    def text(self) -> str:
        """The settings, in lines."""
        lines = [f"Tool: {self.tool}"]
        if self.tool not in BETWEEN:
            size = f" of size {self.size}" if self.area == "brush" else ""
            lines.append(f"area: {self.area}{size}")
        if self.tool in {"paint", "bridge"}:
            lines.append(f"kind: {self.kind}")
        return "\n".join(lines)

    @property
    def advice(self) -> str:
        """A hint on how to use the tool with the pointer."""
        if self.tool == "wall":
            return "Drag across an edge to add or remove its wall, then along it for a longer wall"
        if self.tool in BETWEEN:
            return f"Drag from one end of the {self.tool} to the other"
        advice = {
            "brush": f"Drag to {self.tool}",
            "rectangle": f"Drag from corner to corner to {self.tool}",
            "fill": f"Click to {self.tool} all connected tiles of the same level and kind",
        }
        return advice[self.area]

    def preview(self, tilemap: TileMap, cell: Cell) -> list[Cell]:
        """Return the tiles that a stroke from a cell would change; if too many, the nearest."""
        if self.needs_second_tile:
            return [cell]
        if self.area == "fill":
            return areas.flood(tilemap, cell, MAX_SHOWN_TILES)
        return areas.disc(tilemap, cell, self.size)

    def begin(self, tilemap: TileMap, start: Cell) -> ToolStroke:
        """Return a stroke that begins at a tile; extend it to that tile first."""
        if self.tool in BETWEEN:
            return DeferredStroke(tilemap, self.tool, start, self._span())
        name = f"paint {self.kind}" if self.tool == "paint" else self.tool
        if self.area == "brush":
            return BrushStroke(tilemap, name, start, self._brush(), self.size)
        area = areas.rectangle if self.area == "rectangle" else _connected
        return DeferredStroke(tilemap, name, start, BrushedArea(self._brush(), area))

    def _brush(self) -> Brush:
        brushes: dict[str, Brush] = {
            "raise": Raise(1),
            "lower": Raise(-1),
            "level": Level(),
            "paint": Paint(self.kind),
            "erase": Erase(),
        }
        return brushes[self.tool]

    def _span(self) -> Span:
        spans: dict[str, Span] = {
            "ramp": Ramp(),
            "bridge": Bridge(self.kind),
            "ladder": Connect(),
            "wall": WallTool(),
        }
        return spans[self.tool]


def _connected(tilemap: TileMap, start: Cell, end: Cell) -> list[Cell]:
    del end
    return areas.flood(tilemap, start)
