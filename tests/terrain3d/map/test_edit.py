"""Edits: all or nothing, one signal, over when their `with` is over."""

import copy
import pickle

import numpy as np
import pytest

from terrain3d import Rect, TileMap
from terrain3d.map.edit import Edit
from tests.support.map_states import state_of


@pytest.fixture
def tilemap():
    return TileMap.from_text("00000\n01230\n0#450\n00000")


@pytest.fixture
def rects(tilemap):
    heard = []
    tilemap.changed.connect(heard.append)
    return heard


def test_an_edit_changes_levels_and_kinds_at_its_end(tilemap):
    with tilemap.edit("carve road") as edit:
        edit.set_level((1, 1), 9)
        edit.set_kind((3, 4), "road")
        edit.set_kind((0, 0), "void")
        edit.set_kind((2, 1), "rock")
        assert tilemap.level_at((1, 1)) == 1
    assert tilemap.to_text() == "#0000\n09230\n00450\n00000"
    assert tilemap.kind_at((3, 4)).name == "road"
    assert tilemap.kind_at((2, 1)).name == "rock"
    assert (tilemap.version, tilemap.undo_name) == (1, "carve road")


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
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 1)
    assert tilemap.level_at((0, 1)) == 0


def test_one_edit_emits_one_signal_with_the_changed_rectangle(tilemap, rects):
    with tilemap.edit() as edit:
        edit.set_level((1, 3), 8)
        edit.set_kind((3, 2), "road")
        edit.set_level((0, 0), 0)  # as it was
    tilemap.undo()
    tilemap.redo()
    assert rects == [Rect(1, 2, 3, 2)] * 3


def test_an_edit_that_changes_nothing_leaves_no_trace(tilemap, rects):
    with tilemap.edit() as edit:
        edit.set_level((1, 1), 1)
        edit.set_kind((2, 1), "void")
    with tilemap.edit():
        pass
    assert (rects, tilemap.version, tilemap.undo()) == ([], 0, False)


def test_edits_do_not_nest_and_the_outer_edit_stays_open(tilemap):
    with tilemap.edit() as edit:
        with pytest.raises(RuntimeError, match="edits do not nest"), tilemap.edit():
            pass
        edit.set_level((0, 0), 7)
    assert tilemap.level_at((0, 0)) == 7


@pytest.mark.parametrize("fails", [False, True])
def test_an_edit_is_over_after_its_with(tilemap, fails):
    try:
        with tilemap.edit() as edit:
            if fails:
                raise KeyError
    except KeyError:
        pass
    with pytest.raises(RuntimeError, match="edit is closed"):
        edit.set_level((0, 0), 1)
    with pytest.raises(RuntimeError, match="edit is closed"):
        edit.set_kind((0, 0), "road")


def test_a_listener_sees_the_new_map_and_may_edit_it_again(tilemap):
    seen = []

    def follow(rect):
        seen.append((rect, tilemap.level_at((0, 0)), tilemap.version))
        if tilemap.level_at((0, 0)) < 3:
            with tilemap.edit() as edit:
                edit.set_level((0, 0), tilemap.level_at((0, 0)) + 1)

    tilemap.changed.connect(follow)
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 1)
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
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 1)
    assert tilemap.to_text() == "10"


def test_an_edit_by_a_thread_that_reads_is_refused_and_changes_nothing():
    tilemap = TileMap([[0, 1]])
    with (
        tilemap.lock,
        pytest.raises(RuntimeError, match="inside one of its own queries"),
        tilemap.edit() as edit,
    ):
        edit.set_level((0, 0), 5)
    assert tilemap.level.tolist() == [[0, 1]]
    assert tilemap.version == 0
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 5)
    with tilemap.lock, pytest.raises(RuntimeError):
        tilemap.undo()
    assert tilemap.level.tolist() == [[5, 1]]
    assert tilemap.undo_name == "edit"


def test_a_copy_and_a_pickle_of_a_map_are_not_locked_by_the_original():
    tilemap = TileMap([[0, 1]])
    with tilemap.lock:
        for other in (copy.copy(tilemap), pickle.loads(pickle.dumps(tilemap))):
            with other.edit() as edit:
                edit.set_level((0, 0), 2)
            assert other.level.tolist() == [[2, 1]]
