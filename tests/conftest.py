"""Which tests are quick, how much hypothesis tries, and one window without a screen for all tests.

The fixtures import the engine, so that all other tests run without it.
"""

import gc
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.selection import FEW, MANY, skip_or_fail

os.environ["LANGUAGE"] = "en"  # whatever the language of this machine is

# In CI the same examples every time, so that a red run can be repeated anywhere.
IS_CI = bool(os.environ.get("CI"))

for name, max_examples in (("fast", FEW), ("thorough", MANY)):
    settings.register_profile(
        name,
        max_examples=max_examples,
        deadline=None,
        derandomize=IS_CI,
        suppress_health_check=[HealthCheck.too_slow],  # a test is no slower on a busy machine
    )
settings.load_profile("fast")

TESTS = Path(__file__).parent
QUICK = (
    "test_house.py",
    "ai/search/test_search_graph.py",
    "ai/search/test_jit.py",
    "ai/rules/test_step_rule.py",
    "ai/rules/test_reasons.py",
    "ai/analysis/test_choke_points.py",
    "ai/motion/test_motion.py",
    "ai/behaviors/test_chase.py",
    "ai/squads/test_formation.py",
    "ai/navigation/test_search.py",
    "ai/board/test_board.py",
    "ai/board/test_log.py",
    "ai/game/test_unit_loader.py",
    "docs/test_tables.py",
    "terrain3d/core/test_node.py",
    "terrain3d/core/test_signals.py",
    "terrain3d/grid/test_grid.py",
    "terrain3d/generate/test_noise.py",
    "terrain3d/formats/test_native.py",
    "terrain3d/formats/test_text.py",
    "terrain3d/picture/test_picture.py",
    "terrain3d/map/test_edit.py",
    "terrain3d/map/test_picking.py",
    "terrain3d/editor/test_tools.py",
    "terrain3d/mesh/test_mesh.py",
    "terrain3d/look/test_orbit.py",
    "ai/view/test_commander_3d.py",
    "terrain3d/view/test_preferences.py",
    "terrain3d/program/test_options.py",
    "terrain3d/frozen/test_options.py",
    "terrain3d/locale/test_translation.py",
)
"""Modules of the quick tier, `python -m pytest -m quick`; test_house.py checks the list."""
_QUICK_PATHS = {TESTS / name for name in QUICK}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave all other modules unread when the quick tier alone is asked for."""
    is_other = collection_path.suffix == ".py" and collection_path not in _QUICK_PATHS
    return True if is_other and config.option.markexpr == "quick" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the quick tier."""
    for item in items:
        if item.path in _QUICK_PATHS:
            item.add_marker(pytest.mark.quick)


def pytest_collection() -> None:
    """Look for no cycles among thousands of tests that all stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave them out when it looks for cycles from now on."""
    gc.enable()
    gc.freeze()


@pytest.fixture
def translations():
    """Return the server of this process; its catalogs and language are as before afterward."""
    from terrain3d import translation_server

    before = {**vars(translation_server)}
    yield translation_server
    vars(translation_server).clear()
    vars(translation_server).update(before)


@pytest.fixture(scope="session")
def processes():
    """Return two workers that begin without what this process has imported."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="session")
def base():
    """Return a window without a screen, as small as pictures of it allow."""
    from direct.showbase.ShowBase import ShowBase
    from panda3d.core import load_prc_file_data

    from ai.view import commander_3d
    from tests.support.looks import make_shadows_small

    make_shadows_small()
    commander_3d.is_compiled = lambda: True  # else it waits a frame in a fresh clone
    load_prc_file_data(
        "",
        """
        load-display p3headlessgl
        aux-display p3tinydisplay
        window-type offscreen
        win-size 160 90
        audio-library-name null
        gl-finish true
        """,
    )
    base = ShowBase()
    yield base
    base.destroy()


@pytest.fixture
def large_window(base, request):
    """Let a test look at fixed places; ask for it by `usefixtures`, to come before the tree.

    Its size may be a parameter.
    """
    from tests.support.window_pictures import enlarged

    with enlarged(base, getattr(request, "param", (640, 360))):
        yield


@pytest.fixture(scope="session")
def needs_shaders(base):
    """Skip where no shader can run; where CI is set they must."""
    from terrain3d.view.geometry import has_shaders

    if not has_shaders(base.win):
        reason = f"needs shaders, which {base.pipe.get_interface_name()} does not have"
        skip_or_fail(f"{reason}; on Debian: sudo apt install libgl1 libegl1 libgl1-mesa-dri")


@pytest.fixture
def tree(base):
    from terrain3d.view import attach

    tree = attach(base)
    yield tree
    tree.close()
    for node in (base.camera, base.cam):  # an orbit camera leaves its last view there
        node.clear_transform()


@pytest.fixture
def lens(base):
    """Return a function that replaces the lens of the window's camera, as the manual says."""
    own = base.camNode.get_lens()
    yield base.camNode.set_lens
    base.camNode.set_lens(own)


@pytest.fixture
def mouse(base):
    """Return a mouse that moves and presses buttons on the window."""
    from tests.support.scenes import Mouse

    mouse = Mouse(base)
    yield mouse
    mouse.close()


@pytest.fixture
def traces(base):
    """Return what a node can leave behind: events heard, tasks, nodes in both scene graphs."""

    def found():
        messenger, tops = base.messenger, (base.render, base.render2d, base.camera)
        events = {name: len(messenger.who_accepts(name)) for name in messenger.get_events()}
        tasks = sorted(task.name for task in base.task_mgr.getAllTasks())
        return events, tasks, [len(top.find_all_matches("**")) for top in tops]

    return found


@pytest.fixture
def tilemap():
    from terrain3d import TileMap

    return TileMap.from_noise(12, 16, seed=7, levels=5)


@pytest.fixture
def terrain(tree, tilemap):
    from terrain3d.view import Terrain3D

    return tree.root.add_child(Terrain3D(tilemap))


@pytest.fixture
def cursor(terrain):
    from terrain3d.view import TileCursor3D

    return terrain.add_child(TileCursor3D())


@pytest.fixture
def hud(tree):
    from terrain3d.view import Hud

    return tree.root.add_child(Hud())


@pytest.fixture
def display():
    """Return the name of a virtual screen."""
    from tests.support.desktop import require_tools, screen

    require_tools()
    with screen() as name:
        yield name


@pytest.fixture
def camera(tree, terrain):
    """Return an orbit camera that looks at the terrain."""
    from terrain3d.view import OrbitCamera3D

    return tree.root.add_child(OrbitCamera3D(target=terrain))
