"""Imports: public names of packages that are loaded when they are used, and packed games.

In games that Panda3D's `build_apps` has packed, the modules lie in the program itself, where
`importlib.resources` finds no files. `look_beside_program` looks for them in folders beside the
program, "<program's folder>/<package>/". The library of the compiler and the font are found so.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import FrozenImporter, ModuleSpec
from importlib.resources.abc import TraversableResources
from pathlib import Path
from types import ModuleType
from typing import Any


def lazy_names(
    package: str, names: Mapping[str, str], *submodules: str
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package that loads modules when used.

    Tools that check types do not read the table: the package also imports the names, each `as`
    itself, under `if TYPE_CHECKING`.

    Parameters
    ----------
    package : str
    names : mapping
        The public names in each module, with spaces between them.
    *submodules : str
        Modules of the package that are public names too.
    """
    module_of = {name: module for module, text in names.items() for name in text.split()}
    public = sorted([*module_of, *submodules])

    def get(name: str) -> Any:  # noqa: ANN401 - of any type
        if name in module_of:
            value = getattr(import_module(module_of[name]), name)
            setattr(sys.modules[package], name, value)  # found without this function from now on
            return value
        if not name.startswith("_"):
            try:
                return import_module(f"{package}.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"{package}.{name}":
                    raise
        problem = f"module {package!r} has no attribute {name!r}"
        raise AttributeError(problem, name=name, obj=sys.modules[package])

    return public, get, lambda: [*public, "__all__", "__doc__"]


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
