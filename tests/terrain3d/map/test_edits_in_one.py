"""Operations in one edit or stroke have the effect of the same operations in an edit each."""

import contextlib
import copy

from hypothesis import given
from hypothesis import strategies as st

from ai import Board
from terrain3d import TileMap
from tests.support.map_states import state_of
from tests.support.mixed_maps import cells_to_ask
from tests.support.reference import thoroughly
from tests.support.strategies import NAMES, costs, tilemaps


@st.composite
def operations(draw, tilemap):
    """Draw (method of an edit, arguments), mostly on few cells, which meet again and again."""
    cell = st.sampled_from(draw(st.lists(st.sampled_from(cells_to_ask(tilemap)), min_size=2)))
    height, flag = st.integers(0, 9), st.booleans()
    deck = st.tuples(cell, st.integers(1, 2)).map(lambda drawn: (*drawn[0][:2], drawn[1]))
    end = cell | deck
    column = cell.map(lambda drawn: drawn[:2])
    operation = st.one_of(
        st.tuples(st.just("set_level"), end, height),
        st.tuples(st.just("set_kind"), end, st.sampled_from([*NAMES, "void", "void"])),
        st.tuples(st.just("add_deck"), column, height, st.sampled_from(NAMES)),
        st.tuples(st.just("remove_deck"), column, st.integers(1, 2)),
        st.tuples(st.just("add_link"), end, end, costs, st.just("ladder"), flag),
        st.tuples(st.just("remove_link"), end, end),
        st.tuples(st.just("add_wall"), end, end, flag),
        st.tuples(st.just("remove_wall"), end, end),
    )
    return draw(st.lists(operation, max_size=12))


def carry_out(tilemap, operations):
    with tilemap.edit() as edit:
        for name, *arguments in operations:
            getattr(edit, name)(*arguments)


@thoroughly(300)
@given(tilemaps(max_side=3), st.data())
def test_one_edit_and_an_edit_each_make_the_same_map(tilemap, data):
    before, each, stroke, canceled = (copy.copy(tilemap) for _ in range(4))
    accepted = []
    stroke.begin_stroke()
    canceled.begin_stroke()
    for operation in data.draw(operations(tilemap)):
        with contextlib.suppress(ValueError, IndexError):
            for edited in (each, stroke, canceled):
                carry_out(edited, [operation])
            accepted.append(operation)
    canceled.cancel_stroke()
    assert stroke.end_stroke() == (state_of(each) != state_of(before))
    carry_out(tilemap, accepted)
    assert state_of(tilemap) == state_of(each) == state_of(stroke)
    assert state_of(canceled) == state_of(before)
    assert Board(tilemap).digest() == Board(each).digest()
    for changed in (tilemap, stroke) if state_of(each) != state_of(before) else ():
        changed.undo()
        assert state_of(changed) == state_of(before)
        changed.redo()
        assert state_of(changed) == state_of(each)


def test_ground_that_is_void_for_a_moment_loses_its_links():
    one, two = (TileMap.from_text("00") for _ in range(2))
    for tilemap in (one, two):
        carry_out(tilemap, [("add_link", (0, 0), (0, 1), 1), ("add_wall", (0, 0), (0, 1))])
    away, back = ("set_kind", (0, 1), "void"), ("set_kind", (0, 1), "grass")
    carry_out(one, [away, back])
    carry_out(two, [away])
    carry_out(two, [back])
    assert one.links == two.links == ()
    assert one.walls == two.walls != ()
