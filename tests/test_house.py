"""Project layout: imports, public names, top-level files, and agreement of the plugin cards."""

import ast
import configparser
import dataclasses
import importlib
import inspect
import subprocess
import sys
import tomllib
from itertools import accumulate
from modulefinder import ModuleFinder
from pathlib import Path

import pytest

import ai
import terrain3d
from terrain3d.core.imports import lazy_names
from tests.conftest import QUICK
from tests.support import ROOT
from tests.support.programs import fork_python

PACKAGES = ("terrain3d", "ai")
TOP_LEVEL = {"LICENSE", "README.md", "docs", "main.py", "pyproject.toml", "tests", *PACKAGES}


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


SCENE = "editor_menu", "game_menu", "game_scene", "modes", "panels", "run_scene"
NEED_THE_ENGINE = ("terrain3d.view", "ai.view", *(f"terrain3d.program.{name}" for name in SCENE))
"""The modules and subpackages that import the engine; all other modules work without it."""


def all_modules_of(package):
    found = sorted((ROOT / package).rglob("*.py"))
    paths = [path for path in found if path.parent.name != "hooks"]  # they need PyInstaller
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in paths]
    return [".".join(part for part in path if part != "__init__") for path in parts]


def modules_of(package):
    """Name every module of a package that must work without the engine."""
    left_out = tuple(f"{name}." for name in NEED_THE_ENGINE)
    return [name for name in all_modules_of(package) if not f"{name}.".startswith(left_out)]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_plugin_card_agrees_with_the_project(package):
    card = configparser.ConfigParser()
    card.read(ROOT / package / "plugin.cfg", encoding="utf-8")
    # The values of a card of a Godot add-on are quoted.
    values = {key: ast.literal_eval(value) for key, value in card["plugin"].items()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    authors = ", ".join(author["name"] for author in project["authors"])
    right = {"name": package, "version": project["version"], "author": authors}
    assert set(values) == {"description", "script", *right}
    assert right.items() <= values.items()
    assert all(values.values())
    assert (ROOT / package / values["script"]).is_file()


WITHOUT_THE_ENGINE = """
import importlib, sys
sys.modules["panda3d"] = sys.modules["direct"] = None
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        print(name)
"""


def test_all_but_the_view_and_the_scene_works_without_the_engine():
    names = [name for package in PACKAGES for name in modules_of(package)]
    assert {*PACKAGES} < {*names}
    need_it = ["terrain3d.view.camera", "terrain3d.program.game_scene"]
    done = run(sys.executable, "-c", WITHOUT_THE_ENGINE, *names, *need_it)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == need_it


LOADED = """
import sys
def report():
    names = [name for name in sys.modules if name.split(".")[0] in ("ai", "terrain3d")]
    print(*(name for name in names if not sys.modules[name].__file__.endswith("__init__.py")))
import ai, terrain3d
report()
tilemap = terrain3d.TileMap.load(sys.argv[1])
report()
assert ai.Navigation(tilemap).find_path((0, 0), (1, 1))
assert ai.Navigation(terrain3d.TileMap.from_text("00\\n10")).find_path((0, 0), (1, 1))
report()
"""


def test_a_program_loads_few_modules(tmp_path):
    path = tmp_path / "vale.tmap"
    terrain3d.TileMap([[0, 0], [1, 0]]).save(path)
    done = run(sys.executable, "-c", LOADED, path)
    assert done.returncode == 0, done.stderr
    limits = {"packages": 1, "a map": 45, "paths on it and on a drawn map": 80}
    for line, (what, limit) in zip(done.stdout.splitlines(), limits.items(), strict=True):
        assert 1 <= len(line.split()) <= limit, (what, line)


def test_tools_that_pack_programs_find_every_module():
    """They look for import statements, also in branches that no program takes."""
    finder = ModuleFinder(path=[str(ROOT)], excludes=["test", "tests"])
    finder.load_file(str(ROOT / "main.py"))
    names = {name for package in PACKAGES for name in modules_of(package)}
    asked_for = {"terrain3d.__main__", "terrain3d.frozen", "ai.game.battle"}
    assert names - set(finder.modules) - asked_for == set()


CHANGING = {"ai.board.unit.Walk", "ai.game.autopilot._Assigned", "ai.rules.footprint.Footprint"}
"""The data classes that hold a state; all others are immutable values."""


def test_data_classes_are_immutable_values():
    found = {}
    for package in PACKAGES:
        for name in modules_of(package):
            for value in vars(importlib.import_module(name)).values():
                if isinstance(value, type) and dataclasses.is_dataclass(value):
                    title = f"{value.__module__}.{value.__name__}"
                    found[title] = value.__dataclass_params__.frozen
    assert len(found) > 80
    assert {name for name, is_frozen in found.items() if not is_frozen} == CHANGING


PARTS = ("editor", "formats", "frozen", "picture", "program", "view")
PUBLIC = {*PACKAGES, "ai.movers", "ai.view", *(f"terrain3d.{part}" for part in PARTS)}
"""The modules whose names users import; all others are internal."""
INTERNAL = {name for package in PACKAGES for name in all_modules_of(package)} - PUBLIC


def names_in(path):
    """Yield the dotted names that a file imports, and its strings: some name what to patch."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def is_internal(name):
    """Return whether a dotted name is an internal module or lies in one."""
    return not INTERNAL.isdisjoint(accumulate(name.split("."), "{}.{}".format))


@pytest.fixture(scope="module")
def internal_names():
    """Return the names of internal modules, and of what lies in them, in each file of tests."""
    paths = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "tests").rglob("*.py")}
    return {name: set(filter(is_internal, names_in(path))) for name, path in paths.items()}


def test_only_listed_files_import_internal_modules(internal_names):
    found = {file for file, names in internal_names.items() if names}
    listed = (ROOT / "tests" / "internals.txt").read_text(encoding="utf-8").split()
    assert found - {*listed} == set(), "import public names from their packages"
    assert {*listed} - found == set(), "import no internal module: take them off the list"


PARTS = ("", ".editor", ".formats", ".view")
EXPORTING = ("ai", "ai.view", *(f"terrain3d{part}" for part in PARTS))


@pytest.mark.parametrize("package", EXPORTING)
def test_names_that_a_package_exports_are_imported_from_it(internal_names, package):
    init = ROOT.joinpath(*package.split("."), "__init__.py")
    exported = importlib.import_module(package).__all__
    modules = {name for name in names_in(init) if name.rpartition(".")[2] in exported}
    assert len(modules) >= len(exported)
    found = {file: names & modules for file, names in internal_names.items()}
    assert {file: names for file, names in found.items() if names} == {}


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


def test_import_contracts_hold():
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = fork_python(code, "--no-cache", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_the_top_level_has_only_what_the_design_names():
    done = run("git", "ls-files")
    assert done.returncode == 0, done.stderr
    entries = {line.split("/")[0] for line in done.stdout.splitlines()}
    assert {entry for entry in entries if not entry.startswith(".")} <= TOP_LEVEL


def test_the_quick_tier_covers_every_subpackage():
    assert [name for name in QUICK if not (ROOT / "tests" / name).is_file()] == []
    paths = [path for package in PACKAGES for path in (ROOT / package).glob("*/__init__.py")]
    packages = {path.parent.relative_to(ROOT).as_posix() for path in paths}
    assert packages <= {name.rpartition("/")[0] for name in QUICK}


def test_signatures_print_short():
    for package in (ai, terrain3d):
        for name in package.__all__:
            owner = getattr(package, name)
            members = vars(owner).items() if inspect.isclass(owner) else [(name, owner)]
            for member, value in members:
                call = getattr(value, "__func__", value)  # of a class method
                if inspect.isfunction(call) and (member == "__init__" or member[0] != "_"):
                    signature = inspect.signature(call)
                    shown, title = str(signature), f"{name}.{member}"
                    assert len(shown) <= 1000, title
                    defaults = [repr(each.default) for each in signature.parameters.values()]
                    assert max(map(len, defaults), default=0) <= 50, title
                    assert "_typing" not in shown, title
