"""The commander in a window: picks, previews, and the selection box."""

from concurrent.futures import Future

import numpy as np
import pytest

from ai import Board, Commander, Unit
from ai.view import Commander3D, SelectionBox, commander_3d
from terrain3d import Reason, TileMap
from terrain3d.view import OrbitCamera3D, Terrain3D
from tests.support.boards import one_edit
from tests.support.window_pictures import picture


@pytest.fixture
def game(tree):
    def make():
        board = Board(TileMap.from_text("00000\n00000\n00030"))
        for name, cell, team in (("Mira", (0, 0), "blue"), ("Bram", (2, 4), "red")):
            board.add(Unit(name, cell, team, move=3))
        terrain = tree.root.add_child(Terrain3D(board.tilemap))
        commander = Commander(board)
        return terrain, commander, terrain.add_child(Commander3D(commander))

    return make


def click(tree, terrain, cell, button="left"):
    terrain.tile_clicked.emit(None if cell is None else terrain.tilemap.cell(cell), button)
    tree.advance(0.0)


def test_clicks_select_send_and_deselect(tree, game):
    terrain, commander, commander_3d = game()
    click(tree, terrain, (0, 0))
    mira = commander.selected
    assert mira.name == "Mira"
    assert set(commander_3d.reach_overlay.cells) == set(commander.reach.cells)
    click(tree, terrain, (1, 1))
    assert mira.cell == (1, 1, 0)
    assert mira.is_moving
    assert set(commander_3d.reach_overlay.cells) == set(commander.reach.cells)
    click(tree, terrain, None)
    click(tree, terrain, (0, 0), "middle")
    assert commander.selected is mira
    click(tree, terrain, None, "right")
    assert (commander.selected, commander_3d.reach_overlay.cells) == (None, ())


@pytest.mark.parametrize("key", ["tab", "control-1"])
def test_a_unit_whose_deck_is_gone_is_selected_by_keys(base, tree, key):
    tilemap = TileMap.from_text("000\n000")
    one_edit(tilemap).add_deck([(1, 1)], level=3, kind="road")
    board = Board(tilemap)
    mira, _ = (board.add(Unit(*each)) for each in (("Mira", (1, 1, 1)), ("Odo", (0, 0))))
    terrain, commander = tree.root.add_child(Terrain3D(tilemap)), Commander(board)
    camera = tree.root.add_child(OrbitCamera3D(terrain))
    terrain.add_child(Commander3D(commander, camera))
    commander.select(board.units[1])
    one_edit(tilemap).remove_deck([(1, 1)], 1)
    base.messenger.send(key)
    tree.advance(0.1)
    assert commander.selected is mira


def test_while_it_takes_no_orders_clicks_and_keys_do_nothing(base, tree, game):
    terrain, commander, commander_3d = game()
    click(tree, terrain, (0, 0))
    mira = commander.selected
    commander_3d.takes_orders = False
    click(tree, terrain, (1, 1))
    for key in ("tab", "backspace", "control-z"):
        base.messenger.send(key)
    click(tree, terrain, None, "right")
    assert (commander.selected, mira.cell) == (mira, (0, 0, 0))
    commander_3d.takes_orders = True
    click(tree, terrain, (1, 1))
    assert mira.cell == (1, 1, 0)


def test_the_tile_under_the_pointer_shows_its_path_and_what_a_dear_step_costs(tree, game):
    terrain, commander, commander_3d = game()
    with terrain.tilemap.edit() as edit:
        edit.set_level((0, 1), 3)
        edit.set_level((1, 0), 1)
    click(tree, terrain, (0, 0))
    ribbon = commander_3d.path_ribbon

    def shown(cell):
        terrain.tile_hovered.emit(terrain.tilemap.cell(cell))
        tree.advance(0.0)
        return ribbon.is_refused, ribbon.labels

    assert shown((1, 1)) == (False, ("+2", ""))
    assert shown((2, 2)) == (False, ("+2", "", "", ""))
    assert ribbon.turn_ends == (2,)
    assert ribbon._turns.texts == (), "there are no turns"
    commander.board.change_turns("sides")
    tree.advance(0.0)
    assert (ribbon.turn_ends, ribbon._turns.texts) == ((2, 4), ("2 turns",))
    commander.board.change_turns(None)
    assert shown((2, 3)) == (True, ())
    assert commander.plan.reason == Reason("high_climb", rise=3, limit=2, cell=(2, 3))


def test_the_first_time_on_a_machine_a_text_says_why_a_query_waits(base, tree, game, monkeypatch):
    warming, texts = Future(), base.render2d.find_all_matches
    monkeypatch.setattr(commander_3d, "is_compiled", lambda: False)
    monkeypatch.setattr(commander_3d, "warming_up", lambda: warming)
    _, commander, node = game()
    commander.select(commander.board.units[0])
    tree.advance(0.1)
    (text,) = texts("**/+TextNode")
    assert text.node().text == "Compiling the searches, once on this machine ..."
    assert node.reach_overlay.cells == ()  # no query waits before the text is on screen
    tree.advance(0.1)
    assert {*node.reach_overlay.cells} == {*commander.reach.cells}
    warming.set_result(None)
    tree.advance(0.1)
    assert texts("**/+TextNode").is_empty()


def test_a_listener_may_remove_it_in_its_frame(tree, game):
    terrain, commander, commander_3d = game()
    commander.changed.connect(lambda: terrain.remove_child(commander_3d))
    commander.select(commander.board.units[0])
    tree.advance(0.1)
    assert not commander_3d.is_inside_tree


def test_a_click_with_shift_adds_a_waypoint_and_a_right_click_drops_it(base, tree, game):
    terrain, commander, commander_3d = game()
    commander.select(commander.board.units[0])
    cells = [*commander.reach][-2:]
    tree.pointer.pressed.emit("left", (0.0, 0.0), "shift")
    terrain.tile_clicked.emit(cells[0], "left")
    assert commander.waypoints == (cells[0],)
    commander_3d.cursor.go_to(cells[1])
    base.messenger.send("shift-enter")
    tree.advance(0.0)
    assert commander.waypoints == tuple(cells)
    assert commander_3d.goal_overlay.cells == tuple(cells)
    terrain.tile_clicked.emit(cells[0], "right")
    assert commander.waypoints == (cells[0],)
    base.messenger.send("backspace")
    assert commander.waypoints == ()


def test_a_double_click_on_a_unit_centers_it(tree, game):
    terrain, commander, _ = game()
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    terrain.add_child(Commander3D(commander, camera))
    tree.advance(0.0)
    mira, bram = commander.board.units
    for first, pause_s, second, is_centered in (
        (mira, 0.1, mira, True), (mira, 1.0, mira, False), (mira, 0.1, bram, False),
    ):  # fmt: skip
        camera.goal = camera.home
        terrain.tile_clicked.emit(first.cell, "left")
        tree.advance(pause_s)
        terrain.tile_clicked.emit(second.cell, "left")
        assert (camera.goal.target == second.pose.point) == is_centered
        tree.advance(1.0)


@pytest.fixture
def box(tree):
    return tree.root.add_child(SelectionBox())


@pytest.fixture
def drawn(box):
    received = []
    box.drawn.connect(lambda low, high: received.append((low, high)))
    return received


def go(tree, point):
    tree.pointer._point = point
    tree.pointer.moved.emit(point)


def draw(tree, start, end, button="left", modifier="control"):
    go(tree, start)
    tree.pointer.pressed.emit(button, start, modifier)
    go(tree, end)
    tree.pointer.released.emit(button)


def test_a_box_is_told_from_corner_to_corner_however_it_was_drawn(tree, box, drawn):
    draw(tree, (0.5, -0.25), (-0.5, 0.75))
    draw(tree, (-0.5, -0.25), (0.5, 0.75))
    assert drawn == [((-0.5, -0.25), (0.5, 0.75))] * 2
    for button, modifier in (("left", ""), ("left", "shift"), ("right", "control")):
        draw(tree, (0.5, -0.25), (-0.5, 0.75), button, modifier)
    draw(tree, (0.5, -0.25), (0.505, -0.255))  # a click
    box.is_enabled = False
    draw(tree, (0.5, -0.25), (-0.5, 0.75))
    assert len(drawn) == 2


def test_who_leaves_the_window_draws_no_box(tree, drawn):
    tree.pointer.pressed.emit("left", (0.0, 0.0), "control")
    go(tree, (0.5, 0.5))
    tree.pointer.focus_lost.emit()
    tree.pointer.released.emit("left")
    assert drawn == []


@pytest.mark.usefixtures("terrain", "box")
def test_it_is_seen_while_it_is_drawn_and_only_then(base, tree):
    before = picture(base, tree)
    tree.pointer.pressed.emit("left", (-0.5, -0.5), "control")
    go(tree, (0.5, 0.5))
    during = picture(base, tree)
    height, width, _ = before.shape
    is_changed = np.abs(during - before).max(axis=2) > 0.02
    assert is_changed[height // 2, width // 4]
    assert not is_changed[: height // 8].any()
    tree.pointer.released.emit("left")
    assert np.array_equal(picture(base, tree), before)
