"""Links and walls: the surfaces that they connect or separate, and how edits change them."""

import copy
import pickle
from dataclasses import replace

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
        (("add_link", (0, 0), (1, 1), 1), ValueError, r"surfaces at both ends, \(1, 1\) is void"),
        (("add_link", (1, 1), (0, 0), 1), ValueError, r"surfaces at both ends, \(1, 1\) is void"),
        (("add_link", (0, 0), (0, 0), 1), ValueError, r"two different ends, got \(0, 0\) twice"),
        (("add_link", (2, 0), (2, 1, 0), 1), ValueError, r"is a link from \(2, 0\) to \(2, 1\) al"),
        (("add_link", (2, 1), (2, 0), 1), ValueError, r"is a link from \(2, 1\) to \(2, 0\) al"),
        (("add_link", (2, 1), (2, 0), 1, "lift", True), ValueError, r"link from \(2, 1\) to"),
        (("remove_link", (0, 0), (0, 1)), ValueError, r"no link from \(0, 0\) to \(0, 1\)"),
        (("add_wall", (0, 0), (0, 2)), ValueError, r"neighboring columns, got \(0, 0\) and \(0, 2"),
        (("add_wall", (0, 1), (0, 1, 1)), ValueError, r"got \(0, 1\) and \(0, 1\) deck 1"),
        (("set_level", (0, 0, -1), 1), IndexError, r"\(0, 0\) has no deck -1"),
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


@pytest.mark.parametrize("made", [Link(Cell(0, 0), Cell(0, 1), 1), Wall(Cell(0, 0), Cell(0, 1))])
def test_extras_are_a_copy_that_cannot_change(made):
    assert made.extras == {}
    given = {"name": "north gate", "keys": ["gold"]}
    entry = replace(made, extras=given)
    given["keys"].clear()
    assert entry.extras == {"name": "north gate", "keys": ["gold"]}
    assert entry != made
    assert len({entry, made, replace(entry)}) == 2
    with pytest.raises(TypeError):
        entry.extras["name"] = "south gate"
    with pytest.raises(TypeError, match="extras must be"):
        replace(made, extras=["name"])
    with pytest.raises(ValueError, match=r"other names than its fields start, end.*'one_way'"):
        replace(made, extras={"one_way": True})
