"""Every natural mistake in a call of `terrain3d` ends in a message of ours and changes nothing."""

from collections.abc import Iterable, Mapping
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import terrain3d
from terrain3d import KINDS, Cell, Node, Rect, Signal, TileMap, editor, export, formats
from terrain3d.editor import MapEditor, ToolSettings
from terrain3d.editor.tools import TOOLS
from terrain3d.map.edit import Edit
from terrain3d.mesh.solids import box
from tests.support.boards import one_edit
from tests.support.looks import forgotten
from tests.support.mistakes import SmallWorld, calls_of, check_mistakes, hints_of, public_calls

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
    "Edit.set_extra", "Grid.centers", "Grid.steps_from", "TileMap.revert",
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

SETTINGS = {"tool": "raise", "size": 2, "kind": "sand", "area": "brush"}


class Door(Node):
    opened = Signal("by")
    width = export(1.0, range=(0.5, 2.0))
    color = export((0.5, 0.5, 0.5), range=(0.0, 1.0))
    label = export("")
    weight = export(1.0)
    steps = export(2, range=(0, 9))
    is_open = export(False)


CALLS = {
    "Connect": lambda _: {"kind": "stairs"},
    "Edit.add_deck": lambda _: {"level": 4, "kind": "wood"},
    "Edit.add_link": lambda _: {"end": (0, 4), "kind": "stairs"},
    "Edit.add_wall": lambda _: {"start": (0, 2), "end": (0, 3)},
    "Edit.remove_deck": lambda _: {"cells": [(1, 1)], "deck": 1},
    "Edit.remove_wall": lambda _: {"end": (0, 1)},
    "Link": lambda _: {"start": Cell(0, 0), "end": Cell(0, 4), "kind": "stairs"},
    "MapEditor.choose": lambda _: SETTINGS | {"hints": hints_of(ToolSettings)},
    "MapEditor.continue_from": lambda w: {"other": MapEditor(w.tilemap, w.path)},
    "MapEditor": lambda _: {"hints": {"tools": Mapping}},
    "ToolSettings": lambda _: {"hints": {"tools": Mapping}},
    "MapEditor.kinds_of": lambda _: {"tool": "paint"},
    "Node.add_child": lambda _: {"child": Node("bell")},
    "Node.find_ancestor": lambda _: {"kind": Node},
    "Node.get_node": lambda _: {"path": "/door"},
    "Node.remove_child": lambda w: {"self": w.tree.root},
    "Raise": lambda _: {"by": 1},
    "Signal.connect": lambda w: {"listener": w.editor.cancel},
    "TileKind": lambda _: {"hints": {"tags": Iterable[str]}, "tags": {"cold"}},
    "TileMap": lambda w: {"level": w.tilemap.level, "kind": w.tilemap.kind},
    "TileMap.crop": lambda _: {"rect": [0, 1, 2, 3], "hints": {"rect": list[int]}},
    "TileMap.edit": lambda w: {"self": SimpleNamespace(edit=w.open_edit), "name": "dig"},
    "TileMap.from_heights": lambda _: {"size": (2, 2), "levels": 3, "step": None},
    "TileMap.from_noise": lambda _: {"hints": {"cell_sizes": list[int]}},  # no cell
    "TileMap.load": lambda w: {"path": w.saved()},
    "TileMap.paste": lambda _: {"other": TileMap.from_text("12")},
    "TileMap.rotate": lambda _: {"degrees": 180},
    "Wall": lambda _: {"start": Cell(0, 0), "end": Cell(0, 1)},
    "WallTool": lambda _: {"along": "row"},
    "export": lambda _: {"default": 1.0, "range": (0.5, 2.0)},
    "register_format": lambda _: {"suffix": ".vale", "read": len, "write": str},
}
"""What single calls need beside the attributes; see `mistakes.right_call`."""


class World(SmallWorld):
    """A map with a deck, a grid, a tree and an editor."""

    start, end, a, b, at, cell = (0, 0), (2, 2), (0, 0), (1, 2), (2, 1), (1, 1)
    cells, links = [(0, 2), (0, 3)], ((0, 0), (0, 4))
    rows, cols, levels, cell_sizes, weights, step = 4, 5, 5, [6, 3], [0.7, 0.3], 1
    x, y, value, point = 0.5, -0.5, (1, 2), (1.5, -1.2)
    origin, direction = (0.5, -0.5, 9.0), (0.0, 0.0, -1.0)
    color, depth, clarity, foam, glow, share, reach = (0.5, 0.6, 0.7), 1, 0.5, 0.5, 0.5, 0.5, 0.2
    kind, props, texture, layout, axis = "sand", "stones", "water", "hex_odd_r", "top_bottom"
    text, size, spread, heights, topology = "01", 2, "linear", [[0.0, 1.5], [2.5, 3.0]], "square"
    extras, kinds, tools, group, version = {"name": "north door"}, KINDS, TOOLS, "doors", 0
    rect, image, water = Rect(0, 0, 2, 2), np.zeros((2, 2, 3), np.uint8), terrain3d.Water(foam=0.5)
    mesh_data = box((0, 0, 0.1), (0.1,) * 3, (1, 1, 1))
    square_grid, hex_grid = terrain3d.SquareGrid(3, 5), terrain3d.HexGrid(3, 5, "hex_odd_r")
    path = property(lambda self: self.folder / "map.tmap")
    listener = property(lambda self: self.hear)
    by = property(lambda self: self)
    node = child = property(lambda self: self.door)
    scene_tree = property(lambda self: self.tree)
    signal = property(lambda self: self.door.opened)
    map_editor = property(lambda self: self.editor)
    tile_map = property(lambda self: self.tilemap)

    calls = property(lambda _: CALLS)

    def __init__(self, folder):
        super().__init__(folder)
        one_edit(self.tilemap).add_link((0, 0), (2, 2), 1)
        one_edit(self.tilemap).add_wall((0, 0), (0, 1))
        self._open = None
        self.heard = []
        self.tilemap.changed.connect(self.heard.append)
        self.tree = terrain3d.SceneTree()
        self.door = self.tree.root.add_child(Door("door"))
        self.door.opened.connect(self.hear)
        self.editor = MapEditor(self.tilemap, folder / "edited.tmap")
        self.editor.message.connect(self.heard.append)
        self.grid = terrain3d.SquareGrid(3, 5)

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

    def saved(self):
        self.tilemap.save(self.path)
        return self.path

    def state(self):
        tilemap, nodes = self.tilemap, list(self.tree.root.walk())
        state = [tilemap.to_text(), tilemap.version, tilemap.n_decks, tilemap.undo_name]
        state += [tilemap.surface_kind.tolist(), tilemap.links, tilemap.walls, tilemap.extras]
        state += [tilemap.has_stroke, self.heard, self.editor.tool_settings, self.editor.aim]
        state += [[(node.name, node.parent, sorted(node._groups), node.exports) for node in nodes]]
        state += [len(self.door.opened._listeners), self.tree._to_free]
        return state


FOUND = public_calls(terrain3d, editor, formats)
FOUND |= {name: call for name, call in calls_of(Edit) if name != "Edit"}  # made by maps
FOUND |= {f"Door.{name}=": partial(setattr, None, name) for name in Door("door").exports}
EXEMPT = MADE_BY_THE_LIBRARY | FOR_CHECKED_VALUES | CALLED_BY_STROKES | ONLY_POSITIONAL


def test_only_public_calls_are_exempt():
    assert EXEMPT - FOUND.keys() == set()


@pytest.mark.parametrize("name", sorted(FOUND.keys() - EXEMPT))
def test_every_mistake_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a wrong path may be a legal name
    monkeypatch.setattr(formats.registry, "FORMATS", dict(formats.registry.FORMATS))
    with forgotten():
        assert check_mistakes(name, FOUND[name], lambda: World(tmp_path)) == []
