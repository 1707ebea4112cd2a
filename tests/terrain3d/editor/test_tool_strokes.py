"""Strokes of tools: one undo entry from press to release; tiles that refuse are skipped."""

import pytest

from terrain3d import TileMap
from terrain3d.editor.areas import rectangle
from terrain3d.editor.brushes import Bridge, Erase, Level, Paint, Raise
from terrain3d.editor.strokes import BrushedArea, BrushStroke, DeferredStroke
from tests.support.map_states import state_of


def brush_stroke(tilemap, brush, *path, size=1):
    start = tilemap.cell(path[0])
    stroke = BrushStroke(tilemap, "stroke", start, brush, size)
    for cell in path:
        stroke.extend(tilemap.cell(cell))
    return stroke


def flat(*rows):
    return TileMap.from_text("\n".join(rows))


def test_a_stroke_over_many_tiles_is_one_entry_and_the_map_follows_at_once():
    tilemap = flat("000000")
    before = state_of(tilemap)
    stroke = brush_stroke(tilemap, Raise(1), (0, 0), (0, 1))
    assert tilemap.to_text() == "110000"
    stroke.extend(tilemap.cell((0, 3)))
    assert tilemap.to_text() == "111100"
    assert stroke.cells == [(0, 3, 0)]
    assert stroke.end()
    assert tilemap.undo_name == "stroke"
    assert tilemap.undo()
    assert state_of(tilemap) == before
    assert not tilemap.undo()


def test_each_tile_is_changed_once_however_often_the_pointer_returns():
    tilemap = flat("0000", "0000", "0000")
    stroke = brush_stroke(tilemap, Raise(1), (1, 1), (1, 2), (1, 1), (0, 1), (1, 1), size=2)
    stroke.end()
    assert tilemap.to_text() == "1111\n1111\n1111"


def test_a_fast_pointer_leaves_no_gaps():
    tilemap = flat(*["0" * 9] * 5)
    brush_stroke(tilemap, Raise(1), (0, 0), (4, 8)).end()
    assert tilemap.level.sum() == 13
    assert (tilemap.level.sum(axis=0) > 0).all()


def test_a_canceled_stroke_restores_the_map():
    tilemap = flat("01#0")
    before = state_of(tilemap)
    stroke = brush_stroke(tilemap, Paint("swamp"), (0, 0), (0, 3))
    assert state_of(tilemap) != before
    stroke.cancel()
    assert state_of(tilemap) == before
    assert not tilemap.undo()


def test_a_stroke_that_changed_nothing_is_no_entry():
    tilemap = flat("00")
    stroke = BrushStroke(tilemap, "stroke", tilemap.cell((0, 0)), Paint("grass"), 1)
    stroke.extend(tilemap.cell((0, 1)))
    assert not stroke.end()
    assert not tilemap.undo()


def test_levels_are_those_of_the_first_tile_whatever_is_passed():
    tilemap = flat("2905")
    brush_stroke(tilemap, Level(), (0, 0), (0, 3)).end()
    assert tilemap.to_text() == "2222"


def test_tiles_that_cannot_change_are_skipped_with_a_reason():
    tilemap = flat("0000")
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=1)
    stroke = BrushStroke(tilemap, "raise", tilemap.cell((0, 0)), Raise(1), 2)
    with pytest.raises(ValueError, match=r"surfaces overlap at \(0, 1\)"):
        stroke.extend(tilemap.cell((0, 0)))
    assert tilemap.to_text() == "1000"
    with pytest.raises(ValueError, match="overlap"):
        stroke.extend(tilemap.cell((0, 2)))
    stroke.end()
    assert tilemap.to_text() == "1011"
    tilemap.undo()
    assert tilemap.to_text() == "0000"


def test_a_bridge_is_erased_by_going_along_it():
    tilemap = flat("30003")
    with tilemap.edit() as edit:
        edit.add_deck([(0, col) for col in (1, 2, 3)], level=3)
    stroke = brush_stroke(tilemap, Erase(), (0, 1, 1), (0, 4))
    assert stroke.cells == []
    stroke.end()
    assert tilemap.n_decks == 0
    assert tilemap.to_text() == "30003"
    tilemap.undo()
    assert tilemap.decks_at((0, 2)) == [0, 1]


def test_a_rectangle_is_changed_on_release_up_to_the_last_corner():
    tilemap = flat("0000", "0000", "0000")
    stroke = DeferredStroke(tilemap, "box", tilemap.cell((0, 0)), BrushedArea(Raise(2), rectangle))
    stroke.extend(tilemap.cell((2, 3)))
    assert len(stroke.cells) == 12
    stroke.extend(tilemap.cell((1, 1)))
    assert not tilemap.level.any()
    assert len(stroke.cells) == 4
    assert stroke.end()
    assert tilemap.to_text() == "2200\n2200\n0000"
    assert tilemap.undo_name == "box"


def test_what_is_refused_at_the_end_changes_nothing():
    tilemap = flat("30903")
    stroke = DeferredStroke(tilemap, "bridge", tilemap.cell((0, 0)), Bridge())
    stroke.extend(tilemap.cell((0, 4)))
    assert [cell.col for cell in stroke.cells] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="overlap"):
        stroke.end()
    assert not tilemap.undo()


def test_canceling_a_deferred_stroke_leaves_the_map_unchanged():
    tilemap = flat("00")
    stroke = DeferredStroke(tilemap, "box", tilemap.cell((0, 0)), BrushedArea(Raise(1), rectangle))
    stroke.cancel()
    assert tilemap.to_text() == "00"
    assert not tilemap.undo()
