"""Every natural mistake in a call of `terrain3d` ends in a message of ours and changes nothing."""

from collections.abc import Iterable, Mapping

import numpy as np
import pytest

import terrain3d
from terrain3d import (
    KINDS,
    Cell,
    HexGrid,
    Link,
    Node,
    Rect,
    SceneTree,
    Signal,
    SquareGrid,
    TileKind,
    TileMap,
    Wall,
    Water,
    editor,
    export,
    formats,
    landscape,
    make_grid,
    register_prop,
    register_texture,
)
from terrain3d.editor import MapEditor, ToolSettings, WallTool
from terrain3d.editor.tools import TOOLS
from terrain3d.mesh.solids import box
from tests.support.mistakes import assigned, check_mistakes, hints_of, public_calls
from tests.support.own_looks import forgotten

MADE_BY_THE_LIBRARY = {
    "Cell", "Rect", "Rect.grown", "Rect.holds", "Rect.slices", "Rect.union",
}  # fmt: skip
"""Plain tuples, and records that are checked where they are used."""

FOR_CHECKED_VALUES = {
    "Grid.contains",
    *(
        f"{kind}.{name}"
        for kind in ("Grid", "HexGrid", "SquareGrid")
        for name in ("corner_coords", "lattice_cell", "lengths", "middle")
    ),
    "Grid.centers", "Grid.steps_from", "TileMap.revert",
}  # fmt: skip
"""Their docstrings say that they take cells that were checked, in arrays or in inner loops."""

CALLED_BY_STROKES = {
    *(f"{kind}.put" for kind in ("Bridge", "Connect", "Erase", "Level", "Paint", "Raise", "Ramp")),
    *(f"{kind}.cells" for kind in ("Bridge", "Connect", "Ramp", "WallTool")),
    "ToolSettings.cells", "WallTool.put",
}  # fmt: skip
"""Take an open edit, and cells of its map that were checked when they were aimed at."""

ONLY_POSITIONAL = {"Reason", "Signal", "Signal.emit", "register_reasons", "tr", "tr_n"}
"""Take any arguments; see `core/test_signals.py`, `grid/test_reason.py` and `locale/`."""


class Door(Node):
    opened = Signal("by")
    width = export(1.0, range=(0.5, 2.0))
    color = export((0.5, 0.5, 0.5), range=(0.0, 1.0))
    label = export("")


class World:
    """A map with a deck, a grid, a tree and an editor."""

    def __init__(self, folder):
        self.folder = folder
        self.tilemap = TileMap.from_text("00000\n01#10\n00000")
        with self.tilemap.edit() as edit:
            edit.add_deck([(1, 1)], level=4)
            edit.add_link((0, 0), (2, 2), 1)
            edit.add_wall((0, 0), (0, 1))
        self._open = None
        self.heard = []
        self.tilemap.changed.connect(self.heard.append)
        self.tree = SceneTree()
        self.door = self.tree.root.add_child(Door("door"))
        self.door.opened.connect(self.hear)
        self.editor = MapEditor(self.tilemap, folder / "edited.tmap")
        self.editor.message.connect(self.heard.append)
        self.grid = SquareGrid(3, 5)

    def hear(self, by):
        self.heard.append(by)

    @property
    def edit(self):
        return self.open_edit("dig")

    def open_edit(self, name):
        edit = self.tilemap.edit(name)
        if self._open is not None:
            self._open.__exit__(ValueError)  # changes nothing
        self._open = edit
        return edit.__enter__()

    def saved(self, name):
        path = self.folder / name
        self.tilemap.save(path)
        return path

    def state(self):
        tilemap, nodes = self.tilemap, list(self.tree.root.walk())
        state = [tilemap.to_text(), tilemap.version, tilemap.n_decks, tilemap.undo_name]
        state += [tilemap.surface_kind.tolist(), tilemap.links, tilemap.walls, tilemap.extras]
        state += [tilemap.has_stroke, self.heard, self.editor.tool_settings, self.editor.aim]
        state += [[(node.name, node.parent, sorted(node._groups), node.exports) for node in nodes]]
        state += [len(self.door.opened._listeners), self.tree._to_free]
        return state


RULES = {"rows": 4, "cols": 5, "seed": 7, "levels": 5, "step_height": 0.5, "topology": "square"}
NOISE = {"cell_sizes": [6, 3], "weights": [0.7, 0.3], "kinds": KINDS}
RAY = {"origin": (0.5, -0.5, 9.0), "direction": (0.0, 0.0, -1.0)}
ON_CELLS = ("cell", "decks_at", "headroom_at", "is_void", "kind_at", "level_at", "surface_point")
NAMED = {"extras": {"name": "north door"}}
EDITS = {
    "add_deck": {"cells": [(0, 2), (0, 3)], "level": 4, "kind": "wood", "thickness": 1},
    "add_link": {"start": (0, 0), "end": (0, 4), "cost": 2, "kind": "stairs", "one_way": True}
    | NAMED,
    "add_wall": {"start": (0, 2), "end": (0, 3), "one_way": True} | NAMED,
    "remove_deck": {"cells": [(1, 1)], "deck": 1},
    "remove_link": {"start": (0, 0), "end": (2, 2)},
    "remove_wall": {"start": (0, 0), "end": (0, 1)},
    "set_kind": {"cell": (0, 0), "kind": "sand"},
    "set_level": {"cell": (0, 0), "level": 3},
}

BASELINES = {
    **{
        f"Grid.{name}": lambda w, name=name: (getattr(w.grid, name), {"cell": (1, 2)})
        for name in ("center", "corners", "neighbors")
    },
    "Grid.cell": lambda w: (w.grid.cell, {"value": (1, 2)}),
    "Grid.within": lambda w: (w.grid.within, {"value": (1, 2)}),
    "Grid.cell_at": lambda w: (w.grid.cell_at, {"x": 0.5, "y": -0.5}),
    "Grid.distance": lambda w: (w.grid.distance, {"a": (0, 0), "b": (1, 2)}),
    "HexGrid": lambda _: (HexGrid, {"rows": 3, "cols": 5, "layout": "hex_odd_r"}),
    "HexGrid.distance": lambda _: (
        HexGrid(3, 5, "hex_odd_r").distance,
        {"a": (0, 0), "b": (1, 2)},
    ),
    "SquareGrid": lambda _: (SquareGrid, {"rows": 3, "cols": 5}),
    "SquareGrid.distance": lambda w: (w.grid.distance, {"a": (0, 0), "b": (1, 2)}),
    "make_grid": lambda _: (make_grid, {"topology": "square", "rows": 3, "cols": 5}),
    "landscape": lambda _: (landscape, RULES | {"is_island": False}),
    "Link": lambda _: (
        Link,
        {"start": Cell(0, 0), "end": Cell(0, 4), "cost": 2, "kind": "stairs", "one_way": True}
        | NAMED,
    ),
    "Water": lambda _: (
        Water,
        {"color": (0.5, 0.6, 0.7), "foam": 0.5, "speed": 2.0, "clarity": 0.5},
    ),
    "register_texture": lambda _: (
        register_texture,
        {"name": "moss tiles", "image": np.zeros((2, 2, 3), np.uint8)},
    ),
    "register_prop": lambda _: (
        register_prop,
        {
            "name": "crate",
            "mesh": box((0, 0, 0.1), (0.1,) * 3, (1, 1, 1)),
            "share": 0.5,
            "reach": 0.2,
        },
    ),
    "Wall": lambda _: (Wall, {"start": Cell(0, 0), "end": Cell(0, 1), "one_way": True} | NAMED),
    "TileKind": lambda _: (
        TileKind,
        {
            "name": "ice",
            "cost": 2,
            "color": (0.5, 0.6, 0.7),
            "tags": {"cold"},
            "depth": 1,
            "can_stop": True,
            "texture": "water",
            "props": "stones",
            "glow": 0.5,
            "water": Water(foam=0.5),
        },
        {**hints_of(TileKind), "tags": Iterable[str]},
    ),
    "export": lambda _: (
        export,
        {"default": 1.0, "range": (0.5, 2.0), "choices": (), "doc": "in tiles"},
    ),
    "Door.width=": lambda w: assigned(w.door, "width", 1.5),
    "Door.label=": lambda w: assigned(w.door, "label", "in"),
    "Door.color=": lambda w: (
        lambda color: setattr(w.door, "color", color),
        {"color": (0.1, 0.2, 0.3)},
        {"color": tuple[float, float, float]},
    ),
    "Node": lambda _: (Node, {"name": "arm"}),
    "Node.add_child": lambda w: (w.door.add_child, {"child": Node("bell")}),
    "Node.add_to_group": lambda w: (w.door.add_to_group, {"group": "doors"}),
    "Node.find_ancestor": lambda w: (w.door.find_ancestor, {"kind": Node}),
    "Node.get_node": lambda w: (w.door.get_node, {"path": "/door"}),
    "Node.is_in_group": lambda w: (w.door.is_in_group, {"group": "doors"}),
    "Node.remove_child": lambda w: (w.tree.root.remove_child, {"child": w.door}),
    "Node.remove_from_group": lambda w: (w.door.remove_from_group, {"group": "doors"}),
    "SceneTree.advance": lambda w: (w.tree.advance, {"dt_s": 0.1}),
    "SceneTree.get_nodes_in_group": lambda w: (w.tree.get_nodes_in_group, {"group": "doors"}),
    "SceneTree.queue_free": lambda w: (w.tree.queue_free, {"node": w.door}),
    "Signal.connect": lambda w: (
        w.door.opened.connect,
        {"listener": w.editor.cancel, "once": True, "weak": True},
    ),
    "Signal.disconnect": lambda w: (w.door.opened.disconnect, {"listener": w.hear}),
    "Signal.is_connected": lambda w: (w.door.opened.is_connected, {"listener": w.hear}),
    "TileMap": lambda w: (
        TileMap,
        {
            "level": w.tilemap.level,
            "kind": w.tilemap.kind,
            "kinds": KINDS,
            "step_height": 0.5,
            "topology": "square",
        },
    ),
    **{
        f"TileMap.{name}": lambda w, name=name: (
            getattr(w.tilemap, name),
            {"value" if name == "cell" else "cell": (1, 1, 1) if name != "decks_at" else (1, 1)},
        )
        for name in ON_CELLS
    },
    "TileMap.from_heights": lambda _: (
        TileMap.from_heights,
        {
            "heights": [[0.0, 1.5], [2.5, 3.0]],
            "levels": 3,
            "step": None,
            "size": (2, 2),
            "spread": "linear",
            "step_height": 0.5,
            "topology": "square",
        },
    ),
    "TileMap.has_cell": lambda w: (w.tilemap.has_cell, {"cell": (1, 1, 1)}),
    "TileMap.has_surface": lambda w: (w.tilemap.has_surface, {"cell": (1, 1, 1)}),
    "TileMap.begin_stroke": lambda w: (w.tilemap.begin_stroke, {"name": "dig", "by": w}),
    "TileMap.extras=": lambda w: assigned(w.tilemap, "extras", {"spawns": [1]}),
    "TileMap.edit": lambda w: (w.open_edit, {"name": "dig"}),
    "TileMap.cast": lambda w: (w.tilemap.cast, {**RAY, "includes_void": True}),
    "TileMap.pick": lambda w: (w.tilemap.pick, RAY),
    "TileMap.changed_rects": lambda w: (w.tilemap.changed_rects, {"version": 0}),
    "TileMap.links_in": lambda w: (w.tilemap.links_in, {"rect": Rect(0, 0, 2, 2)}),
    "TileMap.walls_in": lambda w: (w.tilemap.walls_in, {"rect": Rect(0, 0, 2, 2)}),
    "TileMap.crop": lambda w: (w.tilemap.crop, {"rect": [0, 1, 2, 3]}, {"rect": list[int]}),
    "TileMap.mirror": lambda w: (w.tilemap.mirror, {"axis": "top_bottom"}),
    "TileMap.paste": lambda w: (
        w.tilemap.paste,
        {"other": TileMap.from_text("12"), "at": (2, 1), "by": w},
    ),
    "TileMap.resize": lambda w: (
        w.tilemap.resize,
        {"rows": 4, "cols": 3, "at": (1, 0), "level": 2, "kind": "sand"},
    ),
    "TileMap.rotate": lambda w: (w.tilemap.rotate, {"degrees": 180}),
    "TileMap.save": lambda w: (w.tilemap.save, {"path": w.folder / "map.tmap"}),
    "TileMap.from_noise": lambda _: (
        TileMap.from_noise,
        {**RULES, **NOISE},
        {**hints_of(TileMap.from_noise), "cell_sizes": list[int]},  # no cell
    ),
    "TileMap.from_text": lambda _: (
        TileMap.from_text,
        {"text": "01", "kinds": KINDS, "step_height": 0.5, "source": "x", "topology": "square"},
    ),
    "TileMap.load": lambda w: (
        TileMap.load,
        {"path": w.saved("map.tmap"), "max_surfaces": 1000},
    ),
    **{
        f"Edit.{name}": lambda w, name=name, values=values: (getattr(w.edit, name), values)
        for name, values in EDITS.items()
    },
    "register_format": lambda _: (
        formats.register_format,
        {"suffix": ".vale", "read": len, "write": str},
    ),
    "single_line": lambda _: (formats.single_line, {"text": "a", "limit": 5}),
    "disc": lambda w: (editor.disc, {"tilemap": w.tilemap, "cell": (1, 1), "size": 2}),
    "flood": lambda w: (editor.flood, {"tilemap": w.tilemap, "cell": (1, 1), "max_tiles": 2}),
    "line": lambda w: (editor.line, {"grid": w.grid, "start": (0, 0), "end": (2, 3)}),
    "rectangle": lambda w: (
        editor.rectangle,
        {"tilemap": w.tilemap, "start": (0, 0), "end": (1, 1)},
    ),
    "Bridge": lambda _: (editor.Bridge, {"kind": "wood", "thickness": 1}),
    "Connect": lambda _: (editor.Connect, {"kind": "stairs"}),
    "Paint": lambda _: (editor.Paint, {"kind": "sand"}),
    "Raise": lambda _: (editor.Raise, {"by": 1}),
    "ToolSettings": lambda _: (
        ToolSettings,
        {"kind": "sand", "tool": "raise", "area": "brush", "size": 2, "tools": TOOLS},
        {"tools": Mapping},
    ),
    "WallTool": lambda _: (WallTool, {"along": "row"}),
    "MapEditor": lambda w: (
        MapEditor,
        {"tilemap": w.tilemap, "path": w.folder / "a.tmap", "tools": TOOLS},
        {"tools": Mapping},
    ),
    "MapEditor.kinds_of": lambda w: (w.editor.kinds_of, {"tool": "paint"}),
    "MapEditor.aim_at": lambda w: (w.editor.aim_at, {"cell": (1, 1), "point": (1.5, -1.2)}),
    "MapEditor.choose": lambda w: (
        lambda tool, size, kind, area: w.editor.choose(tool=tool, size=size, kind=kind, area=area),
        {"tool": "raise", "size": 2, "kind": "sand", "area": "brush"},
        {"tool": str, "size": int, "kind": str, "area": str},
    ),
    "MapEditor.continue_from": lambda w: (
        w.editor.continue_from,
        {"other": MapEditor(w.tilemap, w.folder / "a.tmap")},
    ),
    "MapEditor.mirror": lambda w: (w.editor.mirror, {"axis": "top_bottom"}),
    "MapEditor.resize_map": lambda w: (
        w.editor.resize_map,
        {"north": 1, "east": 0, "south": 2, "west": 0},
    ),
    "MapEditor.save": lambda w: (w.editor.save, {"path": w.folder / "b.tmap"}),
    "MapEditor.next_kind": lambda w: (w.editor.next_kind, {"step": 1}),
    "MapEditor.resize": lambda w: (w.editor.resize, {"step": 1}),
}


ONLY_HERE = {
    *(f"Edit.{name}" for name in EDITS),
    "Door.color=", "Door.label=", "Door.width=",
}  # fmt: skip
"""What the packages do not list: an edit is made by a map."""


def test_every_public_call_has_a_baseline():
    packages = terrain3d, editor, formats
    found = {name for package in packages for name in public_calls(package)}
    known = {*BASELINES} - ONLY_HERE | MADE_BY_THE_LIBRARY | ONLY_POSITIONAL
    assert (known | FOR_CHECKED_VALUES | CALLED_BY_STROKES) ^ found == set()


@pytest.mark.parametrize("name", BASELINES)
def test_every_mistake_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a wrong path may be a legal name
    monkeypatch.setattr(formats.registry, "FORMATS", dict(formats.registry.FORMATS))
    with forgotten():
        assert check_mistakes(name, BASELINES[name], lambda: World(tmp_path)) == []
