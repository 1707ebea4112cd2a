"""Strokes: several edits, each seen at once, that are one undo entry or none."""

import copy
import pickle

import pytest

from terrain3d import TileMap
from tests.support.map_states import state_of


@pytest.fixture
def tilemap():
    return TileMap.from_text("00000\n01230\n0#450\n00000")


def raise_to(tilemap, level, *cells):
    with tilemap.edit("a dab") as edit:
        for cell in cells:
            edit.set_level(cell, level)


def test_a_stroke_is_seen_at_once_and_undone_as_one(tilemap):
    before = state_of(tilemap)
    rects = []
    tilemap.changed.connect(rects.append)
    tilemap.begin_stroke("raise")
    raise_to(tilemap, 7, (0, 0))
    assert tilemap.level_at((0, 0)) == 7
    raise_to(tilemap, 8, (0, 1), (0, 0))
    assert len(rects) == 2
    assert tilemap.end_stroke()
    after = state_of(tilemap)
    assert len(rects) == 2
    assert tilemap.undo_name == "raise"
    assert tilemap.undo()
    assert state_of(tilemap) == before
    assert rects[2] == (0, 0, 1, 2)
    assert not tilemap.undo()
    assert tilemap.redo_name == "raise"
    assert tilemap.redo()
    assert state_of(tilemap) == after


def test_a_canceled_stroke_leaves_no_trace(tilemap):
    raise_to(tilemap, 7, (0, 0))
    tilemap.undo()
    before = state_of(tilemap)
    tilemap.begin_stroke()
    raise_to(tilemap, 8, (0, 1))
    raise_to(tilemap, 9, (0, 2), (0, 1))
    rects = []
    tilemap.changed.connect(rects.append)
    tilemap.cancel_stroke()
    assert state_of(tilemap) == before
    assert rects == [(0, 1, 1, 2)]
    assert not tilemap.has_stroke
    assert not tilemap.undo()
    assert tilemap.redo()
    assert tilemap.level_at((0, 0)) == 7


@pytest.mark.parametrize("levels", [(), (0,), (5, 0)])
def test_a_stroke_that_comes_to_nothing_is_no_entry(tilemap, levels):
    raise_to(tilemap, 7, (3, 3))
    tilemap.undo()
    tilemap.begin_stroke()
    for level in levels:
        raise_to(tilemap, level, (0, 0))
    assert not tilemap.end_stroke()
    assert not tilemap.undo()
    assert tilemap.redo()


def test_a_refused_edit_leaves_the_stroke_as_it_was(tilemap):
    tilemap.begin_stroke()
    raise_to(tilemap, 7, (0, 0))
    with pytest.raises(IndexError):
        raise_to(tilemap, 7, (0, 1), (9, 9))
    tilemap.end_stroke()
    assert tilemap.level_at((0, 1)) == 0
    tilemap.undo()
    assert tilemap.level_at((0, 0)) == 0


def test_strokes_do_not_nest_and_hold_undo_back(tilemap):
    tilemap.begin_stroke()
    with pytest.raises(RuntimeError, match="strokes do not nest"):
        tilemap.begin_stroke()
    for call in (tilemap.undo, tilemap.redo):
        with pytest.raises(RuntimeError, match="inside an open stroke"):
            call()
    with tilemap.edit():
        for call in (tilemap.end_stroke, tilemap.cancel_stroke):
            with pytest.raises(RuntimeError, match="an edit in it is open"):
                call()
    tilemap.end_stroke()
    for call in (tilemap.end_stroke, tilemap.cancel_stroke):
        with pytest.raises(RuntimeError, match="no open stroke"):
            call()
    with tilemap.edit(), pytest.raises(RuntimeError, match="open edit or stroke"):
        tilemap.begin_stroke()


def edit(tilemap, by=None):
    with tilemap.edit(by=by) as edit:
        edit.set_level((0, 4), tilemap.level_at((0, 4)) + 1)


REFUSED = {
    "edit": edit,
    "edit by another": lambda tilemap: edit(tilemap, by=["me"]),
    "paste": lambda tilemap: tilemap.paste(TileMap.from_text("9")),
    "stroke": TileMap.begin_stroke,
    "undo": TileMap.undo,
    "redo": TileMap.redo,
    "revert": lambda tilemap: tilemap.revert(None),
    "clear_history": TileMap.clear_history,
    "share": TileMap.share,
}


@pytest.mark.parametrize("has_stroke", [False, True])
@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
def test_a_writer_writes_alone(tilemap, refused, has_stroke):
    me, undo_names = ["me"], []  # an equal list is another writer
    tilemap.edited.connect(lambda _: undo_names.append(tilemap.undo_name))
    raise_to(tilemap, 7, (0, 0)), raise_to(tilemap, 8, (0, 0))
    tilemap.undo()
    if has_stroke:
        tilemap.begin_stroke("raise", by=me)
    else:
        tilemap.writer = me
    edit(tilemap, by=me)
    before = state_of(tilemap)
    with pytest.raises(RuntimeError, match=r"open (edit or )?stroke|another writer"):
        refused(tilemap)
    assert state_of(tilemap) == before
    assert tilemap.is_editing == has_stroke
    if has_stroke:
        tilemap.end_stroke()
    else:
        tilemap.writer = None
    edit(tilemap)
    tilemap.undo()
    assert undo_names[-2:] == ["edit", "raise" if has_stroke else "edit"]


def test_no_writer_is_copied(tilemap):
    tilemap.writer = "me"
    for copied in (copy.copy, lambda tilemap: pickle.loads(pickle.dumps(tilemap))):
        twin = copied(tilemap)
        edit(twin)
        assert twin.level_at((0, 4)) == 1
    assert tilemap.level_at((0, 4)) == 0


def test_a_map_says_whether_it_is_being_edited(tilemap):
    assert not tilemap.is_editing
    with tilemap.edit():
        assert tilemap.is_editing
    tilemap.begin_stroke()
    assert tilemap.is_editing
    tilemap.cancel_stroke()
    assert not tilemap.is_editing


@pytest.mark.parametrize("copied", [copy.copy, lambda tilemap: pickle.loads(pickle.dumps(tilemap))])
def test_an_open_stroke_is_ended_in_a_copy(tilemap, copied):
    before = state_of(tilemap)
    tilemap.begin_stroke("raise")
    raise_to(tilemap, 7, (0, 0))
    twin = copied(tilemap)
    assert tilemap.has_stroke
    assert not twin.has_stroke
    assert twin.undo_name == "raise"
    twin.undo()
    assert state_of(twin) == before
