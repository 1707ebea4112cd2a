"""Lines of sight: by pictures, the same in both directions, compared with dense sampling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation
from terrain3d import KINDS, TOPOLOGIES, TileMap
from tests.support.mixed_maps import cells_to_ask
from tests.support.reference import thoroughly
from tests.support.sight_reference import sees
from tests.support.strategies import decks


@st.composite
def sights(draw):
    topology = draw(st.sampled_from(["square", *TOPOLOGIES]))
    rows, cols = draw(st.sampled_from([(r, c) for r in range(1, 6) for c in range(1, 6)][::-1]))
    highest = draw(st.integers(1, 5))
    line = st.lists(st.integers(0, highest), min_size=cols, max_size=cols)
    levels = draw(st.lists(line, min_size=rows, max_size=rows))
    signs = st.sampled_from([0, 0, 0, 0, len(KINDS)])
    kinds = [[draw(signs) for _ in range(cols)] for _ in range(rows)]
    table = [kind for kind in KINDS if kind.name != "void"]
    kinds = [[min(kind, len(table)) for kind in row] for row in kinds]
    tilemap = TileMap(levels, kinds, table, topology=topology)
    if draw(st.booleans()):
        with tilemap.edit() as edit:
            for column, height, _, thickness in draw(decks(tilemap)):
                edit.add_deck(column, height, "wood", thickness)
    cell, height = st.sampled_from(cells_to_ask(tilemap)), st.sampled_from([0, 0.5, 1, 1, 2])
    return tilemap, draw(cell), draw(cell), draw(height), draw(height)


@thoroughly(250)
@given(sights())
def test_lines_are_open_as_dense_sampling_finds_in_both_directions(sight):
    tilemap, start, end, eye, target = sight
    navigation = Navigation(tilemap)
    is_open = navigation.line_of_sight(start, end, eye=eye, target=target)
    assert is_open == sees(tilemap, start, end, eye, target)
    assert is_open == navigation.line_of_sight(end, start, eye=target, target=eye)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_sight_follows_edits(topology):
    tilemap = TileMap([[0] * 5] * 3, topology=topology)
    navigation = Navigation(tilemap)
    assert navigation.line_of_sight((1, 0), (1, 4))
    with tilemap.edit() as edit:
        for row in range(3):
            edit.set_level((row, 2), 5)
    assert not navigation.line_of_sight((1, 0), (1, 4))
    tilemap.undo()
    assert navigation.line_of_sight((1, 0), (1, 4))
