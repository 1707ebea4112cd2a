"""Lets both sides of a battle play by themselves."""

from direct.showbase.ShowBase import ShowBase

from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import skirmish
from ai.view import Figures3D
from terrain3d.view import Hud, OrbitCamera3D, Terrain3D, attach

base = ShowBase()
tree = attach(base)
battle, player = skirmish(seed=7), BattleAI()
terrain = tree.root.add_child(Terrain3D(battle.board.tilemap))
camera = tree.root.add_child(OrbitCamera3D(terrain))
points = [unit.pose.point for unit in battle.board.units]
camera.look(camera.framing(100.0, 60.0, points=points))
terrain.add_child(Figures3D(battle.board))
hud = tree.root.add_child(Hud())


def show_hits(entry):
    for hit in entry.data.get("hits", ()):
        hud.status_text = f"{hit['target']} loses {hit['damage']}, {hit['left']} left"


def act(task):
    if not battle.winner:
        player.play_turn(battle)
    return task.again if not battle.winner else task.done


battle.board.changed.connect(show_hits)
base.task_mgr.do_method_later(2.0, act, "next turn")
base.run()
