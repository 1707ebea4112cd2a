"""The font of all text on panels and tiles.

IBM Plex Sans was chosen because its figures are lining and its letters stay clear at 12 pixels; it
is free under the Open Font License, and fontpkg keeps it up to date on PyPI.
"""

from __future__ import annotations

from fontpkg import path
from panda3d.core import DynamicTextFont, Filename


def make_font(pixels: int) -> DynamicTextFont:
    """Return the font for letters of a height in pixels; each call returns another font."""
    font = DynamicTextFont(Filename.from_os_specific(str(path("IBM Plex Sans"))))
    font.set_pixels_per_unit(pixels)
    font.set_page_size(512, 512)
    return font
