"""A battle in the composed scene: played by keys to its end, saved, loaded, paused."""

import itertools
import math
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from ai.game.battle import SKILLS, Choice
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import Match, set_up, worth
from ai.game.campaign import CHAPTERS, Campaign, map_of
from ai.game.descriptions import describe_skill, unit_name
from ai.view.goal_flag import NOBODY
from terrain3d import landscape
from terrain3d.look.layout import Box
from terrain3d.look.orbit import OrbitView
from terrain3d.look.settings import SettingsFile
from terrain3d.program import game_menu, game_scene
from terrain3d.program.game_scene import GameScene
from terrain3d.view import ActionMenu, Hud
from terrain3d.view.window.viewport import ScreenProjection
from tests.support.scenes import Pads, Watcher, press
from tests.support.selection import rest_nightly

MOST_FRAMES = 40000


@pytest.fixture
def play(tree, open_scene, tmp_path):
    """Return a function that opens the scene with a battle."""
    file = SettingsFile(tmp_path / "settings.json")

    def make(
        difficulty="easy", topology="square", turns="sides", seed=3, *, fog=False, opens=False
    ):
        tilemap = landscape(24, 24, seed, 8, topology=topology)
        match = Match(set_up(tilemap, seed, turns, fog=fog)[0], difficulty, is_new=True)
        scene = open_scene(tilemap, turns, match=match, file=file, skip_motion=True)
        if not opens:
            scene.opening.skip()
            tree.advance(0.0)
        return scene

    return make


def scene_of(tree):
    return next(node for node in tree.root.children if isinstance(node, GameScene))


def shown(scene, dock=""):
    """Return the widget that a dock shows, or that is in front of all."""
    hud = scene.hud
    return (hud.dock(dock) if dock else hud._front_dock).panel._shown[0]


def texts_in(widget):
    """Yield the texts of a widget and of all its parts."""
    yield getattr(widget, "text", "")
    for part in getattr(widget, "parts", ()):
        yield from texts_in(part)


def wait_for(tree, is_so):
    for _ in range(MOST_FRAMES):
        if is_so():
            return
        tree.advance(0.1)
    raise AssertionError("it does not happen")


def play_turn(base, tree, scene):
    """Let the player's units do what looks best, by keys."""
    commander, board = scene.battle_commander, scene.board
    for _ in range(len(commander.idle_units)):
        if scene.match.battle.winner or not commander.idle_units:
            return
        unit = commander.idle_units[0]
        _, choice = max(BattleAI().think(scene.match.battle, unit), key=lambda rated: rated[0])
        while commander.selected is not unit:
            press(base, tree, "tab")
        if choice.cell != unit.cell:
            scene.commander_3d.cursor.go_to(choice.cell)
            press(base, tree, "enter")
            wait_for(tree, lambda unit=unit: not unit.is_moving)
            assert unit.cell == board.tilemap.cell(choice.cell)
        tree.advance(0.01)  # keys of skills are those of a unit that stands and may act
        if choice.skill:
            press(base, tree, str(unit.stats["skills"].index(choice.skill) + 1))
            scene.commander_3d.cursor.go_to(choice.aim)
            if not commander.is_ready:  # else the key has shown it already
                press(base, tree, "enter")
            tree.advance(0.01)
            blow = commander.forecast[0]
            chance, (name, line, *_) = blow.chance, scene.figures[blow.target].forecast
            assert (name, line.split(" ")[0]) == (blow.target.name, f"{chance}")
            press(base, tree, "enter")
            assert board.log[-1].data["hits"][0]["chance"] == chance
        else:
            press(base, tree, "h")
        wait_for(tree, lambda: not scene.play.battle_3d.is_busy)
    if not scene.match.battle.winner:
        assert scene.hud.buttons[0].is_chosen  # the end of the turn is all that is left
        press(base, tree, "f10", "f10")


@pytest.mark.parametrize("topology", rest_nightly(["square", "hex_odd_r"], 1))
def test_a_battle_is_fought_by_keys_to_its_end(base, tree, play, topology):
    scene = play(topology=topology)
    menu = scene.menu
    for _ in range(40):
        play_turn(base, tree, scene)
        own = scene.commander
        wait_for(tree, lambda own=own: menu.is_open or own.is_players_turn)
        if menu.is_open or scene.match.battle.winner:
            break
    wait_for(tree, lambda: menu.is_open)
    winner = scene.match.battle.winner
    assert menu.title == {"blue": "Victory", "red": "Defeat"}[winner]
    acted = [entry for entry in scene.board.log if entry.kind == "action"]
    hits = [hit for entry in acted for hit in entry.data.get("hits", ())]
    assert hits
    assert all({"by", "skill", "target", "damage", "left"} <= hit.keys() for hit in hits)
    press(base, tree, "arrow_down", "enter")  # again
    wait_for(tree, lambda: scene_of(tree) is not scene and scene_of(tree).is_ready)
    again = scene_of(tree)
    assert (again.board.turn.number, len(again.board.units), again.board.log) == (1, 8, ())


def test_a_saved_battle_is_loaded_and_each_turn_is_saved(base, tree, play, tmp_path):
    scene = play()
    play_turn(base, tree, scene)
    wait_for(tree, lambda: scene.commander.is_players_turn)
    tree.advance(0.1)
    saved = scene.board.digest()
    wait_for(tree, (tmp_path / "saves" / "auto.tmap").is_file)
    press(base, tree, "escape", "arrow_down", "enter", "arrow_down", "enter")  # slot 2
    wait_for(tree, lambda: scene.hud.status_text.endswith("Saved in slot 2"))
    assert (tmp_path / "saves" / "2.tmap").is_file()
    assert not scene.menu.is_open
    press(base, tree, "h")
    assert scene.board.digest() != saved
    press(base, tree, "escape", "arrow_down", "arrow_down", "enter", "arrow_down", "enter")
    wait_for(tree, lambda: scene_of(tree) is not scene and scene_of(tree).is_ready)
    loaded = scene_of(tree)
    assert loaded.board.digest() == saved
    assert loaded.match.difficulty == "easy"
    loaded.game_menu._load("auto")
    wait_for(tree, lambda: scene_of(tree) is not loaded and scene_of(tree).is_ready)
    assert scene_of(tree).board.digest() == saved


def test_saves_that_fail_or_follow_each_other_are_reported(tree, play, tmp_path, monkeypatch):
    scene = play()
    for error, why in ((OSError(28, "No space left"), "No space left"), (ValueError("bad"), "bad")):
        with monkeypatch.context() as patch:
            patch.setattr(game_menu, "_write", Mock(side_effect=error))
            scene.game_menu._save("2")
            wait_for(tree, lambda why=why: scene.hud.status_text.endswith(f"Not saved: {why}"))
    for slot in ("1", "auto", "2"):
        scene.game_menu._save(slot)
    scene.game_menu._writer.shutdown()
    tree.advance(0.01)
    tree.advance(0.01)
    assert scene.hud.status_text.endswith("Saved in slot 1; Saved in slot 2")
    assert all((tmp_path / "saves" / f"{slot}.tmap").is_file() for slot in ("1", "auto", "2"))


def test_the_camera_turns_to_who_acts_and_back(base, tree, play, monkeypatch):
    monkeypatch.setattr("ai.view.battle_3d.INTENT_S", 4.0)  # so that the camera comes to rest
    scene = play()
    camera, surface = scene.camera, scene.board.tilemap.surface_point
    camera.look(replace(camera.goal, pitch_deg=85.0))
    before, seen = camera.goal, []

    def note(entry):
        for change in entry.changes if entry.kind == "move" else ():
            cells = change.along[:: len(change.along) - 1]
            ends = [tree.project(surface(each), scene.terrain.np) for each in cells]
            seen.append((camera.view.pitch_deg, max(abs(part) for end in ends for part in end)))

    scene.board.changed.connect(note)
    press(base, tree, "f10", "f10")
    wait_for(tree, lambda: scene.commander.is_players_turn)
    assert len(seen) > 1
    assert all(pitch_deg < 50 and most < 0.9 for pitch_deg, most in seen)
    assert (camera.goal.pitch_deg, camera.goal.heading_deg) == (85.0, before.heading_deg)


@pytest.mark.usefixtures("large_window")
def test_the_pause_screen_alone_takes_keys_and_changes_options(base, tree, play):
    scene = play()
    digest = scene.board.digest()
    for key in ("escape", "arrow_right"):  # in one frame
        base.messenger.send(key)
    tree.advance(0.01)
    menu = scene.menu
    labels = "Resume, Save, Load, Options, Restart, Battles, Next map, Quit"
    assert ", ".join(menu.labels) == labels
    [entries] = shown(scene).parts[-1].parts
    assert (entries.align, len(entries.parts)) == ("fill", len(menu.labels))
    press(base, tree, "h", "f10", "f10", "tab", *["arrow_up"] * 5)
    assert scene.board.digest() == digest
    press(base, tree, "enter")
    assert menu.title == "Options"
    right, left = "arrow_right", "arrow_left"
    for key, percent in (("enter", 125), (right, 150), (left, 125), (left, 100), (left, 75)):
        press(base, tree, key)
        assert menu.labels[0] == f"Text size: {percent} %"
    press(base, tree, left, right, right, "arrow_up", right, *["arrow_up"] * 2, "enter")
    assert (scene.match.difficulty, menu.labels[-3]) == ("normal", "Difficulty: normal")
    press(base, tree, "arrow_left")
    assert scene.match.difficulty == "easy"
    tree.input.bind("menu_back", "j")
    press(base, tree, "escape", "j", "j")
    assert not menu.is_open
    press(base, tree, "f3", "h", "f10", "f10")
    assert scene.mode is scene.watch
    assert scene.board.digest() == digest
    press(base, tree, "escape")
    assert (scene.mode is scene.play, menu.is_open) == (True, False)
    press(base, tree, "h")
    assert scene.board.digest() != digest


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_all_words_remain_in_a_small_window_with_large_text(tree, play, monkeypatch, scale):
    scene = play()
    monkeypatch.setattr(Hud, "_window", (640, 400))
    scene.hud.text_scale = scale
    tree.advance(0.01)
    tree.advance(0.01)
    for button in scene.hud.buttons:
        texts = [part.widget.text for part in scene.hud.dock("tools").panel.parts.values()]
        assert any(text.startswith(button.text) for text in texts)
    status = "\n".join(part.text for part in shown(scene, "status").parts)
    assert status.split() == scene.hud.status_text.split()
    assert {"Bram (Blue)", "36/36"} <= {*texts_in(shown(scene, "card"))}
    assert "0/3" in shown(scene, "goal").text


def test_red_shows_what_it_will_do_and_thinks_across_frames(base, tree, play, monkeypatch):
    monkeypatch.setattr("ai.view.battle_3d.SLICE_S", 0.0)
    monkeypatch.setattr("ai.view.battle_3d.SLICE_PART", 0.0)
    scene = play("hard")
    ribbon, thought = scene.play.battle_3d.intent_ribbon, BattleAI.think
    ends, in_frame, banners = [], [0], set()

    def count(*values):
        for rated in thought(*values):
            in_frame[-1] += 1
            yield rated

    def note(entry):
        for change in entry.changes if entry.kind == "move" else ():
            ends.append((change.unit.team, tuple(ribbon._points[-1]), change.unit.cell))
            banners.add(scene.game_menu.banner.text)

    monkeypatch.setattr(BattleAI, "think", count)
    scene.board.changed.connect(note)
    press(base, tree, "f10", "f10")
    while not scene.commander.is_players_turn:
        in_frame.append(0)
        tree.advance(0.1)
        is_own = scene.commander.is_players_turn
        names = {unit.team for unit, figure in scene.figures.items() if figure.label}
        assert is_own or names <= {"red"}
        assert len(in_frame) < MOST_FRAMES
    assert max(in_frame) == 1
    assert sum(in_frame) > 8
    assert ends
    assert {team for team, _, _ in ends} == {"red"}
    assert banners == {""}
    for _, end, cell in ends:
        assert end == pytest.approx(scene.board.tilemap.surface_point(cell))


def is_within(tree, scene, unit, part=0.95):
    seen = tree.project(unit.pose.point, scene.terrain.np)
    return seen is not None and max(map(abs, seen)) < part


def test_the_opening_shows_a_unit_and_an_enemy_once_until_a_key(base, tree, play, monkeypatch):
    scene = play(opens=True)
    unit, camera = scene.commander.selected, scene.camera
    assert scene.opening.is_playing
    assert scene.game_menu.banner.text == "Hold the hilltop"
    watcher = Watcher()
    watcher.at = (0.1, -0.1)
    monkeypatch.setattr(base, "mouseWatcherNode", watcher)
    tree.advance(0.01)
    assert not scene.hud.boxes  # no panel covers the map
    assert camera.view.distance > 1.5 * camera.near.distance
    while scene.opening.is_playing:
        tree.pointer.poll()
        tree.advance(0.1)
        is_marked = scene.commander_3d.reach_overlay.cells or scene.commander.plan
        assert not (scene.opening.is_playing and is_marked)
    tree.advance(0.1)
    assert scene.commander_3d.reach_overlay.cells
    assert scene.play.battle_3d.fringe_overlay.cells
    assert scene.hud.boxes
    assert is_within(tree, scene, unit)
    assert any(is_within(tree, scene, foe) for foe in scene.board.enemies_of(unit))
    end = camera.view
    press(base, tree, "r")
    assert scene.opening.is_playing
    base.messenger.send("button-down", ["x"])
    tree.advance(0.01)
    assert not scene.opening.is_playing
    assert camera.view == end
    match = scene.match.restarted()
    scene.begin(match, "")
    wait_for(tree, lambda: scene_of(tree) is not scene and scene_of(tree).is_ready)
    assert not scene_of(tree).opening.is_playing


def test_no_turn_is_ended_for_an_enemy_that_its_own_deed_removes(tree, play, monkeypatch):
    scene = play(turns="wait")
    battle, board = scene.match.battle, scene.board
    monkeypatch.setattr(battle, "play", lambda unit, *_, **__: remove(scene, [unit]))
    while not battle.winner:
        wait_for(tree, lambda: scene.commander.is_players_turn or battle.winner)
        tree.advance(0.1)
        if not battle.winner:
            battle.end_turn()
            assert scene.game_menu.banner.line == f"Turn {board.turn.number}"
    ended = [entry.is_automatic for entry in board.log if entry.name == "end of turn"]
    assert battle.winner == "blue"
    assert ended
    assert not any(ended)


def test_in_fog_hits_paths_looks_and_searches_hide_who_is_not_seen(base, tree, play, monkeypatch):
    scene = play(fog=True)
    tree.advance(0.01)
    battle, board, shown = scene.match.battle, scene.board, scene.play.battle_3d
    foe = next(each for each in board.units if not board.is_seen(each, "blue"))
    own = next(each for each in board.units if not board.is_seen(each, "red"))
    for unit in (foe, own):
        with board.action("sword", by=own) as action:
            hidden = battle._hidden(own.name, unit.name)
            battle._hurt(action, unit, 1, {"by": own.name, "skill": "sword", **hidden})
        told = set()
        while shown.is_busy:
            tree.advance(0.1)
            told |= {*shown.blows.texts.texts}
        assert told == (set() if unit is foe else {"-1"})
    assert [scene.figures[each].visible for each in (foe, own)] == [False, True]
    scene.commander.select(None)
    for unit in (foe, own):
        scene.commander_3d.cursor.go_to(unit.cell)
        tree.advance(0.01)
        tree.advance(0.01)
        assert (scene.hud.dock("aimed").content is not None) == (unit is own)
    seen = board.seen("blue")
    for unit, goal in ((foe, own.cell), (own, foe.cell)):
        shown._show_intent(unit, Choice(goal))
        path = board.find_path(unit, goal)
        cells = [*itertools.takewhile(lambda cell: seen[cell[:2]], path.cells)]
        assert bool(cells) == (unit is own)
        assert len(shown.intent_ribbon._points) == len(cells) < len(path)
        stand = goal if unit is foe else unit.cell  # blue does not see the other goal
        assert shown._stand.position == board.tilemap.surface_point(stand)
    with monkeypatch.context() as patch:
        looks = Mock(side_effect=lambda views, *_: views[0])
        patch.setattr(game_scene, "clearest", looks)
        scene.look_at([foe.cell])
    _, _, to_show, others = looks.call_args.args
    assert (to_show, scene.figures[foe] in others) == ([], False)
    scene.commander.select(own)
    scene.commander.aim_at(foe.cell)
    assert scene.commander.plan.path.cells[-1] == foe.cell
    press(base, tree, "f3")
    scene.watch.theatre.search.run()
    assert scene.watch.theatre.search.path.cells[-1] == foe.cell


def test_in_fog_turns_and_threat_tell_nothing_of_who_is_not_seen(base, tree, play):
    scene = play(fog=True, turns="wait")
    board, panel = scene.board, scene.play.turns_view
    put(scene, board.unit("Odo"), board.reach("Bram").cells[-1])
    hidden = [unit.name for unit in board.units if not board.is_seen(unit, "blue")]
    alone = board.copy()
    for name in hidden:
        alone.remove(name)
    press(base, tree, "f8")
    armed = {u: [SKILLS[skill].weapon for skill in u.stats["skills"]] for u in alone.units}
    assert set(panel.threat_overlay.cells) == set(alone.threat("blue", armed).cells) != set()
    assert not any(name in scene.hud.tool_text for name in hidden)
    assert "Odo" in scene.hud.tool_text
    while board.turn.units[0].name != hidden[0]:
        board.end_turn()
    tree.advance(0.01)
    assert "Red's turn" in scene.hud.status_text
    assert hidden[0] not in scene.hud.status_text


def test_the_next_map_has_a_battle_of_the_same_difficulty(base, tree, play):
    scene = play("hard")
    press(base, tree, "escape", "arrow_up", "arrow_up", "enter")
    assert not scene.menu.is_open
    wait_for(tree, lambda: scene_of(tree) is not scene)
    following = scene_of(tree)
    while not following.is_ready:  # no time passes, in which the opening would end
        tree.advance(0.0)
    assert (following.match.difficulty, len(following.board.units)) == ("hard", 8)
    assert following.opening.is_playing
    worthy = (s for s in itertools.count(8) if worth(set_up(landscape(24, 24, s, 8), s)[0]) >= 0.35)
    assert following.board.seed == next(worthy)


def test_a_victory_leads_to_the_chain_and_its_results_are_listed(base, tree, play, tmp_path):
    scene = play("hard")
    scene.game_menu._begin("gorge")  # which is locked
    tree.advance(0.0)
    assert scene._next is None
    assert "first" in scene.hud.status_text
    for name in CHAPTERS:
        remove(scene, [unit for unit in scene.board.units if unit.team == "red"])
        wait_for(tree, lambda scene=scene: scene.menu.is_open)
        assert scene.menu.labels[0] == f"Next: {name}"
        press(base, tree, "enter")
        wait_for(tree, lambda scene=scene: scene_of(tree) is not scene)
        scene = scene_of(tree)
        assert scene.board.tilemap.to_text() == map_of(name).to_text()
        assert scene.match.difficulty == "hard"
    assert [*Campaign(tmp_path / "saves").results] == ["bridge", "hill"]
    scene.opening.skip()
    tree.advance(0.0)
    press(base, tree, "escape", *["arrow_down"] * 5, "enter")
    won = "won in round 1, 0 lost"
    assert scene.menu.labels[:3] == (f"Bridge: {won}", f"Hill: {won}", "Gorge: new")
    press(base, tree, "enter")  # the bridge again
    wait_for(tree, lambda: scene_of(tree) is not scene)


def test_a_gamepad_skips_the_opening_attacks_and_ends_turns_by_its_menu(tree, play):
    scene, pad = play(opens=True), Pads(tree)
    commander, board, cursor = scene.battle_commander, scene.board, scene.commander_3d.cursor
    tree.advance(0.01)
    pad.tap("face_a")
    assert not scene.opening.is_playing
    tree.advance(0.01)
    assert "Aim" not in scene.hud.status_text
    for button in ("face_b", "start"):
        pad.tap("back")
        selected, was_open = scene.commander.selected, scene.hud.is_help_open
        pad.tap(button)
        assert (was_open, scene.hud.is_help_open) == (True, False)
        assert scene.commander.selected is selected is not None
    pad.tap("face_b")  # closes the menu
    assert scene.hud.hints[-1] == ("Start", "Menu")
    assert {each.key for each in scene.hud.buttons} == {"", "Y", "Back"}
    unit, tilemap = commander.selected, board.tilemap
    cells = [foe.cell for foe in board.enemies_of(unit)]
    pairs = [(cell, near) for cell in cells for near in tilemap.grid.neighbors(cell)]
    rises = [(abs(tilemap.level_at(a) - tilemap.level_at(b)), b) for a, b in pairs]
    put(scene, unit, min(each for each in rises if not board.unit_at(each[1]))[1])
    tree.advance(0.01)
    for skill in (*unit.stats["skills"], unit.stats["skills"][0]):
        pad.tap("dpad_up")
        assert (commander.skill, cursor.cell) == (skill, commander.aim)
        assert commander.forecast
    pad.tap("dpad_right")
    assert cursor.cell == commander.aim
    pad.tap("face_a")
    assert board.log[-1].name == unit.stats["skills"][0]
    pad.tap("dpad_right")
    assert cursor.cell == commander.selected.cell
    wait_for(tree, lambda: not scene.play.battle_3d.is_busy)
    unit = commander.selected
    pad.tap("start")
    menu = next(each for each in scene.hud.children if isinstance(each, ActionMenu))
    titles = [button.text for button in scene.hud.buttons]
    assert menu.labels[: len(titles)] == tuple(titles)
    menu._choose(titles.index("Wait"))
    pad.tap("face_a")
    assert board.log[-1].name == "wait"
    assert unit not in commander.idle_units
    assert "Aim" not in scene.hud.status_text


@pytest.mark.usefixtures("large_window")
def test_the_text_beside_the_pointer_covers_no_path_unit_or_panel(tree, play, monkeypatch):
    scene = play()
    width, height = tree.viewport.size_px
    monkeypatch.setattr("terrain3d.program.panels.describe_deed", lambda _: "a line of text")
    cells, seen = [*scene.commander.reach][::3], 0
    cells += [unit.cell for unit in scene.board.enemies_of(scene.commander.selected)]
    for cell in cells:
        scene.commander_3d.cursor.go_to(cell)
        tree.advance(0.3)
        tree.advance(0.0)
        box, plan = scene.hud._label_box, scene.commander.plan
        if box is None or plan is None:
            continue
        points = [scene.board.tilemap.surface_point(each) for each in plan.path]
        x, y, z = scene.commander.selected.pose.point
        for point in (*points, (x, y, z + 0.5)):
            across, up = tree.project(point, scene.terrain.np)
            assert not box.contains((across + 1) / 2 * width, (1 - up) / 2 * height)
        assert 0 <= box.left <= width - box.width
        assert 0 <= box.top <= height - box.height
        assert not any(box.overlaps(other) for other in scene.hud.boxes if other is not box)
        seen += 1
    assert seen > 3


def test_range_is_marked_and_a_skill_is_chosen_without_a_pan_if_a_target_is_seen(base, tree, play):
    scene = play()
    commander, board, marks = scene.battle_commander, scene.board, scene.play.battle_3d
    unit, camera = commander.selected, scene.camera
    first, *foes = board.enemies_of(unit)
    cells = sorted(commander.reach.cells, key=commander.reach.cost_to)
    with board.action("placed") as action:
        action.place(first, cells[-1])
        action.set(unit, skills=("sword", "bash"))
    remove(scene, foes)
    tree.advance(0.1)
    assert {*marks.fringe_overlay.cells} == commander.fringe
    assert {*scene.commander_3d.reach_overlay.cells} == {*commander.reach.cells}
    assert len(marks.marks.np.children) == len(commander.targets) == 1
    camera.look(replace(camera.view, target=board.tilemap.surface_point(unit.cell), distance=16.0))
    tree.advance(0.0)
    before = camera.goal
    press(base, tree, "1")
    assert (commander.aim, commander.is_ready) == (first.cell, True)
    assert scene.commander_3d.cursor.cell == first.cell
    assert camera.goal == before
    assert not commander.reach
    assert {*marks.fringe_overlay.cells} >= {first.cell}
    corners = itertools.product((0, board.tilemap.rows - 1), (0, board.tilemap.cols - 1))
    far = max(corners, key=lambda cell: math.dist(cell, first.cell[:2]))
    camera.look(replace(before, target=board.tilemap.surface_point(far)))
    press(base, tree, "escape")
    assert not commander.skill
    press(base, tree, "1")
    assert commander.is_ready
    assert camera.goal.target != camera.view.target
    assert not marks.landing_overlay.cells
    press(base, tree, "2")
    (blow,) = (each for each in commander.forecast if each.target is first)
    assert marks.landing_overlay.cells == blow.slide[-1:] != ()


@pytest.mark.usefixtures("large_window")
def test_a_forecast_does_not_cover_from_where_the_attack_would_be(tree, play):
    scene = play()
    commander, board, camera = scene.battle_commander, scene.board, scene.camera
    reach = commander.reach
    first, *foes = board.enemies_of(commander.selected)
    remove(scene, foes)
    put(scene, first, max(reach.cells, key=reach.cost_to))
    tree.advance(9.0)
    commander.aim_at(first.cell)
    stand = board.tilemap.surface_point(commander.choice.cell)
    assert commander.plan.path.cells[-1] == commander.choice.cell
    (width, height), target = tree.viewport.size_px, board.tilemap.surface_point(first.cell)
    for heading_deg in range(0, 360, 15):
        camera.look(OrbitView(heading_deg, 55.0, 13.0, target))
        commander.aim_at(first.cell)
        tree.advance(0.0)
        tree.advance(0.0)
        x, y = tree.project(stand, scene.terrain.np)
        taken = np.zeros((0, 4))
        for label in sorted(tree.labels, key=lambda label: label.label_rank):
            n_before, taken = len(taken), label.place(tree.viewport, taken)
            is_card = bool(getattr(label, "forecast", ()))
            for box in taken[n_before:] if is_card else ():
                assert not Box(*box).contains((x + 1) / 2 * width, (1 - y) / 2 * height)


def put(scene, unit, cell):
    """Put a unit on a tile, as a game may."""
    with scene.board.action("put") as action:
        action.place(unit, cell)


def remove(scene, units):
    with scene.board.action("remove") as action:
        for unit in units:
            action.remove(unit)


@pytest.mark.parametrize("large_window", [(640, 480), (400, 480)], indirect=True)
@pytest.mark.usefixtures("large_window")
def test_the_first_view_shows_all_units_in_a_window_that_is_not_wide(tree, play):
    scene = play()
    units = [scene.board.tilemap.surface_point(unit.cell) for unit in scene.board.units]
    projection = ScreenProjection.of(tree.viewport, scene.terrain.np)
    assert projection.is_seen(np.array(units)).all()


@pytest.mark.parametrize("large_window", [(1280, 720)], indirect=True)
@pytest.mark.usefixtures("large_window")
def test_the_card_of_who_is_aimed_at_stays_as_it_is_until_a_blow_has_landed(tree, play):
    scene = play()
    commander, board = scene.battle_commander, scene.board
    foe = board.enemies_of(commander.selected)[0]
    put(scene, foe, max(commander.reach.cells, key=commander.reach.cost_to))
    with board.action("weak") as action:
        action.set(foe, hp=20, evasion=-99)
        action.set(commander.selected, skills=("poison",))
    scene.commander_3d.cursor.go_to(foe.cell)
    tree.advance(0.0)
    skills = {f"{skill} {SKILLS[skill].power}" for skill in foe.stats["skills"]}
    assert {unit_name(foe), *skills} <= {*texts_in(shown(scene, "aimed"))}
    for _ in range(2):
        commander.act_on(foe.cell)
    left = foe.stats["hp"]
    for hp in (20, left):
        tree.advance(0.0)
        texts = [*texts_in(shown(scene, "aimed"))]
        assert any(text.startswith(f"{hp}/") for text in texts)
        assert any(text.startswith("poison: ") for text in texts) == (hp != 20)
        wait_for(tree, lambda: not scene.play.battle_3d.is_busy)
    assert left < 20


@pytest.mark.usefixtures("large_window")
def test_line_and_flag_show_who_holds_the_goal_once_it_has_come_and_lead_there(tree, play):
    scene = play()
    board, goal, flag = scene.board, scene.match.battle.objective.cells, scene.play.flag
    unit, level_at = scene.commander.selected, board.tilemap.level_at
    beside = [cell for cell in board.tilemap.grid.neighbors(goal[0]) if cell not in goal]
    beside = min(beside, key=lambda cell: abs(level_at(cell) - level_at(goal[0])))

    def told():
        tree.advance(0.1)
        tree.advance(0.1)
        line = shown(scene, "goal")
        return flag.color, flag.text, line.color, line.text

    put(scene, unit, beside)
    before = told()
    scene.figures[unit].pace = 0.0
    assert board.move(unit, goal[0])
    assert told() == before
    assert before[0] == NOBODY
    scene.figures[unit].pace = 1.0
    wait_for(tree, lambda: not unit.is_moving)
    blue, red = map(scene.palette.of_team, ("blue", "red"))
    held_by_blue = blue, "0/3", blue, "Hold the hilltop 0/3, round 1 of 20"
    assert told() == held_by_blue
    put(scene, unit, beside)
    put(scene, board.enemies_of(unit)[0], goal[-1])
    wait_for(tree, lambda: told()[::2] == (red, red))
    put(scene, unit, goal[0])
    wait_for(tree, lambda: told() == held_by_blue)
    with board.action("held") as action:
        action.set(unit, held=2)
    tree.advance(0.1)
    put(scene, unit, beside)
    wait_for(tree, lambda: scene.hud.status_text == "Blue does not hold the hilltop any more")
    spot, heading_deg = board.tilemap.surface_point(goal[0]), scene.camera.goal.heading_deg
    scene.camera.goal = scene.camera.home
    shown(scene, "goal").on_press()
    assert np.allclose(scene.camera.goal.target[:2], spot[:2], atol=2.0)
    assert scene.camera.goal.distance < scene.camera.home.distance
    assert heading_deg == pytest.approx(scene.camera.goal.heading_deg, abs=90.0)


@pytest.mark.usefixtures("large_window")
def test_a_card_has_bar_skills_and_state_and_a_press_opens_it(base, tree, play):
    scene = play()
    mira = scene.board.unit("Mira")
    with scene.board.action("hurt") as action:
        action.set(mira, hp=7, poison=2)
    scene.commander.select(mira)
    tree.advance(0.1)
    card = shown(scene, "card")
    texts = [*texts_in(card)]
    assert {"Mira (Blue)", "7/28", "bow 7"} <= {*texts}
    assert "poison: 3 at the end of its turn, for 2 turns" in texts
    assert card.bar == scene.palette.of_team("blue")
    parts = [part for line in card.parts for part in getattr(line, "parts", ())]
    [bar] = [part for part in parts if hasattr(part, "part")]
    assert bar.part == 7 / 28
    moves = "walks, climbs 2 levels (+1 each), drops 3 levels"
    more = {moves, f"Bow: {describe_skill(SKILLS['bow'])}"}
    assert not more & {*texts}
    for press_it in (card.on_press, lambda: press(base, tree, "i")):
        press_it()
        tree.advance(0.1)
        opened = more & {*texts_in(shown(scene, "card"))}
        assert opened == (more if press_it is card.on_press else set())


def test_buttons_stay_in_place_and_their_tips_say_what_they_do_and_why_not_now(base, tree, play):
    scene = play()
    commander, bram = scene.battle_commander, scene.board.unit("Bram")

    def tips(unit):
        commander.select(unit)
        tree.advance(0.01)
        return {each.name: (each.is_enabled, each.tip) for each in scene.hud.buttons}

    before, far = tips(bram), "No enemy is near enough for sword this turn"
    sword = describe_skill(SKILLS["sword"])
    assert before["skill_1"] == (False, f"{sword}\n{far}")
    assert before["undo"] == (False, "Undo a move\nNothing to undo")
    foe = scene.board.enemies_of(bram)[0]
    put(scene, foe, next(cell for cell in commander.reach if cell != bram.cell))
    near = tips(bram)
    assert near["skill_1"] == (True, sword)
    press(base, tree, "h")
    waits = tips(bram)
    assert waits["skill_1"][1].endswith("Bram has acted")
    assert (waits["undo"][0], waits["rewind"][0]) == (False, True)
    assert [*before] == [*near] == [*waits]
    none = [*tips(None)]
    assert none == [*before][: len(none)]
    press(base, tree, "shift-u")
    assert "rewind again" in scene.hud.status_text.lower()
    assert bram not in commander.idle_units
    press(base, tree, "shift-u")
    assert bram in commander.idle_units


@pytest.mark.parametrize("first", ["f1", "escape"])
def test_help_and_pause_in_one_frame_leave_at_most_one_and_escape_answers(base, tree, play, first):
    scene = play()
    press(base, tree, "f1")
    rows = scene.hud.keys  # the goal, five rules, and ten keys with those that the Hud adds
    heads = [index for index, (keys, _) in enumerate(rows) if not keys]
    assert rows[0][1].startswith("Hold the hilltop for 3 rounds")
    assert [heads[2] - heads[1] - 1, len(rows) - heads[2] - 1] == [5, 10]
    press(base, tree, "f1")
    for key in (first, {"f1": "escape", "escape": "f1"}[first]):
        base.messenger.send(key)
        base.messenger.send("button-down", [key])
    tree.advance(0.01)
    assert (scene.hud.is_help_open, scene.menu.is_open) == (False, first == "escape")
    for is_open in (False, True) if scene.menu.is_open else (True, False):
        press(base, tree, "escape")
        assert scene.menu.is_open == is_open


def test_no_shade_is_drawn_before_something_is_in_front(tree, play):
    before = play()
    before.begin(Match(set_up(map_of("bridge"), 1)[0], is_new=True), "")
    tree.advance(0.0)
    scene = scene_of(tree)
    assert scene is not before
    for shade in scene.hud.np.find_all_matches("**/dark"):
        assert not shade.get_hidden_ancestor().is_empty()


@pytest.mark.parametrize("winner", ["blue", "red"])
def test_the_end_is_seen_then_told_and_a_defeat_begins_with_another_try(base, tree, play, winner):
    scene = play()
    wait_for(tree, lambda: not scene.opening.is_playing)
    loser = {"blue": "red", "red": "blue"}[winner]
    remove(scene, [unit for unit in scene.board.units if unit.team == loser])
    end = {"blue": "Victory", "red": "Defeat"}[winner]
    wait_for(tree, lambda: scene.game_menu.banner.text == end)
    assert not scene.menu.is_open
    reason = f"{winner.capitalize()} has defeated all enemies"
    assert scene.game_menu.banner.line == reason
    wait_for(tree, lambda: scene.menu.is_open)
    menu = scene.menu
    lost = [f"{team.capitalize()} lost {4 * (team == loser)} of 4" for team in ("blue", "red")]
    assert menu.text == f"{reason}\nRound 1, {', '.join(lost)}"
    tree.advance(9.0)  # the camera is there
    decided = scene.board.tilemap.surface_point(scene.match.battle.objective.cells[0])
    assert -0.9 < tree.project(decided, scene.terrain.np)[0] < -0.15  # the menu covers it not
    assert menu.labels[menu.chosen] == {"blue": "Next: bridge", "red": "Play again"}[winner]
    assert "Load" in menu.labels
    menu._entries[menu.labels.index("Load")][1]()
    press(base, tree, "escape")
    assert menu.title == end
    press(base, tree, "escape")
    assert not menu.is_open
    press(base, tree, "escape")  # the end is still what there is to tell
    assert menu.title == end


def test_a_defeat_by_the_last_blow_of_an_enemy_is_told(base, tree, play):
    scene = play("hard")
    unit, foe = scene.commander.selected, scene.board.enemies_of(scene.commander.selected)[0]
    put(scene, foe, next(cell for cell in scene.commander.reach.cells if cell != unit.cell))
    remove(scene, [each for each in scene.board.units if each not in (unit, foe)])
    with scene.board.action("weak") as action:
        action.set(unit, hp=1, evasion=-99)
    wait_for(tree, lambda: not scene.play.battle_3d.is_busy)
    press(base, tree, "f10", "f10")
    wait_for(tree, lambda: scene.menu.is_open)
    assert scene.menu.title == "Defeat"


def test_a_slot_says_which_battle_it_holds(tree, play, tmp_path):
    scene = play()
    remove(scene, [scene.board.unit("Odo")])
    scene.match.battle.end_turn()
    scene.game_menu._save("2")
    wait_for(tree, (tmp_path / "saves" / "2.tmap").is_file)
    (tmp_path / "saves" / "1.tmap").write_text("broken")
    scene.game_menu._list_saves(is_saving=False)
    first, second, third, *_ = scene.menu.labels
    assert first.startswith("Slot 1: 20")
    assert second.startswith("Slot 2: map 3, round 1, Blue 4, Red 3, 20")
    assert third == "Slot 3: empty"
    told = "round 1, Blue 4, Red 3, 20", "round 1, Blue 4, 20", "turn 1, Blue 4"
    for options, tells in zip(({}, {"fog": True}, {"turns": "wait"}), told, strict=True):
        Match(set_up(map_of("hill"), **options)[0]).save(tmp_path / "saves" / "2.tmap")
        scene.game_menu._list_saves(is_saving=False)
        assert scene.menu.labels[1].startswith(f"Slot 2: hill, {tells}")


@pytest.mark.usefixtures("large_window")
@pytest.mark.parametrize("large_window", [(640, 360), (1280, 720)], indirect=True)
@pytest.mark.parametrize("seed", rest_nightly([1, 2, 13, 16, *range(20, 40)], 4))
def test_no_panel_lies_over_goal_and_units_when_the_view_opens(tree, play, seed):
    scene = play(seed=seed, topology="hex_odd_r" if seed % 2 else "square")
    for _ in range(3):
        tree.advance(0.5)
    tilemap, cells = scene.board.tilemap, scene.match.battle.objective.cells
    projection = ScreenProjection.of(tree.viewport, scene.terrain.np)
    assert scene.hud.dock("goal").box
    feet = [unit.pose.point for unit in scene.board.units]
    heads = [(x, y, z + 1.1) for x, y, z in feet]
    points = np.array([*map(tilemap.surface_point, cells), *feet, *heads])
    for x, y in projection.in_pixels(points):
        assert not [box for box in scene.hud.boxes if box.contains(x, y)]
        assert 0 < x < tree.viewport.size_px[0]
        assert 0 < y < tree.viewport.size_px[1]
    ground = [cell for cell in np.ndindex(tilemap.level.shape) if not tilemap.void[cell]]
    is_seen = projection.is_seen(np.array([*map(tilemap.surface_point, ground)]))
    depths = [tilemap.kind_at(cell).depth for cell in itertools.compress(ground, is_seen)]
    assert sum(depth > 0 for depth in depths) < len(depths) / 2 > 15
    own = np.array([unit.pose.point for unit in scene.board.units if unit.team == "blue"])
    for pair in itertools.combinations(own, 2):
        one, other = projection.in_pixels(np.array(pair))
        tile_px = projection.unit_px(np.array(pair)).min()
        assert pair[0][2] != pair[1][2] or math.dist(one, other) > 0.85 * tile_px


@pytest.mark.usefixtures("large_window")
def test_the_card_of_who_is_aimed_at_is_not_where_the_next_click_goes(tree, play):
    scene = play()
    sides = set()
    for heading_deg in (0, 90, 180, 270):
        scene.camera.look(replace(scene.camera.home, heading_deg=heading_deg))
        for unit in scene.board.enemies_of(scene.commander.selected):
            scene.commander_3d.cursor.go_to(unit.cell)
            tree.advance(0.01)
            tree.advance(0.01)
            seen = tree.project(scene.board.tilemap.surface_point(unit.cell), scene.terrain.np)
            dock = scene.hud.dock("aimed")
            if seen is not None and dock.box is not None:
                assert not dock.box.contains(*scene.hud.in_pixels(seen))
                sides.add(dock.corner)
    assert sides == {"top left", "top right"}
