"""What a player does in the composed scene, and what the window shows of its panels."""

from panda3d.core import Point3

from terrain3d.view import Button
from terrain3d.view.hud.widgets import Group


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


def framed(base, np_):
    """Give (left, bottom, right, top) in -1..1 of where the engine finds an item of the window."""
    left, right, bottom, top = np_.node().get_frame()
    low, high = (
        base.render2d.get_relative_point(np_, Point3(x, 0, z))
        for x, z in ((left, bottom), (right, top))
    )
    return low.x, low.z, high.x, high.z


def panels_of(hud):
    """Give the panels of a Hud that are shown."""
    docks = (*hud._docks.values(), hud._front_dock)
    panels = [*(dock.panel for dock in docks), hud._label]
    return [each for each in panels if not any(above.is_hidden() for above in each.np.ancestors)]


def shown_boxes(base, hud, size):
    """Give the (left, top, right, bottom) in pixels of every plate that is shown."""
    boxes = []
    for panel in panels_of(hud):
        for part in panel.parts.values():
            if isinstance(part.widget, Button | Group):
                left, bottom, right, top = framed(base, part.np)
                corners, (width, height) = (left + 1, 1 - top, right + 1, 1 - bottom), size
                scales = (width, height) * 2
                boxes.append([x / 2 * scale for x, scale in zip(corners, scales, strict=True)])
    return boxes
