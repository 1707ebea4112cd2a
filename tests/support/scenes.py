"""What a player does in the composed scene: keys, a unit's figure, and a search to watch."""


def press(base, tree, *keys):
    for key in keys:
        base.messenger.send(key)
        tree.advance(0.01)


def figure(scene, name="Mira"):
    return next(each for each in scene.terrain.pick_targets if each.unit.name == name)


def watch(tree, scene, row=3, col=3):
    """Select Mira, aim at a tile, and play the search for the path there; return the theatre."""
    scene.commander_3d.select_next()
    scene.commander.aim_at((row, col))
    press(scene.terrain.panda.base, tree, "f3")
    assert scene.mode is scene.watch
    return scene.watch.theatre
