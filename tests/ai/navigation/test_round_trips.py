"""A map or a Navigation that was copied or pickled is as good as the original."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from ai import Board, MoveProfile, Navigation, Unit
from terrain3d import TileMap

ENDS = (0, 0), (2, 3)


def out_of_band(value):
    """Pickle with the arrays in buffers that nobody may write, as Dask does."""
    buffers = []
    data = pickle.dumps(value, 5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(buffer) for buffer in buffers])


DUPLICATES = {
    **{
        f"protocol {number}": lambda value, number=number: pickle.loads(pickle.dumps(value, number))
        for number in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
    "out of band": out_of_band,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "twice": lambda value: copy.deepcopy(pickle.loads(pickle.dumps(value, 5))),
}
duplicates = pytest.mark.parametrize("duplicate", DUPLICATES.values(), ids=DUPLICATES)


def edited():
    """Return a map with an edit to undo, an undone one to redo, a deck, a link and a wall."""
    tilemap = TileMap.from_text("0000\n0000\n0000")
    with tilemap.edit("road") as edit:
        edit.set_level((0, 1), 2)
        edit.add_deck([(1, 1)], level=6)
        edit.add_link((0, 0), (1, 1, 1), cost=3)
        edit.add_wall((2, 0), (2, 1))
    with tilemap.edit("hill") as edit:
        edit.set_level((1, 3), 1)
    tilemap.undo()
    return tilemap


def state(tilemap):
    surfaces = tilemap.surface_level, tilemap.surface_kind, tilemap.surface_thickness
    more = tilemap.headroom, tilemap.wall_bits
    return [array.tolist() for array in (*surfaces, *more)], tilemap.links, tilemap.walls


def use(tilemap, navigation=None):
    """Edit, undo and redo all there is; return the states between, with a query on each."""
    navigation, seen = navigation or Navigation(tilemap), []

    def look():
        paths = [each.find_path(*ENDS) for each in (navigation, Navigation(tilemap))]
        assert paths[0].cells == paths[1].cells
        seen.append((state(tilemap), tilemap.undo_name, tilemap.redo_name, paths[0].cost))

    look()
    assert tilemap.redo()
    look()
    with tilemap.edit("pit") as edit:
        edit.set_level((2, 2), 5)
        edit.add_deck([(0, 3)], level=9)
    look()
    while tilemap.undo():
        look()
    assert tilemap.level.max() == 0
    for array in (tilemap.level, tilemap.surface_kind, tilemap.headroom, tilemap.wall_bits):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
    return seen


@duplicates
def test_a_map_is_edited_and_undone_like_the_original(duplicate):
    original = edited()
    twin = duplicate(original)
    before = state(original)
    seen = use(twin)
    assert state(original) == before
    assert use(original) == seen


@duplicates
def test_a_navigation_follows_its_map(duplicate):
    navigation = Navigation(edited())
    navigation.build_index()
    twin = duplicate(navigation)
    seen = use(twin.tilemap, twin)
    if twin.tilemap is not navigation.tilemap:  # a shallow copy is of the same map
        assert use(navigation.tilemap, navigation) == seen
    route = [(0, 0), (1, 0), (1, 1)]
    assert twin.price(route) == navigation.price(route)
    assert twin.line_of_sight(*ENDS)


def test_a_worker_process_edits_and_undoes_too(processes):
    expected = use(edited())
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as forked:
        for pool in processes, forked:
            assert pool.submit(use, edited()).result() == expected
            navigation = Navigation(edited())
            (path,) = pool.submit(navigation.find_paths, *([end] for end in ENDS)).result()
            assert path.cells == navigation.find_path(*ENDS).cells


@duplicates
def test_answers_answer(duplicate):
    navigation, profile = Navigation(edited()), MoveProfile(max_climb=3)
    path, reach = navigation.find_path(*ENDS, profile), navigation.reach((0, 0), 9, profile)
    field = navigation.cost_field((2, 3), profile)
    assert duplicate(path).steps == path.steps
    part = navigation.find_path((0, 0), (2, 3), max_cost=2, partial=True)
    twin = duplicate(part)
    assert (twin.cells, twin.reason, twin.partial) == (part.cells, part.reason, True)
    twin = duplicate(reach)
    assert [twin.path_to(cell).cells for cell in twin] == [reach.path_to(c).cells for c in reach]
    twin = duplicate(field)
    assert twin.path_from((0, 0)).cells == field.path_from((0, 0)).cells
    assert twin.cost.tolist() == field.cost.tolist()
    assert duplicate(navigation.price(path, profile)) == navigation.price(path, profile)
    assert duplicate(navigation.explain_step((0, 0), (1, 0))).legal
    assert duplicate(profile) == profile


@duplicates
def test_a_unit_can_join_another_board(duplicate):
    board, heard = Board(edited(), turns="wait"), []
    mira = board.add(Unit("Mira", (0, 0)))
    mira.move_finished.connect(lambda _cell: heard.append(mira))
    board.move(mira, (1, 1))
    mira.advance(0.3)
    twin, before = duplicate(mira), mira.pose
    assert twin.pose == before
    assert not twin.is_moving
    other = Board(edited(), turns="wait")
    other.add(twin)
    other.move(twin, (0, 0))
    twin.advance(99.0)
    assert (twin.cell, mira.cell, mira.pose) == ((0, 0, 0), (1, 1, 0), before)
    assert not heard
    mira.advance(99.0)
    assert heard == [mira]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_a_copied_path_has_its_picture_and_a_copied_plan_is_one(duplicate):
    path = Navigation(edited()).find_path(*ENDS)
    assert duplicate(path).picture().lines == path.picture().lines
    board = Board(edited())
    mira = board.add(Unit("Mira", (0, 0)))
    board.move(duplicate(board.plan(mira, (1, 0))))
    assert mira.cell == (1, 0, 0)
