"""Watching a recorded game: as a GIF, in a window, and with a final state that differs."""

import json

import pytest
from PIL import Image, ImageChops

from ai import Board, GameRecord, Unit
from ai.view import Unit3D
from ai.view.game_player_3d import MATCH, MISMATCH, WatchScene
from terrain3d import TileMap
from terrain3d.look.settings import Settings
from terrain3d.view import Toolbar
from tests.support.forks import fork_main
from tests.support.scenes import press

SMALL = ("--size", "240x136", "--quality", "low")


def played():
    """Return a board after a game of three entries."""
    board = Board(TileMap.from_text("000000\n001100\n000000\n000000"), "sides")
    mira, odo = board.add(Unit("Mira", (1, 0))), board.add(Unit("Odo", (2, 5), team="red"))
    board.clear_history()  # the game begins with both there
    board.move(mira, (1, 2))
    board.end_turn()
    board.move(odo, (3, 4))
    return board


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.tmap"
    GameRecord.of(played()).save(path)
    return path


def change_map(file):
    """Raise a tile in the file of a game on which no unit comes."""
    tilemap = TileMap.load(file)
    with tilemap.edit() as edit:
        edit.set_level((0, 5), 1)
    tilemap.save(file)


def changes_of(film):
    """Return how many pixels of each frame differ from the first one."""
    frames = []
    for number in range(film.n_frames):
        film.seek(number)
        frames.append(film.convert("RGB"))
    changes = (ImageChops.difference(frames[0], frame).convert("L") for frame in frames)
    return [
        sum(change.point(lambda value: 255 * (value > 40)).histogram()[255:]) for change in changes
    ]


def test_a_game_becomes_a_gif_in_which_units_walk(file, tmp_path):
    target = tmp_path / "game.gif"
    done = fork_main("watch", file, "--gif", target, *SMALL)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr.splitlines() == [
        "Move 0 of 3: the start",
        "Move 1 of 3: Mira goes to (1, 2)",
        "Move 2 of 3: blue ends the turn",
        "Move 3 of 3: Odo goes to (3, 4)",
    ]
    with Image.open(target) as film:
        assert film.size == (240, 136)
        assert film.n_frames > 20
        changes = changes_of(film)
    assert changes[0] == 0
    assert changes[len(changes) // 2] > 100
    assert changes[-1] > changes[1]


def test_an_end_that_is_not_the_recorded_one_exits_with_1(file, tmp_path):
    change_map(file)
    record = GameRecord.load(file)
    done = fork_main("watch", file, "--gif", tmp_path / "game.gif", *SMALL)
    assert done.returncode == 1
    line = f"{file}: {record.problem}; the map or the program has changed since"
    assert done.stderr.splitlines()[-1] == line


def test_without_a_display_it_says_what_to_do(file):
    done = fork_main("watch", file)
    problem = "there is no display to open a window on; --gif FILE writes the game as a GIF"
    assert (done.returncode, done.stderr) == (2, f"terrain3d: {problem}\n")


@pytest.fixture
def watched(file, tree):
    def open_scene(settings=None):
        scene = WatchScene(GameRecord.load(file), settings or Settings())
        tree.root.add_child(scene).add_controls()
        tree.advance(0.0)
        return scene

    return open_scene


def play(tree, scene, seconds=60):
    """Play to the end; return each status that was shown."""
    seen = []
    for _ in range(seconds * 20):
        tree.advance(0.05)
        if scene.hud.status_text not in seen:
            seen.append(scene.hud.status_text)
        if not (scene.player.playing or scene.player.is_walking):
            tree.advance(0.05)
            return [*seen, scene.hud.status_text]
    raise AssertionError(seen)


def test_figures_walk_where_the_log_says(tree, watched):
    scene = watched()
    seen = play(tree, scene)
    assert seen[0] == "Move 0 of 3: the start"
    assert seen[-1] == f"Move 3 of 3: Odo goes to (row 3, col 4); {MATCH}"
    for unit, cell in zip(scene.player.playback.units, [(1, 2), (3, 4)], strict=True):
        point = scene.terrain.tilemap.surface_point(cell)
        assert scene.player.figures[unit].np.get_pos().almost_equal(point, 1e-4)
    mira, odo = scene.player.figures.values()
    assert (mira.label, odo.label) == ("", "Odo")
    assert (mira.is_selected, odo.is_selected) == (False, True)


def test_the_window_shows_that_the_end_is_not_the_recorded_one(tree, watched, file):
    change_map(file)
    assert play(tree, watched())[-1] == f"Move 3 of 3: Odo goes to (row 3, col 4); {MISMATCH}"


def test_keys_pause_step_and_change_the_speed(base, tree, watched):
    scene = watched()
    mira = scene.player.playback.units[0]
    press(base, tree, "space")
    assert scene.hud.status_text == "Move 0 of 3: the start, paused"
    press(base, tree, ".")
    assert mira.is_moving
    press(base, tree, "l", "l")
    assert scene.hud.status_text == "Move 1 of 3: Mira goes to (row 1, col 2), paused, speed 4"
    start = mira.pose.point[0]
    tree.advance(0.05)
    fast = mira.pose.point[0] - start
    press(base, tree, "j", "j", "j")
    start = mira.pose.point[0]
    tree.advance(0.05)
    assert 0 < mira.pose.point[0] - start < fast / 4
    press(base, tree, ".", ".", ".")  # not beyond the last one
    assert scene.player.step == 3
    press(base, tree, ",", ",", ",", ",")
    assert scene.player.step == 0
    assert mira.cell == (1, 0, 0)
    press(base, tree, "b")
    assert scene.player.playing
    assert play(tree, scene)[-1].endswith(f"; {MATCH}, speed 0.5")


def test_its_buttons_and_help_name_the_keys(base, tree, watched):
    scene = watched()
    (toolbar,) = (node for node in scene.walk() if isinstance(node, Toolbar))
    assert {"Space", "B", "F1"} <= {button.key for button in toolbar.buttons}
    assert all(base.messenger.who_accepts(button.event) for button in toolbar.buttons)
    assert scene.hud.hints[-1] == ("F1", "Help")
    press(base, tree, "f1")
    assert scene.hud.is_help_open
    assert ("B", "play from the start") in scene.hud.keys
    press(base, tree, "escape")
    assert not scene.hud.is_help_open


def test_the_camera_keeps_the_unit_that_moves_in_view(tree, watched):
    for follows in (True, False):
        scene = watched(Settings(follow=follows))
        scene.camera.go_to(5.0, -1.0)
        for _ in range(40):
            tree.advance(0.0)
        before = scene.camera.goal
        scene.player.step = 1
        for _ in range(5):
            tree.advance(0.05)
        assert (scene.camera.goal != before) == follows
        tree.root.remove_child(scene)
        scene.queue_free()


def test_a_game_without_moves_is_shown(tree, tmp_path):
    board = Board(TileMap.from_text("00"))
    GameRecord.of(board).save(tmp_path / "empty.tmap")
    scene = WatchScene(GameRecord.load(tmp_path / "empty.tmap"), Settings())
    tree.root.add_child(scene)
    assert play(tree, scene)[-1] == f"Move 0 of 0: the start; {MATCH}"


def fought():
    """Return a board after an edit, a knockback off a cliff, a summoning and a kill."""
    board = Board(TileMap.from_text("2200000\n2200000\n2200000"))
    mira, bram = board.add(Unit("Mira", (1, 0))), board.add(Unit("Bram", (1, 1), team="red"))
    board.clear_history()
    with board.tilemap.edit("wall") as edit:
        edit.set_level((0, 5), 4)
    with board.action("Push", by=mira) as action:
        action.place(bram, (1, 3), along=[(1, 2)])
    with board.action("Summon", by=bram) as action:
        action.add(Unit("Ghost", (2, 5), team="red"))
    with board.action("Fireball", by=mira) as action:
        action.remove(bram)
    return board


def test_every_kind_of_entry_is_shown_forwards_and_backwards(tree, tmp_path):
    GameRecord.of(fought()).save(tmp_path / "game.tmap")
    scene = tree.root.add_child(WatchScene(GameRecord.load(tmp_path / "game.tmap"), Settings()))
    assert play(tree, scene)[-1] == f"Move 4 of 4: Mira: Fireball; {MATCH}"
    player, tilemap = scene.player, scene.terrain.tilemap

    def shown(step):
        player.step = step
        tree.advance(0.0)
        figures = {unit.name: figure for unit, figure in player.figures.items()}
        names = {each.unit.name for each in scene.walk() if isinstance(each, Unit3D)}
        assert names == set(figures)
        assert len(figures) == len(player.playback.units)
        bram = figures["Bram"].point[:2] if "Bram" in figures else None
        return tilemap.level_at((0, 5)), bram, "Ghost" in figures

    there = [
        (0, (1.5, -1.5), False),
        (4, (1.5, -1.5), False),
        (4, (3.5, -1.5), False),
        (4, (3.5, -1.5), True),
        (4, None, True),
    ]
    for step in (4, 3, 2, 1, 0, 3, 0, 4, 1):
        assert shown(step) == there[step], step
    player.step = 2
    assert player.is_walking
    assert player.figures[player.playback.units[1]].point[:2] == (1.5, -1.5)


def test_f5_in_the_scene_saves_a_game_to_watch(base, tree, make_scene, tmp_path):
    scene = make_scene(units=[{"name": "Mira", "cell": [2, 2], "heading_deg": 30}])
    scene.editor.map_editor.path = tmp_path / "game.tmap"
    [mira] = scene.board.units
    press(base, tree, "f2", "f5", "f2")
    assert "replay" not in TileMap.load(tmp_path / "game.tmap").extras
    scene.commander.select(mira)
    scene.commander.act_on((2, 4))
    scene.commander.act_on((4, 4))
    press(base, tree, "f2", "f5")
    record = GameRecord.load(tmp_path / "game.tmap")
    assert record.problem == ""
    assert [entry.changes[0].along[-1][:2] for entry in record.log] == [(2, 4), (4, 4)]
    assert record.replay(0).units[0].cell == (2, 2, 0)
    units = json.loads((tmp_path / "game.tmap").read_text())["units"]
    assert [entry["cell"] for entry in units] == [[4, 4]]
