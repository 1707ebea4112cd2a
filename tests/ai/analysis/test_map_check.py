"""The map doctor against the plain rulebook with scipy, and its texts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from ai import Board, MoveProfile, Navigation, Unit, check
from tests.support import rulebook
from tests.support.boards import one_edit
from tests.support.reference import ground, tried
from tests.support.selection import table
from tests.support.strategies import cells_to_ask, edits, profiles, tilemaps


def findings(tilemap, profile, spawns=()):
    """Return the set of (what, cells) of all problems, by the plain rulebook and SciPy."""
    cells = sorted(rulebook.whereabouts(tilemap, profile), key=lambda cell: (cell[2], *cell[:2]))
    number = {tuple(cell): index for index, cell in enumerate(cells)}
    arcs = [
        (number[start], number[tuple(end)])
        for start in number
        for end, _ in rulebook.steps_from(tilemap, profile, start)
    ]
    stops = [cell for cell in number if rulebook.can_stop(tilemap, profile, cell)]
    sources, targets = np.array(arcs, dtype=int).reshape(-1, 2).T
    matrix = coo_array((np.ones(len(arcs)), (sources, targets)), shape=(len(cells),) * 2).tocsr()
    label = connected_components(matrix, connection="strong")[1] if cells else []

    def reached(graph, start):
        return set(label[breadth_first_order(graph, number[start], return_predecessors=False)])

    found = set()
    members = Counter(label[number[cell]] for cell in stops)
    if stops:
        home = max(stops, key=lambda cell: members[label[number[cell]]])
        there, back = reached(matrix, home), reached(matrix.T.tocsr(), home)
        for region in members:
            part = frozenset(cell for cell in stops if label[number[cell]] == region)
            if region not in there:
                kind = "deck" if all(cell[2] for cell in part) else "island"
                found.add((kind, part))
            elif region not in back:
                found.add(("trap", part))
    standing = [spawn for spawn in dict.fromkeys(spawns) if spawn in stops]
    found |= {("spawn", frozenset([spawn])) for spawn in spawns if spawn not in stops}
    if standing:
        units = Counter(label[number[spawn]] for spawn in standing)
        sizes = {spawn: units[label[number[spawn]]] for spawn in standing}
        home = max(standing, key=lambda spawn: (sizes[spawn], members[label[number[spawn]]]))
        for region in set(units) - {label[number[home]]}:
            part = frozenset(spawn for spawn in standing if label[number[spawn]] == region)
            found.add(("spawn", part))
    for link in () if profile.warp else tilemap.links:
        is_used = profile.link_cost.get(link.kind, link.cost) is not None
        ends = link.start, link.end
        if is_used and not all(rulebook.can_enter(tilemap, profile, end) for end in ends):
            found.add(("link", frozenset(map(tuple, ends))))
    return found


WALKER = MoveProfile()


def found(report):
    return {(each.kind, frozenset(map(tuple, each.cells))) for each in report.problems}


def report_on(picture, profile=WALKER, **more):
    return check(Navigation(ground(picture)), profile, **more)


def one(report):
    (problem,) = report.problems
    return problem


@tried(100, st.data())
def test_problems_are_those_of_the_rulebook(data):
    tilemap = data.draw(tilemaps())
    profile = data.draw(profiles(tilemap.topology))
    spawns = data.draw(st.lists(st.sampled_from(cells_to_ask(tilemap)), max_size=3))
    navigation = Navigation(tilemap)
    for _ in range(2):
        spawns = [spawn for spawn in spawns if tilemap.has_cell(spawn)]
        expected = findings(tilemap, profile, spawns)
        report = check(navigation, profile, spawns=spawns)
        assert found(report) == expected
        assert report.n_connected <= report.n_surfaces
        data.draw(edits(tilemap))(tilemap)


@table(
    "profile n_surfaces verdict",
    (WALKER, 6, "sound"),
    (MoveProfile(kind_cost={"grass": None}), 0, "the mover can stop nowhere"),
)
def test_a_map_on_which_all_reach_all_is_sound(profile, n_surfaces, verdict):
    report = report_on("012\n123", profile)
    assert (report.is_sound, report.n_surfaces) == (n_surfaces > 0, report.n_connected)
    assert str(report) == f"{n_surfaces} of {n_surfaces} surfaces are connected: {verdict}"


@table(
    "levels lack",
    ("00333", "cannot be reached from the spawn on (0, 0)"),
    ("33300", "cannot reach the spawn on (0, 0)"),
    ("00999", "cannot reach the spawn on (0, 0), nor be reached from it"),
)
def test_spawns_are_named_by_what_they_lack(levels, lack):
    report = report_on(levels, spawns=[(0, 0), (0, 1), (0, 4)])
    assert report.problems[0].text == f"(0, 4) {lack}"


def test_a_spawn_in_water_and_a_link_to_it_are_problems_and_a_unit_of_other_rules_is_none():
    tilemap = ground("0000", "gggw")
    boat = Board(tilemap).add(Unit("Nell", (0, 3), profile=MoveProfile(kind_cost={"water": 1})))
    navigation, closed = Navigation(tilemap), "water at (0, 3) cannot be entered"
    assert check(navigation, spawns=[(0, 0), boat]).is_sound
    problem = one(check(navigation, spawns=[(0, 0), (0, 3)]))
    assert problem.text == f"(0, 3) cannot be a spawn: {closed}"
    one_edit(tilemap).add_link((0, 0), (0, 3), cost=1, kind="ladder")
    link = one(check(navigation))
    assert link.text == f"the ladder from (0, 0) to (0, 3) leads nowhere: {closed}"


def test_the_largest_problems_come_first_after_spawns():
    report = report_on("0000909900", spawns=[(0, 0), (0, 4)])
    problems = [f"{each.kind} {each.size}" for each in report.problems]
    assert problems == ["spawn 1", "island 2", "island 2", "island 1", "island 1"]


def test_a_choke_point_is_a_note():
    picture = "\n".join("00000##00000" for _ in range(5)).replace("##", "00", 1)
    report = report_on(picture)
    assert report.is_sound
    (note,) = report.notes
    assert note.cells == ((0, 4, 0), (0, 5, 0), (0, 6, 0), (0, 7, 0))
    assert note.text == "(0, 4) and 3 more would cut off 25 surfaces"


def test_a_report_as_text_ends_after_twenty_problems():
    lines = str(report_on("0" * 50 + "90" * 30)).splitlines()
    assert lines[0] == "50 of 110 surfaces are connected: 60 islands"
    assert lines[1] == "island: (0, 50) cannot be reached"
    assert lines[20].startswith("island: (0, 69)")
    assert lines[21] == "and 40 more"
    assert all(line.startswith("choke point: ") for line in lines[22:])


def test_a_report_as_data():
    data = report_on("0003").to_dict()
    assert (data["sound"], data["surfaces"], data["connected"]) == (False, 4, 3)
    more = {"text": "(0, 3) cannot be reached", "cells": [[0, 3, 0]]}
    assert data["problems"] == [{"kind": "island", "size": 1, **more}]


def test_a_report_is_not_changed_by_edits():
    tilemap = ground("0003")
    report = check(Navigation(tilemap))
    one_edit(tilemap).set_level((0, 3), 0)
    assert one(report).cells == ((0, 3, 0),)
    with pytest.raises(ValueError, match="read-only"):
        one(report).where[0, 0] = 5
