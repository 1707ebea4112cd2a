"""Signals as events of the engine's messenger."""

import pytest
from direct.showbase.DirectObject import DirectObject
from direct.showbase.Messenger import Messenger

from ai import Board, Unit
from terrain3d import TileMap
from terrain3d.view import Terrain3D, forward_signals


class Ear(DirectObject):
    """Hears events of a messenger of its own."""

    def __init__(self, messenger, names):
        self.heard = []
        for name in names:
            messenger.accept(
                name, self, lambda *values, name=name: self.heard.append((name, *values))
            )


def test_each_signal_is_an_event_with_its_values():
    tilemap, messenger = TileMap.from_text("00\n00"), Messenger()
    terrain = Terrain3D(tilemap)
    names = forward_signals(terrain, messenger, "terrain")
    assert set(names) >= {"terrain-tile_clicked", "terrain-tile_hovered", "terrain-ready"}
    ear = Ear(messenger, names)
    terrain.tile_clicked.emit((0, 1), "left")
    terrain.tile_hovered.emit(None)
    assert ear.heard == [
        ("terrain-tile_clicked", (0, 1), "left"),
        ("terrain-tile_hovered", None),
    ]
    terrain.queue_free()


def test_maps_and_boards_have_events_too():
    messenger = Messenger()
    board = Board(TileMap.from_text("00\n00"))
    names = forward_signals(board, messenger, "board")
    ear = Ear(messenger, [*names, *forward_signals(board.tilemap, messenger, "map")])
    mira = board.add(Unit("Mira", (0, 0)))
    with board.tilemap.edit() as edit:
        edit.set_level((1, 1), 2)
    assert ear.heard[0] == ("board-unit_added", mira)
    assert ("map-changed", (1, 1, 1, 1)) in ear.heard


def test_mistakes_are_refused():
    with pytest.raises(ValueError, match="source must have signals, got 3"):
        forward_signals(3, Messenger(), "a")
    with pytest.raises(TypeError, match="prefix must be a str, got 3"):
        forward_signals(TileMap.from_text("0"), Messenger(), 3)
