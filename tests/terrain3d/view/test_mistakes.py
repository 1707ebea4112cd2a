"""Every natural mistake in a call of the view ends in a message of ours and changes nothing."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from panda3d.core import NodePath

import ai.view
from ai import Blockers, MoveProfile, Navigation
from ai.view import SearchTheatre3D, SelectionBox, Unit3D
from terrain3d import Node, Rect, SceneTree, TileMap, view
from terrain3d.editor.tools import TOOLS
from terrain3d.look.lighting_presets import NOON
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import Settings
from terrain3d.view import (
    Button,
    Crumbs3D,
    Hud,
    Labels3D,
    MapEditor3D,
    MiniMap,
    Node3D,
    OrbitCamera3D,
    PathRibbon3D,
    Preferences,
    Sprite3D,
    Terrain3D,
    TileCursor3D,
    TileOverlay3D,
)
from tests.support.figures import Mover
from tests.support.mistakes import assigned, check_mistakes, public_calls

Color = tuple[float, float, float]
LIGHTING = {"lighting": "scene", "has_linear_colors": True}

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
    *(f"PandaTree{name}" for name in ("", ".project", ".ray")),
    "Commander3D", "Commander3D.palette=", "Commander3D.aim_by_key", "Commander3D.select_next",
    "Commander3D.is_in_view",
    "Commander3D.reveal",
    "Pointer", "attach", "forward_signals",
    "SearchTheatre3D", "Terrain3D.cell_at",
    "Unit3D.cast", "Unit3D.is_within", "Labels3D.place",
    "Figures3D", "Unit3D.play", "Unit3D.slide", "mesh_of",
}  # fmt: skip
"""Take objects of the engine or with a protocol, commands, or points of the pointer."""


PIXELS = np.full((4, 4, 4), 200, np.uint8)


class World:
    """A terrain with one node of each sort."""

    def __init__(self, tree, folder):
        SceneTree.close(tree)  # the nodes alone
        self.tree, self.folder = tree, folder
        root = tree.root
        self.tilemap = TileMap.from_text("00000\n01010\n00000")
        self.terrain = root.add_child(Terrain3D(self.tilemap, quality="low"))
        self.camera = root.add_child(OrbitCamera3D(self.terrain))
        add = self.terrain.add_child
        self.nodes = {
            kind.__name__: add(kind())
            for kind in (TileCursor3D, TileOverlay3D, PathRibbon3D, Labels3D, Crumbs3D)
        }
        self.nodes["Sprite3D"] = add(Sprite3D(PIXELS, {"a": [0, 1]}, hframes=2))
        self.nodes["Unit3D"] = add(Unit3D(Mover((0.5, -0.5, 0.0))))
        self.nodes["SearchTheatre3D"] = add(SearchTheatre3D(Navigation(self.tilemap)))
        self.nodes["MapEditor3D"] = add(MapEditor3D(folder / "a.tmap"))
        for kind in (Hud, SelectionBox):
            self.nodes[kind.__name__] = root.add_child(kind())
        self.nodes["MiniMap"] = self.nodes["Hud"].add_child(MiniMap(self.terrain, self.camera))
        self.nodes["Preferences"] = root.add_child(Preferences())

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


SCALES = {
    **{("Hud", name): "a" for name in ("pointer_text", "status_text", "tile_text", "tool_text")},
    ("Hud", "unit_text"): "a",
    ("Hud", "text_scale"): 1.5,
    ("Labels3D", "keeps_clear"): False,
    ("Labels3D", "no_depth_test"): True,
    ("Labels3D", "lift"): 1.0,
    ("Labels3D", "raised"): 1.0,
    ("Labels3D", "size"): 1.0,
    ("PathRibbon3D", "raised"): 1.0,
    ("PathRibbon3D", "width"): 0.5,
    ("MiniMap", "is_shown"): False,
    ("SelectionBox", "is_enabled"): False,
    ("SearchTheatre3D", "playing"): True,
    ("SearchTheatre3D", "speed"): 4.0,
    ("SearchTheatre3D", "text_scale"): 1.5,
    ("TileCursor3D", "has_keys"): False,
    ("TileCursor3D", "includes_void"): True,
    ("TileOverlay3D", "includes_void"): True,
    ("TileOverlay3D", "is_dashed"): True,
    ("TileOverlay3D", "is_hatched"): True,
    ("TileOverlay3D", "icon"): "cross",
    ("TileOverlay3D", "shows_labels"): True,
    ("Sprite3D", "fps"): 2.0,
    ("Sprite3D", "pixel_size"): 0.5,
    ("Unit3D", "pace"): 2.0,
    ("MapEditor3D", "is_active"): True,
    ("Unit3D", "is_selected"): True,
    ("Unit3D", "label"): "a",
    ("Unit3D", "health"): 0.5,
}
COLORS = (
    *((name, "color") for name in ("Crumbs3D", "Labels3D", "MapEditor3D", "PathRibbon3D")),
    *((name, "color") for name in ("SelectionBox", "TileCursor3D", "TileOverlay3D", "Unit3D")),
    ("PathRibbon3D", "refused_color"),
    *(("SearchTheatre3D", name) for name in ("path_color", "first_path_color")),
)
SAME_EXPORTS = {
    *(f"Commander3D.{name}=" for name in ("follows", "shows_costs", "takes_orders")),
}
"""Exported like those of the nodes here."""

VIEW = OrbitView(30.0, 40.0, 9.0, (2.0, -1.0, 0.0))


def setting(kind, name, value, hint=None):
    if hint is None:
        return lambda w: assigned(w.nodes[kind], name, value)
    return lambda w: (
        lambda **values: setattr(w.nodes[kind], name, values[name]),
        {name: value},
        {name: hint},
    )


SEARCH = {"profile": MoveProfile(), "algorithm": "astar", "heuristic": "auto"}
SPRITE = {"texture": PIXELS, "animations": {"a": [0, 1]}, "directions": ["left", "right"]}
SPRITE |= {"hframes": 2, "pixel_size": 0.5, "name": "a"}

BASELINES = {
    **{f"{kind}.{name}=": setting(kind, name, value) for (kind, name), value in SCALES.items()},
    **{f"{kind}.{name}=": setting(kind, name, (0.1, 0.2, 0.3), Color) for kind, name in COLORS},
    **{
        kind.__name__: lambda _, kind=kind: (kind, {"name": "a"})
        for kind in (Crumbs3D, Hud, Labels3D, Node3D, PathRibbon3D, SelectionBox, TileCursor3D)
    },
    "TileOverlay3D": lambda _: (TileOverlay3D, {"name": "a"}),
    "WindowNode": lambda _: (view.WindowNode, {"name": "a"}),
    "SearchTheatre3D.watch": lambda w: (
        w.nodes["SearchTheatre3D"].watch,
        {"start": (0, 0), "goal": (0, 2), **SEARCH, "blockers": Blockers()},
    ),
    "SearchTheatre3D.watch_random": lambda w: (
        w.nodes["SearchTheatre3D"].watch_random,
        SEARCH,
    ),
    "SearchTheatre3D.seek": lambda w: (w.nodes["SearchTheatre3D"].seek, {"step": 1}),
    "MapEditor3D": lambda w: (
        MapEditor3D,
        {
            "path": w.folder / "a.tmap",
            "cursor": w.nodes["TileCursor3D"],
            "name": "a",
            "tools": TOOLS,
        },
        {"path": str | Path, "cursor": TileCursor3D | None, "name": str, "tools": Mapping | None},
    ),
    "MapEditor3D.may_drop_edits": lambda w: (
        w.nodes["MapEditor3D"].may_drop_edits,
        {"key": "F9"},
    ),
    "MiniMap": lambda w: (
        MiniMap,
        {"terrain": w.terrain, "camera": w.camera, "name": "a"},
        {"terrain": Terrain3D, "camera": OrbitCamera3D, "name": str},
    ),
    "OrbitCamera3D": lambda w: (
        OrbitCamera3D,
        {"target": w.terrain, "name": "a", "follow": w.terrain},
    ),
    "Preferences": lambda _: (Preferences, {"settings": Settings(), "file": None, "name": "a"}),
    "Preferences.change": lambda w: (
        w.nodes["Preferences"].change,
        {"name": "text_scale", "step": 1},
    ),
    "Terrain3D": lambda w: (
        Terrain3D,
        {"tilemap": w.tilemap, "name": "a", "quality": "low"} | LIGHTING,
    ),
    "Terrain3D.geom_of": lambda w: (
        w.terrain.geom_of,
        {"rect": Rect(0, 0, 2, 2)},
        {"rect": Rect},
    ),
    "Unit3D": lambda _: (
        Unit3D,
        {"unit": Mover(), "name": "a", "shape": "knight", "model": NodePath("model")},
    ),
    "Unit3D.strike": lambda w: (w.nodes["Unit3D"].strike, {"size": 0.4}),
    "Unit3D.flinch": lambda w: (
        w.nodes["Unit3D"].flinch,
        {"away": (1.0, 0.0), "stop_s": 0.1},
    ),
    "Unit3D.stop": lambda w: (w.nodes["Unit3D"].stop, {"stop_s": 0.1}),
    "Unit3D.show_forecast": lambda w: (
        w.nodes["Unit3D"].show_forecast,
        {"lines": ["90 %  -8", "poison"], "icon": "sword", "loss": 0.5},
    ),
    "Unit3D.signs=": lambda w: assigned(w.nodes["Unit3D"], "signs", [("poison", "3")]),
    "Sprite3D": lambda _: (Sprite3D, SPRITE),
    "Sprite3D.play": lambda w: (w.nodes["Sprite3D"].play, {"animation": "a", "loops": True}),
    "Crumbs3D.show": lambda w: (w.nodes["Crumbs3D"].show, {"cells": [(0, 0), (0, 1)]}),
    "Daylight.has_sky=": lambda w: assigned(w.terrain.daylight, "has_sky", True),
    "Daylight.has_floor_shadow=": lambda w: assigned(w.terrain.daylight, "has_floor_shadow", True),
    **{
        f"InputMap.{name}": lambda w, name=name: (getattr(w.tree.input, name), {"name": "help"})
        for name in ("events_of", "press", "reset", "strength")
    },
    **{
        f"InputMap.{name}=": lambda w, name=name: assigned(w.tree.input, name, True)
        for name in ("is_enabled", "is_gamepad_used")
    },
    "InputMap.find_gamepads=": lambda w: assigned(w.tree.input, "find_gamepads", lambda: None),
    "InputMap.keyboard=": lambda w: assigned(w.tree.input, "keyboard", "AZERTY"),
    "Hud.keys=": lambda w: assigned(w.nodes["Hud"], "keys", [("a", "to go")]),
    "Hud.hints=": lambda w: assigned(w.nodes["Hud"], "hints", [("a", "to go")]),
    "Button": lambda _: (
        Button,
        {
            "text": "Undo",
            "on_press": print,
            "on_right_press": print,
            "on_hover": print,
            "key": "U",
            "name": "undo",
            "color": (0.1, 0.2, 0.3),
            "is_chosen": True,
            "is_enabled": True,
            "icon": "undo",
            "group": "edits",
            "tip": "takes back",
        },
        {
            "text": str,
            "key": str,
            "name": str,
            "color": Color | None,
            "is_chosen": bool,
            "is_enabled": bool,
            "icon": str,
            "group": str,
            "tip": str,
        },
    ),
    "ActionMenu": lambda _: (view.ActionMenu, {"name": "a"}),
    "Hud.buttons=": lambda w: assigned(w.nodes["Hud"], "buttons", [Button("Undo", key="U")]),
    "Labels3D.show": lambda w: (
        w.nodes["Labels3D"].show,
        {"points": np.zeros((2, 3)), "texts": ["1", "2"]},
    ),
    "PathRibbon3D.show": lambda w: (
        w.nodes["PathRibbon3D"].show,
        {
            "points": np.array([[0.5, -0.5, 0], [1.5, -0.5, 0]]),
            "is_refused": True,
            "labels": ["1"],
            "turn_ends": [1],
        },
    ),
    "TileOverlay3D.show": lambda w: (
        w.nodes["TileOverlay3D"].show,
        {"cells": [(0, 0), (0, 1)], "labels": ["1", "2"]},
    ),
    "TileCursor3D.cell=": lambda w: assigned(w.nodes["TileCursor3D"], "cell", (0, 0)),
    "TileCursor3D.go_to": lambda w: (w.nodes["TileCursor3D"].go_to, {"cell": (0, 0)}),
    "Node3D.visible=": lambda w: assigned(w.terrain, "visible", True),
    "Node3D.position=": lambda w: assigned(w.terrain, "position", (1.0, 2.0, 3.0)),
    "Node3D.rotation_degrees=": lambda w: assigned(w.terrain, "rotation_degrees", (1.0, 2.0, 3.0)),
    "Node3D.scale=": lambda w: assigned(w.terrain, "scale", (1.0, 2.0, 3.0)),
    "Terrain3D.mood=": lambda w: assigned(w.terrain, "mood", "dusk"),
    "Terrain3D.quality=": lambda w: assigned(w.terrain, "quality", "low"),
    "Daylight.mood=": lambda w: assigned(w.terrain.daylight, "mood", NOON),
    "OrbitCamera3D.follow=": lambda w: assigned(w.camera, "follow", w.terrain),
    "OrbitCamera3D.in_perspective": lambda w: (w.camera.in_perspective, {"view": VIEW}),
    "OrbitCamera3D.focus": lambda w: (w.camera.focus, {"point": (1.0, -1.0, 0.0)}),
    "OrbitCamera3D.framing": lambda w: (
        w.camera.framing,
        {"heading_deg": 30, "pitch_deg": 40, "points": [(0.0, 0.0, 0.0), (2.0, 1.0, 1.0)]},
    ),
    "OrbitCamera3D.go_to": lambda w: (w.camera.go_to, {"x": 1.0, "y": -1.0}),
    "OrbitCamera3D.goal=": lambda w: assigned(w.camera, "goal", VIEW),
    "OrbitCamera3D.look": lambda w: (w.camera.look, {"view": VIEW}),
    "OrbitCamera3D.reveal": lambda w: (w.camera.reveal, {"point": (1.0, -1.0, 0.0), "part": 0.5}),
    "set_font": lambda _: (view.set_font, {"font": "IBM Plex Sans"}),
    "OrbitView": lambda _: (
        OrbitView,
        {"heading_deg": 30.0, "pitch_deg": 40.0, "distance": 9.0, "target": (2.0, -1.0, 0.0)},
    ),
}


def test_every_public_call_has_a_baseline():
    found = public_calls(view) | public_calls(ai.view)
    inherited = {f".{name}" for name in dir(Node)} | {f".{name}" for name in dir(view.PandaTree)}
    own = {name for name in found if f".{name.partition('.')[2]}" not in inherited}
    own -= {f"PandaTree.{name}" for name in ("ray", "pixel", "project")}
    known = {*BASELINES} - {"OrbitView"} | GIVEN_BY_THE_LIBRARY | SAME_EXPORTS
    known -= {f"PandaTree.{name}" for name in ("ray", "pixel", "project")}
    assert known ^ own == set()


@pytest.mark.parametrize("name", BASELINES)
def test_every_mistake_is_refused_and_changes_nothing(name, tree, tmp_path):
    assert check_mistakes(name, BASELINES[name], lambda: World(tree, tmp_path)) == []
