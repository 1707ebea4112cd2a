"""Write text on dark plates, rendered for the window's pixels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from panda3d.core import NodePath, TextNode, TextProperties, TextPropertiesManager

from terrain3d.grid.kinds import Color
from terrain3d.look.layout import Size
from terrain3d.mesh.data import MeshData
from terrain3d.mesh.overlays.flat_shapes import joined, polygon
from terrain3d.view.geometry.geom import make_font, make_geom_node

PLATE: Color = (0.055, 0.065, 0.09)
INK: Color = (0.96, 0.965, 0.98)
FAINT_INK: Color = (0.80, 0.825, 0.86)
HEADING_INK: Color = (1.0, 0.84, 0.42)
_PLATE_ALPHA = 0.82
# In heights of the text:
_PADDING = 0.6
_COLUMN_GAP = 1.4
_ROUNDNESS = 0.4
_BAR = 0.26
_LINE_HEIGHT = 1.3
_BASE_LINE = 0.98
_MARKS = re.compile("\1heading\1|\2")
"""The marks around a heading in the text."""
_TEXT_PART = 1 / 44
_WIDEST = 16 / 9
LEAST_TEXT_PX = 12


def usual_text_px(window: Size) -> float:
    """Return a height of text in proportion to the window's size."""
    width, height = window
    return max(LEAST_TEXT_PX, min(height, width / _WIDEST) * _TEXT_PART)


def heading(text: str) -> str:
    """Return a text that panels show in the color of headings."""
    return f"\1heading\1{text}\2"


class Letters:
    """The font of all text, rendered for one size."""

    def __init__(self, size_px: int) -> None:
        self.size_px = size_px
        self.line_px = _LINE_HEIGHT * size_px
        """Height of a line."""
        self.padding_px = round(_PADDING * size_px)
        """Distance of the text from the edge of its plate."""
        self.gap_px = round(_COLUMN_GAP * size_px)
        """Distance between two columns."""
        self.font = make_font(size_px)
        self.font.set_line_height(_LINE_HEIGHT)
        self._ruler = TextNode("ruler")
        self._ruler.set_font(self.font)
        self.width_px = lru_cache(1024)(self._width_px)
        """Returns the width of a line."""
        properties = TextProperties()
        properties.set_text_color(*HEADING_INK, 1.0)
        TextPropertiesManager.get_global_ptr().set_properties("heading", properties)

    def _width_px(self, line: str) -> float:
        return float(self._ruler.calc_width(_MARKS.sub("", line))) * self.size_px

    def plate_size(self, columns: Sequence[str], *, has_bar: bool = False) -> Size:
        """Return the size of a panel with these texts; 0 without any."""
        if not any(columns):
            return 0.0, 0.0
        widths = [self.column_width(text) for text in columns]
        gaps = self.gap_px * (len(columns) - 1)
        left, padding = self.left_px(has_bar=has_bar), self.padding_px
        lines = max(text.count("\n") + 1 for text in columns)
        return left + sum(widths) + gaps + padding, round(lines * self.line_px) + 2 * padding

    def column_width(self, text: str) -> int:
        """Return the width of a text of several lines, in whole pixels."""
        return round(max(map(self.width_px, text.split("\n"))))

    def left_px(self, *, has_bar: bool) -> int:
        """Return the left edge of the text on a panel."""
        return self.padding_px + (round(_BAR * self.size_px) if has_bar else 0)


@cache
def letters_of(size_px: int) -> Letters:
    """Return the shared letters of a size; Panda3D never frees a font that was drawn."""
    return Letters(size_px)


def fit_to_pixels(np_: NodePath, window: Size, scale: float) -> Letters:
    """Make one unit of a child of `render2d` one pixel; return letters for the window's size."""
    width, height = window
    np_.set_pos(-1, 0, 1)
    np_.set_scale(2 / width, 1, 2 / height)
    return letters_of(max(1, round(usual_text_px(window) * scale)))


class Panel:
    """Text in one or more columns on a dark plate; hidden while it has no text.

    The units of its parent are pixels, x to the right and z up.
    """

    def __init__(self, parent: NodePath, name: str) -> None:
        self.np = parent.attach_new_node(name)
        self.np.hide()
        self._plate = self.np.attach_new_node("plate")
        self._nodes: list[NodePath] = []
        self._built: tuple[object, ...] = ()
        self.size: Size = (0.0, 0.0)
        """Width and height in pixels; 0 without text."""

    def write(
        self,
        letters: Letters,
        columns: Sequence[str],
        *,
        bar: Color | None = None,
        plate: Color = PLATE,
        has_heading: bool = False,
    ) -> None:
        """Show texts side by side; nothing is rebuilt if they are unchanged.

        `bar` is the color of a bar at the left edge, `plate` that of the plate. With
        `has_heading`, all lines after the first are fainter.
        """
        wanted = (letters, tuple(columns), bar, plate, has_heading)
        if wanted == self._built:
            return
        self._built = wanted
        for node in (*self._nodes, self._plate):
            node.remove_node()
        self._nodes = []
        self.size = letters.plate_size(columns, has_bar=bar is not None)
        if not any(columns):
            self.np.hide()
            return
        left, top = letters.left_px(has_bar=bar is not None), letters.padding_px
        for text in columns:
            heading, _, body = text.partition("\n") if has_heading else (text, "", "")
            self._add(letters, heading, left, top, INK)
            if body:
                self._add(letters, body, left, top + letters.line_px, FAINT_INK)
            left += letters.column_width(text) + letters.gap_px
        mesh = plate_mesh(self.size, letters.size_px, bar, plate)
        self._plate = self.np.attach_new_node(make_geom_node("plate", mesh), -1)
        self.np.show()

    def place(self, left: float, top: float) -> None:
        """Put its top left corner at a whole pixel, so that letters stay crisp."""
        self.np.set_pos(round(left), 0, -round(top))

    def _add(self, letters: Letters, text: str, left: float, top: float, ink: Color) -> None:
        node = TextNode("text")
        node.set_font(letters.font)
        node.set_text_color(*ink, 1.0)
        node.set_text(text)
        column = self.np.attach_new_node(node.generate())
        # The font's unit is the height of a line, the first base line is at 0.
        column.set_scale(letters.size_px)
        column.set_pos(left, 0, -round(top + _BASE_LINE * letters.size_px))
        self._nodes.append(column)


@lru_cache(64)
def plate_mesh(
    size: Size, letters_px: int, bar: Color | None = None, color: Color = PLATE
) -> MeshData:
    """Return a plate for text of a height, its top left corner at 0."""
    width, height = size
    radius = _ROUNDNESS * letters_px
    shapes = [polygon(_rounded(width, height, radius), color, _PLATE_ALPHA)]
    if bar is not None:
        shapes.append(polygon(_rounded(_BAR * letters_px, height, radius / 4), bar))
    return joined(shapes)


def _rounded(width: float, height: float, radius: float) -> NDArray[np.float64]:
    """Return the outline of a plate, (n, 3) with y at 0, counter-clockwise from its top right."""
    angle = np.linspace(0.0, np.pi / 2, 7) + np.arange(4)[:, None] * (np.pi / 2)
    right, bottom = width - radius, radius - height
    middle_x = np.array([right, radius, radius, right])[:, None]
    middle_z = np.array([-radius, -radius, bottom, bottom])[:, None]
    x = middle_x + radius * np.cos(angle)
    z = middle_z + radius * np.sin(angle)
    return np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)


class TextPanel:
    """A text in a corner: the whole of it, or a shorter version where there is little room."""

    is_first = False

    def __init__(self, parent: NodePath, name: str, corner: str, rank: int) -> None:
        self._panel, self._letters = Panel(parent, name), letters_of(1)
        self.np, self.corner, self.rank = self._panel.np, corner, rank
        self.versions: list[str] = []
        """The whole text, then shorter ones."""
        self.color: Color | None = None
        """Color of a bar beside the text; None for no bar."""

    def sizes(self, letters: Letters, _window: Size) -> Sequence[Size]:
        """Return the sizes of all versions."""
        self._letters, has_bar = letters, self.color is not None
        return [letters.plate_size([text], has_bar=has_bar) for text in self.versions]

    def show_as(self, choice: int | None) -> None:
        """Show one of the versions, or nothing."""
        text = "" if choice is None else self.versions[choice]
        self._panel.write(self._letters, [text], bar=self.color, has_heading=True)
