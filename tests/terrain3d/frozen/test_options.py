"""What packed games need: options, hooks, and resources beside the program."""

import importlib.resources
import sys
import tomllib
from pathlib import Path

import pytest

from terrain3d.core.imports import look_beside_program
from terrain3d.frozen import build_apps_options, hook_directories
from tests.support import ROOT

FROZEN = "__phello__"
"""A package that lies in the program of Python itself."""


def test_the_hooks_are_in_the_folder_that_pyinstaller_asks_for():
    (folder,) = map(Path, hook_directories())
    names = ["hook-panda3d.py", "hook-terrain3d.py"]
    assert sorted(path.name for path in folder.glob("*.py")) == names
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    entry = project["project"]["entry-points"]["pyinstaller40"]["hook-dirs"]
    assert entry == "terrain3d.frozen:hook_directories"
    packed = project["tool"]["setuptools"]["package-data"]["terrain3d"]
    files = {path.name for glob in packed for path in (ROOT / "terrain3d").glob(glob)}
    assert {*names, "terrain3d.pot", "terrain3d.mo"} <= files


def test_the_options_name_files_that_the_packages_have():
    site = Path(importlib.resources.files("fontpkg_ibm_plex_sans")).parent
    packed = build_apps_options()["package_data_dirs"].values()
    patterns = [pattern for entries in packed for pattern, _, _ in entries]
    assert len(patterns) == 5
    assert all([*site.glob(pattern), *ROOT.glob(pattern)] for pattern in patterns)


@pytest.fixture
def own_imports(monkeypatch):
    """Return the list of finders; undo changes of it, and imports of the frozen package."""
    finders = [*sys.meta_path]
    monkeypatch.setattr(sys, "meta_path", finders)
    monkeypatch.delitem(sys.modules, FROZEN, raising=False)
    yield finders
    sys.modules.pop(FROZEN, None)


def test_a_packed_program_finds_resources_in_folders_beside_it(tmp_path, monkeypatch, own_imports):
    (tmp_path / FROZEN).mkdir()
    (tmp_path / FROZEN / "data.txt").write_text("beside")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "game"))
    find, before = importlib.resources.files, [*own_imports]
    look_beside_program()
    assert (find(FROZEN) / "data.txt").read_text() == "beside"
    with importlib.resources.as_file(find(FROZEN) / "data.txt") as file:
        assert file == tmp_path / FROZEN / "data.txt"
    assert sys.modules[FROZEN].__spec__.name == FROZEN
    assert find("numpy").joinpath("__init__.py").is_file()
    assert importlib.resources.files is find  # with all arguments of this version of Python
    assert own_imports[1:] == before


def test_other_programs_import_as_before(tmp_path, monkeypatch, own_imports):
    before = [*own_imports]
    look_beside_program()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)  # by PyInstaller
    look_beside_program()
    assert own_imports == before
