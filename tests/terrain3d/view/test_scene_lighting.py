"""Terrain that the lights, the fog and the renderer of the scene graph light."""

import colorsys
import inspect
import json

import numpy as np
import pytest
from panda3d.core import AmbientLight, Fog, Shader

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import KINDS, TileMap, view
from terrain3d.look.orbit import OrbitView
from terrain3d.view.geometry import make_texture
from terrain3d.view.window.model_loader import make_model
from tests.support.pages import DOCS, run_in_window
from tests.support.selection import rest_nightly
from tests.support.window_pictures import color_at, picture, shown_from, vertices

NAMES = [kind.name for kind in KINDS if kind.name != "void"]
KIND_ROWS, COLS = 3, 5
MOST_TURN_DEG, MOST_LIGHTER = 12.0, 0.15


def kinds_map():
    """Make a flat map with a strip of each kind of ground."""
    kinds = np.arange(len(NAMES)).repeat(KIND_ROWS * COLS).reshape(-1, COLS)
    return TileMap(np.zeros(kinds.shape, int), kinds)


def top_colors(base, tree, terrain, camera):
    """Return the mean color of the lit top of each kind, (3,) in 0..1, where no seam is."""
    colors = {}
    for number, name in enumerate(NAMES):
        middle = 2.5, -(number * KIND_ROWS + 1.5), 0.0
        camera.look(OrbitView(0.0, 50.0, 9.0, middle))
        terrain.build_visible()
        seen = picture(base, tree)
        y, x = (length // 2 for length in seen.shape[:2])
        size = len(seen) // 30
        colors[name] = seen[y - size : y + size, x - size : x + size].mean(axis=(0, 1)).tolist()
    return colors


@pytest.fixture
def lamp(base):
    """Return a function that lights the scene by an ambient light."""
    lamps = []

    def shine(*color):
        light = AmbientLight("lamp")
        light.set_color((*color, 1.0))
        lamps.append(base.render.attach_new_node(light))
        base.render.set_light(lamps[-1])

    yield shine
    for each in lamps:
        base.render.clear_light(each)
        each.remove_node()
    base.render.clear_fog()
    base.render.clear_shader()


@pytest.fixture
def lit(tree):
    flat = TileMap(np.zeros((6, 6), int))
    return shown_from(tree, flat, 20.0, 50.0, 12.0, (3.0, -3.0, 0.0), lighting="scene")[0]


PLACE = (2.5, -2.3, 0.0)


def test_lights_of_the_scene_color_the_ground(base, tree, lit, lamp):
    lamp(1.0, 1.0, 1.0)
    white = color_at(base, lit, picture(base, tree), PLACE)
    lamp(-1.0, -0.5, -1.0)
    green = color_at(base, lit, picture(base, tree), PLACE)
    assert green == pytest.approx(white * (0.0, 0.5, 0.0), abs=0.02)


def test_fog_of_the_scene_hides_the_ground_but_neither_marks_nor_sky(base, tree, lit, lamp):
    lamp(1.0, 1.0, 1.0)
    marks = lit.add_child(view.TileOverlay3D())
    marks.show([(4, 4)])
    fog = Fog("thick")
    fog.set_color(1.0, 0.0, 1.0)
    fog.set_exp_density(1.0)
    base.render.set_fog(fog)
    shown = picture(base, tree)
    assert color_at(base, lit, shown, PLACE) == pytest.approx((1.0, 0.0, 1.0), abs=0.02)
    mark = color_at(base, lit, shown, (4.5, -4.5, 0.0))
    assert np.abs(mark - (1, 0, 1)).max() > 0.05
    lit.daylight.has_sky = True
    assert np.abs(corner(base, tree) - (1, 0, 1)).max() > 0.3


GREEN = (
    """#version 120
uniform mat4 p3d_ModelViewProjectionMatrix;
attribute vec4 p3d_Vertex;
void main() { gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex; }
""",
    """#version 120
uniform vec4 tone;
void main() { gl_FragColor = tone; }
""",
)


def test_a_shader_of_the_scene_and_its_inputs_apply_but_not_to_marks(base, tree, lit, lamp):
    lamp(1.0, 1.0, 1.0)
    figure = lit.add_child(Unit3D(Board(lit.tilemap).add(Unit("Mira", (2, 4)))))
    lit.add_child(view.TileOverlay3D()).show([(4, 4)])
    base.render.set_shader(Shader.make(Shader.SL_GLSL, *GREEN))
    base.render.set_shader_input("tone", (0.0, 1.0, 0.0, 1.0))
    shown = picture(base, tree)
    for place in (PLACE, (4.5, -2.5, 0.5)):
        assert color_at(base, lit, shown, place) == pytest.approx((0, 1, 0), abs=0.01)
    assert figure.is_inside_tree
    mark = color_at(base, lit, shown, (4.5, -4.5, 0.0))
    assert np.abs(mark - (0, 1, 0)).max() > 0.1


@pytest.mark.parametrize("lighting", ["own", "scene"])
def test_a_texture_of_the_scene_is_not_on_our_nodes(base, tree, lighting):
    tilemap = TileMap(np.zeros((6, 6), int))
    over = 20.0, 50.0, 8.0, (3.0, -3.0, 0.0)
    terrain, _ = shown_from(tree, tilemap, *over, lighting=lighting)
    figure = terrain.add_child(Unit3D(Board(tilemap).add(Unit("Mira", (2, 2)))))
    figure.is_selected, figure.label = True, "Mira"
    terrain.add_child(view.PathRibbon3D()).show([(1.5, -3.5, 0.0), (3.5, -3.5, 0.0)], labels=["+1"])
    marks = terrain.add_child(view.TileOverlay3D())
    marks.show([(4, 4)], ["7"])
    marks.shows_labels = True
    terrain.add_child(view.TileCursor3D()).cell = (4, 2)
    terrain.add_child(view.Crumbs3D()).show([(1, 4)])
    plain = picture(base, tree)
    black = np.zeros((2, 2, 3), np.uint8)
    base.render.set_texture(make_texture("black", black))
    try:
        assert np.abs(picture(base, tree) - plain).max() < 0.03
    finally:
        base.render.clear_texture()


def corner(base, tree):
    return picture(base, tree)[2:6, 2:6].mean(axis=(0, 1))


@pytest.mark.parametrize("lighting", ["own", "scene"])
def test_sky_and_floor_shadow_can_be_switched(base, tree, lighting):
    base.set_background_color(1.0, 0.0, 1.0)
    terrain = tree.root.add_child(view.Terrain3D(TileMap(np.zeros((6, 6), int)), lighting=lighting))
    camera = tree.root.add_child(view.OrbitCamera3D(target=terrain))
    camera.look(camera.home)
    background = pytest.approx((1.0, 0.0, 1.0), abs=0.01)
    daylight = terrain.daylight
    assert (daylight.has_sky, daylight.has_floor_shadow) == (lighting == "own",) * 2
    daylight.has_sky = daylight.has_floor_shadow = False
    assert corner(base, tree) == background
    without = picture(base, tree)
    daylight.has_floor_shadow = True
    darker = without - picture(base, tree)
    assert (darker[..., 0] > 0.1).sum() > 500
    assert darker.min() > -0.02
    assert corner(base, tree) == background
    daylight.has_sky = True
    assert np.abs(corner(base, tree) - (1.0, 0.0, 1.0)).max() > 0.3


def colors_of(np_):
    return np.array(vertices(np_, "color"))


def linear(part):
    """Return the linear value of a part of an sRGB color (IEC 61966-2-1)."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def test_colors_are_linear_if_asked_for(tree):
    tilemap = TileMap.from_noise(6, 6, seed=4)
    plain = tree.root.add_child(view.Terrain3D(tilemap, lighting="scene"))
    asked = tree.root.add_child(view.Terrain3D(tilemap, lighting="scene", has_linear_colors=True))
    for level in (None, 4):
        if level is not None:
            with tilemap.edit() as edit:
                edit.set_level((2, 2), level)
            tree.advance(0.1)
        before, after = (colors_of(each.np.find("ground"))[:, :3] for each in (plain, asked))
        assert np.abs(after - np.vectorize(linear)(before)).max() <= 0.5 / 255 + 1e-6


def test_figures_are_linear_while_they_are_on_such_a_terrain(tree):
    tilemap = TileMap(np.zeros((6, 6), int))
    terrain = tree.root.add_child(view.Terrain3D(tilemap, lighting="scene", has_linear_colors=True))
    figure = Unit3D(Board(tilemap).add(Unit("Mira", (2, 2))))
    body = figure.np
    before = colors_of(body)
    for _ in range(2):
        terrain.add_child(figure)
        after = colors_of(body)
        changed = np.abs(after - before).max(axis=1) > 0.01
        assert changed.sum() > len(before) / 2
        wanted = np.vectorize(linear)(before[changed, :3])
        assert np.abs(after[changed, :3] - wanted).max() <= 0.5 / 255 + 1e-6
        terrain.remove_child(figure)
        assert np.array_equal(colors_of(body), before)


def test_a_model_is_lit_once_however_often_it_is_added(tree):
    tilemap = TileMap(np.zeros((2, 2), int))
    terrain = tree.root.add_child(view.Terrain3D(tilemap, lighting="scene", has_linear_colors=True))
    model = terrain.np.attach_new_node(make_model(tilemap))
    before = colors_of(model)
    terrain.daylight.add_subject(model)
    once = colors_of(model)
    terrain.daylight.add_subject(model)
    assert np.array_equal(colors_of(model), once)
    assert not np.array_equal(once, before)
    terrain.daylight.remove_subject(model)
    assert np.array_equal(colors_of(model), before)


MARKS = {"path": (2.5, -3.5, 0.0), "tile": (4.25, -4.25, 0.0), "border": (4.5, -4.96, 0.0)}


def mark_colors(base, tree, terrain, camera):
    """Return the colors of a ribbon, of a marked tile and of its border, on ground of one kind."""
    ribbon = view.PathRibbon3D()
    ribbon.show([(1.5, -3.5, 0.0), (3.5, -3.5, 0.0)])
    terrain.add_child(ribbon)
    terrain.add_child(view.TileOverlay3D()).show([(4, 4)])
    camera.look(OrbitView(0.0, 80.0, 8.0, (3.0, -4.0, 0.0)))
    terrain.build_visible()
    shown = picture(base, tree)
    return {name: color_at(base, terrain, shown, at, 0).tolist() for name, at in MARKS.items()}


SIMPLEPBR = (DOCS / "examples" / "simplepbr_renderer.py").read_text(encoding="utf-8")


def ground_and_marks(base, tree, **options):
    """Return the colors of the tops of each kind, and of marks."""
    seen = []
    flat = TileMap(np.zeros((8, 8), int))
    for tilemap, colors in ((kinds_map(), top_colors), (flat, mark_colors)):
        terrain = tree.root.add_child(view.Terrain3D(tilemap, quality="low", **options))
        camera = tree.root.add_child(view.OrbitCamera3D(target=terrain))
        seen.append(colors(base, tree, terrain, camera))
        camera.queue_free()
        terrain.queue_free()
        tree.advance(0.0)
    return seen


def test_by_simplepbr_ground_and_marks_look_much_as_by_own_light(base, tree, tmp_path):
    colors, wanted = ground_and_marks(base, tree)
    act = """
        import json
        from tests.terrain3d.view.test_scene_lighting import ground_and_marks
        terrain.queue_free()
        camera.queue_free()
        step()
        given = dict(lighting="scene", has_linear_colors=True)
        print("seen", json.dumps(ground_and_marks(base, tree, **given)))
        """
    printed, _ = run_in_window(SIMPLEPBR, inspect.cleandoc(act), tmp_path, "win-size 640 360")
    shown, found = json.loads(printed.split("seen ")[1].splitlines()[0])
    for name in MARKS:  # its tone mapping shows white as 0.84
        assert np.abs(np.subtract(found[name], wanted[name])).max() < 0.17, name
    for name in NAMES:
        hue, lightness, _ = colorsys.rgb_to_hls(*colors[name])
        other_hue, other_lightness, _ = colorsys.rgb_to_hls(*shown[name])
        turn_deg = abs((hue - other_hue + 0.5) % 1.0 - 0.5) * 360
        assert turn_deg <= MOST_TURN_DEG, name
        assert abs(other_lightness / lightness - 1.0) <= MOST_LIGHTER, name


def test_at_low_quality_each_kind_looks_much_as_at_high(base, tree):
    terrain = tree.root.add_child(view.Terrain3D(kinds_map()))
    camera = tree.root.add_child(view.OrbitCamera3D(target=terrain))
    high = top_colors(base, tree, terrain, camera)
    terrain.quality = "low"
    low = top_colors(base, tree, terrain, camera)
    for name in NAMES:
        assert np.abs(np.array(low[name]) - high[name]).max() < 0.12, name
    assert max(np.abs(np.array(low[name]) - high[name]).max() for name in NAMES) > 0.004
    terrain.quality = "high"
    again = top_colors(base, tree, terrain, camera)
    for name in NAMES:
        assert again[name] == pytest.approx(high[name], abs=0.02)


def test_own_light_has_no_black_dots_in_a_renderer_with_a_float_buffer(tmp_path):
    """There a color below zero, as of a root of one, is not clamped."""
    act = """
        import numpy as np
        terrain.queue_free()
        step()
        own = tree.root.add_child(Terrain3D(landscape(20, 20, seed=7)))
        camera.queue_free()
        eye = tree.root.add_child(OrbitCamera3D(own))
        eye.look(eye.home)
        own.build_visible()
        step(3)
        data = base.win.get_screenshot().get_ram_image_as("RGB")
        print("dark", int((np.frombuffer(data, np.uint8).reshape(-1, 3).max(1) < 3).sum()))
        """
    printed, _ = run_in_window(SIMPLEPBR, inspect.cleandoc(act), tmp_path, "win-size 960 540")
    assert "dark 0\n" in printed


GAME = (DOCS / "examples" / "minimal_game.py").read_text(encoding="utf-8")
SRGB = """
import numpy as np
from terrain3d.view import MiniMap
from tests.support.window_pictures import picture
assert base.win.get_fb_properties().get_srgb_color() == {is_srgb}
hud.unit_text, hud.unit_color = "Mira\\nmoves 5", (0.3, 0.5, 0.9)
hud.add_child(MiniMap(terrain, camera))
camera.look(camera.home)
np.save("{is_srgb}.npy", picture(base, tree))
"""


@pytest.mark.parametrize("setting", rest_nightly(["", "gl-version 3 2"], 1))
def test_in_an_srgb_framebuffer_own_light_marks_and_panels_look_the_same(tmp_path, setting):
    for is_srgb in (0, 1):
        settings = f"win-size 640 360\nframebuffer-srgb {is_srgb}\n{setting}"
        run_in_window(GAME, SRGB.format(is_srgb=is_srgb), tmp_path, settings)
    plain, shown = (np.load(tmp_path / f"{is_srgb}.npy") for is_srgb in (0, 1))
    away = np.abs(shown - plain).max(axis=2)
    assert plain.std() > 0.1
    assert away.mean() < 0.01
    assert (away > 0.1).mean() < 0.02  # of edges, which are blended in linear light
    panel = (slice(-120, None), slice(0, 120))  # text on a dark plate, from the lowest row up
    assert away[panel].max() < 0.15


@pytest.mark.parametrize("has_lamps", [False, True])
def test_without_shaders_a_scene_without_lamps_gets_two(base, tree, lamp, monkeypatch, has_lamps):
    monkeypatch.setattr("terrain3d.view.light.daylight.has_shaders", lambda _window: False)
    if has_lamps:
        lamp(0.0, 0.3, 0.0)
    over = 20.0, 50.0, 12.0, (3.0, -3.0, 0.0)
    with pytest.warns(UserWarning, match="no GLSL 1.50"):
        terrain, _ = shown_from(tree, TileMap(np.zeros((6, 6), int)), *over)
    red, green, _ = color_at(base, terrain, picture(base, tree), PLACE)
    assert green > 0.1
    assert (red < 0.02) == has_lamps
    lamps = [terrain.np.find_all_matches(f"**/{name}") for name in ("+LightLensNode", "around")]
    assert [len(each) for each in lamps] == ([0, 0] if has_lamps else [1, 1])
    terrain.mood = "night"
    for _ in range(4):
        tree.advance(0.5)
    night = color_at(base, terrain, picture(base, tree), PLACE)
    assert (night[1] < 0.7 * green) != has_lamps
    tree.root.remove_child(terrain)
    assert not terrain.np.find_all_matches("**/around")
