"""Support for tools that package a game: Panda3D's `build_apps` and PyInstaller.

PyInstaller finds the hooks by the entry point in pyproject.toml; `build_apps_options` is for the
setup.py of a game.
"""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from terrain3d.map.tilemap import TileMap

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


def tmap_to_bam(_command: object, source: str, target: str) -> str:
    """Write a native map as a model, as a handler of files in `build_apps`.

    It is for maps that a game loads as models; `TileMap.load` needs the map itself.

    Examples
    --------
    ::

        {"file_handlers": {".tmap": tmap_to_bam}, "include_patterns": ["maps/*.tmap"]}

    Returns
    -------
    str
        The path of the model: `target` with the suffix .bam in place of .tmap.
    """
    from terrain3d.view.window.model_loader import write_bam

    path = Path(target).with_suffix(".bam")
    write_bam(TileMap.load(source), path)
    return str(path)


def hook_directories() -> list[str]:
    """Return the folder of PyInstaller's hooks."""
    return [str(Path(__file__).with_name("hooks"))]
