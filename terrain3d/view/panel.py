"""A plate with text on the window, measured in pixels from its top left corner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import DynamicTextFont, GeomNode, NodePath, TextFont, TextNode, TextProperties

from terrain3d.kinds import Color
from terrain3d.marks import fan, joined
from terrain3d.view.geom import make_geom_node

PLATE: Color = (0.055, 0.065, 0.09)
INK: Color = (0.94, 0.95, 0.97)

_PLATE_ALPHA = 0.82
# In heights of the text:
_PADDING = 0.6
_COLUMN_GAP = 1.4
_ROUNDNESS = 0.4
_BAR = 0.26
_LINE_HEIGHT = 1.3
_BASE_LINE = 0.94


def crisp_font(size_px: int) -> TextFont:
    """Give Panda3D's own font with its letters drawn for this very size."""
    font = TextProperties.get_default_font().make_copy()
    if isinstance(font, DynamicTextFont):
        font.clear()
        font.set_pixels_per_unit(size_px)
        font.set_page_size(512, 512)
    font.set_line_height(_LINE_HEIGHT)
    return font


class Panel:
    """Text in one or more columns on a dark plate; hidden while it has no text.

    Parameters
    ----------
    parent : NodePath
        Whose units are pixels, x to the right and z up.
    name : str
    """

    def __init__(self, parent: NodePath, name: str) -> None:
        self.np = parent.attach_new_node(name)
        self.np.hide()
        self._plate = self.np.attach_new_node("plate")
        self._texts: tuple[str, ...] = ()
        self._bar: Color | None = None
        self._nodes: list[NodePath] = []
        self._font = TextProperties.get_default_font()
        self._size_px = 16
        self._size = (0.0, 0.0)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels; 0 without text."""
        return self._size

    def set_texts(self, texts: Sequence[str], bar: Color | None = None) -> None:
        """Show one text a column, beside a bar of a color; nothing happens if they are the same."""
        wanted = tuple(texts)
        if wanted != self._texts or bar != self._bar:
            self._texts, self._bar = wanted, bar
            self._build()

    def set_font(self, font: TextFont, size_px: int) -> None:
        """Use another font, in which a line is about `size_px` pixels high."""
        self._font, self._size_px = font, size_px
        self._build()

    def place(self, left: float, top: float) -> None:
        """Put its top left corner at a whole pixel, so that letters stay crisp."""
        self.np.set_pos(round(left), 0, -round(top))

    def _build(self) -> None:
        for node in self._nodes:
            node.remove_node()
        self._nodes = []
        self._plate.remove_node()
        self._size = (0.0, 0.0)
        if not any(self._texts):
            self.np.hide()
            return
        unit = self._size_px
        padding = round(_PADDING * unit)
        left = padding + (round(_BAR * unit) if self._bar else 0)
        lowest = 0.0
        for text in self._texts:
            width, height = self._add_column(text, left, padding)
            left += width + round(_COLUMN_GAP * unit)
            lowest = max(lowest, height)
        width = left - round(_COLUMN_GAP * unit) + padding
        self._size = (width, lowest + 2 * padding)
        self._plate = self.np.attach_new_node(self._plate_node(*self._size), -1)
        self.np.show()

    def _add_column(self, text: str, left: int, top: int) -> tuple[int, int]:
        node = TextNode("text")
        node.set_font(self._font)
        node.set_text_color(*INK, 1.0)
        node.set_text(text)
        column = self.np.attach_new_node(node.generate())
        # The font's unit is the height of a line, the first base line is at 0.
        column.set_scale(self._size_px)
        column.set_pos(left, 0, -(top + round(_BASE_LINE * self._size_px)))
        self._nodes.append(column)
        rows = node.get_num_rows()
        return round(node.get_width() * self._size_px), round(
            rows * node.get_line_height() * self._size_px
        )

    def _plate_node(self, width: float, height: float) -> GeomNode:
        radius = _ROUNDNESS * self._size_px
        shapes = [fan(_rounded(width, height, radius), PLATE, _PLATE_ALPHA)]
        if self._bar is not None:
            shapes.append(fan(_rounded(_BAR * self._size_px, height, radius / 4), self._bar))
        return make_geom_node("plate", joined(shapes))


def _rounded(width: float, height: float, radius: float) -> NDArray[np.float64]:
    """Outline a plate whose top left corner is at 0, counter-clockwise, as (n, 3) with y at 0."""
    angle = np.linspace(0.0, np.pi / 2, 7) + np.arange(4)[:, None] * (np.pi / 2)
    right, bottom = width - radius, radius - height
    middle_x = np.array([right, radius, radius, right])[:, None]
    middle_z = np.array([-radius, -radius, bottom, bottom])[:, None]
    x = middle_x + radius * np.cos(angle)
    z = middle_z + radius * np.sin(angle)
    return np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)
