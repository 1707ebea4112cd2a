"""Figures of units: their pose, tag, model, animation and settings."""

import itertools
import math
import struct
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from direct.actor.Actor import Actor
from hypothesis import given
from hypothesis import strategies as st
from panda3d import core

from ai import Board, MoveProfile, Unit
from ai.view import Unit3D
from ai.view.figure_model import STRIDES_PER_TILE, BodyPose, body_pose
from terrain3d import MapFileError, TileMap
from terrain3d.look.layout import Box
from terrain3d.look.orbit import OrbitView
from terrain3d.mesh.figures import team_color
from terrain3d.view import Labels3D, OrbitCamera3D, Sprite3D, Terrain3D, mesh_of
from tests.support.boards import one_edit
from tests.support.scenes import Mover
from tests.support.selection import import_or_skip, rest_nightly, table
from tests.support.window_pictures import SAND, color_at, picture, pixels, shown_from


@pytest.fixture
def wall(tree):
    """A field of sand with a wall across it that hides what stands at its far side."""
    tilemap = TileMap.from_text("00000\n00000\n33333\n00000\n00000", SAND)
    return shown_from(tree, tilemap, 0.0, 30.0, 9.0, (2.5, -2.5, 0.7))[0]


BEHIND = (2.5, -1.5, 0.0)
CHEST = (2.5, -1.5, 0.45)


@pytest.mark.usefixtures("large_window", "needs_shaders")
def test_own_light_moves_the_feet_as_far_as_nodes_in_the_light_of_a_scene(base, tree):
    moved = []
    for lighting in ("own", "scene"):
        tilemap = TileMap(np.zeros((5, 5), int), [[0] * 5] * 5, SAND)
        over = 90.0, 5.0, 3.0, (2.5, -2.5, 0.3)
        terrain, camera = shown_from(tree, tilemap, *over, lighting=lighting)
        unit = terrain.add_child(Unit3D(Mover()))
        unit.np.find("**/marks").hide()
        tree.advance(0.1)
        seen = []
        for ahead in (0.0, 0.115):
            unit._model.set_pose(BodyPose(left=(ahead, 0.0), right=(-ahead, 0.03)))
            for _ in range(2):
                base.graphics_engine.render_frame()
            seen.append(pixels(base.win))
        moved.append(np.abs(seen[1] - seen[0]).max(axis=2) > 0.1)
        terrain.queue_free()
        camera.queue_free()
        tree.advance(0.1)
    own, scene = moved
    assert scene.sum() > 300
    assert (own & scene).sum() > 0.6 * (own | scene).sum()


def test_the_marks_stay_on_the_ground_while_the_unit_climbs_and_drops(tree):
    tilemap = TileMap.from_text("0031")
    one_edit(tilemap).add_deck([(0, 0)], level=4)
    terrain = tree.root.add_child(Terrain3D(tilemap))
    unit = Unit("Mira", (0, 0), profile=MoveProfile(max_climb=9, max_drop=9), move=99)
    board = Board(tilemap)
    board.add(unit)
    figure = terrain.add_child(Unit3D(unit))
    board.move(unit, (0, 3))
    rose = 0.0
    while unit.is_moving:
        tree.advance(0.01)
        x, _, z = unit.pose.point
        ground = tilemap.surface_point((0, min(int(x), 3)))[2]
        rose = max(rose, z - ground)
        for name in ("plate", "ring", "blob"):
            mark = figure.np.find(f"**/{name}").get_pos(terrain.np)
            assert ground < mark.z < ground + 0.05
            assert (mark.x, mark.y) == pytest.approx(unit.pose.point[:2], abs=1e-5)
    assert rose > 0.3


@pytest.mark.usefixtures("needs_shaders")
def test_who_is_hidden_shows_in_its_color_through_the_ground(base, tree, wall):
    before = picture(base, tree)
    unit = wall.add_child(Unit3D(Mover(BEHIND), shape="knight"))

    def added():
        shown = picture(base, tree)
        return color_at(base, wall, shown, CHEST, 6) - color_at(base, wall, before, CHEST, 6)

    red, _, blue = added()
    assert blue > red + 0.05
    unit.color = (1.0, 0.1, 0.1)
    red, _, blue = added()
    assert red > blue + 0.05
    unit.queue_free()
    assert np.array_equal(picture(base, tree), before)
    near = wall.add_child(Unit3D(Mover((2.5, -3.5, 0.0)), shape="knight"))
    in_plain_sight = picture(base, tree)
    near.np.find("**/hidden").hide()
    assert np.array_equal(picture(base, tree), in_plain_sight)


@pytest.mark.usefixtures("large_window", "needs_shaders")
@pytest.mark.parametrize("x", [1.9, 2.5])
def test_what_is_hidden_has_the_outline_of_the_figure_and_is_quiet(base, tree, x):
    """It covers no pixel that the figure would not cover without the wall before it."""
    tilemap = TileMap.from_text("00000\n00000\n00000\n00000\n00000", SAND)
    terrain, _ = shown_from(tree, tilemap, 0.0, 30.0, 5.0, (2.5, -1.5, 0.4))
    figure = terrain.add_child(Unit3D(Mover((x, -1.5, 0.0)), shape="knight"))
    figure.np.find("**/marks").hide()
    terrain.daylight.remove_subject(figure.np.find("**/body"))  # it casts no shadow

    def covered():
        there = picture(base, tree)
        figure.visible = False
        gone = picture(base, tree)
        figure.visible = True
        return np.abs(there - gone).max(axis=2) > 0.0, there

    whole, _ = covered()
    one_edit(tilemap).set_level((2, 2), 3)
    partly, noon = covered()
    assert (partly & ~whole).sum() < 0.01 * whole.sum()
    assert partly.sum() > 0.6 * whole.sum()
    terrain.mood = "night"
    tree.advance(2.0)
    _, night = covered()
    light, dark = (color_at(base, terrain, each, (2.5, -1.5, 0.45), 6) for each in (noon, night))
    assert np.ptp(light) < 0.6 * np.ptp(team_color("blue"))
    assert dark.mean() < 0.7 * light.mean()


def test_a_figure_can_leave_and_come_back(base, tree, wall, traces):
    unit = wall.add_child(Unit3D(Mover(BEHIND)))
    shown, there = picture(base, tree), traces()
    wall.remove_child(unit)
    assert not np.array_equal(picture(base, tree), shown)
    assert traces() != there
    wall.add_child(unit)
    again = picture(base, tree)
    assert traces() == there
    assert np.array_equal(again, shown)


def test_the_figure_of_a_removed_unit_stays_where_it_was_until_it_is_freed(tree, terrain):
    board = Board(terrain.tilemap)
    mira = board.add(Unit("Mira", (1, 1)))
    figure = terrain.add_child(Unit3D(mira))
    board.move(mira, (1, 3))
    tree.advance(0.25)
    point = figure.np.get_pos()
    assert mira.is_moving
    board.remove(mira)
    tree.advance(0.3)
    assert figure.np.get_pos() == point
    figure.queue_free()
    tree.advance(0.1)
    assert figure not in terrain.pick_targets


def test_a_figure_is_within_a_box_around_its_middle(tree, wall):
    figure = wall.add_child(Unit3D(Mover((2.5, -3.5, 0.0))))
    tree.advance(0.0)
    across, up = tree.project((2.5, -3.5, 0.4), wall.np)
    assert figure.is_within((across - 0.01, up - 0.01), (across + 0.01, up + 0.01))
    assert not figure.is_within((across + 0.01, -1.0), (1.0, 1.0))
    assert not figure.is_within((-1.0, -1.0), (1.0, up - 0.01))


NEAR, FAR = 10.0, 60.0
TALL = 6


@pytest.fixture
def stand(tree):
    """Give a function that puts a unit in the middle of a field, seen from a distance."""

    def stand(distance=NEAR, team="blue", hill=False):
        levels = np.zeros((9, 9), int)
        levels[6] = TALL * hill
        tilemap = TileMap(levels)
        terrain, camera = shown_from(tree, tilemap, 0.0, 20.0, distance, (4.5, -4.5, 0.5))
        figure = terrain.add_child(Unit3D(Board(tilemap).add(Unit("Mira", (4, 4), team))))
        return terrain, figure, camera

    return stand


@pytest.fixture
def look(base, tree, stand):
    """Give a function that draws the unit from a distance, with or without a label and a hill."""

    def draw(*where, label=""):
        terrain, figure, camera = stand(*where)
        figure.label = label
        picture(base, tree, 0.01)  # the tag adapts to the camera in the next frame
        image = picture(base, tree)
        terrain.queue_free()
        camera.queue_free()
        return image

    return draw


def box(mask):
    """Give the height and the width of the pixels of a mask."""
    rows, cols = np.nonzero(mask)
    return np.array([np.ptp(rows) + 1, np.ptp(cols) + 1]) if len(rows) else np.zeros(2, int)


def changed(one, other):
    return np.abs(one - other).max(axis=2) > 0.2


def in_color(image, team):
    return np.abs(image - team_color(team)).max(axis=2) < 0.03


@pytest.mark.usefixtures("large_window")
def test_a_label_is_as_large_from_far_away(look):
    near, far = (box(changed(look(at), look(at, label="Mira  6"))) for at in (NEAR, FAR))
    assert near[0] >= 12
    np.testing.assert_allclose(far, near, atol=3)


@pytest.mark.parametrize("team", ["blue", "red"])
def test_a_marker_is_seen_from_far_away_also_behind_a_hill(look, team):
    for hill in (False, True):
        assert box(in_color(look(FAR, team, hill), team)).min() >= 10
    near = look(NEAR, team, True)
    assert box(in_color(near, team)).min() < 3, "a near figure needs none"


@pytest.mark.usefixtures("large_window")
def test_a_label_gives_way_to_panels_and_has_room_before_other_texts(base, tree, stand):
    terrain, figure, _ = stand()
    texts = terrain.add_child(Labels3D())
    texts.show([(4.5, -4.5, 0.95), (6.5, -4.5, 1.4)], ["1", "2"])
    plain = picture(base, tree)
    figure.label = "Mira  6"
    labeled = picture(base, tree)
    rows, cols = np.nonzero(changed(plain, labeled))
    height, width, _ = plain.shape
    assert abs(cols.mean() - width / 2) < 4
    assert np.ptp(cols) < width / 4, "the other text is still there"
    texts.show([(6.5, -4.5, 1.4)], ["2"])
    assert np.array_equal(picture(base, tree), labeled), "the text under the label was hidden"
    # A panel over one side of the label, found on the picture, and of where it could move up.
    corner = Box(cols.max() - 3, height - rows.max() - 60, 20, 80)
    panel = SimpleNamespace(boxes=[corner])
    tree.panels.append(panel)
    texts.show([(4.5, -4.5, 0.95), (6.5, -4.5, 1.4)], ["1", "2"])
    assert np.array_equal(picture(base, tree), plain)
    panel.boxes = [corner._replace(left=cols.max() + 6)]
    texts.clear()
    assert changed(picture(base, tree), plain)[rows, cols].mean() > 0.9


@pytest.mark.usefixtures("large_window")
def test_a_lantern_warms_the_ground_around_a_figure_at_night_only(base, tree, stand):
    terrain, figure, _ = stand()
    warmth = []
    for mood in ("noon", "night"):
        terrain.mood = mood
        tree.advance(9.0)
        lit = picture(base, tree, 0.01).astype(float)
        figure.visible = False
        plain = picture(base, tree, 0.01).astype(float)
        figure.visible = True
        more = lit - plain
        warmth.append(((more[..., 0] > 0.05) & (more[..., 0] > more[..., 2])).sum())
    assert warmth[1] > warmth[0] + 200


trimesh = import_or_skip("trimesh")


def card():
    maker = core.CardMaker("card")
    maker.set_frame(-0.4, 0.4, 0.0, 1.0)
    maker.set_color((0.1, 0.8, 0.1, 1.0))
    maker.set_has_normals(True)
    made = core.NodePath(maker.generate())
    made.set_two_sided(True)
    return made


def animated(*names):
    """Make a model with one joint and an animation of each name."""
    root, character = core.NodePath(core.ModelRoot("made")), core.Character("made")
    bundle = character.get_bundle(0)
    group, place = core.PartGroup(bundle, ""), core.LMatrix4.ident_mat()
    core.CharacterJoint(character, bundle, group, "body", place)
    card().reparent_to(root.attach_new_node(character))
    for name in names:
        root.attach_new_node(core.AnimBundleNode(name, core.AnimBundle(name, 24, 24)))
    return root


@pytest.fixture
def surface(terrain):
    return terrain.tilemap.surface_point((2, 2))


def test_animations_are_played_by_the_action_of_the_unit(tree, terrain, surface):
    mover = Mover(surface)
    model = animated("Idle", "Armature|Walk", "JUMP")
    figure = terrain.add_child(Unit3D(mover, model=model))
    jumps = [(action, "JUMP") for action in ("climb", "drop", "leap")]
    stand = "stand", "Idle"
    for action, name in (stand, ("walk", "Armature|Walk"), *jumps, stand, ("crouch", None)):
        mover.pose.action = action
        tree.advance(0.1)
        assert figure._model._actor.get_current_anim() == name, action


def test_a_bam_file_a_nodepath_and_an_actor_look_the_same(base, tree, terrain, surface, tmp_path):
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(180.0, 25.0, 6.0, surface))
    file, chest = tmp_path / "made.bam", (surface[0], surface[1], surface[2] + 0.6)
    animated("idle").write_bam_file(str(file))
    before = color_at(base, terrain, picture(base, tree), chest, 1)
    for model in (file, str(file), animated("idle"), Actor(animated("idle")), card()):
        figure = terrain.add_child(Unit3D(Mover(surface), model=model))
        seen = color_at(base, terrain, picture(base, tree), chest, 1)
        assert seen[1] > seen[0] + 0.2
        assert seen[1] > seen[2] + 0.2
        assert abs(seen - before).max() > 0.05
        assert len(figure.np.find_all_matches("**/plate")) == 1
        figure.queue_free()
        tree.advance(0.0)


@pytest.mark.parametrize("make", [card, animated])
def test_a_model_keeps_the_transforms_in_it(terrain, surface, make):
    placed = core.NodePath("placed")
    inner = make().copy_to(placed.attach_new_node("turned"))
    inner.set_scale(0.5)
    inner.parent.set_pos(0.1, 0.2, 0.3)
    wanted = np.array([tuple(end) for end in placed.get_tight_bounds()])
    figure = terrain.add_child(Unit3D(Mover(surface), model=placed))
    parts = figure.np.find("**/parts")
    shown = np.array([tuple(end) for end in parts.get_tight_bounds(parts)])
    assert shown == pytest.approx(wanted, abs=1e-5)


def test_a_glb_file_is_read_with_panda3d_gltf(tree, terrain, surface, tmp_path):
    import_or_skip("gltf")
    file = tmp_path / "ball.glb"
    trimesh.creation.icosphere(radius=0.4).export(file)
    figure = terrain.add_child(Unit3D(Mover(surface), model=file))
    tree.advance(0.1)
    assert figure.np.find("**/+GeomNode").get_tight_bounds()


@table(
    "model error says",
    ("nowhere.bam", ValueError, "model must be a file that exists, got 'nowhere.bam'"),
    (core.NodePath(), ValueError, "model must not be an empty NodePath"),
    ("broken.bam", ValueError, r"broken\.bam' cannot be read by Panda3D's loader"),
    ("ball.glb", ImportError, r"ball\.glb needs panda3d-gltf: pip install"),
)
def test_what_is_no_model_is_refused(tmp_path, monkeypatch, model, error, says):
    monkeypatch.setitem(sys.modules, "gltf", None)
    monkeypatch.chdir(tmp_path)
    for name in ("broken.bam", "ball.glb"):
        Path(name).write_bytes(b"not a model")
    for read in (mesh_of, lambda each: Unit3D(Mover((0, 0, 0)), model=each)):
        with pytest.raises(error, match=says):
            read(model)
    with pytest.raises(TypeError, match="model must be a path, got None"):
        mesh_of(None)  # which is no model for a figure


@table(
    "name data cause",
    ("text.glb", b"hello", "Expecting value"),
    ("short.glb", b"glTF" + struct.pack("<II", 2, 12), "buffer of 4 bytes"),
    ("latin.gltf", b"\xff", "can't decode"),
    ("part.gltf", b'{"buffers": [{"uri": "none.bin"}]}', "No such file"),
)
def test_a_damaged_gltf_file_is_named_with_what_is_wrong(tmp_path, name, data, cause):
    import_or_skip("gltf")
    file = tmp_path / name
    file.write_bytes(data)
    for read in (mesh_of, lambda each: Unit3D(Mover((0, 0, 0)), model=each)):
        with pytest.raises(MapFileError, match=f"{name}: cannot be read as glTF: .*{cause}"):
            read(file)


@pytest.fixture
def mira(tree):
    board = Board(TileMap.from_text("0000000"))
    unit = board.add(Unit("Mira", (0, 0), move=9))
    terrain = tree.root.add_child(Terrain3D(board.tilemap))
    figure = terrain.add_child(Unit3D(unit))
    return board, unit, figure


def test_a_figure_takes_another_color(base, tree, mira):
    _, _, figure = mira
    assert figure.color == team_color("blue")
    camera = tree.root.add_child(OrbitCamera3D(target=figure.parent))
    camera.look(OrbitView(0.0, 30.0, 6.0, figure.point))
    before = picture(base, tree)
    figure.color = (0.9, 0.8, 0.0)
    assert figure.color == (0.9, 0.8, 0.0)
    assert len(figure.np.find_all_matches("**/plate")) == 1
    after = picture(base, tree)
    changed = abs(after - before).max(axis=2) > 30 / 255
    assert changed.sum() > 200
    assert (after[changed][:, 0] - after[changed][:, 2]).mean() > 60 / 255
    figure.color = team_color("blue")
    assert np.array_equal(picture(base, tree), before)


@pytest.mark.parametrize("pace", [1.0, 4.0])
def test_the_pace_is_how_fast_a_unit_walks(tree, mira, pace):
    board, unit, figure = mira
    figure.pace = pace
    board.move(unit, (0, 6))
    tree.advance(0.4)
    beside = Board(board.tilemap)
    other = beside.add(Unit("Odo", (0, 0), move=9))
    beside.move(other, (0, 6))
    other.advance(0.4 * pace)
    assert figure.point == pytest.approx(other.pose.point)


times = st.floats(0.0, 1e4)
actions = st.sampled_from(["stand", "walk", "crouch", "climb", "drop", "leap", "warp"])


def at(action="stand", time_s=0.0, walked=0.0, landed_s=math.inf, has_feet=True):
    return body_pose(action, time_s, walked, landed_s, has_feet=has_feet)


@given(actions, times, times, st.floats(0.0, 10.0), st.booleans())
def test_every_action_keeps_volume_and_place(action, time_s, walked, landed_s, has_feet):
    held = at(action, time_s, walked, landed_s, has_feet)
    assert held.height * held.width**2 == pytest.approx(1.0)
    assert 0.75 < held.height < 1.15
    assert 0.0 <= held.lift < 0.1
    assert abs(held.lean_deg) < 15.0
    assert all(abs(ahead) < 0.15 and 0.0 <= up < 0.1 for ahead, up in (held.left, held.right))


@given(times)
def test_strides_depend_on_distance_and_not_on_time(walked):
    first, other = at("walk", 0.0, walked), at("walk", 0.0, walked + 1.0 / STRIDES_PER_TILE)
    assert first.left == pytest.approx(other.left, abs=1e-6)
    assert first.right[0] == pytest.approx(-first.left[0])
    assert min(first.left[1], first.right[1]) == 0.0  # one foot is on the ground
    assert at("walk", 1.7, walked).left == first.left


SHEET = np.full((4, 20, 4), 200, np.uint8)
FOUR = "front", "left", "right", "back"


def sprite_of(mover, terrain, **animations):
    sprite = Sprite3D(SHEET, animations, hframes=5)
    return terrain.add_child(Unit3D(mover, model=sprite)), sprite


def test_a_sprite_plays_the_animations_of_its_unit(tree, terrain, surface):
    mover = Mover(surface)
    figure, sprite = sprite_of(mover, terrain, idle=[0], Walk=[1, 2], jump=[3], hit=[4])
    assert figure.children == (sprite,)
    for action, name in (("stand", "idle"), ("walk", "Walk"), ("climb", "jump"), ("drop", "jump")):
        mover.pose.action = action
        tree.advance(0.01)
        assert sprite.animation == name
    mover.pose.action = "walk"
    seen = set()
    for _ in range(20):
        tree.advance(0.05)
        seen.add(sprite.frame)
    assert seen == {1, 2}
    with pytest.raises(TypeError, match=r"an animation must be a str, got \['HIT'\]"):
        figure.play(["HIT"])
    figure.play("no such", "HIT")
    tree.advance(0.05)
    assert (sprite.frame, figure.is_acting) == (4, True)
    for _ in range(5):
        tree.advance(0.05)
    assert (sprite.animation, figure.is_acting) == ("Walk", False)


def test_a_sprite_turns_with_its_unit_and_stays_upright(tree, terrain, surface):
    mover = Mover(surface)
    sprite = Sprite3D(np.repeat(SHEET, 4, axis=0), {"stand": [0]}, FOUR)
    figure = terrain.add_child(Unit3D(mover, model=sprite))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(38.0, 25.0, 6.0, surface))
    for heading_deg, seen in ((38.0, "back"), (128.0, "left"), (218.0, "front"), (308.0, "right")):
        mover.pose.heading_deg = heading_deg
        for action in ("stand", "walk", "leap"):
            mover.pose.action = action
            tree.advance(0.1)
            assert sprite.direction == seen
            up = terrain.np.get_relative_vector(sprite.card, core.Vec3.up())
            assert up.normalized().z > 0.9999
    mover.pose.action = "crouch"
    tree.advance(0.1)
    assert sprite.card.get_mat(figure.np).get_row3(2).length() < 0.9  # without an animation of it


@pytest.mark.usefixtures("needs_shaders")
def test_the_outline_of_a_hidden_sprite_is_that_of_its_picture(base, tree):
    tilemap = TileMap.from_text("00000\n00000\n00000\n00900\n00000")
    terrain, _ = shown_from(tree, tilemap, 0.0, 25.0, 7.0, (2.5, -2.5, 0.5))
    pixels = np.full((8, 8, 4), 200, np.uint8)
    pixels[:, 4:] = 0
    bare = picture(base, tree)
    terrain.add_child(Unit3D(Mover((2.5, -2.5, 0.0)), model=Sprite3D(pixels, pixel_size=0.1)))
    image = picture(base, tree)
    added = np.abs(image - bare)
    opaque, clear = (color_at(base, terrain, added, (x, -2.5, 0.5)).max() for x in (2.3, 2.7))
    assert opaque > 0.1 > 0.02 > clear


@pytest.mark.usefixtures("large_window", "needs_shaders")
@pytest.mark.parametrize("heading_deg", rest_nightly([70.0, 0.0, 200.0], 1))
def test_trees_leave_the_view_of_a_figure_free(base, tree, heading_deg):
    """In a forest as much of a figure is seen as on a lawn; hidden it has no effect."""
    tilemap = TileMap.from_text("\n".join(["0" * 9] * 9))
    terrain, _ = shown_from(tree, tilemap, heading_deg, 30.0, 9.0, (4.5, -4.5, 0.5))
    figure = terrain.add_child(Unit3D(Mover((4.5, -4.5, 0.0)), shape="knight"))
    seen, trees = {}, {}
    for kind in ("grass", "forest"):
        with tilemap.edit() as edit:
            for cell in itertools.product(range(9), repeat=2):
                edit.set_kind(cell, kind)
        shown = []
        for color in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)):
            figure.color = color
            for _ in range(3):
                picture(base, tree, 0.1)
            shown.append(picture(base, tree))
        seen[kind] = (np.abs(shown[0] - shown[1]).max(axis=2) > 0.2).sum()
        trees[kind] = shown[0]
    assert seen["forest"] > 0.9 * seen["grass"] > 100
    assert (np.abs(trees["grass"] - trees["forest"]).max(axis=2) > 0.1).mean() > 0.2
    figure.visible = False
    pictures = [picture(base, tree) for _ in range(3)]
    figure.queue_free()
    pictures += [picture(base, tree) for _ in range(3)]
    assert changed(pictures[2], trees["forest"]).mean() > 0.01, "they are back"
    assert not changed(pictures[2], pictures[5]).any()
