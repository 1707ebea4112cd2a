"""A tool of the map editor with its settings, and the tiles that it changes."""

from dataclasses import dataclass, field

from terrain3d.core.checks import instance_of, one_of, whole_within
from terrain3d.core.translation import tr
from terrain3d.editor.areas import CellArray, disc, flood_array, rectangle_array
from terrain3d.editor.tools import TOOLS, Choice, Span, Tool, Tools, checked_tools
from terrain3d.grid.grid import Cell
from terrain3d.map.tilemap import TileMap

AREAS = ("brush", "rectangle", "fill")
MAX_SIZE = 9


@dataclass(frozen=True)
class ToolSettings:
    """A tool and its settings.

    Parameters
    ----------
    kind : str
        Name of the kind for paint and for bridges, or of the tool's choice.
    tool : str
        One of `tools`.
    area : str
        One of AREAS; ignored by the tools between two ends.
    size : int
        Size of the brush, 1..MAX_SIZE.
    tools : mapping from str to callable
        The tools by name, each made of `kind`.

    Raises
    ------
    TypeError, ValueError
        The tool or area is unknown, or the size is out of its limits.
    """

    kind: str
    tool: str = "raise"
    area: str = "brush"
    size: int = 1
    tools: Tools = field(default_factory=lambda: TOOLS, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the fields."""
        instance_of("kind", self.kind, str)
        one_of("tool", self.tool, tuple(checked_tools(self.tools)))
        one_of("area", self.area, AREAS)
        whole_within("size", self.size, 1, MAX_SIZE)

    @property
    def is_span(self) -> bool:
        """Whether the tool changes what lies between two ends."""
        return isinstance(self.make_tool(), Span)

    @property
    def needs_second_tile(self) -> bool:
        """Whether the tool needs a second tile."""
        tool = self.make_tool()
        return not tool.is_for_one if isinstance(tool, Span) else self.area == "rectangle"

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What the tool can be made of in place of a kind of ground."""
        return self.make_tool().choices

    @property
    def advice(self) -> str:
        """A hint on how to use the tool with the pointer."""
        text = "Click to {tool} all connected tiles of the same level and kind"  # of a fill
        if self.is_span:
            text = "Drag from one end of the {tool} to the other"
        elif self.area == "brush":
            text = "Drag to {tool}"
        elif self.area == "rectangle":
            text = "Drag from corner to corner to {tool}"
        text = self.make_tool().advice or text
        return tr(text, tool=tr(self.tool))

    def make_tool(self) -> Tool:
        """Return the tool as a value that can be put on tiles."""
        return self.tools[self.tool](self.kind)

    def cells(
        self, tilemap: TileMap, start: Cell, end: Cell, max_tiles: int | None = None
    ) -> list[Cell] | CellArray:
        """Return the tiles that a stroke from one cell to another changes at its end.

        Those of a brush lie around `end`, on the deck of `start`; of more than `max_tiles` in a
        fill, only the nearest are returned.
        """
        tool = self.make_tool()
        if isinstance(tool, Span):
            return tool.cells(tilemap, start, end)
        if self.area == "rectangle":
            return rectangle_array(tilemap, start, end)
        if self.area == "fill":
            return flood_array(tilemap, start, max_tiles)
        center = end._replace(deck=start.deck)
        return disc(tilemap, center, self.size) if tilemap.has_cell(center) else []
