"""Flee: to the safest cell, past dead ends, with few computations of the safety map."""

import itertools
import tracemalloc
from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from ai import Flee, MoveProfile, Navigation, Replan, Situation, Wander
from ai.behaviors.flee import danger, way_to_safety
from terrain3d import Cell, TileMap
from tests.support import reference
from tests.support.walks import path_of

FACTOR = 1.5


def ends(behavior, tilemap, start, **options):
    return path_of(behavior, tilemap, start, **options)[-1][:2]


def test_the_more_it_dares_the_nearer_it_passes_a_threat():
    tilemap = reference.ground("0000000000\n00########")
    shy, bold = Flee(lambda: [(0, 2)], factor=1.01), Flee(lambda: [(0, 2)], factor=9)
    assert ends(shy, tilemap, (0, 1)) == (1, 0)
    assert ends(bold, tilemap, (0, 1)) == (0, 9)


@pytest.mark.parametrize("threats", [[], [(9, 9)]])
def test_without_a_threat_on_the_map_it_stays(threats):
    behavior = Flee(lambda: threats)
    assert ends(behavior, reference.ground("00000"), (0, 0)) == (0, 0)
    assert behavior.reason.code == "no_threat"


def test_danger_from_many_threats_takes_no_more_memory_than_from_one():
    navigation, peaks = Navigation(TileMap(np.zeros((60, 60), np.int64))), []
    for count in (1, 1, 30):  # the first one prepares the map
        tracemalloc.start()
        danger(navigation, [[Cell(n, n)] for n in range(count)], MoveProfile())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.5 * peaks[1]


def safety(tilemap, threats, hunter):
    """(rows, cols) what each cell is worth, by a plain search."""
    away = np.min([reference.true_costs(tilemap, hunter, threat) for threat in threats], axis=0)
    return FACTOR * np.minimum(away, 2 * away[np.isfinite(away)].max(initial=0) + 1)


@reference.tried(
    80, reference.tilemaps(max_side=6), reference.profiles, reference.profiles, st.data()
)
def test_every_step_goes_downhill_on_the_map_of_safety(tilemap, profile, hunter, data):
    cell = st.sampled_from(reference.cells_of(tilemap))
    start, threats = data.draw(cell), data.draw(st.lists(cell, min_size=1, max_size=3))
    assume(reference.true_costs(tilemap, profile, start)[start] == 0)
    behavior = Flee(lambda: threats, hunter=hunter, factor=FACTOR)
    cells = [tuple(c[:2]) for c in path_of(behavior, tilemap, start, profile=profile, n_steps=80)]
    assert behavior.reason.code == "no_safer_place"
    safe = safety(tilemap, threats, hunter)
    worths = [(reference.true_costs(tilemap, profile, cell) - safe).min() for cell in cells]
    for number, (here, after) in enumerate(itertools.pairwise(cells)):
        paid = reference.step_cost(tilemap, profile, here, after)
        assert worths[number] == pytest.approx(paid + worths[number + 1], rel=1e-9, abs=1e-6)
    assert worths[-1] == pytest.approx(-safe[cells[-1]], abs=1e-6)


def chased(navigation, flee, seed):
    """Let a threat wander about; give how far it was away on average, in tiles."""
    wander, tiles, threat, here = Wander(np.random.default_rng(seed), 60), 0, (12, 12), (12, 13)
    behavior = flee(lambda: [threat])
    for _ in range(120):
        threat = wander.next_cell(Situation(navigation, threat, blocked=[here])) or threat
        behavior.advance(0.25)
        here = behavior.next_cell(Situation(navigation, here, blocked=[threat])) or here
        tiles += navigation.tilemap.grid.distance(here[:2], threat[:2])
    return tiles / 120


def test_it_makes_few_maps_of_safety_and_is_as_safe(monkeypatch):
    navigation = Navigation(TileMap.from_noise(24, 24, seed=2, levels=4))
    tiles, n_fields = [], []
    for steps in (8, 1):
        recorded = Mock(wraps=way_to_safety)
        monkeypatch.setattr("ai.behaviors.flee.way_to_safety", recorded)
        tiles.append(chased(navigation, partial(Flee, replan=Replan(steps=steps)), 1))
        n_fields.append(recorded.call_count)
    assert n_fields[0] * 3 < n_fields[1]
    assert tiles[0] > 0.8 * tiles[1] > 8


def test_a_threat_that_comes_and_an_edit_make_it_think_again():
    tilemap = reference.ground("000#0000")
    threats, navigation = [(0, 0)], Navigation(tilemap)
    behavior = Flee(lambda: threats, replan=Replan(steps=99), factor=9)
    assert behavior.next_cell(Situation(navigation, (0, 2))) is None
    with tilemap.edit() as edit:
        edit.set_kind((0, 3), "grass")
    assert behavior.next_cell(Situation(navigation, (0, 2))) == (0, 3, 0)
    threats.append((0, 7))
    assert behavior.next_cell(Situation(navigation, (0, 3))) is None


def test_where_its_path_is_blocked_it_takes_another_or_waits():
    ring = reference.ground("00000\n0###0\n00000")
    navigation, behavior = Navigation(ring), Flee(lambda: [(0, 0)], factor=9)
    assert behavior.next_cell(Situation(navigation, (0, 2))) == (0, 3, 0)
    assert behavior.next_cell(Situation(navigation, (0, 3), blocked=[(0, 4)])) == (0, 2, 0)
    navigation, behavior = Navigation(reference.ground("00000")), Flee(lambda: [(0, 0)])
    assert behavior.next_cell(Situation(navigation, (0, 1))) == (0, 2, 0)
    assert behavior.next_cell(Situation(navigation, (0, 2), blocked=[(0, 3)])) is None
    assert behavior.next_cell(Situation(navigation, (0, 2), blocked=[(0, 3)])) is None
    assert behavior.next_cell(Situation(navigation, (0, 2))) == (0, 3, 0)
