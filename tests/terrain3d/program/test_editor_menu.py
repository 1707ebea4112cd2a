"""The map editor of the scene: where it saves, maps of another size, and a map made and played."""

from pathlib import Path

import numpy as np
import pytest

from ai.game.battle_ai import BattleAI
from terrain3d import TileMap
from terrain3d.look.settings import Settings
from terrain3d.program import commands, editor_menu, run_scene
from terrain3d.program.game_scene import GameScene
from terrain3d.view import ActionMenu, Button, Preferences
from tests.support.scenes import press


@pytest.fixture
def edited(make_scene, base, tree, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    scene = make_scene(units=[{"name": "Pell", "cell": [2, 3]}])
    press(base, tree, "f2")
    return scene


def type_in(base, tree, text):
    for letter in text:
        base.messenger.send("keystroke", [letter])
    tree.advance(0.0)


def shown_scene(tree):
    [scene] = [node for node in tree.root.children if isinstance(node, GameScene)]
    return scene


def click(scene, number, button="left"):
    """Press a button of the mouse on an entry of the menu."""
    scene.tree.advance(0.0)
    parts = scene.hud._front_dock.panel.parts.values()
    entry = [part.widget for part in parts if isinstance(part.widget, Button)][number]
    (entry.on_press if button == "left" else entry.on_right_press)()
    scene.tree.advance(0.0)


def test_a_stroke_may_begin_in_the_frame_in_which_the_editor_opens(make_scene):
    scene = make_scene()
    unit = scene.board.units[0]
    scene.board.move(unit, scene.board.reach(unit).cells[1])  # it is in the log
    scene.edit.editor.is_active = True
    editor, before = scene.edit.editor.map_editor, scene.board.tilemap.level_at((2, 3))
    editor.choose(tool="raise")
    editor.aim_at((2, 3))
    editor.act()
    assert scene.board.tilemap.level_at((2, 3)) == before + 1


def test_the_first_save_asks_for_a_name_and_a_folder(base, tree, edited, tmp_path):
    menu = edited.menu
    press(base, tree, "f5")
    assert menu.labels[:2] == ("Name: ", f"Folder: …{tmp_path}"[:9] + str(tmp_path)[-28:])
    type_in(base, tree, "my  wj")
    press(base, tree, "backspace", "backspace", "backspace-repeat")
    type_in(base, tree, "x vale")
    assert menu.labels[0] == "Name: my x vale"
    press(base, tree, "tab")
    type_in(base, tree, "/new")
    press(base, tree, "enter")
    path = tmp_path / "new" / "my x vale.tmap"
    assert TileMap.load(path).extras["units"][0]["name"] == "Pell"
    assert not menu.is_open
    path.unlink()
    press(base, tree, "f5")  # the name is known now
    assert path.exists()


def test_each_saving_asks_again_before_it_replaces_another_file(base, tree, edited, tmp_path):
    def save(name):
        press(base, tree, "shift-f5", *["backspace"] * 9)
        type_in(base, tree, name)
        press(base, tree, "enter")

    (tmp_path / "map.tmap").write_text("precious")
    for _ in range(2):
        save("map")
        assert edited.menu.is_open
        assert (tmp_path / "map.tmap").read_text() == "precious"
        press(base, tree, "escape")
    for name, is_asked in (("one", False), ("two", False), ("one", True), ("two", True)):
        save(name)
        assert edited.menu.is_open == is_asked
        press(base, tree, *["enter"] * is_asked)
        assert not edited.menu.is_open


@pytest.mark.parametrize(
    ("read", "taken", "name"),
    [
        (None, "map.tmap", None),
        ("map.tmap", "map.tmap", "map.tmap"),
        ("hill.txt", "hill.txt", "hill.tmap"),
        ("hill.txt", "hill.tmap", None),
    ],
)
def test_only_the_file_that_was_read_is_saved_unasked(
    base, tree, open_scene, monkeypatch, tmp_path, read, taken, name
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / taken).write_text("read")
    path = editor_menu.edited_file(read and Path(read))
    scene = open_scene(TileMap.from_text("00\n00"), path=path)
    press(base, tree, "f2", "f5")
    assert scene.menu.is_open == (name is None)
    assert {file.name for file in tmp_path.iterdir()} == {taken, name or taken}
    assert ((tmp_path / taken).read_text() == "read") == (name != taken)


def test_typed_letters_do_nothing_else_and_a_failed_save_says_why(base, tree, edited, tmp_path):
    edited.preferences.change("show_costs", 1)
    press(base, tree, "f5", "c", "j", "space", "x", "h")
    assert edited.preferences.settings.show_costs
    assert edited.menu.is_open
    assert edited.board.tilemap.version == 0
    press(base, tree, "escape")
    type_in(base, tree, "abc")
    assert not edited.menu.is_open
    (tmp_path / "file").write_text("")
    editor, menu = edited.edit.editor.map_editor, edited.menu
    [node] = [each for each in edited.edit.children if isinstance(each, editor_menu.EditorMenu)]
    before = editor.path
    press(base, tree, "f5")
    folders = "~nosuchuser/x", "y" * 300, str(tmp_path / "file")
    for name, folder in (("x" * 300, "."), *(("x", folder) for folder in folders)):
        node._save({"Name": name, "Folder": folder})
        assert menu.is_open
        assert menu._texts[1].startswith("not saved: ")
        assert menu.labels[0].endswith(name[-20:])
        assert editor.path == before
    press(base, tree, "escape")
    assert not menu.is_open
    assert edited.edit.editor.is_active


def test_the_map_is_resized_with_its_units_and_undone(base, tree, edited, monkeypatch):
    old = edited.board.tilemap
    edited.edit.editor.map_editor.choose(tool="paint", kind="sand", size=3)
    with monkeypatch.context() as patch:
        patch.setattr(editor_menu, "MAX_CELLS", 14 * 12)
        press(base, tree, "control-r", *["arrow_right"] * 5)
        assert edited.menu.title == "12 x 14 tiles"
    press(base, tree, *["arrow_left"] * 20, "arrow_down", *["arrow_left"] * 20)
    assert edited.menu.title == "1 x 1 tiles"
    press(base, tree, "escape")
    press(base, tree, "control-r", "arrow_right", "arrow_right", "arrow_down", "arrow_left")
    click(edited, 2)
    click(edited, 2, "right")
    assert edited.menu.title == "11 x 14 tiles"
    click(edited, 4)
    scene = shown_scene(tree)
    tilemap = scene.board.tilemap
    assert (tilemap.rows, tilemap.cols) == (14, 11)
    assert [unit.cell for unit in scene.board.units] == [(4, 3, 0)]
    assert scene.edit.editor.is_active
    assert scene.edit.editor.map_editor.tool_settings.size == 3
    tree.advance(0.0)
    assert scene.hud.status_text == "Resize: the map has 11 x 14 tiles"
    press(base, tree, "control-z")
    tree.advance(0.0)
    scene = shown_scene(tree)
    assert scene.board.tilemap is old
    assert [unit.cell for unit in scene.board.units] == [(2, 3, 0)]
    press(base, tree, "control-y")
    tree.advance(0.0)
    assert shown_scene(tree).board.tilemap is tilemap


def test_the_map_is_cropped_to_the_selection(base, tree, edited):
    editor = edited.edit.editor.map_editor
    editor.choose(tool="select")
    editor.aim_at((1, 2))
    editor.press()
    editor.aim_at((4, 8))
    editor.release()
    press(base, tree, "control-r")
    labels = edited.menu.labels
    click(edited, labels.index("Crop to what is selected"))
    assert edited.menu.title == "7 x 4 tiles"
    press(base, tree, "enter")
    scene = shown_scene(tree)
    assert (scene.board.tilemap.rows, scene.board.tilemap.cols) == (4, 7)
    assert [unit.cell for unit in scene.board.units] == [(1, 1, 0)]


def test_a_gamepad_reaches_everything_and_saves_under_the_usual_name(base, tree, edited, tmp_path):
    press(base, tree, "gamepad-start")
    menu = next(node for node in edited.hud.children if isinstance(node, ActionMenu))
    assert menu.labels[0] == edited.hud.buttons[0].text
    assert {button.text for button in edited.hud.buttons} - {"Play"} <= {*menu.labels}
    press(base, tree, "gamepad-face_b", "f5")
    press(base, tree, "gamepad-left_stick_down", "gamepad-left_stick_down", "gamepad-face_a")
    assert TileMap.load(tmp_path / "map.tmap").rows == 12
    for number in (2, 3):
        press(base, tree, "gamepad-start")
        menu._take(menu.labels.index("Save as"))
        press(base, tree, "gamepad-left_stick_down", "gamepad-left_stick_down", "gamepad-face_a")
        assert TileMap.load(tmp_path / f"map {number}.tmap").rows == 12


HILL = [(row, col) for row in (4, 5) for col in (6, 7)]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "vale.tmap"
    TileMap(np.ones((12, 14), int)).save(path)
    return path


@pytest.fixture
def editing(base, tree, open_scene, path):
    """A scene in which a map without units is edited; what presses keys, and Enter at tiles."""
    tilemap = TileMap.load(path)
    scene = open_scene(tilemap, path=path)

    def act(*keys, at=()):
        press(base, tree, *keys)
        for cell in at:
            scene.commander_3d.cursor.go_to(cell)
            press(base, tree, "enter")

    act("f2", "u", at=[unit.cell for unit in scene.board.units])
    assert not scene.board.units
    return scene, act


def units(tilemap):
    return [(each["team"], each["mover"], *each["cell"]) for each in tilemap.extras["units"]]


def goal(tilemap):
    return tilemap.extras.get("objective", {}).get("cells")


def draw_map(act):
    """Make a hill, water with a bridge over it, two sides, and a goal of two tiles."""
    act("1", "b", at=[HILL[0], HILL[-1]])
    act("4", "control-1", at=[(0, 9), (11, 9)])
    act("2", at=[(0, 9), (11, 9)])
    act("7", "shift-1", at=[(8, 8), (8, 10)])
    act("u", "shift-1", at=[(2, 2), (3, 2)])
    act("shift-2", at=[(4, 2)])
    act("shift-5", at=[(3, 12), (5, 12)])
    act("o", "shift-1", at=[(4, 6), (4, 7)])


def test_a_map_made_in_the_editor_is_a_fight(tree, editing, path, monkeypatch):
    scene, act = editing
    tilemap = scene.board.tilemap
    draw_map(act)
    assert [tilemap.level_at(cell) for cell in (*HILL, (5, 8), (1, 9))] == [2, 2, 2, 2, 1, 0]
    assert (tilemap.kind_at((8, 9)).name, tilemap.level_at((8, 9, 1))) == ("deep", 1)
    act("control-z")
    assert goal(tilemap) == [[4, 6]]
    assert [unit.cell[:2] for unit in scene.board.units] == [cell[2:] for cell in units(tilemap)]
    act("f5")
    said = f"Saved {path}"
    assert (scene.hud.status_text, scene.edit.editor.map_editor.is_saved) == (said, True)
    tree.advance(60.0)
    scene.commander_3d.cursor.go_to((1, 1))
    tree.advance(0.0)
    assert scene.hud.status_text == said
    act("3")
    assert scene.hud.status_text != said
    scene.queue_free()
    preferences = tree.root.add_child(Preferences(Settings(skip_motion=True)))

    def run(make, *_):
        return tree.root.add_child(make(preferences))

    monkeypatch.setattr(run_scene, "run_in_window", run)
    assert commands.main(["--map", str(path), "--difficulty", "easy"]) == commands.DONE
    tree.advance(0.0)
    scene = shown_scene(tree)
    board, battle = scene.board, scene.match.battle
    cells = {team: [u.cell[:2] for u in board.units if u.team == team] for team in ("blue", "red")}
    assert cells == {"blue": [(2, 2), (3, 2), (4, 2)], "red": [(3, 12), (5, 12)]}
    assert (battle.objective.cells, battle.objective.rounds) == (((4, 6, 0),), 3)
    for _ in range(4000):
        tree.advance(0.1)
        if scene.is_ready and scene.commander.is_players_turn and not battle.winner:
            BattleAI().play_turn(battle)
        if scene.menu.is_open:
            break
    assert scene.menu.title == {"blue": "Victory", "red": "Defeat"}[battle.winner]
    assert any(entry.data.get("hits") for entry in board.log)
