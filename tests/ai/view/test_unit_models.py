"""Units with models of their own: paths and NodePaths, animations by name, marks as ever."""

import sys
from types import SimpleNamespace

import pytest
from direct.actor.Actor import Actor
from panda3d.core import (
    AnimBundle,
    AnimBundleNode,
    CardMaker,
    Character,
    CharacterJoint,
    LMatrix4,
    ModelRoot,
    NodePath,
    PartGroup,
)

from ai.view import Unit3D
from terrain3d import Cell
from terrain3d.look.orbit import OrbitView
from terrain3d.view import OrbitCamera3D
from tests.support.optional import import_or_skip
from tests.support.window_pictures import color_at, picture

trimesh = import_or_skip("trimesh")


class Mover:
    cell, team = Cell(2, 2), "blue"

    def __init__(self, point):
        self.pose = SimpleNamespace(point=point, heading_deg=0.0, action="stand")

    def advance(self, dt_s):
        pass


def card(color=(0.1, 0.8, 0.1, 1.0)):
    maker = CardMaker("card")
    maker.set_frame(-0.4, 0.4, 0.0, 1.0)
    maker.set_color(color)
    maker.set_has_normals(True)
    made = NodePath(maker.generate())
    made.set_two_sided(True)
    return made


def animated(*names):
    """Make a model with one joint and an animation of each name."""
    root, character = NodePath(ModelRoot("made")), Character("made")
    bundle = character.get_bundle(0)
    CharacterJoint(character, bundle, PartGroup(bundle, ""), "body", LMatrix4.ident_mat())
    card().reparent_to(root.attach_new_node(character))
    for name in names:
        root.attach_new_node(AnimBundleNode(name, AnimBundle(name, 24, 24)))
    return root


@pytest.fixture
def surface(terrain):
    return terrain.tilemap.surface_point((2, 2))


def played(figure, tree, mover, action):
    """Let the unit act, and give the animation that is played."""
    mover.pose.action = action
    tree.advance(0.1)
    return figure._model._actor.get_current_anim()


def test_animations_are_played_by_the_action_of_the_unit(tree, terrain, surface):
    mover = Mover(surface)
    model = animated("Idle", "Armature|Walk", "JUMP")
    figure = terrain.add_child(Unit3D(mover, model=model))
    for action, name in (
        ("stand", "Idle"),
        ("walk", "Armature|Walk"),
        ("climb", "JUMP"),
        ("drop", "JUMP"),
        ("leap", "JUMP"),
        ("stand", "Idle"),
        ("crouch", None),
    ):
        assert played(figure, tree, mover, action) == name, action


def test_an_action_without_an_animation_moves_the_model_as_a_whole(tree, terrain, surface):
    mover = Mover(surface)
    figure = terrain.add_child(Unit3D(mover, model=animated("idle")))
    body = figure.np.find("**/figure")
    tree.advance(0.1)
    assert tuple(body.get_scale()) == (1.0, 1.0, 1.0)
    mover.pose.action = "crouch"
    tree.advance(0.1)
    assert body.get_sz() < 0.9


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


def test_a_glb_file_is_read_with_panda3d_gltf(tree, terrain, surface, tmp_path):
    import_or_skip("gltf")
    file = tmp_path / "ball.glb"
    trimesh.creation.icosphere(radius=0.4).export(file)
    figure = terrain.add_child(Unit3D(Mover(surface), model=file))
    tree.advance(0.1)
    assert figure.np.find("**/+GeomNode").get_tight_bounds()


def test_a_glb_file_without_panda3d_gltf_is_refused(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "gltf", None)
    file = tmp_path / "ball.glb"
    trimesh.creation.icosphere(radius=0.4).export(file)
    with pytest.raises(ImportError, match=r"ball\.glb needs panda3d-gltf: pip install"):
        Unit3D(Mover((0, 0, 0)), model=file)


@pytest.mark.parametrize(
    ("model", "error", "says"),
    [
        (7, TypeError, "model must be a path, got 7"),
        ("", ValueError, "model must be a path, got ''"),
        ("nowhere.bam", ValueError, "model must be a file that exists, got 'nowhere.bam'"),
        (NodePath(), ValueError, "model must not be an empty NodePath"),
    ],
)
def test_what_is_no_model_is_refused(model, error, says):
    with pytest.raises(error, match=says):
        Unit3D(Mover((0, 0, 0)), model=model)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    file = tmp_path / "broken.bam"
    file.write_bytes(b"not a model")
    with pytest.raises(ValueError, match=r"broken\.bam' cannot be read by Panda3D's loader"):
        Unit3D(Mover((0, 0, 0)), model=file)
