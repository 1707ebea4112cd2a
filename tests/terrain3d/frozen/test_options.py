"""What packed games need: options, hooks, a handler of maps, and the font."""

import importlib.resources
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from panda3d.core import BamFile, Filename

from terrain3d import TileMap
from terrain3d.frozen import build_apps_options, hook_directories, tmap_to_bam
from terrain3d.view.geometry.font import font_path
from tests.support.paths import ROOT


def test_the_hooks_are_in_the_folder_that_pyinstaller_asks_for():
    (folder,) = map(Path, hook_directories())
    names = ["hook-panda3d.py", "hook-terrain3d.py"]
    assert sorted(path.name for path in folder.glob("*.py")) == names
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    entry = project["project"]["entry-points"]["pyinstaller40"]["hook-dirs"]
    assert entry == "terrain3d.frozen:hook_directories"
    packed = project["tool"]["setuptools"]["package-data"]["terrain3d"]
    assert {*names} <= {path.name for glob in packed for path in (ROOT / "terrain3d").glob(glob)}


def test_the_options_name_files_that_the_packages_have():
    site = Path(importlib.resources.files("fontpkg_ibm_plex_sans")).parent
    patterns = [
        pattern
        for entries in build_apps_options()["package_data_dirs"].values()
        for pattern, _, _ in entries
    ]
    assert len(patterns) == 2
    assert all(list(site.glob(pattern)) for pattern in patterns)


def test_a_map_becomes_a_model_of_the_same_name(tmp_path):
    TileMap.from_text("012").save(tmp_path / "vale.tmap")
    target = tmp_path / "build" / "vale.tmap"
    target.parent.mkdir()
    found = tmap_to_bam(None, str(tmp_path / "vale.tmap"), str(target))
    assert found == str(target.with_suffix(".bam"))
    bam = BamFile()
    assert bam.open_read(Filename.from_os_specific(found))
    assert bam.read_node().get_num_children() == 1


def test_a_program_of_build_apps_finds_the_font_in_a_folder_beside_it(tmp_path, monkeypatch):
    package = Path(importlib.resources.files("fontpkg_ibm_plex_sans"))
    installed = font_path()
    assert installed.is_relative_to(package)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "game"))
    assert font_path() == installed  # PyInstaller puts it elsewhere, where Python finds it
    shutil.copytree(package, tmp_path / package.name)
    assert font_path() == tmp_path / package.name / installed.relative_to(package)
    assert font_path().is_file()


def test_functions_of_the_standard_library_stay_as_they_are(tmp_path):
    """Packed programs use them as others do, with all arguments of their version of Python."""
    code = "import sys, importlib.resources as r; sys.frozen, before = True, r.files\n"
    code += "import ai, terrain3d.view; assert r.files is before"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
