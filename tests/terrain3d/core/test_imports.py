"""Public names of packages are loaded when they are used, and found by all who look for them."""

import ast
import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import ai
import terrain3d
from terrain3d.core.imports import lazy_names


def for_tools(package):
    """Return the names and values that tools find, which check types."""
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    (branch,) = (part for part in tree.body if isinstance(part, ast.If))
    assert ast.unparse(branch.test) == "TYPE_CHECKING"
    found = {}
    for part in branch.body:
        (alias,) = part.names
        assert alias.name == alias.asname  # else mypy takes it for no public name
        module = importlib.import_module(part.module)
        found[alias.name] = getattr(module, alias.name)
    return found


@pytest.mark.parametrize("name", ["ai", "ai.view", "terrain3d", "terrain3d.view"])
def test_a_package_has_the_names_that_tools_find(name):
    package = importlib.import_module(name)
    found = for_tools(package)
    assert sorted(found) == package.__all__
    for public, value in found.items():
        assert getattr(package, public) is value, public
    assert dir(package) == sorted([*package.__all__, "__all__", "__doc__"])


def in_a_new_process(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_is_loaded_before_it_is_used():
    code = (
        "import sys, ai, terrain3d\n"
        "print([name for name in sys.modules if name.startswith(('ai.', 'terrain3d.', 'numpy'))])\n"
        "ai.Path, terrain3d.Cell\n"
        "print('ai.navigation.path' in sys.modules, 'ai.board.board' in sys.modules)"
    )
    loaded, after = in_a_new_process(code).splitlines()
    assert loaded == "['terrain3d.core', 'terrain3d.core.imports']"
    assert after == "True False"


def test_every_way_to_a_name_leads_to_it():
    in_a_new_process(
        "import ai, terrain3d\n"
        "assert ai.Board is ai.board.board.Board\n"
        "assert ai.movers.FLYER.can_fly\n"
        "assert terrain3d.TileMap is terrain3d.map.tilemap.TileMap\n"
    )
    in_a_new_process(
        "from ai import *\n"
        "from terrain3d import *\n"
        "assert Navigation(TileMap([[0, 1]])).find_path((0, 0), (0, 1))\n"
        "assert movers.FLYER and callable(formation) and callable(landscape)\n"
    )
    assert pickle.loads(pickle.dumps(ai.MoveProfile)) is ai.MoveProfile


@pytest.mark.parametrize("package", [ai, terrain3d])
def test_a_name_that_is_none_is_missing(package):
    for name in ("TileMaps", "__wrapped__", "_Board"):
        assert not hasattr(package, name)
    with pytest.raises(AttributeError, match=f"^module '{package.__name__}' has no attribute 'x'$"):
        package.x  # noqa: B018 - the access is what is tested
    with pytest.raises(ImportError, match="cannot import name 'TileMaps'"):
        from ai import TileMaps  # noqa: F401


def test_what_a_module_lacks_is_named(tmp_path, monkeypatch):
    (tmp_path / "lazy_package").mkdir()
    (tmp_path / "lazy_package/__init__.py").touch()
    (tmp_path / "lazy_package/part.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("lazy_package")
    _, get, _ = lazy_names("lazy_package", {"lazy_package.part": "Thing"})
    for name in ("Thing", "part"):
        with pytest.raises(ModuleNotFoundError, match="no_such_package"):
            get(name)
