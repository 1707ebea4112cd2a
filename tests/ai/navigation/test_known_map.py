"""Fog: a wall that is met, and paths compared with a map built from the mask."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import (
    Chase,
    KnownMap,
    MoveProfile,
    Navigation,
    Patrol,
    Replan,
    Situation,
    Travel,
    Waypoints,
)
from terrain3d import TileKind, TileMap
from tests.support.reference import cells_of, ground, profiles, thoroughly, tilemaps
from tests.support.strategies import decks

EVEN = MoveProfile(max_climb=2, max_drop=2)
WALL = ground(
    """
000000000
000090000
000090000
000090000
000000000
""".strip()
)


def walk(known, truth, start, goal, profile, radius):
    """Walk as far as the known map leads, looking at every step; return the cells and replans."""
    here, trail, plans = truth.tilemap.cell(start), [start], []
    while True:
        known.see_from(here, radius)
        path = known.navigation.find_path(here, goal, profile)
        if not plans or path.cells != plans[-1].cells[1:]:
            plans.append(path)
        else:
            plans[-1] = path
        if len(path.cells) < 2:
            return trail, len(plans)
        assert truth.explain_step(here, path.cells[1], profile).legal
        here = path.cells[1]
        trail.append(here[:2])


def test_a_wall_is_unseen_until_it_is_met():
    known, truth = KnownMap(WALL), Navigation(WALL)
    first = known.navigation.find_path((2, 0), (2, 8), EVEN)
    assert [cell[:2] for cell in first.cells] == [(2, col) for col in range(9)]
    trail, n_plans = walk(known, truth, (2, 0), (2, 8), EVEN, 2)
    assert trail[:3] == [(2, 0), (2, 1), (2, 2)]  # straight until the wall is in sight
    assert n_plans > 1
    assert trail[-1] == (2, 8)
    assert known.is_known[2:4, 4].all()
    assert not known.is_known.all()


@pytest.mark.parametrize(("unknown", "cost_all"), [("open", 8), (2, 12)], ids=["open", "priced"])
@pytest.mark.parametrize(
    "make",
    [
        lambda goal: Patrol([goal]),
        lambda goal: Chase(lambda: goal, replan=Replan(straight_tiles=0)),
        lambda goal: Travel(Waypoints(), goal),
    ],
    ids=["patrol", "chase", "travel"],
)
def test_behaviors_plan_again_when_ground_is_revealed_that_costs_more(make, unknown, cost_all):
    tilemap = ground("0000000\n0000000\n0000000", "ggsssgg\nggsssgg\nggggggg")
    truth, goal = Navigation(tilemap), (1, 6)
    costs = []
    for behavior in (make(goal), None):
        known, here, cost = KnownMap(tilemap, unknown), tilemap.cell((1, 0)), 0
        known.reveal([goal])
        while here[:2] != goal and cost < 99:
            known.see_from(here, 1)
            situation = Situation(known.navigation, here)
            end = behavior.next_cell(situation) if behavior else situation.find_path(goal).cells[1]
            if end is None:
                break  # beside what it chases
            cost += truth.explain_step(here, end).cost
            here = end
        costs.append(cost + truth.find_path(here, goal).cost)
    assert costs == [cost_all, cost_all]


@pytest.mark.parametrize(
    ("unknown", "cost"), [("open", 8), (3, 22), ("closed", None)], ids=["open", "priced", "closed"]
)
def test_unknown_ground_is_open_priced_or_closed(unknown, cost):
    known = KnownMap(WALL, unknown)
    known.reveal([(2, 0), (2, 8)])
    path = known.navigation.find_path((2, 0), (2, 8))
    assert (path.cost if path else None) == cost  # the goal itself is known


def test_edits_out_of_sight_change_nothing_until_they_are_seen():
    tilemap = ground("00000")
    known = KnownMap(tilemap, "closed")
    assert len(known.see_from((0, 0), 9)) == 5
    heard = []
    known.tilemap.changed.connect(heard.append)
    with tilemap.edit() as edit:
        edit.set_level((0, 2), 9)
        edit.add_link((0, 1), (0, 3), cost=2)
    assert known.navigation.find_path((0, 0), (0, 4)).cost == 4
    assert known.see_from((0, 4), 0) == []
    assert heard == []
    assert known.see_from((0, 1), 1) == [(0, 1, 0), (0, 2, 0)]
    assert len(heard) == 1
    assert known.navigation.find_path((0, 0), (0, 4)).cost == 4  # by the link
    tilemap.undo()
    assert known.tilemap.level_at((0, 2)) == 9
    assert len(known.reveal([(0, 1), (0, 2)])) == 2
    assert known.tilemap.links == ()


def test_what_has_been_seen_cannot_be_undone():
    known = KnownMap(TileMap.from_text("012\n012"))
    known.reveal([(0, 2)])
    known.reveal([(1, 1)])
    assert not known.tilemap.undo()
    assert known.tilemap.level.tolist() == [[0, 0, 2], [0, 1, 0]]


def test_the_masks_are_read_only():
    known = KnownMap(WALL)
    for mask in (known.is_known, known.is_in_sight):
        with pytest.raises(ValueError, match="read-only"):
            mask[0, 0] = True


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda known: pickle.loads(pickle.dumps(known))])
def test_what_was_seen_stays_known_out_of_sight(copied):
    known = KnownMap(TileMap.from_text("0120\n0000"))
    known.see_from((0, 0), 1)
    assert known.sees([(1, 3), (0, 1, 5)])
    assert not known.sees([(0, 2), (1, 3)])
    assert not known.sees([])
    known.refog()
    known = copied(known)
    assert not known.is_in_sight.any()
    assert known.is_known.sum() == 3
    assert known.reveal([(0, 1), (0, 2)]) == [(0, 2, 0)]  # the other one is as it was
    assert known.is_in_sight.tolist() == [[False, True, True, False], [False] * 4]
    assert known.tilemap.level_at((0, 1)) == 1
    with pytest.raises(IndexError, match="outside the map"):
        known.sees([(2, 0)])
    with pytest.raises(TypeError, match="a cell is"):
        known.sees([0])


@pytest.mark.parametrize("seen", [[(0, 0), (0, 1)], [(0, 5), (0, 4)]])
def test_a_link_is_known_by_either_end(seen):
    tilemap = ground("03#030")
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 5), cost=2, kind="ladder")
    known = KnownMap(tilemap)
    known.reveal([*seen, (0, 2)])
    climber = MoveProfile(link_cost={"unknown": None})
    assert known.navigation.find_path((0, 0), (0, 5), climber).cost == 2
    with tilemap.edit() as edit:
        edit.remove_link((0, 0), (0, 5))
    assert known.navigation.find_path((0, 0), (0, 5), climber)
    known.reveal(seen)
    assert not known.navigation.find_path((0, 0), (0, 5), climber)
    closed = KnownMap(tilemap, "closed")
    closed.reveal(seen)
    assert closed.tilemap.links == ()


@pytest.mark.parametrize("seed", range(20))
def test_a_reveal_finds_what_one_finds_that_has_compared_nothing_before(seed):
    rng = np.random.default_rng(seed)
    tilemap = TileMap(rng.integers(0, 4, (6, 6)))
    with tilemap.edit() as edit:
        for row, col in itertools.product(range(0, 6, 2), repeat=2):
            edit.add_link((row, col), (row, col + 1), 2, "ladder", one_way=seed % 2 == 0)
    known = KnownMap(tilemap, ["open", "closed", 3][seed % 3])
    for number in range(20):
        cells = [*map(tuple, rng.integers(0, 6, (8, 2)).tolist())]
        if number % 5 == 4:
            with tilemap.edit() as edit:
                edit.set_level(cells[0], number)
        twin = pickle.loads(pickle.dumps(known))
        assert known.reveal(cells) == twin.reveal(cells)
        assert {*known.tilemap.links} == {*twin.tilemap.links}


@pytest.mark.parametrize("seed", range(20))
def test_who_has_seen_an_end_of_each_link_finds_a_path_wherever_there_is_one(seed):
    rng = np.random.default_rng(seed)
    kinds = rng.choice([0, 1], (6, 6), p=[0.6, 0.4])
    tilemap = TileMap(rng.integers(0, 5, (6, 6)), kinds, [TileKind("grass")])
    islands = [tuple(cell) for cell in np.argwhere(~tilemap.void).tolist()]
    with tilemap.edit() as edit:
        for start, end in rng.permutation(islands)[:8].reshape(-1, 2, 2).tolist():
            edit.add_link(start, end, cost=2, kind="ladder", one_way=bool(rng.integers(2)))
    known, truth = KnownMap(tilemap), Navigation(tilemap)
    known.reveal(map(tuple, np.argwhere(tilemap.void).tolist()))
    known.reveal([link.start, link.end][rng.integers(2)] for link in tilemap.links)
    for _ in range(3):
        for start, goal in itertools.product(islands, islands):
            if truth.find_path(start, goal, EVEN):
                assert known.navigation.find_path(start, goal, EVEN), (start, goal)
        known.reveal([islands[rng.integers(len(islands))]])


def from_mask(tilemap, mask, cost):
    """Build what is known anew: void or flat ground where nothing is, links to it."""
    kinds = [*tilemap.kinds, TileKind("unknown", cost)]
    names = [kind.name for kind in kinds]
    missing = names.index("void" if cost is None else "unknown")
    built = TileMap(
        np.where(mask, tilemap.level, 0),
        np.where(mask, tilemap.kind, missing),
        kinds,
        topology=tilemap.topology,
    )
    with built.edit() as edit:
        for cell in cells_of(tilemap):
            for deck in [deck for deck in tilemap.decks_at(cell) if deck and mask[cell]]:
                surface = *cell, deck
                thickness = int(tilemap.surface_thickness[deck, *cell])
                kind = tilemap.kind_at(surface).name
                edit.add_deck([cell], tilemap.level_at(surface), kind, thickness)
        for cell in cells_of(tilemap):
            for beside in tilemap.grid.neighbors(cell):
                if cost is not None and mask[cell] and not mask[beside[:2]]:
                    for deck in tilemap.decks_at(cell):
                        if tilemap.level_at((*cell, deck)) > 0:
                            edit.add_link((*cell, deck), beside, cost)
    return built


@st.composite
def maps(draw):
    tilemap = draw(tilemaps(max_side=6))
    if draw(st.booleans()):
        with tilemap.edit() as edit:
            for column, height, _, thickness in sorted(draw(decks(tilemap))):
                edit.add_deck(column, height, "road", thickness)
    return tilemap


@thoroughly(60)
@given(maps(), profiles, st.sampled_from(["open", "closed", 3, 0.5]), st.data())
def test_answers_are_those_of_a_map_built_from_the_mask(tilemap, profile, unknown, data):
    known, cell = KnownMap(tilemap, unknown), st.sampled_from(cells_of(tilemap))
    for cells in data.draw(st.lists(st.lists(cell, max_size=9), min_size=1, max_size=3)):
        known.reveal(cells)
    built = from_mask(tilemap, known.is_known, {"open": 1, "closed": None}.get(unknown, unknown))
    start, goal = data.draw(cell), data.draw(cell)
    path = known.navigation.find_path(start, goal, profile)
    fresh = Navigation(built).find_path(start, goal, profile)
    assert (path.cells, path.cost) == (fresh.cells, fresh.cost)


@thoroughly(40)
@given(tilemaps(max_side=6), st.integers(1, 3), st.data())
def test_a_mover_that_plans_again_arrives_wherever_there_is_a_path(tilemap, radius, data):
    cell = st.sampled_from(cells_of(tilemap))
    start, goal = data.draw(cell), data.draw(cell)
    known, truth = KnownMap(tilemap, 0.000001), Navigation(tilemap)
    true = truth.find_path(start, goal, EVEN)
    assert known.navigation.find_path(start, goal, EVEN).cost <= true.cost or not true
    trail, _ = walk(known, truth, start, goal, EVEN, radius)
    if true:
        assert trail[-1] == goal
