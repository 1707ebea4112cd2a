"""Undo, redo and strokes, checked against copies of whole arrays."""

import copy
import pickle

import numpy as np
import pytest

from terrain3d import Cell, Rect, TileMap
from tests.support.map_states import state_of

ROWS, COLS = 4, 5


@pytest.fixture
def tilemap():
    return TileMap.from_text("00000\n01230\n0#450\n00000")


@pytest.mark.parametrize("action", ["undo", "redo"])
def test_undo_and_redo_are_refused_inside_an_edit(tilemap, action):
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 7)
        with pytest.raises(RuntimeError, match=f"{action} cannot run inside an open edit"):
            getattr(tilemap, action)()
    assert tilemap.level_at((0, 0)) == 7


def test_a_cleared_history_leaves_the_map_and_nothing_to_undo():
    tilemap = TileMap([[0, 0]])
    for level in (1, 2):
        with tilemap.edit() as edit:
            edit.set_level((0, 0), level)
    tilemap.undo()
    version = tilemap.version
    tilemap.clear_redo()
    assert (tilemap.undo_name, tilemap.redo_name) == ("edit", "")
    tilemap.clear_history()
    assert (tilemap.undo(), tilemap.redo()) == (False, False)
    assert (tilemap.undo_name, tilemap.redo_name) == ("", "")
    assert (tilemap.level.tolist(), tilemap.version) == ([[1, 0]], version)
    with pytest.raises(RuntimeError, match="clear_history"), tilemap.edit():
        tilemap.clear_history()
    tilemap.begin_stroke("pond")
    with pytest.raises(RuntimeError, match="clear_history"):
        tilemap.clear_history()


def test_undo_and_redo_lead_back_to_revisions(tilemap):
    def raise_to(level):
        with tilemap.edit() as edit:
            edit.set_level((0, 0), level)

    seen = {0: tilemap.revision}
    for level in (1, 2):
        raise_to(level)
        seen[level] = tilemap.revision
    tilemap.begin_stroke()
    assert tilemap.revision == seen[2]
    for level in (3, 4):
        raise_to(level)
        seen[level] = tilemap.revision
    tilemap.end_stroke()
    assert len({*seen.values()}) == 5
    tilemap.begin_stroke()
    for level in (5, 4):
        raise_to(level)
        assert tilemap.revision not in seen.values()
    assert not tilemap.end_stroke()
    tilemap.begin_stroke()
    raise_to(5)
    tilemap.cancel_stroke()
    assert tilemap.revision == seen[4]
    twin = pickle.loads(pickle.dumps(tilemap))
    for each in (tilemap, twin, tilemap.share()):
        for move, levels in ((each.undo, (2, 1, 0)), (each.redo, (1, 2, 4))):
            for level in levels:
                assert move()
                assert (each.level_at((0, 0)), each.revision) == (level, seen[level])
    tilemap.clear_history()
    assert tilemap.revision == seen[4]
    raise_to(1)
    assert tilemap.revision not in seen.values()


def test_changes_far_apart_have_rectangles_of_their_own():
    tilemap = TileMap(np.zeros((300, 200), dtype=int))
    with tilemap.edit() as edit:
        edit.set_level((2, 3), 1)
        edit.set_level((3, 5), 1)
        edit.set_kind((290, 190), "road")
    assert set(tilemap.changed_rects(0)) == {Rect(2, 3, 2, 3), Rect(290, 190, 1, 1)}
    tilemap.undo()
    assert tilemap.changed_rects(1) == tilemap.changed_rects(0)
    assert tilemap.changed_rects(2) == ()


@pytest.mark.parametrize("n_changed", [1, 5, 40, 600])
def test_the_rectangles_hold_every_changed_cell(n_changed):
    tilemap, rng = TileMap(np.zeros((200, 200), dtype=int)), np.random.default_rng(n_changed)
    cells = [tuple(cell) for cell in rng.integers(0, 200, (n_changed, 2)).tolist()]
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (150, 7), 1)
        for cell in cells:
            edit.set_level(cell, 3)
    rects = tilemap.changed_rects(0)
    assert len(rects) <= 16
    for cell in (*cells, (0, 0), (150, 7)):
        assert any(rect.holds(Cell(*cell)) for rect in rects)


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
