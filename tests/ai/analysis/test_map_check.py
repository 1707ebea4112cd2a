"""The map doctor against the plain rulebook with scipy, and against planted faults."""

import contextlib
import copy
import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Board, Fix, MoveProfile, Navigation, Unit
from terrain3d import TileMap
from tests.support import map_check_reference as reference
from tests.support.mixed_maps import cells_to_ask, edits
from tests.support.plain_map import all_surfaces
from tests.support.reference import ground, thoroughly
from tests.support.strategies import profiles, tilemaps

WALKER = MoveProfile()


def found(report):
    return {(each.kind, frozenset(map(tuple, each.cells))) for each in report.problems}


def check(picture, profile=WALKER, **more):
    return Navigation(ground(picture)).check(profile, **more)


def one(report):
    (problem,) = report.problems
    return problem


@thoroughly(100)
@given(st.data())
def test_problems_are_those_of_the_rulebook(data):
    tilemap = data.draw(tilemaps())
    profile = data.draw(profiles(tilemap.topology))
    spawns = data.draw(st.lists(st.sampled_from(cells_to_ask(tilemap)), max_size=3))
    navigation = Navigation(tilemap)
    for _ in range(2):
        spawns = [spawn for spawn in spawns if tilemap.has_cell(spawn)]
        expected = reference.findings(tilemap, profile, spawns)
        report = navigation.check(profile, spawns=spawns, fixes=0)
        assert found(report) == expected
        assert report.n_connected <= report.n_surfaces
        data.draw(edits(tilemap))(tilemap)


@thoroughly(60)
@given(st.data())
def test_every_fix_removes_its_problem_by_the_rulebook(data):
    tilemap = data.draw(tilemaps())
    profile = data.draw(profiles(tilemap.topology))
    spawns = data.draw(st.lists(st.sampled_from(cells_to_ask(tilemap)), max_size=3))
    state = tilemap.version, tilemap.to_text()
    report = Navigation(tilemap).check(profile, spawns=spawns)
    assert state == (tilemap.version, tilemap.to_text())
    check_fixes(tilemap, profile, spawns, report)


def check_fixes(tilemap, profile, spawns, report):
    """Fail unless every fix removes its problem and brings no other one."""
    before = reference.keys(found(report))
    for problem in report.problems:
        if problem.fix is None:
            continue
        changed = copy.copy(tilemap)
        problem.fix.apply(changed)
        mover = problem.fix.apply_to_profile(profile)
        left = reference.keys(reference.findings(changed, mover, spawns))
        (key,) = reference.keys({(problem.kind, frozenset(map(tuple, problem.cells)))})
        assert left <= before - {key}, problem.fix.text


# Planted faults: the map around them is one region, and so they are all that is wrong.

SIDE = 7


def flat(rng):
    return TileMap(rng.integers(4, 6, (SIDE, SIDE)))


def block(rng):
    """Draw a block of tiles inside the map."""
    row, col = rng.integers(1, SIDE - 3, 2).tolist()
    rows, cols = rng.integers(1, 3, 2).tolist()
    return [(row + down, col + right) for down in range(rows) for right in range(cols)]


def plant_island(rng, tilemap):
    cells, height = block(rng), int(rng.integers(9, 14))
    with tilemap.edit() as edit:
        for cell in cells:
            edit.set_level(cell, height)
    return {("island", frozenset((*cell, 0) for cell in cells))}, []


def plant_trap(rng, tilemap):
    cells = block(rng)
    with tilemap.edit() as edit:
        for row in range(SIDE):
            for col in range(SIDE):
                edit.set_level((row, col), 1 if (row, col) in cells else 4)
    return {("trap", frozenset((*cell, 0) for cell in cells))}, []


def plant_spawn(rng, tilemap):
    problems, _ = plant_island(rng, tilemap)
    ((_, cells),) = problems
    spawn = min(cells)
    return {*problems, ("spawn", frozenset([spawn]))}, [(0, 0, 0), (6, 6, 0), spawn]


def plant_deck(rng, tilemap):
    cells = block(rng)
    with tilemap.edit() as edit:
        edit.add_deck(cells, level=int(rng.integers(10, 14)))
    return {("deck", frozenset((*cell, 1) for cell in cells))}, []


def plant_link(rng, tilemap):
    (pond, *_), kind = block(rng), str(rng.choice(["ladder", "link"]))
    with tilemap.edit() as edit:
        edit.set_kind(pond, "deep")
        edit.add_link((0, 0), pond, cost=1, kind=kind, one_way=bool(rng.integers(2)))
    return {("link", frozenset([(0, 0, 0), (*pond, 0)]))}, []


def plant_walls(rng, tilemap):
    cells = block(rng)
    with tilemap.edit() as edit:
        for cell in cells:
            for end in tilemap.grid.neighbors(cell):
                if end[:2] not in cells:
                    edit.add_wall(cell, end)
    return {("island", frozenset((*cell, 0) for cell in cells))}, []


PLANTS = (plant_island, plant_trap, plant_spawn, plant_deck, plant_link, plant_walls)


@pytest.mark.parametrize("plant", PLANTS)
def test_every_planted_fault_is_found_and_fixed(plant):
    for seed in range(50):
        rng = np.random.default_rng(seed)
        tilemap = flat(rng)
        planted, spawns = plant(rng, tilemap)
        report = Navigation(tilemap).check(WALKER, spawns=spawns)
        assert found(report) == planted, seed
        assert all(problem.fix for problem in report.problems), seed
        check_fixes(tilemap, WALKER, spawns, report)


# By hand.


def test_a_map_on_which_all_reach_all_is_sound():
    report = check("012\n123")
    assert report.is_sound
    assert (report.n_surfaces, report.n_connected) == (6, 6)
    assert str(report) == "6 of 6 surfaces are connected: sound"


def test_a_map_without_a_surface_for_the_mover_is_not_sound():
    report = check("00\n00", MoveProfile(kind_cost={"grass": None}))
    assert not report.is_sound
    assert str(report) == "0 of 0 surfaces are connected: the mover can stop nowhere"


def test_water_that_cannot_be_entered_is_no_problem():
    tilemap = ground("0000\n0000")
    with tilemap.edit() as edit:
        edit.set_kind((0, 1), "water")
    assert Navigation(tilemap).check().is_sound


@pytest.mark.parametrize(
    ("picture", "profile", "kind", "fix"),
    [
        ("0003", {}, "island", "lower (0, 3) by 1"),
        ("0003", {"max_drop": 1}, "island", "lower (0, 3) by 2"),
        ("4441", {"max_climb": 2}, "trap", "raise (0, 3) by 1"),
        ("00#000", {}, "island", "make (0, 2) grass"),
        ("00##000", {}, "island", "add a link from (0, 1) to (0, 4)"),
        ("000##00", {}, "island", "add a link from (0, 5) to (0, 2)"),
    ],
)
def test_the_smallest_change_is_proposed(picture, profile, kind, fix):
    problem = one(check(picture, MoveProfile(**profile)))
    assert (problem.kind, problem.fix.text) == (kind, fix)


def test_a_tile_between_two_islands_is_lowered_for_both():
    report = check("00030", MoveProfile(max_drop=2))
    assert [problem.fix.text for problem in report.problems] == ["lower (0, 3) by 1"] * 2


def changes_of(tilemap, profile, size):
    """Yield all edits of a size: of walls, of levels, and of ground that the mover cannot use."""
    yield from ([("remove_wall", wall.start, wall.end)] for wall in tilemap.walls if size == 1)
    usable = [kind.name for kind in tilemap.kinds if profile.can_stop_on(kind)]
    for cell in [*all_surfaces(tilemap), *map(tuple, np.argwhere(tilemap.void).tolist())]:
        for sign in (1, -1):
            if len(cell) == 3:
                yield [("set_level", cell, tilemap.level_at(cell) + sign * size)]
            if not profile.can_stop_on(tilemap.kind_at(cell)):
                level = tilemap.level_at(cell) + sign * (size - 1)
                yield from ([("set_kind", cell, k), ("set_level", cell, level)] for k in usable)


def limits_of(profile, total):
    """Yield profiles that climb or drop so many levels more."""
    for drop in range(total + 1):
        limits = profile.max_climb + total - drop, profile.max_drop + drop
        with contextlib.suppress(ValueError):  # it has a price for each level
            yield dataclasses.replace(profile, max_climb=limits[0], max_drop=limits[1])


def size_of(tilemap, fix):
    """Return the size of an edit; infinity for another change."""
    if fix is None or fix.limits or fix.edits[0][0].endswith("_link"):
        return math.inf
    sizes = {"set_level": lambda cell, level: abs(level - tilemap.level_at(cell))}
    return sum(sizes.get(name, lambda *_: 1)(*values) for name, *values in fix.edits)


@thoroughly(30)
@given(st.data())
def test_no_smaller_change_removes_a_problem(data):
    tilemap = data.draw(tilemaps(max_side=4))
    profile = data.draw(profiles(tilemap.topology))
    spawns = data.draw(st.lists(st.sampled_from(cells_to_ask(tilemap)), max_size=2))
    report = Navigation(tilemap).check(profile, spawns=spawns, fixes=2)
    known = {problem.key for problem in report.problems}

    def helps(problem, changed, mover):
        found = Navigation(changed).check(mover, spawns=spawns, fixes=0).problems
        left = {problem.key for problem in found}
        return problem.key not in left and left <= known

    for problem in report.problems[:2]:
        fix = problem.fix
        for size in range(1, min(size_of(tilemap, fix), 5)):
            for edits_tried in changes_of(tilemap, profile, size):
                changed = copy.copy(tilemap)
                with contextlib.suppress(ValueError):  # such as levels of decks that overlap
                    Fix("", tuple(edits_tried)).apply(changed)
                    assert not helps(problem, changed, profile), (fix, edits_tried)
        raised = sum(limit - getattr(profile, name) for name, limit in fix.limits) if fix else 0
        for total in range(1, raised):
            for mover in limits_of(profile, total):
                assert not helps(problem, tilemap, mover), (fix, mover)


def test_the_search_for_fixes_tells_its_progress():
    calls = []
    check("0009090", fixes=2, progress=lambda *numbers: calls.append(numbers))
    assert calls == [(1, 2), (2, 2)]
    with pytest.raises(TypeError, match="progress must be a function of 2 arguments"):
        check("00", progress=lambda _number: None)


def test_a_wall_is_opened():
    tilemap = ground("0000")
    with tilemap.edit() as edit:
        edit.add_wall((0, 0), (0, 1))
    problem = one(Navigation(tilemap).check())
    assert problem.fix.text == "open the wall between (0, 1) and (0, 0)"
    problem.fix.apply(tilemap)
    assert Navigation(tilemap).check().is_sound
    assert tilemap.undo_name == problem.fix.text


def test_a_limit_of_the_profile_is_changed_where_a_change_of_the_map_is_none():
    """Either side of the cliff is a stair: each other level would break one of its steps."""
    profile = MoveProfile(max_climb=2, max_drop=3)
    problem = one(check("02579", profile))
    assert problem.kind == "trap"
    assert problem.fix.text == "climb 3 instead of 2"
    assert problem.fix.apply_to_profile(profile).max_climb == 3
    assert len({problem.fix, dataclasses.replace(problem.fix)}) == 1
    assert problem.fix.edits == ()


def test_a_link_into_water_gets_ground_or_is_removed():
    tilemap = ground("0000")
    with tilemap.edit() as edit:
        edit.set_kind((0, 3), "water")
        edit.add_link((0, 0), (0, 3), cost=1, kind="ladder")
    problem = one(Navigation(tilemap).check())
    assert problem.text == (
        "the ladder from (0, 0) to (0, 3) leads nowhere: water at (0, 3) cannot be entered"
    )
    assert problem.fix.text == "make (0, 3) grass"


def test_spawns_are_named_by_what_they_lack():
    spawns = [(0, 0), (0, 1), (0, 4)]
    climbing = check("00333", spawns=spawns).problems[0].text
    assert climbing == "(0, 4) cannot be reached from the spawn on (0, 0)"
    dropping = check("333000", spawns=[(0, 0), (0, 1), (0, 5)]).problems[0].text
    assert dropping == "(0, 5) cannot reach the spawn on (0, 0)"
    parted = check("00999", spawns=spawns).problems[0].text
    assert parted == "(0, 4) cannot reach the spawn on (0, 0), nor be reached from it"


def test_a_spawn_in_water_is_a_problem_and_a_unit_of_other_rules_is_none():
    tilemap = ground("0000")
    with tilemap.edit() as edit:
        edit.set_kind((0, 3), "water")
    boat = Board(tilemap).add(Unit("Nell", (0, 3), profile=MoveProfile(kind_cost={"water": 1})))
    navigation = Navigation(tilemap)
    assert navigation.check(spawns=[(0, 0), boat]).is_sound
    problem = one(navigation.check(spawns=[(0, 0), (0, 3)]))
    assert problem.text == "(0, 3) cannot be a spawn: water at (0, 3) cannot be entered"


def test_the_largest_problems_come_first_after_spawns():
    report = check("0000909900", spawns=[(0, 0), (0, 4)])
    assert [(each.kind, each.size) for each in report.problems] == [
        ("spawn", 1),
        ("island", 2),
        ("island", 2),
        ("island", 1),
        ("island", 1),
    ]


def test_ground_and_decks_that_join_are_an_island_and_decks_alone_are_a_deck():
    tilemap = ground("0900\n0000")
    with tilemap.edit() as edit:
        edit.add_deck((0, 2), level=9, kind="road")
        edit.add_deck((1, 0), level=9, kind="road")
    report = Navigation(tilemap).check()
    kinds = {each.kind: set(each.cells) for each in report.problems}
    assert kinds == {"island": {(0, 1, 0), (0, 2, 1)}, "deck": {(1, 0, 1)}}


def test_a_choke_point_is_a_note():
    picture = "\n".join("00000##00000" for _ in range(5)).replace("##", "00", 1)
    report = check(picture)
    assert report.is_sound
    (note,) = report.notes
    assert note.cells == ((0, 4, 0), (0, 5, 0), (0, 6, 0), (0, 7, 0))
    assert note.text == "(0, 4) and 3 more would cut off 25 surfaces"


def test_a_report_as_text_ends_after_twenty_problems():
    lines = str(check("0" * 50 + "90" * 30, fixes=2)).splitlines()
    assert lines[0] == "50 of 110 surfaces are connected: 60 islands"
    assert lines[1] == "island: (0, 50) cannot be reached; fix: lower (0, 50) by 7"
    assert lines[20].startswith("island: (0, 69)")
    assert lines[21] == "and 40 more"
    assert all(line.startswith("choke point: ") for line in lines[22:])


def test_a_report_as_data():
    data = check("0003").to_dict()
    assert (data["sound"], data["surfaces"], data["connected"]) == (False, 4, 3)
    assert data["problems"] == [
        {
            "kind": "island",
            "size": 1,
            "text": "(0, 3) cannot be reached",
            "cells": [[0, 3, 0]],
            "fix": {
                "text": "lower (0, 3) by 1",
                "edits": [["set_level", (0, 3, 0), 2]],
                "limits": {},
            },
        }
    ]


def test_a_report_is_not_changed_by_edits():
    tilemap = ground("0003")
    report = Navigation(tilemap).check()
    with tilemap.edit() as edit:
        edit.set_level((0, 3), 0)
    assert one(report).cells == ((0, 3, 0),)
    with pytest.raises(ValueError, match="read-only"):
        one(report).where[0, 0] = 5
