"""The font of all text in the view: that of the player's language, or one that a game sets."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from string import ascii_letters, digits

import fontpkg
from panda3d.core import DynamicTextFont, Filename, TextEncoder, TextNode

from terrain3d.core.checks import checked_path, quoted
from terrain3d.core.translation import ENGLISH, translation_server
from terrain3d.view.geometry import is_srgb

USUAL = "IBM Plex Sans"
"""Clear at 12 pixels, with lining figures, free, and kept on PyPI by fontpkg."""
_OF_LANGUAGES = {"ja": ("noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf")}
"""Package and file of the font for each language whose letters the usual font does not have."""
_NEEDED = ascii_letters + digits + "?"
"""What a font must have: the last one stands for a character that it does not have."""
_MARKS = re.compile("\1\\w+\1|[\2\n]")
"""Marks around a part of a text with properties of its own, and breaks."""


class _Chosen:
    """What `set_font` has set; one for the process, as its language."""

    file: Path | None = None


def set_font(font: str | os.PathLike[str] | None) -> None:
    """Set the font of text that is drawn from now on: a file, or an installed family of fontpkg.

    None is the font for the player's language: IBM Plex Sans, for Japanese that of the extra `ja`.
    It is one font for the process, as is its language.

    Raises
    ------
    TypeError
        `font` is neither text nor a path.
    ValueError
        It is neither a file of a font nor the name of a family, or has no English letters, digits
        or question mark, as fonts of symbols.
    """
    file = None if font is None else checked_path("font", font).absolute()
    if file is not None and not file.is_file():
        try:
            file = Path(fontpkg.path(str(font)))
        except fontpkg.FontpkgError:
            file = None
    if font is not None and (file is None or not _load(file).is_valid()):
        problem = "must be a file of a font or an installed family of fontpkg"
        raise ValueError(f"font {problem}, got {quoted(font)}")
    if file is not None:
        node = text_node("letters")
        node.set_font(_load(file))
        has: Callable[[str], bool] = node.has_exact_character  # type: ignore[assignment]
        lacking = "".join(sign for sign in _NEEDED if not has(sign))
        if lacking:
            problem = "must have English letters, digits and a question mark"
            raise ValueError(f"font {problem}; {file.name} lacks {quoted(lacking)}")
    _Chosen.file = file


def font_file() -> Path:
    """Return the file of the font of all text now.

    Without the font of its language, all is English, and one warning says what to install.
    """
    if _Chosen.file is not None:
        return _Chosen.file
    names = (name.partition("_")[0] for name in translation_server.fallbacks)
    language = next((name for name in names if name in _OF_LANGUAGES), None)
    if language is None:
        return _usual()
    try:
        return _installed(*_OF_LANGUAGES[language])
    except ModuleNotFoundError:
        translation_server.set_language(ENGLISH)
        how = f"pip install terrain3d-tactics[{language}]"
        problem = f"there is no font for the language {language!r}: {how}"
        warnings.warn(f"{problem}, or call terrain3d.view.set_font", stacklevel=2)
    return _usual()


@cache
def _installed(package: str, name: str) -> Path:
    return Path(str(resources.files(package) / name))


def make_font(file: Path, pixels: int) -> DynamicTextFont:
    """Return a font for letters of a height in pixels; each call returns another one."""
    font = _load(file)
    font.set_pixels_per_unit(pixels)
    font.set_page_size(512, 512)
    if is_srgb():
        font.set_bg((0.99, 0.99, 0.99, 0.0))  # pages of alpha alone would be black to a shader
    return font


def text_node(name: str) -> TextNode:
    """Return a node for text of any characters, whatever the encoding of the program is."""
    node = TextNode(name)
    node.set_encoding(TextEncoder.E_utf8)
    return node


def drawable(text: str) -> str:
    """Return a text with "?" for half of a surrogate pair, as in names that are not UTF-8."""
    return text.encode(errors="replace").decode()


def text_width(node: TextNode, line: str) -> float:
    """Return the width of a line in the font of a node, in heights of a line."""
    return float(node.calc_width(_MARKS.sub("", line)))  # far sooner than a layout


@cache
def _usual() -> Path:
    return Path(fontpkg.path(USUAL))


def _load(file: Path) -> DynamicTextFont:
    return DynamicTextFont(Filename.from_os_specific(str(file)))
