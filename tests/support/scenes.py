"""What a player does in the composed scene: keys, a unit's figure, and a search to watch."""

import faulthandler
import time

_LIMIT_S = 120.0


def press(base, tree, *keys):
    for key in keys:
        base.messenger.send(key)
        tree.advance(0.01)


def figure(scene, name="Mira"):
    return next(each for each in scene.terrain.pick_targets if each.unit.name == name)


def watch(tree, scene, row=3, col=3):
    """Select Mira, aim at a tile, and wait until the search for the path there plays."""
    scene.commander_3d.select_next()
    scene.commander.aim_at((row, col))
    scene.terrain.panda.base.messenger.send("f3")
    stage = scene.get_node("Terrain3D/TheatreToggle3D").player
    wait_for_theatres(tree, stage)
    return stage


def wait_for_theatres(tree, stage, count=1):
    """Let frames pass until searches, which run in a thread of their own, are shown."""
    end = time.monotonic() + _LIMIT_S
    while len(stage.theatres) < count:
        assert not stage.problem, stage.problem
        if time.monotonic() > end:
            faulthandler.dump_traceback()
            raise AssertionError(f"no search is shown after {_LIMIT_S} s")
        tree.advance(0.001)
