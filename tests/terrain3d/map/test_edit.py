"""Edits: all or nothing, with one signal; undo, redo, strokes, and who may edit."""

import copy
import pickle
from contextlib import suppress

import numpy as np
import pytest

from terrain3d import Cell, Rect, TileMap
from terrain3d.map.edit import Edit
from tests.support.boards import one_edit
from tests.support.map_states import state_of


@pytest.fixture
def tilemap():
    return TileMap.from_text("00000\n01230\n0#450\n00000")


@pytest.fixture
def rects(tilemap):
    heard = []
    tilemap.changed.connect(heard.append)
    return heard


@pytest.mark.parametrize("seed", range(6))
def test_many_tiles_are_set_as_they_are_one_by_one(seed):
    rng, maps = np.random.default_rng(seed), []
    cells = np.argwhere(rng.random((5, 6)) < 0.4)
    cells = np.vstack([np.insert(cells, 2, 0, axis=1), [(2, 2, 0), (1, 1, 1)]])
    for is_together in (True, False):
        tilemap = TileMap.from_noise(5, 6, seed=seed)
        with tilemap.edit() as edit:
            edit.add_deck([(1, 1), (3, 3)], 20)
            edit.add_link((2, 2), (4, 5), 1)
            edit.add_link((1, 1, 1), (3, 3, 1), 1)
        with tilemap.edit() as edit:
            ground = cells[cells[:, 2] == 0]
            for each in [cells] if is_together else cells.tolist():
                edit.set_level(each, 22)
                edit.set_kind(each, "rock")
            for each in [ground[:, :2]] if is_together else ground.tolist():
                edit.set_kind(each, "void")
        assert tilemap.links[0].start == (1, 1, 1)
        maps.append(state_of(tilemap))
    assert maps[0] == maps[1]


@pytest.mark.parametrize(
    ("cells", "error", "words"),
    [
        ([(0, 0), (4, 0)], IndexError, r"cell \(4, 0\) is outside the map"),
        ([(0, 0), (-1, 0)], IndexError, r"cell \(-1, 0\) is outside the map"),
        ([(0, 0, 0), (0, 1, 1)], IndexError, r"\(0, 1\) has no deck 1"),
        ([(0, 0, 0, 0)], TypeError, "a cell is"),
        ([(0.0, 0.0)], TypeError, "a cell is"),
    ],
)
def test_one_mistake_among_many_tiles_is_refused(tilemap, cells, error, words):
    for call in ("set_level", "set_kind"):
        with pytest.raises(error, match=words), tilemap.edit() as edit:
            getattr(edit, call)(np.array(cells), 1 if call == "set_level" else "rock")
    assert tilemap.version == 0


def test_many_tiles_are_an_array(tilemap):
    with pytest.raises(TypeError, match=r"many cells are an \(n, 2\) or \(n, 3\) array"):
        one_edit(tilemap).set_level([(0, 0), (0, 1)], 1)


def fail_inside_an_edit(tilemap):
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 9)
        edit.set_kind((0, 1), "road")
        raise KeyError("halfway")


def test_an_edit_that_fails_leaves_everything_as_it_was(tilemap, rects):
    before = state_of(tilemap)
    with pytest.raises(KeyError, match="halfway"):
        fail_inside_an_edit(tilemap)
    assert state_of(tilemap) == before
    assert (rects, tilemap.version, tilemap.undo()) == ([], 0, False)
    one_edit(tilemap).set_level((0, 0), 1)
    assert tilemap.level_at((0, 1)) == 0


def test_one_edit_emits_one_signal_with_the_changed_rectangle(tilemap, rects):
    with tilemap.edit() as edit:
        edit.set_level((1, 3), 8)
        edit.set_kind((3, 2), "road")
        edit.set_level((0, 0), 0)  # as it was
    tilemap.undo()
    tilemap.redo()
    assert rects == [Rect(1, 2, 3, 2)] * 3


def test_edits_and_undo_do_not_nest_and_the_outer_edit_stays_open(tilemap):
    with tilemap.edit() as edit:
        with pytest.raises(RuntimeError, match="edits do not nest"), tilemap.edit():
            pass
        for action in ("undo", "redo"):
            with pytest.raises(RuntimeError, match=f"{action} cannot run inside an open edit"):
                getattr(tilemap, action)()
        edit.set_level((0, 0), 7)
    assert tilemap.level_at((0, 0)) == 7


@pytest.mark.parametrize("fails", [False, True])
def test_an_edit_is_over_after_its_with(tilemap, fails):
    with suppress(KeyError), tilemap.edit() as edit:
        if fails:
            raise KeyError
    with pytest.raises(RuntimeError, match="edit is closed"):
        edit.set_level((0, 0), 1)
    with pytest.raises(RuntimeError, match="edit is closed"):
        edit.set_kind((0, 0), "road")


def test_a_listener_sees_the_new_map_and_may_edit_it_again(tilemap):
    seen = []

    def follow(rect):
        seen.append((rect, tilemap.level_at((0, 0)), tilemap.version))
        if tilemap.level_at((0, 0)) < 3:
            one_edit(tilemap).set_level((0, 0), tilemap.level_at((0, 0)) + 1)

    tilemap.changed.connect(follow)
    one_edit(tilemap).set_level((0, 0), 1)
    corner = Rect(0, 0, 1, 1)
    assert seen == [(corner, 1, 1), (corner, 2, 2), (corner, 3, 3)]
    tilemap.changed.disconnect(follow)
    assert [tilemap.undo() for _ in range(4)] == [True, True, True, False]
    assert tilemap.level_at((0, 0)) == 0


def test_a_failing_listener_does_not_undo_the_edit(tilemap):
    def fail(_):
        raise KeyError("listener")

    tilemap.changed.connect(fail)
    with pytest.raises(KeyError, match="listener"), tilemap.edit() as edit:
        edit.set_level((0, 0), 7)
    assert tilemap.level_at((0, 0)) == 7
    tilemap.changed.disconnect(fail)
    assert tilemap.undo()


def test_no_edit_opens_before_the_changes_of_another_are_applied(monkeypatch):
    tilemap = TileMap.from_text("00")
    difference = Edit._change

    def change(draft):  # at this moment another thread may begin an edit
        with pytest.raises(RuntimeError, match="has an open edit"), tilemap.edit():
            pass
        return difference(draft)

    monkeypatch.setattr(Edit, "_change", change)
    one_edit(tilemap).set_level((0, 0), 1)
    assert tilemap.to_text() == "10"


def test_an_edit_by_a_thread_that_reads_is_refused_and_one_of_a_copy_is_not():
    tilemap = TileMap([[0, 1]])
    refused = pytest.raises(RuntimeError, match="inside one of its own queries")
    with tilemap.lock, refused, tilemap.edit() as edit:
        edit.set_level((0, 0), 5)
    assert tilemap.level.tolist() == [[0, 1]]
    assert tilemap.version == 0
    one_edit(tilemap).set_level((0, 0), 5)
    with tilemap.lock, pytest.raises(RuntimeError):
        tilemap.undo()
    assert tilemap.level.tolist() == [[5, 1]]
    assert tilemap.undo_name == "edit"
    with tilemap.lock:
        for other in (copy.copy(tilemap), pickle.loads(pickle.dumps(tilemap))):
            one_edit(other).set_level((0, 0), 2)
            assert other.level.tolist() == [[2, 1]]


def test_a_cleared_history_leaves_the_map_and_nothing_to_undo():
    tilemap = TileMap([[0, 0]])
    for level in (1, 2):
        one_edit(tilemap).set_level((0, 0), level)
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
        one_edit(tilemap).set_level((0, 0), level)

    seen = {0: tilemap.revision}
    for level in (1, 2, 3, 4):
        if level == 3:
            tilemap.begin_stroke()
            assert tilemap.revision == seen[2]
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


@pytest.mark.parametrize("end", ["end_stroke", "cancel_stroke"])
@pytest.mark.parametrize("levels", [(), (0,), (5, 0), (5,)])
def test_a_stroke_that_comes_to_nothing_or_is_canceled_is_no_entry(tilemap, rects, levels, end):
    raise_to(tilemap, 7, (3, 3))
    tilemap.undo()
    before = state_of(tilemap)
    tilemap.begin_stroke()
    for level in levels:
        raise_to(tilemap, level, (0, 0), (0, 1))
    rects.clear()
    is_new = (end, levels) == ("end_stroke", (5,))
    assert getattr(tilemap, end)() == (is_new if end == "end_stroke" else None)
    is_taken_back = (end, levels) == ("cancel_stroke", (5,))
    assert rects == [(0, 0, 1, 2)] * is_taken_back
    assert not tilemap.has_stroke
    assert (state_of(tilemap) == before) != is_new
    assert (tilemap.undo(), tilemap.redo()) == (is_new, True)
    assert tilemap.level_at((3, 3)) == 7 * (not is_new)


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


@pytest.mark.parametrize("copied", [copy.copy, lambda tilemap: pickle.loads(pickle.dumps(tilemap))])
def test_a_copy_has_no_listener_no_open_stroke_and_no_writer(tilemap, copied):
    tilemap.changed.connect(print)
    before = state_of(tilemap)
    tilemap.begin_stroke("raise")
    raise_to(tilemap, 7, (0, 0))
    twin = copied(tilemap)
    assert tilemap.has_stroke
    assert not twin.has_stroke
    assert not twin.changed.is_connected(print)
    assert twin.undo_name == "raise"
    twin.undo()
    assert state_of(twin) == before
    tilemap.cancel_stroke()
    tilemap.writer = "me"
    edit(copied(tilemap))  # a copy has no writer
    assert tilemap.level_at((0, 4)) == 0
