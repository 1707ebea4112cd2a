"""Decks, links and walls: how they come and go, and what edits of them refuse."""

import copy
import pickle

import numpy as np
import pytest

from terrain3d import Rect, TileMap
from tests.support.map_states import state_of


@pytest.fixture
def tilemap():
    """A valley at level 0 between two banks, spanned at level 3."""
    tilemap = TileMap.from_text("300003\n300003\n3#0003")
    do(tilemap, "add_deck", [(1, col) for col in range(1, 5)], level=3)
    return tilemap


def test_a_cell_and_a_surface_are_in_the_map_or_not(tilemap):
    wrong = (0, 2, 1), (1, 2, 2), (1, 2, -1), (-1, 2), (1, 6, 1)
    right, void = ((1, 0), (1, 2, 1)), (2, 1)
    for cell in (*right, void, *wrong):
        assert tilemap.has_cell(cell) == (cell not in wrong)
        assert tilemap.has_surface(cell) == (cell in right)
    do(tilemap, "remove_deck", (1, 2))
    assert not tilemap.has_cell((1, 2, 1))
    with pytest.raises(TypeError, match="a cell is"):
        tilemap.has_surface((1,))


OF_SURFACES = [f"surface_{name}" for name in ("level", "kind", "void", "thickness")]
ARRAYS = (*OF_SURFACES, "headroom", "wall_bits")


def test_arrays_are_read_only_and_follow_edits_in_place_until_the_number_of_decks_changes(tilemap):
    before = {name: getattr(tilemap, name) for name in (*ARRAYS, "level", "kind", "void")}
    with tilemap.edit() as edit:
        edit.add_deck((0, 2), level=2, kind="road", thickness=2)
        edit.set_level((1, 1), 1)
        edit.set_level((1, 2, 1), 5)
        edit.remove_deck((1, 4))
        edit.add_wall((1, 2, 1), (1, 3, 1))
        edit.set_kind((0, 0), "void")
    for name, array in before.items():
        now = getattr(tilemap, name)
        assert np.array_equal(array, now)
        assert name not in ARRAYS or np.shares_memory(array, now)
        for shown in (array, now):
            with pytest.raises(ValueError, match="read-only"):
                shown[..., 0, 0] = 1
            with pytest.raises(ValueError, match="WRITEABLE"):
                shown.flags.writeable = True
    do(tilemap, "add_deck", (0, 2), level=6)
    assert tilemap.n_decks == 2
    for name in ARRAYS:
        assert getattr(tilemap, name).shape[-3:] == (3, 3, 6)
    tilemap.undo()
    tilemap.undo()
    for name, array in before.items():
        assert getattr(tilemap, name).shape == array.shape


def refused(tilemap, says, *orders):
    """Run operations as one edit and check that it is refused without a trace."""
    before = state_of(tilemap), tilemap.version

    def carry_out():
        with tilemap.edit() as edit:
            for name, *arguments in orders:
                getattr(edit, name)(*arguments)

    with pytest.raises((ValueError, IndexError), match=says):
        carry_out()
    assert (state_of(tilemap), tilemap.version) == before


def test_surfaces_that_overlap_are_refused_with_both_levels(tilemap):
    says = r"overlap at \(1, 2\): deck 1 at level 3, 1 thick, over the ground at level 3"
    refused(tilemap, says, ("set_level", (1, 2), 3))
    says = r"at \(1, 1\): deck 2 at level 3.*deck 1 at level 3"
    refused(tilemap, says, ("add_deck", [(0, 2), (1, 1)], 3))


def test_a_column_has_a_maximum_of_decks():
    tilemap = TileMap.from_text("0")
    with tilemap.edit() as edit:
        for level in range(1, 64):
            edit.add_deck((0, 0), level)
    assert tilemap.decks_at((0, 0)) == list(range(64))
    full = r"\(0, 0\) already has the maximum of 63 decks"
    refused(tilemap, full, ("add_deck", (0, 0), 99))


@pytest.fixture
def roofed():
    roofed = TileMap.from_text("0000\n0#00\n0000")
    do(roofed, "add_deck", [(0, 1), (0, 2)], level=4)
    return roofed


def do(roofed, name, *arguments, **options):
    with roofed.edit() as edit:
        getattr(edit, name)(*arguments, **options)


def test_links_and_walls_are_sorted_by_their_ends(roofed):
    pairs = [((0, 0), (0, 1)), ((2, 3), (2, 2)), ((0, 0), (1, 0)), ((1, 2), (1, 3))]
    for start, end in pairs:
        do(roofed, "add_link", start, end, 1)
        do(roofed, "add_wall", start, end)
    other = TileMap.from_text(roofed.to_text())
    for start, end in reversed(pairs):
        do(other, "add_wall", start, end)
        do(other, "add_link", start, end, 1)
    assert (other.links, other.walls) == (roofed.links, roofed.walls)
    assert [link.start for link in roofed.links] == [(0, 0, 0), (0, 0, 0), (1, 2, 0), (2, 3, 0)]


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (("add_link", (0, 0), (1, 1), 1), r"surfaces at both ends, \(1, 1\) is void"),
        (("add_link", (0, 0), (0, 0), 1), r"two different ends, got \(0, 0\) twice"),
        (("add_link", (2, 1), (2, 0), 1), r"is a link from \(2, 1\) to \(2, 0\) al"),
        (("remove_link", (0, 0), (0, 1)), r"no link from \(0, 0\) to \(0, 1\)"),
        (("add_wall", (0, 0), (0, 2)), r"neighboring columns, got \(0, 0\) and \(0, 2"),
        (("set_level", (0, 0, -1), 1), r"\(0, 0\) has no deck -1"),
        (("add_wall", (2, 3), (2, 2)), r"is a wall from \(2, 3\) to \(2, 2\) already"),
        (("remove_wall", (0, 0), (0, 1)), r"no wall from \(0, 0\) to \(0, 1\)"),
    ],
)
def test_a_wrong_link_or_wall_is_refused_and_drops_the_whole_edit(roofed, order, says):
    do(roofed, "add_link", (2, 0), (2, 1), 1)
    do(roofed, "add_wall", (2, 2), (2, 3))
    right = ("remove_link", (2, 1), (2, 0)), ("add_wall", (0, 1, 1), (0, 2, 1))
    refused(roofed, says, *right, ("add_link", (2, 1), (2, 0), 3), order)


def test_changed_carries_the_rectangle_of_both_ends(roofed):
    heard = []
    roofed.changed.connect(heard.append)
    do(roofed, "add_link", (2, 0), (0, 2, 1), 1)
    do(roofed, "add_wall", (1, 3), (2, 3))
    roofed.undo()
    roofed.undo()
    with roofed.edit() as edit:
        edit.add_wall((1, 3), (2, 3))
        edit.set_level((2, 1), 5)
    link, wall = Rect(0, 0, 3, 3), Rect(1, 3, 2, 1)
    assert heard == [link, wall, wall, link, Rect(1, 1, 2, 3)]


def test_links_and_walls_are_found_by_place(roofed):
    rng = np.random.default_rng(3)
    big = TileMap(np.zeros((40, 50), int))
    cells = [tuple(int(n) for n in rng.integers(0, (40, 50))) for _ in range(60)]
    for start, end in zip(cells[::2], cells[1::2], strict=True):
        do(big, "add_link", start, end, 1)
        if start[1] < 49:
            do(big, "add_wall", start, (start[0], start[1] + 1))
    rects = [Rect(0, 0, 40, 50), Rect(16, 16, 16, 16), Rect(15, 31, 1, 2), Rect(39, 0, 1, 50)]
    for rect in [*rects, *(Rect(*cell, 3, 5) for cell in cells[:20])]:
        for found, every in ((big.links_in(rect), big.links), (big.walls_in(rect), big.walls)):
            held = [pair for pair in every if rect.holds(pair.start) or rect.holds(pair.end)]
            assert found == held
    assert roofed.links_in(Rect(0, 0, 3, 4)) == roofed.walls_in(Rect(0, 0, 3, 4)) == []


def test_lookup_by_position_follows_edits_and_copies_are_independent(roofed):
    here = Rect(0, 0, 1, 1)
    assert roofed.links_in(here) == []
    do(roofed, "add_link", (0, 0), (2, 3), 1)
    twin = copy.copy(roofed)
    assert roofed.links_in(here) == twin.links_in(here) == list(roofed.links)
    roofed.undo()
    do(twin, "add_link", (0, 0), (2, 2), 1)
    assert roofed.links_in(here) == []
    assert len(twin.links_in(here)) == 2
    assert len(pickle.loads(pickle.dumps(twin)).links_in(here)) == 2
