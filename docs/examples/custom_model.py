"""A unit with a model of its own: a paper figure with named animations, in a .bam file."""

import math
import tempfile
from pathlib import Path

from direct.showbase.ShowBase import ShowBase
from panda3d.core import (
    AnimBundle,
    AnimBundleNode,
    AnimChannelMatrixXfmTable,
    AnimGroup,
    CardMaker,
    Character,
    CharacterJoint,
    CPTA_stdfloat,
    LMatrix4,
    ModelRoot,
    NodePath,
    PartGroup,
    PTA_stdfloat,
)

from ai import Board, Commander, Unit
from ai.view import Commander3D, Unit3D
from terrain3d import TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D, attach

base = ShowBase()
root, character = NodePath(ModelRoot("paper")), Character("paper")
bundle = character.get_bundle(0)
joint = CharacterJoint(character, bundle, PartGroup(bundle, ""), "body", LMatrix4.ident_mat())
paper = root.attach_new_node(character).attach_new_node("body")
joint.add_net_transform(paper.node())
for color, frame in (
    ((0.8, 0.3, 0.2, 1), (-0.25, 0.25, 0, 0.6)),
    ((0.9, 0.8, 0.6, 1), (-0.15, 0.15, 0.6, 0.9)),
):
    card = CardMaker("card")
    card.set_frame(*frame)
    card.set_color(color)
    card.set_has_normals(True)
    paper.attach_new_node(card.generate()).set_two_sided(True)
for name, turns_deg in (("idle", 0), ("walk", 15), ("jump", 60)):  # Unit3D finds them by name
    animation = AnimBundle(name, 24, 24)
    table = AnimChannelMatrixXfmTable(AnimGroup(animation, ""), "body")
    turned = [turns_deg * math.sin(math.tau * frame / 24) for frame in range(24)]
    table.set_table("r", CPTA_stdfloat(PTA_stdfloat(turned)))
    root.attach_new_node(AnimBundleNode(name, animation))
file = Path(tempfile.mkdtemp()) / "paper.bam"
root.write_bam_file(str(file))

board = Board(TileMap.from_noise(16, 16, seed=7, levels=5))
mira = board.add(Unit("Mira", cell=(8, 8), move=6))
tree = attach(base)
terrain = tree.root.add_child(Terrain3D(board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(target=terrain))
figure = terrain.add_child(Unit3D(mira, model=file))  # also a .glb file or a NodePath
camera.focus(figure.point)
terrain.add_child(Commander3D(Commander(board), camera))
base.run()
