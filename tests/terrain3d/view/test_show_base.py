"""Windows that come and go with and without their trees, and settings that cannot work."""

import pytest

from tests.support.forks import fork_python
from tests.support.resident_memory import IS_MEASURABLE

HEAD = """
from panda3d.core import load_prc_file_data
load_prc_file_data("", '''
    load-display p3headlessgl
    aux-display p3tinydisplay
    window-type offscreen
    print-pipe-types 0
    audio-library-name null
    notify-level-device fatal
    notify-level-egldisplay fatal
    {setting}
''')
from direct.showbase.ShowBase import ShowBase
from terrain3d import TileMap
from terrain3d.view import Hud, MiniMap, OrbitCamera3D, Terrain3D, attach

def show(base):
    tree = attach(base)
    terrain = tree.root.add_child(Terrain3D(TileMap.from_noise(20, 20, seed=7)))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    hud = tree.root.add_child(Hud())
    hud.add_child(MiniMap(terrain, camera))
    hud.unit_text = "Mira"
    for _ in range(3):
        base.task_mgr.step()
    return tree
"""


def play(code, setting=""):
    done = fork_python(HEAD.format(setting=setting) + code, check=False)
    return done.stdout, done.stderr


@pytest.mark.parametrize("closes", ["pass", "tree.close()"])
@pytest.mark.parametrize("order", ["tree_first", "base_first"])
def test_a_window_follows_another_with_or_without_closing_the_tree(closes, order):
    steps = [closes, "base.destroy()"] if order == "tree_first" else ["base.destroy()", closes]
    code = f"""
for _ in range(2):
    base = ShowBase()
    tree = show(base)
    {steps[0]}
    {steps[1]}
    assert tree.root.children == ()
base = ShowBase()
base.messenger.send("mouse1")
base.task_mgr.step()
assert not base.finalExitCallbacks
print("done")
"""
    done, problem = play(code)
    assert done == "done\n", problem


def test_a_tree_waits_for_another_window():
    code = """
base = ShowBase()
tree = show(base)
base.close_window(base.win)
base.task_mgr.step()
base.open_main_window(type="offscreen")
frames = []
tree.processed.connect(lambda: frames.append(None))
base.task_mgr.step()
print(len(frames))
"""
    done, problem = play(code)
    assert done == "1\n", problem


@pytest.mark.parametrize(
    ("opening", "setting", "words"),
    [
        ("ShowBase(windowType='none')", "", "needs a window: open one with"),
        ("ShowBase()", "coordinate-system yup-right", "coordinate-system zup-right, got yup-right"),
        ("ShowBase()", "coordinate-system zup-left", "coordinate-system zup-right, got zup-left"),
    ],
)
def test_what_cannot_work_is_refused_in_one_sentence(opening, setting, words):
    _, problem = play(f"show({opening})", setting)
    *_, last = problem.strip().splitlines()
    assert last.startswith("RuntimeError: ")
    assert words in last


@pytest.mark.nightly
@pytest.mark.skipif(not IS_MEASURABLE, reason="reads /proc")
def test_scenes_that_come_and_go_leave_hardly_more_than_empty_windows():
    # The allocator takes and returns megabytes now and then. The median does not see it.
    code = """
import gc
from statistics import median
def resident_mb():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
def growth(has_scene):
    sizes = []
    for _ in range(24):
        base = ShowBase()
        if has_scene:
            show(base)
        base.destroy()
        gc.collect()
        sizes.append(resident_mb())
    return median(after - before for before, after in zip(sizes[3:], sizes[4:]))
print(growth(False), growth(True))
"""
    done, problem = play(code)
    assert done, problem
    empty, shown = map(float, done.split())
    assert shown < empty + 0.2  # MB each
