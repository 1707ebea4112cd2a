"""Windows that come and go, their formats, and what every renderer draws."""

import os
from contextlib import nullcontext

import numpy as np
import pytest
from PIL import Image

from terrain3d.view.window import window
from terrain3d.view.window.window import PICTURE_SUFFIXES, check_picture_path, save_picture
from tests.support import ROOT
from tests.support.desktop import require_tools, screen
from tests.support.programs import fork_python, run_python


@pytest.fixture
def drawn(base, request):
    request.getfixturevalue("terrain")
    base.task_mgr.step()
    base.task_mgr.step()
    return base


@pytest.mark.parametrize("suffix", [*PICTURE_SUFFIXES, ".PNG"])
def test_a_picture_has_the_format_of_its_ending(drawn, tmp_path, suffix):
    path = tmp_path / f"scene{suffix}"
    path.write_bytes(b"before")
    save_picture(drawn, path)
    with Image.open(path) as picture:
        assert picture.size == (160, 90)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["map.txt", "noext", ".png", "a.gif", "folder", "folder.png"])
def test_what_cannot_become_a_picture_stays_as_it_is(drawn, tmp_path, name):
    path = tmp_path / name
    if name.startswith("folder"):
        path.mkdir()
    else:
        path.write_text("before")
    for write in (check_picture_path, lambda path: save_picture(drawn, path)):
        with pytest.raises((ValueError, OSError), match="cannot write a picture to") as caught:
            write(path)
        assert str(path) in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
    assert list(tmp_path.iterdir()) == [path]
    assert path.is_dir() or path.read_text() == "before"


@pytest.mark.parametrize(("platform", "asks"), [("darwin", True), ("linux", False)])
def test_a_window_of_macos_asks_for_the_version_with_our_shaders(monkeypatch, platform, asks):
    texts = []
    monkeypatch.setattr(window, "load_prc_file_data", lambda _name, text: texts.append(text))
    monkeypatch.setattr(window.sys, "platform", platform)
    window.configure(64, 64)
    assert [("gl-version 3 2\n" in text) for text in texts] == [asks]


RENDERERS = {
    "core profile": ("p3headlessgl", "gl-version 3 2", {}),
    "GLSL 1.20": (
        "p3headlessgl",
        "",
        {"MESA_GL_VERSION_OVERRIDE": "2.1", "MESA_GLSL_VERSION_OVERRIDE": "120"},
    ),
    "no shaders": ("p3tinydisplay", "", {}),
    "threads": ("pandagl", "threading-model Cull/Draw", {}),
}


@pytest.fixture(scope="module", params=RENDERERS)
def shown(request, tmp_path_factory):
    """Return what one renderer shows; each runs in its own process, which can have only one."""
    display, setting, environment = RENDERERS[request.param]
    if request.param != "no shaders":
        request.getfixturevalue("needs_shaders")
    folder = tmp_path_factory.mktemp("renderer")
    path = os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    out = folder / "shown.npy"
    needs_screen = display == "pandagl"  # without one, threads draw by OpenGL ES 1.1
    if needs_screen:
        require_tools()
    with screen() if needs_screen else nullcontext("") as name:
        env = {**os.environ, **environment, "PYTHONPATH": path, "DISPLAY": name}
        program = ROOT / "tests" / "support" / "renderer.py"
        done = run_python(program, display, setting, out, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    assert "gsg" not in done.stderr  # where the engine complains about shaders
    seen = np.load(out, allow_pickle=True).item()
    assert seen["has_shaders"] == (request.param not in ("GLSL 1.20", "no shaders"))
    assert ("GLSL 1.50" in done.stderr) != seen["has_shaders"]
    return seen


def test_every_renderer_shows_ground_figure_sky_liquids_and_moods(shown):
    noon = shown["noon"]
    red, green, blue = noon["grass"]
    assert green > red > blue
    assert green > 0.45
    assert noon["shaded"].sum() < 0.9 * noon["grass"].sum()
    warmth = {name: noon[name][0] - noon[name][2] for name in ("figure", "pond", "sky", "lava")}
    assert max(warmth["figure"], warmth["pond"]) < -0.1
    assert warmth["sky"] > 0.1
    assert warmth["lava"] > 0.3
    dusk, night = shown["dusk"], shown["night"]
    assert night["grass"].sum() < 0.6 * noon["grass"].sum()
    assert night["sky"].sum() < 0.3 * noon["sky"].sum()
    warmth = [mood["grass"][0] / mood["grass"][2] for mood in (night, noon, dusk)]
    assert warmth == sorted(warmth)
    assert warmth[2] > 1.1 * warmth[1]


def change(shown, before, after, area):
    return np.abs(shown[after]["areas"][area] - shown[before]["areas"][area]).max()


def test_liquids_move_and_glow_where_there_are_shaders_and_lie_still_elsewhere(shown):
    moves = {area: change(shown, "noon", "later", area) for area in ("pond", "lava", "grass")}
    assert moves["grass"] == 0.0
    assert max(change(shown, "noon", "again", area) for area in moves) == 0.0
    noon, night = shown["noon"]["areas"], shown["night"]["areas"]
    kept = {area: night[area].mean() / noon[area].mean() for area in ("lava", "grass")}
    assert kept["grass"] < 0.6
    if shown["has_shaders"]:
        assert min(moves["pond"], moves["lava"]) > 0.03
        assert kept["lava"] > 0.7
    else:
        assert max(moves["pond"], moves["lava"]) == 0.0


def test_a_figure_is_seen_through_what_hides_it_where_there_are_shaders(shown):
    gone = change(shown, "later", "alone", "hidden")
    if not shown["has_shaders"]:
        assert gone == 0.0
        return
    assert gone > 0.2
    with_it, without = (shown[when]["areas"]["hidden"] for when in ("later", "alone"))
    added = (with_it - without).mean(axis=(0, 1))
    assert added[2] > added[0] + 0.03  # it is of the blue team
    kept = np.abs(with_it - without).max(axis=2) < 0.03
    assert 0.2 < kept.mean() < 0.95  # and lets the ground through


def test_every_renderer_shows_tiles_arrows_way_numbers_and_caption_of_a_search(shown):
    theatre = shown["theatre"]
    before, (red, _, blue) = theatre["open"]  # amber
    assert red - before[0] > 0.15
    assert red - blue > 0.25
    _, (red, green, blue) = theatre["closed"]  # violet
    assert blue - max(red, green) > 0.1
    _, latest = theatre["latest"]
    assert latest.min() > theatre["closed"][1].min() + 0.25
    before, after = theatre["unmet"]
    assert np.abs(after - before).max() < 0.03

    before, after = theatre["arrow"]
    assert after > before + 0.3
    before, (red, green, blue) = theatre["path"]  # yellow
    assert min(red, green) - blue > 0.3
    assert red - before[0] > 0.15

    assert 0.01 < theatre["numbers"] < 0.2
    assert 0.01 < theatre["caption"] < 0.12


def test_every_renderer_writes_names_in_light_letters_on_a_dark_plate(shown):
    tag = shown["tag"]
    assert len(tag) > 300
    assert (tag.max(axis=1) < 0.4).mean() > 0.5
    assert 0.05 < (tag.min(axis=1) > 0.6).mean() < 0.4


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
