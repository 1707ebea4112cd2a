"""Support for tools that package a game: Panda3D's `build_apps` and PyInstaller.

PyInstaller finds the hooks by the entry point in pyproject.toml; `build_apps_options` is for the
setup.py of a game.
"""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_FONT = "fontpkg_ibm_plex_sans"
_LOCALE = "terrain3d.locale"
_MORE_FONTS = ("noto_cjk_sans_jp_regular",)
"""Fonts for languages, which are packed if they are installed."""


def build_apps_options() -> dict[str, Any]:
    """Return the options of Panda3D's `build_apps` that a game with this package needs.

    Examples
    --------
    ::

        options = {"build_apps": {**build_apps_options(), "gui_apps": {"game": "game.py"}}}
        setup(name="game", options=options)
    """
    card = f"{_FONT}-{version(_FONT)}.dist-info"
    more = [name for name in _MORE_FONTS if find_spec(name) is not None]
    return {
        "plugins": ["pandagl"],
        "include_modules": {"*": [_FONT, *more, "numba.*", "numba.core.*", "llvmlite.*"]},
        "package_data_dirs": {
            _LOCALE: [("terrain3d/locale/**", "terrain3d/locale", {})],
            **{name: [(f"{name}/**", name, {})] for name in more},
            "llvmlite": [("llvmlite/binding/*llvmlite*", "llvmlite/binding", {})],
            _FONT: [(f"{_FONT}/**", _FONT, {}), (f"{card}/*", card, {})],
        },
    }


def hook_directories() -> list[str]:
    """Return the folder of PyInstaller's hooks."""
    return [str(Path(__file__).with_name("hooks"))]
