"""Sprites: which picture of a sheet is shown, toward the camera, in the light of a terrain."""

import math
from functools import partial
from itertools import product

import numpy as np
import pytest
from panda3d import core

from terrain3d import TileMap
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Node3D, Sprite3D
from terrain3d.view.geometry import make_texture
from terrain3d.view.scene.sprite_3d import DIRECTIONS, seen_direction
from tests.support.selection import rest_nightly
from tests.support.window_pictures import SAND, color_at, picture, shown_from

MIDDLE = 4.5, -4.5, 0.0
RED, GREEN, BLUE = (230, 20, 20, 255), (20, 200, 20, 255), (30, 30, 230, 255)
CLEAR = (0, 0, 0, 0)
WITHOUT_DIAGONALS = DIRECTIONS[::2]
TWO = {"left": [0], "right": [1]}


def sheet(*rows, size=8):
    """Make a sheet of plain squares, of these colors."""
    return np.array(rows, np.uint8).repeat(size, axis=0).repeat(size, axis=1)


@pytest.fixture
def sand(tree):
    """A plain of sand, looked at from the south."""
    tilemap = TileMap.from_text("\n".join(["0" * 9] * 9), SAND)
    return shown_from(tree, tilemap, 0.0, 30.0, 9.0, MIDDLE)[0]


def look(tree, heading_deg, pitch_deg):
    tree.root.children[-1].look(OrbitView(heading_deg, pitch_deg, 9.0, MIDDLE))


def add(terrain, sprite, point=MIDDLE):
    sprite.np.set_pos(*point)
    return terrain.add_child(sprite)


def above(z, x=0.0, y=0.0):
    return MIDDLE[0] + x, MIDDLE[1] + y, MIDDLE[2] + z


def hue(color):
    return "rgb"[int(np.argmax(color))] if color.max() > 1.6 * np.median(color) else ""


def test_the_columns_of_a_sheet_are_frames_and_its_rows_directions(base, tree, sand):
    sprite = Sprite3D(sheet([RED, GREEN], [BLUE, CLEAR]), TWO, ["front", "back"], hframes=2)
    add(sand, sprite)
    sprite.pixel_size = 1 / 8  # one tile
    before = color_at(base, sand, picture(base, tree), above(0.5, x=2.0))
    for animation, heading_deg, seen in (("left", 180, "r"), ("right", 180, "g"), ("left", 0, "b")):
        sprite.play(animation)
        sprite.np.set_h(heading_deg)
        image = picture(base, tree)
        for place in ((0.1, 0.0), (0.9, 0.4), (0.1, -0.4)):
            assert hue(color_at(base, sand, image, above(*place))) == seen
        for outside in ((1.1, 0.0), (0.5, 0.6), (0.5, -0.6)):
            assert hue(color_at(base, sand, image, above(*outside))) == ""
    sprite.play("right")
    sprite.np.set_x(MIDDLE[0] + 2.0)
    after = color_at(base, sand, picture(base, tree), above(0.5, x=2.0))
    np.testing.assert_allclose(after, before, atol=0.02)


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("kind", ["file", "path", "array"])
def test_a_sheet_keeps_its_sharp_pixels_whatever_it_comes_from(base, tree, sand, kind, tmp_path):
    pixels = sheet([RED, CLEAR, BLUE], size=1)  # no side is a power of two
    image = core.PNMImage(3, 1, 4)
    for x, (red, green, blue, alpha) in enumerate(pixels[0].tolist()):
        image.set_xel_val(x, 0, red, green, blue)
        image.set_alpha_val(x, 0, alpha)
    image.write(str(tmp_path / "made.png"))
    file = tmp_path / "made.png"
    sources = {"file": str(file), "path": file, "array": pixels}
    bare = picture(base, tree)
    add(sand, Sprite3D(sources[kind], pixel_size=0.5))
    image = picture(base, tree)
    assert hue(color_at(base, sand, image, above(0.25, x=-0.5))) == "r"
    assert hue(color_at(base, sand, image, above(0.25, x=0.5))) == "b"
    for x in (-0.22, 0.22):  # the ground is seen up to the edge
        seen, was = (color_at(base, sand, each, above(0.25, x=x), 1) for each in (image, bare))
        assert hue(seen) == hue(was) == ""


def test_a_renderer_without_odd_textures_draws_it_too():
    for across, down in ((1, 1), (3, 5), (4, 9), (17, 32)):
        pixels = np.zeros((down, across, 4), np.uint8)
        texture = Sprite3D(pixels).card.get_texture()
        for size, sides in ((texture.get_x_size(), across), (texture.get_y_size(), down)):
            assert size.bit_count() == 1
            assert sides <= size < 2 * sides


@pytest.mark.parametrize("kind", [core.PerspectiveLens, core.OrthographicLens])
def test_it_faces_any_camera_and_stays_upright(base, tree, sand, lens, kind):
    lens(kind())
    sprite = add(sand, Sprite3D(sheet([RED])), (1.5, -7.5, 0.0))
    sprite.np.set_h(77.0)
    for heading_deg, pitch_deg in product((0.0, 45.0, 133.0, 290.0), (10.0, 45.0, 89.0)):
        look(tree, heading_deg, pitch_deg)
        tree.advance(0.1)
        right = base.cam.get_relative_vector(sprite.card, core.Vec3.right())
        assert (right - core.Vec3.right()).length() < 1e-3
        up = sand.np.get_relative_vector(sprite.card, core.Vec3.up())
        assert pitch_deg > 50.0 or (up - core.Vec3.up()).length() < 1e-4
        # It never becomes a line, seen from above.
        toward = base.cam.get_relative_vector(sprite.card, core.Vec3.forward())
        assert toward.y > 0.6


def nearest(figure_deg, camera_deg, directions):
    """Give what is seen of a figure, by where its nose points on screen."""
    turn = math.radians(figure_deg - camera_deg)  # to the left
    seen = -math.sin(turn), math.cos(turn)  # how far to the right it points, and how far away
    places = {"back": (0, 1), "front": (0, -1), "left": (-1, 0), "right": (1, 0)}

    def likeness(name):
        place = np.sum([places[part] for part in name.split("_")], axis=0)
        return place @ seen / np.linalg.norm(place)

    return max(directions, key=likeness)


@pytest.mark.parametrize("directions", [WITHOUT_DIAGONALS, DIRECTIONS, DIRECTIONS[1::2]])
def test_the_picture_is_that_of_the_side_that_the_camera_sees(tree, sand, directions):
    colors = sheet(*([(20 * row, 0, 0, 255)] * 2 for row in range(len(directions))))
    sprite = add(sand, Sprite3D(colors, {"stand": [1]}, directions, hframes=2))
    for camera_deg in (0.0, 38.0, 131.0, 275.0):
        look(tree, camera_deg, 30.0)
        for figure_deg in range(7, 367, 24):
            sprite.np.set_h(figure_deg)
            tree.advance(0.01)
            assert sprite.direction == nearest(figure_deg, camera_deg, directions)
            assert sprite.frame == 1


def test_between_two_directions_it_is_the_first_one_and_does_not_tremble():
    for directions in (WITHOUT_DIAGONALS, WITHOUT_DIAGONALS[::-1]):
        for heading_deg in range(45, 360, 90):
            seen = {seen_direction(heading_deg + by, directions) for by in (-1e-4, 0.0, 1e-4)}
            assert len(seen) == 1
            other = nearest(heading_deg + 1, 0, directions), nearest(heading_deg - 1, 0, directions)
            assert seen == {min(other, key=directions.index)}


def test_animations_go_by_time(tree, sand):
    sprite = add(sand, Sprite3D(sheet([RED] * 5), {"a": [0, 1, 2], "b": [4, 3]}, hframes=5))
    sprite.fps = 10.0
    shown = []
    for _ in range(7):
        shown.append(sprite.frame)
        tree.advance(0.1)
    assert (sprite.animation, shown) == ("a", [0, 1, 2, 0, 1, 2, 0])
    sprite.play("a")  # goes on
    tree.advance(0.0)
    assert sprite.frame == 1
    sprite.play("b", loops=False)
    for dt_s, seen in ((0.05, (True, 4)), (0.1, (True, 3)), (0.3, (False, 3)), (9, (False, 3))):
        tree.advance(dt_s)
        assert (sprite.is_playing, sprite.frame) == seen
    sprite.play("a")
    tree.advance(0.1)
    assert sprite.frame == 1
    sprite.stop()
    tree.advance(0.1)
    assert sprite.frame == 0
    sprite.fps = 0.0
    sprite.play("a")
    tree.advance(5.0)
    assert (sprite.is_playing, sprite.frame) == (True, 0)


def shadow_of(terrain, z):
    """Give where the sun casts the shadow of what is at a height above the middle."""
    x, y, up = terrain.mood.sun
    return MIDDLE[0] - x / up * z, MIDDLE[1] - y / up * z, MIDDLE[2]


def darker(base, terrain, bare, image, z):
    was, seen = (color_at(base, terrain, each, shadow_of(terrain, z)) for each in (bare, image))
    return seen.sum() < 0.9 * was.sum()


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("camera_deg", rest_nightly([70.0, 0.0, 160.0, 250.0], 1))
def test_its_shadow_is_on_the_ground_without_its_clear_parts(base, tree, sand, camera_deg):
    look(tree, camera_deg, 89.0)
    bare = picture(base, tree)
    sprite = Sprite3D(sheet([RED, RED], [RED, CLEAR]), TWO, hframes=2, pixel_size=1 / 8)
    add(sand, sprite)
    image = picture(base, tree)
    heights = 1.2, 1.8
    # Seen from above it leans; the shadow is looked for beside it.
    assert [darker(base, sand, bare, image, z) for z in heights] == [True, True]
    sprite.play("right")  # its lower half is clear
    image = picture(base, tree)
    assert [darker(base, sand, bare, image, z) for z in heights] == [True, True]
    assert not darker(base, sand, bare, image, 0.75)
    sprite.queue_free()
    np.testing.assert_allclose(picture(base, tree), bare, atol=0.02)


@pytest.mark.usefixtures("needs_shaders")
def test_its_shadow_is_drawn_again_for_another_picture_or_place_alone(base, tree, sand):
    (shadow,) = (each for each in base.graphics_engine.windows if each.get_name() == "shadow")
    sprite = add(sand, Sprite3D(sheet([RED, GREEN]), TWO, hframes=2))
    for _ in range(3):
        picture(base, tree)
    for heading_deg in range(0, 360, 40):
        look(tree, heading_deg, 30.0 + heading_deg / 9)
        tree.advance(0.0)
        assert not shadow.is_active()
        picture(base, tree)
    turned = partial(sprite.play, "right"), partial(setattr, sprite, "pixel_size", 0.1)
    placed = partial(sprite.np.set_x, 3.0), partial(sprite.np.set_scale, 1.5)
    for change in (*turned, *placed, sprite.np.hide, sprite.np.show):
        change()
        tree.advance(0.0)
        assert shadow.is_active()
        picture(base, tree)
        tree.advance(0.0)
        assert not shadow.is_active()


@pytest.mark.usefixtures("needs_shaders")
def test_it_is_as_bright_from_all_sides_and_dark_in_a_shadow(base, tree, sand):
    add(sand, Sprite3D(sheet([(200, 200, 200, 255)]), pixel_size=1 / 8))
    seen = []
    for heading_deg in range(0, 360, 45):
        look(tree, heading_deg, 30.0)
        image = picture(base, tree)
        angle = math.radians(heading_deg)
        across = np.array([math.cos(angle), math.sin(angle)])
        for part in (-0.35, 0.0, 0.35):
            x, y = part * across
            seen.append(color_at(base, sand, image, above(0.5, x, y), 1))
    seen = np.array(seen)
    assert np.ptp(seen, axis=0).max() < 0.06
    x, y, _ = sand.mood.sun
    with sand.tilemap.edit() as edit:
        for step in (1.0, 1.5):
            edit.set_level((int(-MIDDLE[1] - y * step), int(MIDDLE[0] + x * step)), 12)
    tree.advance(0.1)
    shaded = color_at(base, sand, picture(base, tree), above(0.3), 1)
    assert shaded.sum() < 0.8 * seen.mean(axis=0).sum()


def test_it_needs_no_terrain(base, tree):
    tree.root.add_child(Sprite3D(sheet([GREEN]), pixel_size=1 / 8))
    base.cam.set_pos(0.0, -5.0, 0.5)
    image = picture(base, tree)
    middle = image[image.shape[0] // 2, image.shape[1] // 2]
    np.testing.assert_allclose(middle, np.array(GREEN[:3]) / 255, atol=0.02)


def test_it_comes_again_as_it_was_left(base, tree, sand):
    sprite = add(sand, Sprite3D(sheet([RED, GREEN]), TWO, hframes=2, pixel_size=1 / 8))
    tree.advance(0.1)
    sprite.play("right")
    sand.remove_child(sprite)
    assert hue(color_at(base, sand, picture(base, tree), above(0.5))) == ""
    sand.add_child(sprite)
    assert hue(color_at(base, sand, picture(base, tree), above(0.5))) == "g"


MISTAKES = (
    (lambda: Sprite3D("nowhere.png"), "must be an image file, got 'nowhere.png'"),
    (lambda: Sprite3D(np.zeros((4, 4))), r"uint8 array .* got float64 \(4, 4\)"),
    (lambda: Sprite3D(sheet([RED]), hframes=3), "3 x 1 frames do not divide 8 x 8"),
    (lambda: animated({"a": [0]}, DIRECTIONS[:3]), "2 x 3 frames do not divide 16 x 1"),
    (lambda: animated({"a": []}), "animation 'a' must have frames, got none"),
    (lambda: animated({"a": [2]}), r"a frame of 'a' must be in 0\.\.1, got 2"),
    (lambda: animated({"a": [0]}, ["up"]), "direction must be one of 'back', "),
    (lambda: animated({"a": [0]}, ["left", "left"]), "different names"),
)


def animated(animations, directions=("front", "back")):
    return Sprite3D(sheet([RED] * 2, [RED] * 2), animations, directions, hframes=2)


@pytest.mark.parametrize(("call", "says"), MISTAKES)
def test_mistakes_are_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def card(texture, size=1.0):
    """Make a model of a user: a textured card that looks to the south."""
    maker = core.CardMaker("card")
    maker.set_frame(-size / 2, size / 2, 0.0, size)
    maker.set_has_normals(True)
    made = core.NodePath(maker.generate())
    made.set_two_sided(True)
    made.set_texture(texture)
    return made


def lit(terrain, model):
    model.reparent_to(terrain.np)
    model.set_pos(*MIDDLE)
    terrain.daylight.add_subject(model)
    return model


def texture_of(*rows):
    texture = make_texture("made", sheet(*rows)[::-1])
    texture.set_magfilter(texture.FT_nearest)
    texture.set_minfilter(texture.FT_nearest)
    return texture


@pytest.fixture(params=["shaders", "none"])
def light(request, monkeypatch, tree):  # noqa: ARG001 - it comes before the tree's nodes
    """Light by shaders, if there are any, or without."""
    if request.param == "shaders":
        request.getfixturevalue("needs_shaders")
    else:
        monkeypatch.setattr("terrain3d.view.light.daylight.has_shaders", lambda _window: False)


@pytest.mark.usefixtures("light")
class TestModels:
    """What a model has of its own stays when a terrain lights it."""

    def seen(self, base, tree, sand, x, z=0.5):
        return color_at(base, sand, picture(base, tree), above(z, x=x))

    def test_texture_and_its_transform(self, base, tree, sand):
        model = lit(sand, card(texture_of([RED, BLUE])))
        assert [hue(self.seen(base, tree, sand, x)) for x in (-0.3, 0.3)] == ["r", "b"]
        model.set_tex_offset(core.TextureStage.get_default(), 0.5, 0.0)
        assert [hue(self.seen(base, tree, sand, x)) for x in (-0.3, 0.3)] == ["b", "r"]
        model.set_tex_scale(core.TextureStage.get_default(), 0.01, 1.0)
        assert [hue(self.seen(base, tree, sand, x)) for x in (-0.3, 0.3)] == ["b", "b"]

    def test_the_color_of_a_material(self, base, tree, sand):
        for name, color in (("base_color", GREEN), ("diffuse", BLUE), ("diffuse", RED)):
            material, model = core.Material(), card(texture_of([(255,) * 4]))
            getattr(material, f"set_{name}")(tuple(part / 255 for part in color))
            if name == "diffuse":
                material.set_ambient(material.get_diffuse())
            model.set_material(material)
            lit(sand, model)
            wanted = "rgb"[int(np.argmax(color[:3]))]
            assert hue(self.seen(base, tree, sand, 0.0)) == wanted
            sand.daylight.remove_subject(model)
            assert model.get_material() == material
            model.remove_node()

    def test_emission_is_added(self, base, tree, sand):
        material, model = core.Material(), card(texture_of([(255,) * 4]))
        material.set_diffuse((0, 0, 0, 1))
        material.set_ambient((0, 0, 0, 1))
        material.set_emission((0.1, 0.8, 0.1, 1))
        model.set_material(material)
        lit(sand, model)
        for mood in ("noon", "night"):
            sand.mood = mood
            tree.advance(2.0)
            assert self.seen(base, tree, sand, 0.0) == pytest.approx((0.1, 0.8, 0.1), abs=0.15)

    @pytest.mark.parametrize("mode", ["M_binary", "M_alpha", "M_dual", "M_none"])
    def test_alpha(self, base, tree, sand, mode):
        bare = self.seen(base, tree, sand, 0.3)
        half = (*BLUE[:3], 102)
        model = card(texture_of([RED, CLEAR], [RED, half]))
        model.set_transparency(getattr(core.TransparencyAttrib, mode))
        lit(sand, model)
        assert hue(self.seen(base, tree, sand, -0.3)) == "r"
        clear, faint = (self.seen(base, tree, sand, 0.3, z) for z in (0.75, 0.25))
        if mode == "M_none":
            assert clear.max() < 0.2
            assert hue(faint) == "b"
            return
        assert abs(clear - bare).max() < 0.1
        ground = self.seen(base, tree, sand, 0.9, 0.25)
        is_mixed = faint[2] > 0.9 * faint[0] > 0.2 > abs(faint[2] - ground[2])
        assert is_mixed == (mode != "M_binary")

    def test_all_of_it_when_the_light_ends(self, tree, sand):
        texture, stage = texture_of([RED, BLUE]), core.TextureStage.get_default()
        model = card(texture)
        model.set_tex_offset(stage, 0.25, 0.0)
        lit(sand, model)
        tree.advance(0.1)
        sand.daylight.remove_subject(model)
        assert model.get_texture() == texture
        assert model.get_tex_offset(stage)[0] == 0.25
        assert not model.has_material()

    def test_what_is_no_model_is_refused_and_the_rest_goes_on(self, tree, sand):
        for subject in (Node3D(), core.NodePath()):
            with pytest.raises((TypeError, ValueError), match="subject must "):
                sand.daylight.add_subject(subject)
        tree.advance(0.1)


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("mode", ["M_normal", "M_height", "M_gloss", "M_glow", "M_selector"])
def test_a_texture_that_is_no_color_is_left_out_of_own_light(base, tree, sand, mode):
    stage, model = core.TextureStage("other"), card(texture_of([(255,) * 4]))
    stage.set_mode(getattr(core.TextureStage, mode))
    model.clear_texture()
    model.set_texture(stage, texture_of([(0, 0, 0, 255)]))
    model.set_color(0.0, 1.0, 0.0, 1.0)
    lit(sand, model)
    assert hue(color_at(base, sand, picture(base, tree), above(0.5))) == "g"


@pytest.mark.usefixtures("needs_shaders")
def test_a_texture_that_the_engine_makes_linear_looks_the_same(base, tree, sand):
    seen = []
    for colors in (core.Texture.F_rgba, core.Texture.F_srgb_alpha):
        texture = texture_of([(120, 90, 60, 255)])
        texture.set_format(colors)
        model = lit(sand, card(texture))
        seen.append(color_at(base, sand, picture(base, tree), above(0.5)))
        model.remove_node()
    assert seen[0].max() > 0.2
    assert seen[0] == pytest.approx(seen[1], abs=0.05)


@pytest.mark.usefixtures("needs_shaders")
@pytest.mark.parametrize("mode", ["M_binary", "M_alpha", "M_dual", "M_none"])
def test_clear_texels_of_a_model_cast_no_shadow(base, tree, sand, mode):
    look(tree, 0.0, 80.0)
    bare = picture(base, tree)
    x, y, _ = sand.mood.sun
    model = card(texture_of([RED], [CLEAR]), 2.0)
    model.set_h(math.degrees(math.atan2(y, x)) + 90.0)
    model.set_transparency(getattr(core.TransparencyAttrib, mode))
    lit(sand, model)
    image = picture(base, tree)
    shadows = [darker(base, sand, bare, image, z) for z in (0.6, 1.6)]
    assert shadows == [mode == "M_none", True]
