"""One window without a screen for all tests of view and scene, and a node tree for each test.

The engine is imported by the fixtures, so that all other tests run without it.
"""

import pytest

from tests.support.optional import skip_or_fail


@pytest.fixture(scope="session")
def base():
    from direct.showbase.ShowBase import ShowBase
    from panda3d.core import load_prc_file_data

    load_prc_file_data(
        "",
        """
        load-display p3headlessgl
        aux-display p3tinydisplay
        window-type offscreen
        win-size 640 360
        audio-library-name null
        gl-finish true
        """,
    )
    base = ShowBase()
    yield base
    base.destroy()


@pytest.fixture(scope="session")
def needs_shaders(base):
    """Skip where no shader can run; where CI is set they must."""
    from terrain3d.view.light.shaders import glsl_version

    if not glsl_version(base.win):
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
def traces(base):
    """Return what a node can leave behind: events heard, tasks, nodes in both scene graphs."""

    def found():
        events = {
            name: len(base.messenger.who_accepts(name)) for name in base.messenger.get_events()
        }
        tasks = sorted(task.name for task in base.task_mgr.getAllTasks())
        nodes = [
            len(top.find_all_matches("**")) for top in (base.render, base.render2d, base.camera)
        ]
        return events, tasks, nodes

    return found
