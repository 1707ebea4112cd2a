"""Decks: further surfaces in a column, how they come and go, and the air between them."""

import numpy as np
import pytest

from terrain3d import KINDS, Cell, Rect, TileKind, TileMap

SKY = 32767
NAMES = [kind.name for kind in KINDS]


@pytest.fixture
def tilemap():
    """A valley at level 0 between two banks, spanned at level 3."""
    tilemap = TileMap.from_text("300003\n300003\n3#0003")
    with tilemap.edit("bridge") as edit:
        edit.add_deck([(1, col) for col in range(1, 5)], level=3)
    return tilemap


def test_a_map_without_decks_has_its_ground_only():
    tilemap = TileMap.from_text("01\n#2")
    assert tilemap.n_decks == 0
    for name in ("level", "kind", "void"):
        assert np.array_equal(getattr(tilemap, f"surface_{name}"), getattr(tilemap, name)[None])
    assert not tilemap.surface_thickness.any()
    assert (tilemap.headroom == SKY).all()
    assert not tilemap.wall_bits.any()
    assert (tilemap.links, tilemap.walls) == ((), ())
    assert [tilemap.decks_at(cell) for cell in ((0, 1), (1, 0))] == [[0], []]


def test_a_bridge_is_a_second_surface_over_the_first(tilemap):
    assert tilemap.n_decks == 1
    assert tilemap.surface_level.tolist()[1] == [[0] * 6, [0, 3, 3, 3, 3, 0], [0] * 6]
    assert tilemap.surface_void[1, 1].tolist() == [True, False, False, False, False, True]
    assert tilemap.surface_void[1, ::2].all()
    assert tilemap.surface_thickness[1, 1].tolist() == [0, 1, 1, 1, 1, 0]
    assert (tilemap.level_at((1, 2)), tilemap.level_at((1, 2, 1))) == (0, 3)
    assert tilemap.kind_at((1, 2, 1)).name == "wood"
    assert NAMES[tilemap.surface_kind[1, 0, 0]] == "void"
    assert not tilemap.is_void((1, 2, 1))
    assert tilemap.surface_point((1, 2, 1)) == (2.5, -1.5, 1.5)
    assert tilemap.decks_at((1, 2)) == [0, 1]
    assert tilemap.to_text() == "300003\n300003\n3#0003"
    assert tilemap.top_level == 3


def test_a_cell_and_a_surface_are_in_the_map_or_not(tilemap):
    answers = {
        (1, 0): (True, True),
        (1, 2, 1): (True, True),
        (2, 1): (True, False),  # void ground
        (0, 2, 1): (False, False),
        (1, 2, 2): (False, False),
        (1, 2, -1): (False, False),
        (-1, 2): (False, False),
        (1, 6, 1): (False, False),
    }
    for cell, answer in answers.items():
        assert (tilemap.has_cell(cell), tilemap.has_surface(cell)) == answer
    with tilemap.edit() as edit:
        edit.remove_deck((1, 2))
    assert not tilemap.has_cell((1, 2, 1))
    with pytest.raises(TypeError, match="a cell is"):
        tilemap.has_surface((1,))


def test_the_ground_is_the_first_of_the_surfaces_in_the_same_memory(tilemap):
    for name in ("level", "kind", "void"):
        assert np.shares_memory(getattr(tilemap, name), getattr(tilemap, f"surface_{name}")[0])


ARRAYS = (
    "surface_level",
    "surface_kind",
    "surface_void",
    "surface_thickness",
    "headroom",
    "wall_bits",
)


def test_arrays_follow_edits_in_place_until_the_number_of_decks_changes(tilemap):
    before = {name: getattr(tilemap, name) for name in ARRAYS}
    with tilemap.edit() as edit:
        edit.add_deck((0, 2), level=2, kind="road", thickness=2)
        edit.set_level((1, 1), 1)
        edit.remove_deck((1, 4))
        edit.add_wall((0, 0), (0, 1))
    for name, array in before.items():
        assert np.shares_memory(array, getattr(tilemap, name))
        assert np.array_equal(array, getattr(tilemap, name))
    with tilemap.edit() as edit:
        edit.add_deck((0, 2), level=6)
    assert tilemap.n_decks == 2
    for name in ARRAYS:
        assert getattr(tilemap, name).shape[-3:] == (3, 3, 6)
    tilemap.undo()
    tilemap.undo()
    for name, array in before.items():
        assert getattr(tilemap, name).shape == array.shape


@pytest.mark.parametrize("name", [*ARRAYS, "level", "kind", "void"])
def test_the_arrays_of_a_map_are_read_only_and_show_its_edits(tilemap, name):
    array = getattr(tilemap, name)
    with pytest.raises(ValueError, match="read-only"):
        array[..., 0, 0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True
    with tilemap.edit() as edit:
        edit.set_level((1, 2, 1), 5)
        edit.set_kind((1, 2, 1), "road")
        edit.add_wall((1, 2, 1), (1, 3, 1))
        edit.set_level((0, 0), 4)
        edit.set_kind((0, 0), "void")
    assert np.array_equal(array, getattr(tilemap, name))
    for shown in (array, getattr(tilemap, name)):
        with pytest.raises(ValueError, match="WRITEABLE"):
            shown.flags.writeable = True


def test_a_cell_prints_as_row_and_column():
    assert [str(Cell(2, 3)), str(Cell(2, 3, 1))] == ["(2, 3)", "(2, 3) deck 1"]


@pytest.mark.parametrize(
    "cells",
    [
        [(0, 0), (0, 1)],
        ((0, 0), (0, 1)),
        np.array([[0, 0], [0, 1]]),
        {Cell(0, 0), Cell(0, 1)},
        (cell for cell in [(0, 0), (0, 1)]),
        [(0, 0), (0, 1), (0, 1)][:2],
    ],
)
def test_several_cells_may_come_in_any_shape(cells):
    tilemap = TileMap.from_text("000")
    with tilemap.edit() as edit:
        edit.add_deck(cells, level=2)
    assert tilemap.surface_level[1].tolist() == [[2, 2, 0]]


@pytest.mark.parametrize("cell", [(0, 1), [0, 1], np.array([0, 1]), Cell(0, 1), (0, 1, 0)])
def test_one_cell_may_come_in_any_shape(cell):
    tilemap = TileMap.from_text("000")
    with tilemap.edit() as edit:
        edit.add_deck(cell, level=2)
    assert tilemap.decks_at((0, 1)) == [0, 1]
    assert tilemap.decks_at((0, 0)) == [0]


def test_no_cells_are_no_change():
    tilemap = TileMap.from_text("0")
    with tilemap.edit() as edit:
        edit.add_deck([], level=2)
    assert (tilemap.version, tilemap.n_decks) == (0, 0)


def test_headroom_is_the_number_of_levels_up_to_the_next_underside():
    tilemap = TileMap.from_text("0102")
    with tilemap.edit() as edit:
        edit.add_deck((0, 0), level=9, thickness=2)
        edit.add_deck((0, 0), level=4)
        edit.add_deck((0, 1), level=2)  # lies right on the ground
    assert tilemap.headroom.tolist() == [[[3, 0, SKY, SKY]], [[SKY, SKY, 0, 0]], [[3, 0, 0, 0]]]
    assert [tilemap.headroom_at((0, 0, deck)) for deck in range(3)] == [3, None, 3]
    assert [tilemap.headroom_at((0, col)) for col in range(1, 4)] == [0, None, None]


def refused(tilemap, error, says, *orders):
    """Run operations as one edit and check that it is refused without a trace."""
    before = [getattr(tilemap, name).copy() for name in ARRAYS], tilemap.version
    arrays = [getattr(tilemap, name) for name in ARRAYS]

    def carry_out():
        with tilemap.edit() as edit:
            for name, *arguments in orders:
                getattr(edit, name)(*arguments)

    with pytest.raises(error, match=says):
        carry_out()
    for name, array, was in zip(ARRAYS, arrays, before[0], strict=True):
        assert np.shares_memory(array, getattr(tilemap, name))
        assert np.array_equal(was, getattr(tilemap, name))
    assert tilemap.version == before[1]


@pytest.mark.parametrize(
    ("orders", "says"),
    [
        (
            [("set_level", (1, 2), 3)],
            r"overlap at \(1, 2\): deck 1 at level 3, 1 thick, over the ground at level 3",
        ),
        (
            [("set_level", (1, 2), 9)],
            r"overlap at \(1, 2\): the ground at level 9, over deck 1 at level 3, 1 thick",
        ),
        (
            [("set_level", (1, 3, 1), 0)],
            r"overlap at \(1, 3\): deck 1 at level 0, 1 thick, over the ground at level 0",
        ),
        (
            [("add_deck", (1, 1), 4, "wood", 2)],
            r"overlap at \(1, 1\): deck 2 at level 4, 2 thick, over deck 1 at level 3, 1 thick",
        ),
        ([("add_deck", [(0, 2), (1, 1)], 3)], r"at \(1, 1\): deck 2 at level 3.*deck 1 at level 3"),
        (
            [("add_deck", (2, 1), 3), ("set_kind", (2, 1), "grass"), ("set_level", (2, 1), 3)],
            r"overlap at \(2, 1\): deck 1 at level 3, 1 thick, over the ground at level 3",
        ),
    ],
)
def test_surfaces_that_overlap_are_refused_with_both_levels(tilemap, orders, says):
    refused(tilemap, ValueError, says, *orders)


@pytest.mark.parametrize(
    ("order", "error", "says"),
    [
        (("add_deck", (0, 1), 5, "void"), ValueError, "a deck cannot be void"),
        (("add_deck", (0, 1, 1), 5), IndexError, r"\(0, 1\) has deck 0 only, got 1"),
        (("add_deck", [(0, 1), (9, 1)], 5), IndexError, r"\(9, 1\) is outside the map"),
        (("remove_deck", [(1, 1), (0, 1)]), IndexError, r"\(0, 1\) has no deck 1"),
        (("remove_deck", (1, 1), 0), ValueError, "deck 0 is the ground"),
        (("set_level", (1, 1, 2), 5), IndexError, r"\(1, 1\) has no deck 2"),
        (("set_kind", (1, 1, 1), "void"), ValueError, r"\(1, 1\) deck 1 cannot be void"),
    ],
)
def test_a_wrong_operation_is_refused_and_drops_the_whole_edit(tilemap, order, error, says):
    refused(tilemap, error, says, ("set_level", (0, 1), 9), ("add_deck", (0, 2), 7), order)


def test_a_column_has_a_maximum_of_decks():
    tilemap = TileMap.from_text("0")
    with tilemap.edit() as edit:
        for level in range(1, 64):
            edit.add_deck((0, 0), level)
    assert tilemap.decks_at((0, 0)) == list(range(64))
    refused(
        tilemap,
        ValueError,
        r"\(0, 0\) already has the maximum of 63 decks",
        ("add_deck", (0, 0), 99),
    )


def test_a_deck_added_and_removed_in_one_edit_leaves_no_entry(tilemap):
    with tilemap.edit() as edit:
        edit.add_deck((0, 1), level=5)
        edit.add_deck((1, 1), level=5)
        edit.remove_deck((1, 1), deck=2)
        edit.remove_deck((0, 1))
    assert (tilemap.version, tilemap.n_decks) == (1, 1)


def test_changed_carries_the_rectangle_of_the_changed_decks(tilemap):
    heard = []
    tilemap.changed.connect(heard.append)
    with tilemap.edit() as edit:
        edit.add_deck([(0, 2), (2, 4)], level=5)
        edit.set_level((1, 1, 1), 3)  # as it was
    tilemap.undo()
    assert heard == [Rect(0, 2, 3, 3)] * 2
    assert tilemap.changed_rects(1) == (Rect(0, 2, 3, 3),)


def test_a_table_without_wood_needs_another_kind():
    tilemap = TileMap([[0]], kinds=[TileKind("moss")])
    refused(tilemap, ValueError, "unknown kind 'wood'", ("add_deck", (0, 0), 3))
    with tilemap.edit() as edit:
        edit.add_deck((0, 0), level=3, kind="moss")
    assert tilemap.kind_at((0, 0, 1)).name == "moss"
