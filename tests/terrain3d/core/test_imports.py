"""Public names of packages are loaded when they are used, and found by all who look for them."""

import ast
import importlib
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
