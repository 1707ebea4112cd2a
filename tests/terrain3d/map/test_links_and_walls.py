"""Links and walls: the surfaces that they connect or separate, and how edits change them."""

import copy
import math
import pickle

import numpy as np
import pytest

from terrain3d import TOPOLOGIES, Cell, Link, Rect, TileMap, Wall

NORTH, EAST, SOUTH, WEST = (1 << direction for direction in range(4))


@pytest.fixture
def tilemap():
    tilemap = TileMap.from_text("0000\n0#00\n0000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 1), (0, 2)], level=4)
    return tilemap


def do(tilemap, name, *arguments, **options):
    with tilemap.edit() as edit:
        getattr(edit, name)(*arguments, **options)


def test_a_link_leads_from_one_surface_to_another(tilemap):
    do(tilemap, "add_link", (0, 1), (0, 1, 1), 2, "ladder")
    do(tilemap, "add_link", (2, 3, 0), (0, 0), cost=0.5, one_way=True)
    assert tilemap.links == (
        Link(Cell(0, 1), Cell(0, 1, 1), 2, "ladder", one_way=False),
        Link(Cell(2, 3), Cell(0, 0), 0.5, "link", one_way=True),
    )


def test_links_and_walls_are_sorted_by_their_ends(tilemap):
    pairs = [((0, 0), (0, 1)), ((2, 3), (2, 2)), ((0, 0), (1, 0)), ((1, 2), (1, 3))]
    for start, end in pairs:
        do(tilemap, "add_link", start, end, 1)
        do(tilemap, "add_wall", start, end)
    other = TileMap.from_text(tilemap.to_text())
    for start, end in reversed(pairs):
        do(other, "add_wall", start, end)
        do(other, "add_link", start, end, 1)
    assert (other.links, other.walls) == (tilemap.links, tilemap.walls)
    assert [link.start for link in tilemap.links] == [(0, 0, 0), (0, 0, 0), (1, 2, 0), (2, 3, 0)]


@pytest.mark.parametrize(
    ("order", "error", "says"),
    [
        (("add_link", (0, 0), (9, 0), 1), IndexError, r"\(9, 0\) is outside the map"),
        (("add_link", (0, 0), (0, 0, 1), 1), IndexError, r"\(0, 0\) has no deck 1"),
        (("add_link", (0, 0), (1, 1), 1), ValueError, r"surfaces at both ends, \(1, 1\) is void"),
        (("add_link", (1, 1), (0, 0), 1), ValueError, r"surfaces at both ends, \(1, 1\) is void"),
        (("add_link", (0, 0), (0, 0), 1), ValueError, r"two different ends, got \(0, 0\) twice"),
        (("add_link", (0, 0), (0, 1), -1), ValueError, r"cost of a link must be in 0\.\.1000000"),
        (("add_link", (0, 0), (0, 1), math.nan), ValueError, "cost of a link.*got nan"),
        (("add_link", (0, 0), (0, 1), None), TypeError, "cost of a link must be a number"),
        (("add_link", (0, 0), (0, 1), 1, ""), ValueError, "kind needs a name"),
        (("add_link", (0, 0), (0, 1), 1, 5), TypeError, "kind must be text, got 5"),
        (("add_link", (2, 0), (2, 1, 0), 1), ValueError, r"is a link from \(2, 0\) to \(2, 1\) al"),
        (("add_link", (2, 1), (2, 0), 1), ValueError, r"is a link from \(2, 1\) to \(2, 0\) al"),
        (("add_link", (2, 1), (2, 0), 1, "lift", True), ValueError, r"link from \(2, 1\) to"),
        (("add_link", (0, 0), (0, 1), 1, "x", "no"), TypeError, "one_way must be True or False"),
        (("add_wall", (0, 0), (0, 1), "no"), TypeError, "one_way must be True or False, got 'no'"),
        (("remove_link", (0, 0), (0, 1)), ValueError, r"no link from \(0, 0\) to \(0, 1\)"),
        (("remove_link", (0, 0), (0, 0, 1)), IndexError, r"\(0, 0\) has no deck 1"),
        (("add_wall", (0, 0), (0, 2)), ValueError, r"neighboring columns, got \(0, 0\) and \(0, 2"),
        (("add_wall", (0, 1), (0, 1, 1)), ValueError, r"got \(0, 1\) and \(0, 1\) deck 1"),
        (("set_level", (0, 0, -1), 1), IndexError, r"\(0, 0\) has no deck -1"),
        (("set_kind", (0, 0, -1), "road"), IndexError, r"\(0, 0\) has no deck -1"),
        (("add_link", (0, 0, -1), (0, 1), 1), IndexError, r"\(0, 0\) has no deck -1"),
        (("add_wall", (0, 0), (0, 1, -1)), IndexError, r"\(0, 1\) has no deck -1"),
        (("add_wall", (2, 0), (3, 0)), IndexError, r"\(3, 0\) is outside the map"),
        (("add_wall", (0, 0), (0, 1, 2)), IndexError, r"\(0, 1\) has no deck 2"),
        (("add_wall", (2, 3), (2, 2)), ValueError, r"is a wall from \(2, 3\) to \(2, 2\) already"),
        (("remove_wall", (0, 0), (0, 1)), ValueError, r"no wall from \(0, 0\) to \(0, 1\)"),
    ],
)
def test_a_wrong_operation_is_refused_and_drops_the_whole_edit(tilemap, order, error, says):
    do(tilemap, "add_link", (2, 0), (2, 1), 1)
    do(tilemap, "add_wall", (2, 2), (2, 3))
    before = tilemap.links, tilemap.walls, tilemap.wall_bits.tolist(), tilemap.version

    def orders():
        with tilemap.edit() as edit:
            edit.remove_link((2, 1), (2, 0))
            edit.add_link((2, 1), (2, 0), 3)
            edit.add_wall((0, 1, 1), (0, 2, 1))
            getattr(edit, order[0])(*order[1:])

    with pytest.raises(error, match=says):
        orders()
    assert (tilemap.links, tilemap.walls, tilemap.wall_bits.tolist(), tilemap.version) == before


def test_one_way_links_and_walls_may_stand_in_both_directions(tilemap):
    do(tilemap, "add_link", (2, 0), (2, 1), 1, one_way=True)
    do(tilemap, "add_link", (2, 1), (2, 0), 5, one_way=True)
    assert [link.cost for link in tilemap.links] == [1, 5]
    do(tilemap, "remove_link", (2, 0), (2, 1))
    assert [link.cost for link in tilemap.links] == [5]
    do(tilemap, "add_wall", (2, 0), (2, 1), one_way=True)
    assert tilemap.wall_bits[0, 0, 2].tolist() == [EAST, 0, 0, 0]
    do(tilemap, "add_wall", (2, 1), (2, 0), one_way=True)
    assert tilemap.wall_bits[0, 0, 2].tolist() == [EAST, WEST, 0, 0]
    do(tilemap, "remove_wall", (2, 0), (2, 1))
    assert tilemap.wall_bits[0, 0, 2].tolist() == [0, WEST, 0, 0]


def test_a_link_in_both_directions_is_removed_from_either_end(tilemap):
    do(tilemap, "add_link", (2, 0), (2, 1), 1)
    do(tilemap, "add_wall", (2, 0), (2, 1))
    do(tilemap, "remove_link", (2, 1), (2, 0))
    do(tilemap, "remove_wall", (2, 1), (2, 0))
    assert (tilemap.links, tilemap.walls) == ((), ())


def test_a_link_is_changed_by_removing_and_adding_it(tilemap):
    do(tilemap, "add_link", (2, 0), (2, 1), 1)
    with tilemap.edit() as edit:
        edit.remove_link((2, 0), (2, 1))
        edit.add_link((2, 0), (2, 1), 7)
    assert [link.cost for link in tilemap.links] == [7]
    tilemap.undo()
    assert [link.cost for link in tilemap.links] == [1]
    with tilemap.edit() as edit:
        edit.remove_link((2, 0), (2, 1))
        edit.add_link((2, 0), (2, 1), 1)
    assert tilemap.redo_name == "edit"  # nothing changed, so nothing was forgotten


def test_a_wall_sets_a_bit_at_both_of_its_ends(tilemap):
    do(tilemap, "add_wall", (0, 0), (0, 1))
    do(tilemap, "add_wall", (1, 2), (2, 2))
    do(tilemap, "add_wall", (0, 1, 1), (0, 2, 1))
    do(tilemap, "add_wall", (0, 2, 1), (0, 3))
    nothing = [[0] * 4] * 3
    assert (
        tilemap.wall_bits.tolist()
        == [  # onto the ground, then onto deck 1
            [
                [[EAST, WEST, 0, 0], [0, 0, SOUTH, 0], [0, 0, NORTH, 0]],
                [[0, 0, EAST, 0], *nothing[1:]],
            ],
            [[[0, 0, 0, WEST], *nothing[1:]], [[0, EAST, WEST, 0], *nothing[1:]]],
        ]
    )
    assert tilemap.wall_bits.dtype == np.uint8
    assert tilemap.walls[0] == Wall(Cell(0, 0), Cell(0, 1), one_way=False)


def test_walls_to_two_surfaces_of_a_column_have_bits_of_their_own(tilemap):
    for end in ((0, 1), (0, 1, 1)):
        do(tilemap, "add_wall", (0, 0), end)
    assert tilemap.wall_bits[0, :, 0, :2].tolist() == [[EAST, WEST], [0, WEST]]
    assert tilemap.wall_bits[1, :, 0, :2].tolist() == [[EAST, 0], [0, 0]]
    do(tilemap, "remove_wall", (0, 0), (0, 1))
    assert tilemap.wall_bits[0, :, 0, :2].tolist() == [[0, 0], [0, WEST]]
    assert tilemap.wall_bits[1, :, 0, :2].tolist() == [[EAST, 0], [0, 0]]
    do(tilemap, "remove_wall", (0, 0), (0, 1, 1))
    assert not tilemap.wall_bits.any()


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_bit_of_a_wall_is_the_direction_to_its_other_side(topology):
    tilemap = TileMap(np.zeros((4, 4), int), topology=topology)
    grid, classes = tilemap.grid, tilemap.grid.cell_class()
    for row, col in np.ndindex(4, 4):
        for direction, (drow, dcol) in enumerate(grid.directions[classes[row, col]]):
            there = row + drow, col + dcol
            if not (0 <= there[0] < 4 and 0 <= there[1] < 4):
                continue
            do(tilemap, "add_wall", (row, col), there)
            expected = np.zeros((1, 1, 4, 4), int)
            expected[0, 0, row, col] = 1 << direction
            expected[0, 0, there[0], there[1]] = 1 << grid.opposite[direction]
            assert np.array_equal(tilemap.wall_bits, expected)
            tilemap.undo()


def test_walls_follow_when_the_number_of_decks_changes(tilemap):
    do(tilemap, "add_wall", (0, 0), (0, 1))
    before = tilemap.wall_bits
    do(tilemap, "add_deck", (0, 1), 8)
    assert tilemap.wall_bits.shape == (3, 3, 3, 4)
    assert np.array_equal(tilemap.wall_bits[:2, :2], before)


def test_a_deck_takes_its_links_and_walls_with_it(tilemap):
    do(tilemap, "add_link", (0, 1), (0, 1, 1), 2)
    do(tilemap, "add_link", (0, 2), (0, 3), 2)
    do(tilemap, "add_wall", (0, 2, 1), (0, 1, 1), one_way=True)
    do(tilemap, "add_wall", (0, 1), (0, 0))
    before = tilemap.links, tilemap.walls, tilemap.wall_bits
    do(tilemap, "remove_deck", (0, 1))
    assert [link.start for link in tilemap.links] == [(0, 2, 0)]
    assert [wall.start for wall in tilemap.walls] == [(0, 1, 0)]
    assert np.argwhere(tilemap.wall_bits).tolist() == [[0, 0, 0, 0], [0, 0, 0, 1]]
    tilemap.undo()
    assert (tilemap.links, tilemap.walls) == before[:2]
    assert np.array_equal(tilemap.wall_bits, before[2])


def test_a_deck_that_replaces_another_has_none_of_its_links_and_walls(tilemap):
    do(tilemap, "add_link", (0, 1), (0, 1, 1), 2)
    do(tilemap, "add_wall", (0, 1, 1), (0, 2, 1))
    with tilemap.edit() as edit:
        edit.remove_deck((0, 1))
        edit.add_deck((0, 1), level=4)
    assert (tilemap.links, tilemap.walls) == ((), ())


def test_links_and_walls_added_in_the_same_edit_are_removed_with_their_deck(tilemap):
    version = tilemap.version
    with tilemap.edit() as edit:
        edit.add_deck((2, 2), level=3)
        edit.add_link((2, 2), (2, 2, 1), 1)
        edit.add_wall((2, 2, 1), (2, 3))
        edit.remove_deck((2, 2))
    assert tilemap.version == version


def test_links_of_ground_that_becomes_void_are_removed(tilemap):
    do(tilemap, "add_link", (2, 0), (2, 1), 1)
    do(tilemap, "add_link", (2, 2), (2, 3), 1)
    do(tilemap, "set_kind", (2, 1), "void")
    assert [link.start for link in tilemap.links] == [(2, 2, 0)]
    tilemap.undo()
    assert [link.start for link in tilemap.links] == [(2, 0, 0), (2, 2, 0)]


def test_a_link_to_ground_that_is_removed_in_the_same_edit_is_dropped(tilemap):
    with tilemap.edit() as edit:
        edit.set_kind((1, 1), "grass")
        edit.add_link((1, 0), (1, 1), 1)
        edit.set_kind((1, 1), "void")
    assert (tilemap.links, tilemap.is_void((1, 1))) == ((), True)


def test_ground_that_is_void_only_within_an_edit_loses_the_links_it_had_before(tilemap):
    do(tilemap, "add_link", (2, 0), (2, 1), 1)
    with tilemap.edit() as edit:
        edit.set_kind((2, 1), "void")
        edit.set_kind((2, 1), "sand")
        edit.add_link((2, 1), (2, 2), 1)
    assert [link.start for link in tilemap.links] == [(2, 1, 0)]


def test_changed_carries_the_rectangle_of_both_ends(tilemap):
    heard = []
    tilemap.changed.connect(heard.append)
    do(tilemap, "add_link", (2, 0), (0, 2, 1), 1)
    do(tilemap, "add_wall", (1, 3), (2, 3))
    tilemap.undo()
    tilemap.undo()
    with tilemap.edit() as edit:
        edit.add_wall((1, 3), (2, 3))
        edit.set_level((2, 1), 5)
    link, wall = Rect(0, 0, 3, 3), Rect(1, 3, 2, 1)
    assert heard == [link, wall, wall, link, Rect(1, 1, 2, 3)]


def test_links_and_walls_cannot_be_changed_from_outside(tilemap):
    do(tilemap, "add_link", (2, 0), (2, 1), 1)
    do(tilemap, "add_wall", (2, 0), (2, 1))
    for entry in (*tilemap.links, *tilemap.walls):
        with pytest.raises(AttributeError):
            entry.one_way = True


def test_links_and_walls_are_found_by_place(tilemap):
    rng = np.random.default_rng(3)
    big = TileMap(np.zeros((40, 50), int))
    cells = [tuple(int(n) for n in rng.integers(0, (40, 50))) for _ in range(60)]
    for start, end in zip(cells[::2], cells[1::2], strict=True):
        do(big, "add_link", start, end, 1)
        if start[1] < 49:
            do(big, "add_wall", start, (start[0], start[1] + 1))
    rects = [Rect(0, 0, 40, 50), Rect(16, 16, 16, 16), Rect(15, 31, 1, 2), Rect(39, 0, 1, 50)]
    for rect in [*rects, *(Rect(*cell, 3, 5) for cell in cells[:20])]:
        for found, every in (
            (big.links_in(rect), big.links),
            (big.walls_in(rect), big.walls),
        ):
            assert found == [
                entry for entry in every if rect.holds(entry.start) or rect.holds(entry.end)
            ]
    assert tilemap.links_in(Rect(0, 0, 3, 4)) == tilemap.walls_in(Rect(0, 0, 3, 4)) == []


def test_lookup_by_position_follows_edits_and_copies_are_independent(tilemap):
    here = Rect(0, 0, 1, 1)
    assert tilemap.links_in(here) == []
    do(tilemap, "add_link", (0, 0), (2, 3), 1)
    twin = copy.copy(tilemap)
    assert tilemap.links_in(here) == twin.links_in(here) == list(tilemap.links)
    tilemap.undo()
    do(twin, "add_link", (0, 0), (2, 2), 1)
    assert tilemap.links_in(here) == []
    assert len(twin.links_in(here)) == 2
    assert len(pickle.loads(pickle.dumps(twin)).links_in(here)) == 2
