"""Copies of a map are maps of their own, as well protected as the first."""

import copy
import pickle

import pytest

from terrain3d import KINDS, TileKind, TileMap


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda tilemap: pickle.loads(pickle.dumps(tilemap))]
)
def test_a_copy_cannot_be_written_to_behind_its_back(copied):
    tilemap = TileMap.from_text("01\n#2")
    tilemap.changed.connect(print)
    twin = copied(tilemap)
    for array in (twin.level, twin.kind, twin.void):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    assert not twin.changed.is_connected(print)
    assert twin.to_text() == tilemap.to_text()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_keeps_its_history_to_itself(copied):
    tilemap = TileMap.from_text("00")
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 5)
    twin = copied(tilemap)
    assert twin.undo()
    assert (twin.level_at((0, 0)), tilemap.level_at((0, 0))) == (0, 5)


def test_the_top_level_is_that_of_ground():
    tilemap = TileMap.from_text("0z0")
    assert tilemap.top_level == 35
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "void")
    assert tilemap.top_level == 0


def test_default_ground_is_not_void_if_the_kinds_begin_with_void():
    kinds = (TileKind("void", cost=None), TileKind("moss"))
    assert TileMap([[0, 1]], kinds=kinds).kind_at((0, 0)).name == "moss"
    assert TileMap.from_text("0#", kinds=kinds).kind.tolist() == [[1, 0]]


@pytest.mark.parametrize("cost", [-1, 1e7, float("nan"), float("inf")])
def test_costs_of_kinds_have_limits(cost):
    with pytest.raises(ValueError, match=r"must be in 0\.\.1000000"):
        TileKind("moss", cost=cost)


def test_a_picture_may_begin_with_a_byte_order_mark():
    assert TileMap.from_text("\ufeff01\n23").to_text() == "01\n23"


def test_a_table_with_more_kinds_grows_the_same_ground():
    tar = TileKind("tar", cost=None)
    plain = TileMap.from_noise(9, 9, seed=3)
    more = TileMap.from_noise(9, 9, seed=3, kinds=(tar, *KINDS))
    for row in range(9):
        for col in range(9):
            assert plain.kind_at((row, col)) == more.kind_at((row, col))
