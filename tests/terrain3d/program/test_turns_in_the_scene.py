"""Turns in the composed scene: the player's, those of enemies, threat and the free mode."""

import pytest

from ai import MoveProfile, Unit
from terrain3d import TileMap
from terrain3d.look.palettes import PAINTED
from terrain3d.program.game_scene import GameScene
from tests.support.scenes import press
from tests.support.window_pictures import vertices

UNITS = (
    {"name": "Mira", "cell": [1, 1], "move": 4},
    {"name": "Bram", "cell": [1, 7], "team": "red", "move": 3},
    {"name": "Odo", "cell": [3, 1], "move": 4, "wait": 30},
)


@pytest.fixture
def make_scene(open_scene):
    def make(turns):
        tilemap = TileMap.from_text("\n".join(["0" * 10] * 6))
        tilemap.extras["units"] = [dict(unit) for unit in UNITS]
        return open_scene(tilemap, turns)

    return make


def until_players_turn(tree, scene):
    for _ in range(600):
        tree.advance(0.05)
        if scene.commander.is_players_turn:
            return
    raise AssertionError("the turn does not come back")


def named(scene, name):
    return scene.board.unit(name)


def test_red_acts_by_itself_the_turn_comes_back_and_leaves_an_edit_alone(base, tree, make_scene):
    scene = make_scene("sides")
    mira, bram = named(scene, "Mira"), named(scene, "Bram")
    scene.board.add(Unit("Vorn", (5, 9), "red", move=0))  # acts too, though it comes later
    scene.commander.select(mira)
    scene.commander.act_on((1, 3))
    tree.advance(5.0)
    assert mira.points == 2
    press(base, tree, "f10")
    assert scene.hud.status_text.startswith("Round 1: Red's turn")
    until_players_turn(tree, scene)
    assert (scene.board.turn.number, bram.cell[:2], mira.points) == (2, (1, 4), 4)
    tree.advance(0.05)
    assert scene.hud.status_text.startswith("Round 2: your turn")
    press(base, tree, "u")  # the end of the turn, and what red did
    assert scene.hud.status_text.endswith("Blue. Undone")
    assert (scene.board.turn.number, bram.cell[:2], mira.points) == (1, (1, 7), 2)
    press(base, tree, "u")
    assert (mira.cell[:2], mira.points) == ((1, 1), 4)
    press(base, tree, "f10", "f2")
    assert not scene.commander.is_players_turn
    scene.commander_3d.cursor.go_to((5, 5))
    until_players_turn(tree, scene)
    assert scene.commander.aim == (5, 5, 0)


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_no_frame_when_turns_change_shows_a_reach_in_the_other_color(base, tree, make_scene, turns):
    scene = make_scene(turns)
    overlay, shown = scene.commander_3d.reach_overlay, set()
    for frame in range(120):
        if scene.commander.is_players_turn and frame % 3 == 0:
            base.messenger.send("f10")
        before = scene.commander.selected
        tree.advance(0.05)
        unit = scene.commander.selected
        if overlay.cells:
            seen = vertices(overlay._geometry.node().get_state_def(0), "color")[:3]
            assert any(each[:3] == pytest.approx(overlay.color, abs=1 / 255) for each in seen)
            if unit is before:  # else it was chosen after this frame was set up
                is_own = unit.team == "blue"
                assert overlay.color == (PAINTED.reach if is_own else PAINTED.of_team("red"))
            shown.add(overlay.color)
    assert shown == {PAINTED.reach, PAINTED.of_team("red")}


def test_f8_marks_what_enemies_could_reach_while_the_game_is_played(base, tree, make_scene):
    scene = make_scene("sides")
    threat, danger = scene.play.turns_view.threat_overlay, scene.play.turns_view.danger_overlay
    scene.commander.select(named(scene, "Mira"))
    scene.commander.aim_at((1, 5))
    tree.advance(0.05)
    assert not threat.cells
    press(base, tree, "f8")
    his = set(scene.board.reach(named(scene, "Bram")))
    assert (set(threat.cells), threat.color) == (his, PAINTED.threat)
    assert danger.cells == ((1, 4, 0),)
    assert "within reach of Bram" in scene.hud.tile_text
    assert scene.hud.tile_text.endswith("\n! from here on the path is within reach")
    said = "What enemies could reach or strike is marked, and how many could"
    assert said in scene.hud.status_text
    press(base, tree, "f3")
    assert scene.mode is scene.watch
    assert [each.is_inside_tree for each in (threat, danger)] == [False, False]
    press(base, tree, "f3", "f2")
    assert (threat.cells, danger.cells) == ((), ())
    assert "within reach" not in scene.hud.tile_text
    press(base, tree, "f2")
    assert danger.cells == ((1, 4, 0),)
    wolf = scene.board.add(Unit("Wolf", (2, 7), "red", move=4))
    tree.advance(0.05)
    his, wolfs = (set(scene.board.reach(each)) for each in (named(scene, "Bram"), wolf))
    counts = {cell: text for cell, text in threat.labels.items() if text}
    assert counts == dict.fromkeys(his & wolfs, "2") != {}
    assert his < {*scene.commander.threat.cells} == his | wolfs
    for cell, shown in (((1, 7), his), ((3, 1), his | wolfs), (None, his | wolfs)):
        scene.commander.aim_at(cell)
        tree.advance(0.05)
        assert set(threat.cells) == shown
    scene.commander.aim_at((1, 7))
    tree.advance(0.05)
    assert scene.hud.tile_text.endswith("Bram (Red) stands here")
    press(base, tree, "f8")
    assert threat.cells == ()


def test_without_turns_an_enemy_is_of_another_team(tree, make_scene):
    scene = make_scene(None)
    overlay = scene.play.turns_view.threat_overlay
    scene.commander.select(named(scene, "Bram"))
    scene.play.turns_view.toggle_threat()
    scene.commander.aim_at((1, 7))
    tree.advance(0.05)
    everywhere = {*overlay.cells}
    scene.commander.aim_at((1, 1))
    tree.advance(0.05)
    assert everywhere > {*overlay.cells} == {*scene.board.reach(named(scene, "Mira"))}


@pytest.mark.parametrize("turns", [None, "wait"])
def test_the_end_of_a_turn_and_waiting_times_are_shown_in_turns(base, tree, make_scene, turns):
    scene = make_scene(turns)
    scene.commander.aim_at(None)
    base.messenger.send("button-down", ["home"])  # keys are named to who uses them
    tree.advance(0.05)
    keys = [button.key for button in scene.hud.buttons]
    assert ("F10" in keys) == (turns is not None)
    assert keys[:3] == ["U", "Y", "C"], "other buttons keep their places"
    assert (("F10", "End turn") in scene.hud.hints) == (turns is not None)
    if turns:
        listed = scene.hud.tool_text.split("\n")
        assert (len(listed), *listed[1:3]) == (11, "1  Mira (Blue)", "2  Bram (Red)")


def test_a_saved_game_goes_on_with_its_turn_and_its_undo(make_scene):
    scene = make_scene("sides")
    scene.commander.select(named(scene, "Mira"))
    scene.commander.act_on((1, 3))
    scene.edit.editor.saving.emit()
    tilemap = TileMap.from_text("\n".join(["0" * 10] * 6))
    tilemap.extras.update(scene.board.tilemap.extras)
    again = GameScene(7, tilemap, MoveProfile(), scene.preferences, turns="sides")
    assert again.board.state == scene.board.state
    commander, mira = again.commander, named(again, "Mira")
    assert (mira.cell[:2], mira.points) == ((1, 3), 2)
    commander.undo()
    assert (mira.cell[:2], mira.points) == ((1, 1), 4)
    assert again.play.autopilot.behavior_of(named(again, "Bram")) is not None
    heard = []
    commander.is_open = True
    commander.select(mira)
    commander.act_on((2, 1))
    commander.changed.connect(lambda: heard.append(commander.reach))
    mira.advance(9.0)
    assert heard[-1] is not None  # its arrival is shown
