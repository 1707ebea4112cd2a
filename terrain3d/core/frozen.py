"""Resources of packages in games that Panda3D's `build_apps` has packed.

There the modules lie in the program itself, where `importlib.resources` finds no files. This looks
for them in folders beside the program, "<program's folder>/<package>/".
"""

import importlib.resources
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any


def look_beside_program() -> None:
    """Let `importlib.resources.files` find folders beside a packed program."""
    # PyInstaller unpacks its files to a folder of its own and needs no help.
    if not getattr(sys, "frozen", False) or hasattr(sys, "_MEIPASS"):
        return
    find: Callable[..., Any] = importlib.resources.files
    folder = Path(sys.executable).parent

    def files(package: str | ModuleType | None = None) -> Any:  # noqa: ANN401 - as it is there
        name = package.__name__ if isinstance(package, ModuleType) else package
        beside = folder.joinpath(*name.split(".")) if name else folder
        return beside if name and beside.is_dir() else find(package)

    importlib.resources.files = files
