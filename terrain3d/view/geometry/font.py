"""The font of all text on panels and tiles.

IBM Plex Sans was chosen because its figures are lining and its letters stay clear at 12 pixels; it
is free under the Open Font License, and fontpkg keeps it up to date on PyPI.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontpkg import family_from_metadata, path, select_file
from panda3d.core import DynamicTextFont, Filename

_NAME, _PACKAGE = "IBM Plex Sans", "fontpkg_ibm_plex_sans"
_WEIGHT, _STYLE = 400, "normal"


def font_path() -> Path:
    """Return the file of the font.

    In a game that `build_apps` has packed, Python finds no files of packages; those of the font are
    in a folder beside the program.
    """
    beside = Path(sys.executable).with_name(_PACKAGE)
    if not (getattr(sys, "frozen", False) and beside.is_dir()):
        return Path(path(_NAME, _WEIGHT, _STYLE))
    card = json.loads((beside / "metadata.json").read_text("utf-8"))
    return Path(select_file(family_from_metadata(card, beside), _WEIGHT, _STYLE).path)


def make_font(pixels: int) -> DynamicTextFont:
    """Return the font for letters of a height in pixels; each call returns another font."""
    font = DynamicTextFont(Filename.from_os_specific(str(font_path())))
    font.set_pixels_per_unit(pixels)
    font.set_page_size(512, 512)
    return font
