"""Every natural mistake in a call of the view ends in a message of ours and changes nothing."""

from collections.abc import Mapping

import numpy as np
import pytest
from panda3d.core import NodePath

import ai.view
import terrain3d
from ai import Navigation
from ai.view import SearchTheatre3D, SelectionBox, Unit3D
from terrain3d import Rect, SceneTree, TileMap, view
from terrain3d.editor.tools import TOOLS
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from tests.support.mistakes import check_mistakes, public_calls, snake_case
from tests.support.scenes import Mover

GIVEN_BY_THE_LIBRARY = {
    *(f"Daylight.{name}" for name in ("fit", "add_subject", "remove_subject", "show_points")),
    "Daylight", "Daylight.quality=",
    *(f"Hud.{name}" for name in ("in_pixels", "show", "dock", "close_front", "front=")),
    *(f"ActionMenu.{name}" for name in ("open", "ask")),
    *(f"WindowNode.{name}" for name in ("accept", "ignore", "listen")),
    "WindowNode.accept_actions", "Command", "Gamepad", "InputMap",
    *(f"InputMap.{name}" for name in ("accept", "bind", "do", "drop")),
    *(f"InputMap.{name}" for name in ("heard", "knows", "load", "poll")),
    "buttons_of", "help_rows", "key_rows",
    *(f"PandaTree{name}" for name in ("", ".hears", ".project", ".ray")),
    "Commander3D", "Commander3D.palette=", "Commander3D.aim_by_key", "Commander3D.select_next",
    *(f"Commander3D.{name}=" for name in ("follows", "shows_costs", "takes_orders")),
    "Commander3D.is_in_view", "Commander3D.reveal", "Pointer", "attach", "forward_signals",
    "SearchTheatre3D", "Terrain3D.cell_at", "Unit3D.cast", "Unit3D.is_within", "Labels3D.place",
    "Figures3D", "Unit3D.play", "Unit3D.slide", "mesh_of",
}  # fmt: skip
"""Take objects of the engine or with a protocol, commands, or points of the pointer."""


VIEW = OrbitView(30.0, 40.0, 9.0, (2.0, -1.0, 0.0))
PIXELS = np.full((4, 4, 4), 200, np.uint8)


class World:
    """A terrain with one node of each sort."""

    start, goal, cell, cells = (0, 0), (0, 2), (0, 0), [(0, 0), (0, 1)]
    name, key, shape, animation, font = "a", "F9", "knight", "a", "IBM Plex Sans"
    texture, hframes, directions = PIXELS, 2, ("left", "right")
    animations = property(lambda _: {"a": [0, 1]})
    points, texts = np.array([[0.5, -0.5, 0], [1.5, -0.5, 0]]), ("1", "2")
    labels = lines = texts
    icon, text_scale, part, size, step, health = "sword", 1.5, 0.5, 0.5, 1, 0.5
    keys = hints = (("a", "to go"),)
    orbit_view, unit_like, settings, tools = VIEW, Mover(), Settings(), TOOLS
    heading_deg, pitch_deg, distance, target = 30.0, 40.0, 9.0, (2.0, -1.0, 0.0)
    rect, away, point, x, y = Rect(0, 0, 2, 2), (1.0, 0.0), (1.0, -1.0, 0.0), 1.0, -1.0
    node_path = property(lambda _: NodePath("model"))
    panda_tree = property(lambda self: self.tree)
    node_3d = terrain_3d = property(lambda self: self.terrain)
    orbit_camera_3d = property(lambda self: self.camera)
    daylight = property(lambda self: self.terrain.daylight)
    input_map = property(lambda self: self.tree.input)
    calls = property(lambda _: CALLS)

    def __getattr__(self, name):
        """Return a node by the snake case of its class."""
        for kind, node in self.__dict__["nodes"].items():
            if snake_case(kind) == name:
                return node
        raise AttributeError(name)

    def __init__(self, tree, folder):
        SceneTree.close(tree)  # the nodes alone
        self.tree, self.folder = tree, folder
        root = tree.root
        self.tilemap = TileMap.from_text("00000\n01010\n00000")
        self.terrain = root.add_child(view.Terrain3D(self.tilemap, quality="low"))
        self.camera = root.add_child(view.OrbitCamera3D(self.terrain))
        add = self.terrain.add_child
        names = "TileCursor3D", "TileOverlay3D", "PathRibbon3D", "Labels3D", "Crumbs3D"
        self.nodes = {name: add(getattr(view, name)()) for name in names}
        self.nodes["Sprite3D"] = add(view.Sprite3D(PIXELS, {"a": [0, 1]}, hframes=2))
        self.nodes["Unit3D"] = add(Unit3D(Mover((0.5, -0.5, 0.0))))
        self.nodes["SearchTheatre3D"] = add(SearchTheatre3D(Navigation(self.tilemap)))
        self.nodes["MapEditor3D"] = add(view.MapEditor3D(folder / "a.tmap"))
        for kind in (view.Hud, SelectionBox):
            self.nodes[kind.__name__] = root.add_child(kind())
        self.nodes["MiniMap"] = self.nodes["Hud"].add_child(view.MiniMap(self.terrain, self.camera))
        self.nodes["Preferences"] = root.add_child(view.Preferences())

    def state(self):
        nodes = self.nodes
        state = [{name: node.exports for name, node in nodes.items()}]
        state += [self.camera.goal, self.camera.view]
        state += [self.terrain.mood.name, self.terrain.quality.name]
        state += [nodes["TileCursor3D"].cell, nodes["TileCursor3D"].is_keyed]
        state += [nodes["TileOverlay3D"].cells, nodes["TileOverlay3D"].labels]
        state += [nodes["PathRibbon3D"]._points.tolist(), nodes["PathRibbon3D"].labels]
        state += [nodes["PathRibbon3D"].is_refused, nodes["PathRibbon3D"].turn_ends]
        state += [nodes["Labels3D"].texts, nodes["Labels3D"].points, nodes["Crumbs3D"].cells]
        state += [nodes["Hud"].keys, nodes["Hud"].hints, nodes["Hud"].buttons]
        state += [nodes["SearchTheatre3D"].search]
        state += [nodes["MapEditor3D"].is_active, nodes["Preferences"].settings]
        state += [nodes["Sprite3D"].animation, nodes["Sprite3D"].is_playing]
        state += [nodes["Unit3D"].color, nodes["Unit3D"].is_selected, nodes["Unit3D"].label]
        state += [nodes["Unit3D"].forecast, nodes["Unit3D"].signs]
        return state


CALLS = {
    "ActionMenu": lambda _: {"name": "a"},
    "Button": lambda _: {
        "color": (0.1, 0.2, 0.3),
        "icon": "undo",
        "hints": dict.fromkeys(("on_press", "on_right_press", "on_hover"), object),
    },
    "Hud.buttons=": lambda _: {"buttons": [view.Button("Undo", key="U")]},
    "MapEditor3D": lambda _: {"hints": {"tools": Mapping | None}},
    "PathRibbon3D.show": lambda _: {
        "labels": ["1"],
        "turn_ends": [1],
        "hints": {"turn_ends": object},  # read as numbers of an array
    },
    "Preferences": lambda _: {"file": None},
    "Preferences.change": lambda _: {"name": "text_scale"},
    "Unit3D.signs=": lambda _: {"signs": [("poison", "3")]},
    "TileOverlay3D.icon=": lambda _: {"icon": "cross"},
    **{
        f"InputMap.{name}": lambda _: {"name": "help"}
        for name in ("events_of", "press", "reset", "strength")
    },
    "InputMap.keyboard=": lambda _: {"keyboard": "AZERTY"},
}
"""What single calls need beside the attributes; see `mistakes.right_call`."""

FOUND = public_calls(view, ai.view, beside=[terrain3d]) | {"OrbitView": OrbitView}


def test_only_public_calls_are_exempt():
    assert GIVEN_BY_THE_LIBRARY - FOUND.keys() == set()


@pytest.mark.parametrize("name", sorted(FOUND.keys() - GIVEN_BY_THE_LIBRARY))
def test_every_mistake_is_refused_and_changes_nothing(name, tree, tmp_path):
    assert check_mistakes(name, FOUND[name], lambda: World(tree, tmp_path)) == []
