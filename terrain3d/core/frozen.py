"""Resources of packages in games that Panda3D's `build_apps` has packed.

There the modules lie in the program itself, where `importlib.resources` finds no files. This looks
for them in folders beside the program, "<program's folder>/<package>/". The library of the compiler
and the font are found so.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FrozenImporter, ModuleSpec
from importlib.resources.abc import TraversableResources
from pathlib import Path
from types import ModuleType


class _Files(TraversableResources):
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def files(self) -> Path:
        return self._folder


class _Loader(FrozenImporter):
    """Imports a package from the program, and reads its resources in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_resource_reader(self, _name: str) -> TraversableResources:
        return _Files(self._folder)


class _Finder(MetaPathFinder):
    """Finds the packages of the program that have a folder beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        folder = self._folder.joinpath(*name.split("."))
        spec = FrozenImporter.find_spec(name, path, target) if folder.is_dir() else None
        if spec is not None:
            spec.loader = _Loader(folder)
        return spec


def look_beside_program() -> None:
    """Let `importlib.resources` find folders beside a packed program."""
    # PyInstaller unpacks its files to a folder of its own and needs no help.
    if getattr(sys, "frozen", False) and not hasattr(sys, "_MEIPASS"):
        sys.meta_path.insert(0, _Finder(Path(sys.executable).parent))
