"""Lines of sight: by pictures, the same in both directions, compared with dense sampling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai import Navigation
from terrain3d import KINDS, TOPOLOGIES, TileMap
from tests.support.mixed_maps import cells_to_ask
from tests.support.mover_pictures import spanned
from tests.support.reference import thoroughly
from tests.support.sight_reference import sees
from tests.support.strategies import decks


def seen_from(tilemap, start, **heights):
    """Draw what can be seen from a cell: its level, or a dot where it is hidden."""
    navigation = Navigation(tilemap)
    rows = [[(row, col) for col in range(tilemap.cols)] for row in range(tilemap.rows)]
    return "\n".join(
        "".join(
            str(tilemap.level[cell]) if navigation.line_of_sight(start, cell, **heights) else "."
            for cell in row
        )
        for row in rows
    )


@pytest.mark.parametrize(
    ("levels", "start", "seen"),
    [
        ("00000", (0, 0), "00000"),
        ("00100", (0, 0), "00100"),  # the line touches the top
        ("00200", (0, 0), "002.."),
        ("50200", (0, 0), "502.0"),
        ("22000", (0, 0), "22.00"),  # the observer stands away from the edge
        ("22000", (0, 1), "22000"),
        ("01234", (0, 0), "01234"),
        ("01434", (0, 0), "014.."),
        ("20200", (0, 0), "202.."),
        ("90009", (0, 1), "90009"),
    ],
)
def test_along_a_row_higher_tiles_hide_those_behind(levels, start, seen):
    assert seen_from(TileMap.from_text(levels), start) == seen


def test_below_a_bridge_and_over_it():
    tilemap = spanned("30003", ([(0, col) for col in (1, 2, 3)], 3))
    nav = Navigation(tilemap)
    assert nav.line_of_sight((0, 1), (0, 3))
    assert nav.line_of_sight((0, 1, 1), (0, 3, 1))
    assert not nav.line_of_sight((0, 1), (0, 3, 1))
    assert not nav.line_of_sight((0, 2), (0, 2, 1))
    assert nav.line_of_sight((0, 2), (0, 2))
    assert not nav.line_of_sight((0, 0), (0, 2))
    # Two levels of air are too few for the eye of a giant, which is inside of the slab.
    assert nav.line_of_sight((0, 1), (0, 2), eye=2, target=2)
    assert not nav.line_of_sight((0, 1), (0, 2), eye=2.5, target=2.5)


@pytest.mark.parametrize(
    ("topology", "ends", "sides"),
    [
        ("hex_odd_r", [(0, 0), (1, 1)], [(0, 1), (1, 0)]),
        ("hex_odd_r", [(0, 1), (2, 1)], [(1, 0), (1, 1)]),
        ("hex_odd_q", [(0, 0), (1, 1)], [(0, 1), (1, 0)]),
        ("hex_odd_q", [(1, 0), (1, 2)], [(0, 1), (1, 1)]),
        ("hex_even_q", [(1, 0), (1, 2)], [(1, 1), (2, 1)]),
    ],
)
def test_along_the_edge_between_two_hexagons_both_must_be_high_to_block(topology, ends, sides):
    for height, is_open in [((0, 0), True), ((9, 0), True), ((0, 9), True), ((9, 9), False)]:
        tilemap = TileMap([[0] * 3] * 3, topology=topology)
        assert tilemap.grid.distance(*ends) == 2
        with tilemap.edit() as edit:
            for side, level in zip(sides, height, strict=True):
                assert {tilemap.grid.distance(side, end) for end in ends} == {1}
                edit.set_level(side, level)
        assert Navigation(tilemap).line_of_sight(*ends) == is_open


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
