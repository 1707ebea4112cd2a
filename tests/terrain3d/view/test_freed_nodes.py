"""Every node comes more than once, and leaves nothing behind when it is freed."""

import gc
from types import SimpleNamespace

import numpy as np
import pytest

import ai.view
from ai import Board, Commander, MoveProfile, Navigation, Unit
from ai.view import Commander3D, Figures3D, SearchTheatre3D, SelectionBox, Unit3D
from terrain3d import TileMap, view
from tests.support.selection import rest_nightly

N_FRAMES = 4


@pytest.fixture
def place(tree, terrain):
    """Where nodes come: a map, a camera, panels, and two units to be shown."""
    board = Board(terrain.tilemap)
    units = [board.add(Unit(f"unit {n}", (5, 5 + n), "blue", MoveProfile())) for n in range(2)]
    camera = tree.root.add_child(view.OrbitCamera3D(target=terrain))
    camera.look(camera.home)
    shown = {"terrain": terrain, "camera": camera, "hud": tree.root.add_child(view.Hud())}
    return SimpleNamespace(root=tree.root, board=board, units=units, **shown)


PIXELS = np.full((4, 4, 4), 200, np.uint8)


def added(parent, node, **properties):
    parent.add_child(node)
    for name, value in properties.items():
        setattr(node, name, value)
    return node


def shown(place, node, *values, **properties):
    added(place.terrain, node, **properties).show(*values)
    return node


def box(place):
    node = place.root.add_child(SelectionBox())
    node._press("left", (0.1, 0.1), "control")
    node._move((0.4, 0.3))
    return node


def commander(place, n):
    commander = Commander(place.board)
    node = added(place.terrain, Commander3D(commander), shows_costs=True)
    commander.select(place.units[n])
    return node


def editor(place, n):
    node = added(place.terrain, view.MapEditor3D(f"map{n}.tmap"), is_active=True)
    node.map_editor.aim_at((3, 3 + n))
    return node


def hud(place, n):
    texts = dict.fromkeys(("unit_text", "tile_text", "pointer_text"), f"some text, {n}")
    buttons = [view.Button(f"Undo {n}", print, "U", icon="undo")]
    return added(place.root, view.Hud(), **texts, keys=[("Tab", "next")], buttons=buttons)


def menu(place):
    node = place.hud.add_child(view.ActionMenu())
    node.toggle()
    return node


def daylight(place, n):
    headings = place.terrain.tilemap.grid.headings
    return place.terrain.add_child(view.Daylight((0, -4, 0), (4 + n, 0, 2), headings))


def theatre(place):
    node = place.terrain.add_child(SearchTheatre3D(Navigation(place.terrain.tilemap), place.camera))
    node.watch((4, 4), (5, 5))
    return node


def points(place, n):
    return [place.terrain.tilemap.surface_point(cell) for cell in ((4, 4 + n), (5, 4 + n))]


def ribbon(place, n):
    node = place.terrain.add_child(view.PathRibbon3D())
    node.show(points(place, n), labels=["+1"])
    return node


MAKERS = {
    SearchTheatre3D: lambda place, _: theatre(place),
    view.Terrain3D: lambda place, n: added(
        place.root, view.Terrain3D(TileMap.from_text("012\n012"), name=f"map {n}")
    ),
    view.OrbitCamera3D: lambda place, _: added(place.root, view.OrbitCamera3D(place.terrain)),
    view.TileCursor3D: lambda place, n: added(place.terrain, view.TileCursor3D(), cell=(6, 6 + n)),
    view.TileOverlay3D: lambda place, n: shown(
        place, view.TileOverlay3D(), [(4, 4 + n)], ["3"], shows_labels=True
    ),
    view.PathRibbon3D: ribbon,
    view.Crumbs3D: lambda place, n: shown(place, view.Crumbs3D(), [(4, 4 + n), (5, 4 + n)]),
    SelectionBox: lambda place, _: box(place),
    view.Labels3D: lambda place, n: shown(place, view.Labels3D(), points(place, n)[:1], ["7"]),
    view.Sprite3D: lambda place, _: added(place.terrain, view.Sprite3D(PIXELS)),
    Figures3D: lambda place, _: added(place.terrain, Figures3D(place.board)),
    Unit3D: lambda place, n: added(place.terrain, Unit3D(place.units[n])),
    Commander3D: commander,
    view.MapEditor3D: editor,
    view.Hud: hud,
    view.ActionMenu: lambda place, _: menu(place),
    view.MiniMap: lambda place, _: added(place.hud, view.MiniMap(place.terrain, place.camera)),
    view.Preferences: lambda place, _: added(place.root, view.Preferences()),
    view.Daylight: daylight,
    view.Node3D: lambda place, _: added(place.terrain, view.Node3D()),
    view.WindowNode: lambda place, _: added(place.root, view.WindowNode()),
}


@pytest.fixture
def found(base, tree, traces):
    """Give all that is there: `traces`, covers of the pointer, and what the graphics card keeps."""
    gc.collect()  # else textures of earlier tests may vanish meanwhile

    def look():
        base.task_mgr.step()
        base.task_mgr.step()
        prepared = base.win.get_gsg().get_prepared_objects()
        kept = prepared.get_num_prepared_textures(), len(base.graphics_engine.get_windows())
        return (*traces(), len(tree.panels), *kept)

    return look


IN_EACH_RUN = list(MAKERS)[::3]
OTHERS = [kind for kind in MAKERS if kind not in IN_EACH_RUN]
KINDS = rest_nightly([*IN_EACH_RUN, *OTHERS], len(IN_EACH_RUN))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_two_of_each_come_and_go_without_a_trace(base, place, found, kind):
    def come_and_go():
        nodes = [MAKERS[kind](place, n) for n in range(2)]
        for _ in range(N_FRAMES):
            base.task_mgr.step()
        there = found()
        for node in nodes:
            node.queue_free()
        base.task_mgr.step()
        assert all(node.is_freed for node in nodes)
        return there, found()

    # What all of a kind share, as an alphabet, is made once and stays; and the engine frees what it
    # drew some frames later. What is left each time would be more in each round.
    rounds = [come_and_go() for _ in range(4)]
    last = rounds[-1][1]
    assert [after for _, after in rounds[-2:]] == [last] * 2
    if kind is not view.WindowNode:  # it shows nothing
        assert all(there != last for there, _ in rounds[-2:])


SOLID = (Unit3D, Figures3D, view.Sprite3D)


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_only_what_is_solid_has_bounds_on_a_terrain(base, place, kind):
    MAKERS[kind](place, 1)
    for _ in range(N_FRAMES):
        base.task_mgr.step()
    place.terrain.np.find("ground").stash()
    assert (place.terrain.np.get_tight_bounds() is None) == (kind not in SOLID)


def test_a_unit_that_is_shown_by_a_sprite_frees_it(base, place, found):
    for _ in range(3):
        before = found()
        sprite = view.Sprite3D(PIXELS, {"stand": [0]}, hframes=2)
        figure = place.terrain.add_child(Unit3D(place.units[0], model=sprite))
        assert found() != before
        figure.queue_free()
        base.task_mgr.step()
        assert sprite.is_freed
        for _ in range(2 * N_FRAMES):  # the engine frees what it drew some frames later
            base.task_mgr.step()
    assert found() == before


def test_every_node_is_among_them():
    packages = view, ai.view
    nodes = {getattr(package, name) for package in packages for name in package.__all__}
    kinds = {each for each in nodes if isinstance(each, type)}
    assert set(MAKERS) == {kind for kind in kinds if issubclass(kind, view.WindowNode)}
