"""docs/nodes.md says what is so: each node's example runs, its lists are those of the class."""

import inspect
import re

import pytest

from terrain3d import Node, Signal, export, view
from tests.support.pages import ROOT, blocks_of, run_in_window

PAGE = (ROOT / "docs" / "nodes.md").read_text(encoding="utf-8")
SECTIONS = {
    title: text
    for title, text in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    if hasattr(view, title)
}

# What is done with each example, and what must come of it.
ACTS = {
    "Terrain3D": """
        before = terrain.tilemap.level_at((3, 3))
        terrain.tile_clicked.emit((3, 3), "left")
        assert terrain.tilemap.level_at((3, 3)) == before + 1
        """,
    "OrbitCamera3D": """
        for _ in range(100):
            tree.advance(0.05)
        assert abs(camera.distance - 14.0) < 0.01 and abs(camera.heading_deg - 128.0) < 0.1
        """,
    "TileCursor3D": """
        send("arrow_right", "arrow_up", "enter")
        print(cursor.cell.row, cursor.cell.col)
        """,
    "TileOverlay3D": "assert set(overlay.cells) == set(reach.cells) and len(overlay.cells) > 9",
    "Crumbs3D": """
        for _ in range(100):
            tree.advance(0.05)
        assert len(marks.cells) > 5 and marks.cells[0] == next(iter(autopilot.trail_of(goose))).cell
        """,
    "SelectionBox": """
        box._press("left", (0.5, -0.5), "control")
        tree.pointer._point = (-0.25, 0.25)
        box._release("left")
        """,
    "PathRibbon3D": "assert path and len(ribbon.labels) == len(path.cells) - 1",
    "Labels3D": "assert labels.texts == ('12', '+3', '0.5') and not labels.np.is_hidden()",
    "Unit3D": """
        for _ in range(300):
            tree.advance(0.05)
        assert not bram.is_moving
        """,
    "Commander3D": """
        send("tab")
        assert commander.selected.name == "Mira" and len(hand.reach.cells) > 9
        hand.cursor.go_to((0, 0))
        send("enter")
        """,
    "MapEditor3D": """
        before = terrain.tilemap.level_at((8, 8))
        cursor.go_to((8, 8))
        send("1", "enter")
        assert terrain.tilemap.level_at((8, 8)) == before + 1
        send("f5")
        assert Path("vale.tmap").exists()
        """,
    "Hud": "send('f1'); assert hud.is_help_open; send('f1')",
    "MiniMap": "assert not small_map.np.is_hidden()",
    "Preferences": """
        send("n")
        assert terrain.mood.name == "dusk" and file.load().mood == "dusk"
        """,
    "SearchTheatre3D": """
        for _ in range(200):
            tree.advance(0.05)
        assert theatre.step == theatre.n_steps > 10
        """,
    "SearchStage3D": """
        import time
        for _ in range(400):
            tree.advance(0.05)
            time.sleep(0.005)
            if stage.n_steps:
                break
        assert stage.n_steps > 10
        """,
    "Node3D": """
        before = flag.np.get_h()
        tree.advance(0.5)
        assert flag.np.get_h() != before
        send("space")
        """,
}
PRINTED = {
    "TileCursor3D": r"chosen: (\d+) (\d+)\n\1 \2",
    "Unit3D": r"arrived: \d+ \d+",
    "Commander3D": r"refused: .+",
    "MapEditor3D": r"saved",
    "SearchTheatre3D": r"steps: \d+",
    "Node3D": r"turned",
    "SelectionBox": r"box: \(-0.25, -0.5\) \(0.5, 0.25\)",
}
FEW_COLORS = {"Labels3D", "Hud"}
"""Those without a map in their picture."""


@pytest.mark.parametrize("title", SECTIONS)
def test_each_example_runs_as_printed(title, tmp_path):
    [program] = blocks_of(SECTIONS[title])
    printed, n_colors = run_in_window(program, inspect.cleandoc(ACTS[title]), tmp_path)
    assert re.search(PRINTED.get(title, ""), printed), printed
    assert n_colors > (4 if title in FEW_COLORS else 50)


@pytest.mark.parametrize("title", SECTIONS)
def test_each_list_is_that_of_the_class(title):
    node, text = getattr(view, title), " ".join(SECTIONS[title].split())
    constructor = re.search(rf"Constructor: `{title}\((.*?)\)`", text)[1]
    parameters = inspect.signature(node).parameters.values()
    assert constructor.split(", ") == [
        each.name if each.default is each.empty else f"{each.name}={shown(each.default)}"
        for each in parameters
    ]
    exports, signals = re.search(
        r"Exported properties: (.*?)(?:; .*?)? - Signals: (.*?)(?:;| ```)", text
    ).groups()
    assert set(re.findall(r"`(\w+)`", exports)) == declared(node, export)
    assert set(re.findall(r"`(\w+)\(", signals)) == declared(node, Signal) - declared(Node, Signal)


def shown(default):
    """Write a default as the page does: what has a name can be given by its name."""
    return repr(getattr(default, "name", default)).replace("'", '"')


def declared(node, kind):
    """Name the exported properties or the signals of a class."""
    return {
        name
        for base in node.__mro__
        for name, value in vars(base).items()
        if isinstance(value, kind)
    }


def test_every_node_of_the_view_is_on_the_page():
    exported = {name for name in view.__all__ if not name.endswith("_KEYS")}
    assert exported == {name for name in exported if f"`{name}" in PAGE or f"## {name}" in PAGE}
