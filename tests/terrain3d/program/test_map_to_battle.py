"""A map is made by keys in the scene, saved, read by the program, and fought on to its end."""

import numpy as np
import pytest

from ai.game.battle_ai import BattleAI
from terrain3d import TileMap
from terrain3d.look.settings import Settings
from terrain3d.program import commands, run_scene
from terrain3d.view import Preferences
from tests.support.scenes import press

HILL = [(row, col) for row in (4, 5) for col in (6, 7)]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "vale.tmap"
    TileMap(np.ones((12, 14), int)).save(path)
    return path


@pytest.fixture
def editing(base, tree, open_scene, path):
    """A scene in which a map without units is edited, and what presses keys at tiles of it."""
    tilemap = TileMap.load(path)
    scene = open_scene(tilemap, path=path)

    def act(*keys, at=()):
        for cell in at:
            scene.commander_3d.cursor.go_to(cell)
            press(base, tree, *keys)
        if not at:
            press(base, tree, *keys)

    act("f2", "u")
    act("enter", at=[unit.cell for unit in scene.board.units])
    assert not scene.board.units
    return scene, act


def units(tilemap):
    return [(each["team"], each["mover"], *each["cell"]) for each in tilemap.extras["units"]]


def goal(tilemap):
    return tilemap.extras.get("objective", {}).get("cells")


def draw_map(act):
    """Make a hill, water with a bridge over it, two sides, and a goal of two tiles."""
    act("1", "b")
    act("enter", at=[HILL[0], HILL[-1]])
    act("4", "control-1")
    act("enter", at=[(0, 9), (11, 9)])
    act("2")
    act("enter", at=[(0, 9), (11, 9)])
    act("7", "shift-1")
    act("enter", at=[(8, 8), (8, 10)])
    act("u", "shift-1")
    act("enter", at=[(2, 2), (3, 2)])
    act("shift-2")
    act("enter", at=[(4, 2)])
    act("shift-5")
    act("enter", at=[(3, 12), (5, 12)])
    act("o", "shift-1")
    act("enter", at=[(4, 6), (4, 7)])


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
    made = []
    preferences = tree.root.add_child(Preferences(Settings(skip_motion=True)))
    monkeypatch.setattr(
        run_scene, "run_in_window", lambda make, *_: not made.append(make(preferences))
    )
    assert commands.main(["--map", str(path), "--difficulty", "easy"]) == commands.DONE
    [scene] = made
    tree.root.add_child(scene)
    board, battle = scene.board, scene.match.battle
    assert [(u.team, u.cell[:2]) for u in board.units] == [
        *(("blue", (row, 2)) for row in (2, 3, 4)),
        *(("red", (row, 12)) for row in (3, 5)),
    ]
    assert (battle.objective.cells, battle.objective.rounds) == (((4, 6, 0),), 3)
    for _ in range(4000):
        tree.advance(0.1)
        if scene.is_ready and scene.commander.is_players_turn and not battle.winner:
            BattleAI().play_turn(battle)
        if scene.menu.is_open:
            break
    assert scene.menu.title == {"blue": "Victory", "red": "Defeat"}[battle.winner]
    assert any(entry.data.get("hits") for entry in board.log)
