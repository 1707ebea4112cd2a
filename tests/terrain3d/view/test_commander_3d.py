"""The node for commanding units: in a game of one's own, twice in a window, gone when freed."""

import pytest

from ai import Board, Commander, Unit
from terrain3d import Node, TileMap
from terrain3d.look.palettes import HIGH_CONTRAST
from terrain3d.view import Commander3D, Terrain3D


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
    terrain, commander, hand = game()
    click(tree, terrain, (0, 0))
    mira = commander.selected
    assert mira.name == "Mira"
    assert set(hand.reach.cells) == set(commander.reach.cells[1:])
    click(tree, terrain, (1, 1))
    assert mira.cell == (1, 1, 0)
    assert hand.reach.cells == ()
    mira.advance(100.0)
    tree.advance(0.0)
    assert set(hand.reach.cells) == set(commander.reach.cells[1:])
    click(tree, terrain, None)
    click(tree, terrain, (0, 0), "middle")
    assert commander.selected is mira
    click(tree, terrain, None, "right")
    assert (commander.selected, hand.reach.cells) == (None, ())


def test_while_it_takes_no_orders_clicks_and_keys_come_to_nothing(base, tree, game):
    terrain, commander, hand = game()
    click(tree, terrain, (0, 0))
    mira = commander.selected
    hand.takes_orders = False
    click(tree, terrain, (1, 1))
    for key in ("tab", "escape", "control-z"):
        base.messenger.send(key)
    click(tree, terrain, None, "right")
    assert (commander.selected, mira.cell) == (mira, (0, 0, 0))
    hand.takes_orders = True
    click(tree, terrain, (1, 1))
    assert mira.cell == (1, 1, 0)


def test_the_tile_under_the_pointer_shows_its_way_and_the_cost_of_each_step(tree, game):
    terrain, commander, hand = game()
    aimed = []
    hand.aimed.connect(aimed.append)
    click(tree, terrain, (0, 0))
    terrain.tile_hovered.emit(terrain.tilemap.cell((1, 1)))
    tree.advance(0.0)
    assert aimed == [(1, 1, 0)]
    assert (hand.way.is_refused, hand.way.labels) == (False, ("+1", "+1"))
    terrain.tile_hovered.emit(terrain.tilemap.cell((2, 2)))
    tree.advance(0.0)
    assert (hand.way.is_refused, hand.way.labels) == (True, ("+1",) * 4)
    terrain.tile_hovered.emit(terrain.tilemap.cell((2, 3)))
    tree.advance(0.0)
    assert (hand.way.is_refused, hand.way.labels) == (True, ())
    assert commander.plan.reason == "climb 3 > 2 at (2, 3)"


def test_with_costs_on_the_tiles_the_steps_of_a_way_tell_none(tree, game):
    terrain, _, hand = game()
    click(tree, terrain, (0, 0))
    terrain.tile_hovered.emit(terrain.tilemap.cell((1, 1)))
    hand.shows_costs = True
    tree.advance(0.0)
    assert hand.way.labels == ()
    assert hand.reach.labels[1, 1, 0] == "2"
    terrain.tile_hovered.emit(terrain.tilemap.cell((2, 2)))
    tree.advance(0.0)
    assert hand.way.labels == ("+1",) * 4


def test_a_palette_colors_all_of_its_marks(game):
    _, _, hand = game()
    hand.palette = HIGH_CONTRAST
    assert hand.palette is HIGH_CONTRAST
    assert hand.reach.color == HIGH_CONTRAST.reach
    assert (hand.way.color, hand.way.refused_color) == (HIGH_CONTRAST.path, HIGH_CONTRAST.refused)
    assert hand.cursor.color == HIGH_CONTRAST.cursor


def test_two_in_one_window_know_nothing_of_each_other(tree, game):
    (first, one, _), (_, other, hand) = game(), game()
    click(tree, first, (0, 0))
    assert one.selected.name == "Mira"
    assert (other.selected, hand.reach.cells) == (None, ())


def test_it_asks_for_a_terrain(tree, game):
    _, commander, _ = game()
    above = tree.root.add_child(Node())
    with pytest.raises(RuntimeError, match="must hang under a Terrain3D"):
        above.add_child(Commander3D(commander))


def test_freed_it_leaves_nothing(base, tree, game, traces):
    terrain, commander, hand = game()
    hand.queue_free()
    tree.advance(0.0)
    before = traces()
    hand = terrain.add_child(Commander3D(commander))
    hand.turn_to_next()
    tree.advance(0.1)
    assert traces() != before
    hand.queue_free()
    tree.advance(0.0)
    assert traces() == before
    commander.select(None)
    base.messenger.send("tab")
    assert commander.selected is None
