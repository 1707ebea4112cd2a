"""Undo and redo, checked against copies of whole arrays."""

import pickle

import numpy as np
import pytest

from terrain3d import Cell, Rect, TileMap

ROWS, COLS = 4, 5


@pytest.fixture
def tilemap():
    return TileMap.from_text("00000\n01230\n0#450\n00000")


def test_a_new_edit_forgets_what_could_be_redone(tilemap):
    for level in (8, 9):
        with tilemap.edit() as edit:
            edit.set_level((1, 1), level)
        tilemap.undo()
    tilemap.redo()
    assert tilemap.level_at((1, 1)) == 9
    assert not tilemap.redo()


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
