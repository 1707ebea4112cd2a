"""Any edits, undone and redone, against a plain model of the map, and in one edit or several.

The model keeps dictionaries and measures bodies unit by unit; it shares no code with the map.
"""

import copy
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ai import Board
from terrain3d import KINDS, TileMap
from tests.support.map_states import state_of
from tests.support.reference import thoroughly
from tests.support.strategies import applied, operations, tilemaps

ROWS, COLS = 2, 3
GROUNDS = [kind.name for kind in KINDS]
VOID = GROUNDS.index("void")
SKY = 32767


class Refused(Exception):
    pass


class Model:
    """(row, col, deck) -> (level, kind, thickness); (start, end) -> what leads or stands there."""

    def __init__(self, topology):
        self.topology = topology
        self.surfaces = {(row, col, 0): (0, 0, 0) for row, col in np.ndindex(ROWS, COLS)}
        self.links, self.walls = {}, {}

    def has_surface(self, cell):
        return cell in self.surfaces and self.surfaces[cell][1] != VOID

    def need(self, is_fine):
        if not is_fine:
            raise Refused

    def set_level(self, cell, level):
        self.need(cell in self.surfaces)
        self.surfaces[cell] = (level, *self.surfaces[cell][1:])

    def set_kind(self, cell, kind):
        self.need(cell in self.surfaces and not (cell[2] and kind == "void"))
        level, _, thickness = self.surfaces[cell]
        self.surfaces[cell] = level, GROUNDS.index(kind), thickness
        if kind == "void":
            self.drop(self.links, [cell])

    def add_deck(self, cells, level, kind, thickness):
        for row, col in cells:
            deck = 1
            while (row, col, deck) in self.surfaces:
                deck += 1
            self.surfaces[row, col, deck] = level, GROUNDS.index(kind), thickness

    def remove_deck(self, cells, deck):
        gone = [(*cell, deck) for cell in cells]
        self.need(all(cell in self.surfaces for cell in gone))
        for cell in set(gone):
            del self.surfaces[cell]
        self.drop(self.links, gone)
        self.drop(self.walls, gone)

    @staticmethod
    def drop(pairs, gone):
        for pair in [pair for pair in pairs if set(pair) & set(gone)]:
            del pairs[pair]

    def add(self, pairs, start, end, entry):
        one_way = entry[-1]
        self.need((start, end) not in pairs)
        back = pairs.get((end, start))
        self.need(back is None or (one_way and back[-1]))
        pairs[start, end] = entry

    def remove(self, pairs, start, end):
        if (start, end) in pairs:
            del pairs[start, end]
        else:
            self.need((end, start) in pairs and not pairs[end, start][-1])
            del pairs[end, start]

    def add_link(self, start, end, cost, kind, one_way):
        self.need(start != end and self.has_surface(start) and self.has_surface(end))
        self.add(self.links, start, end, (cost, kind, one_way))

    def remove_link(self, start, end):
        self.remove(self.links, start, end)

    def add_wall(self, start, end, one_way):
        self.need(start in self.surfaces and end in self.surfaces)
        self.need(self.direction(start, end) is not None)
        self.add(self.walls, start, end, (one_way,))

    def remove_wall(self, start, end):
        self.remove(self.walls, start, end)

    def direction(self, start, end):
        """The direction from one cell's center to the next, by angle, clockwise from north."""
        grid = TileMap(np.zeros((ROWS, COLS), int), topology=self.topology).grid
        (x0, y0), (x1, y1) = grid.center(start[:2]), grid.center(end[:2])
        if not 0.99 < np.hypot(x1 - x0, y1 - y0) < 1.01:
            return None
        count = {"square": 4}.get(self.topology, 6)
        first = 30 if self.topology.endswith("r") else 0
        return round((np.degrees(np.arctan2(x1 - x0, y1 - y0)) - first) % 360 * count / 360) % count

    def finish(self):
        """Refuse bodies that share a unit of height."""
        for row, col in np.ndindex(ROWS, COLS):
            filled = [unit for cell in self.column(row, col) for unit in self.body(cell)]
            self.need(len(filled) == len(set(filled)))

    def column(self, row, col):
        return [cell for cell in self.surfaces if cell[:2] == (row, col) and self.has_surface(cell)]

    def body(self, cell):
        level, _, thickness = self.surfaces[cell]
        return range(level - thickness if cell[2] else -40, level)

    def room(self, cell):
        filled = {unit for at in self.column(*cell[:2]) if at[2] for unit in self.body(at)}
        level = start = self.surfaces[cell][0]
        while level < 40 and level not in filled:
            level += 1
        return SKY if level == 40 else level - start

    def assert_is(self, tilemap):
        n_decks = max(deck for _, _, deck in self.surfaces)
        shape = n_decks + 1, ROWS, COLS
        level, thickness = np.zeros(shape, int), np.zeros(shape, int)
        kind, room = np.full(shape, VOID), np.zeros(shape, int)
        bits = np.zeros((n_decks + 1, *shape), int)
        for cell in self.surfaces:
            at = cell[2], cell[0], cell[1]
            level[at], kind[at], thickness[at] = self.surfaces[cell]
            room[at] = self.room(cell)
            answer = tilemap.headroom_at(cell)
            assert (SKY if answer is None else answer) == room[at]
        for (start, end), entry in self.walls.items():
            ends = [(start, end)] if entry[-1] else [(start, end), (end, start)]
            for here, there in ends:
                bits[there[2], here[2], here[0], here[1]] |= 1 << self.direction(here, there)
        assert tilemap.n_decks == n_decks
        assert np.array_equal(tilemap.surface_level, level)
        assert np.array_equal(tilemap.surface_kind, kind)
        assert np.array_equal(tilemap.surface_void, kind == VOID)
        assert np.array_equal(tilemap.surface_thickness, thickness)
        assert np.array_equal(tilemap.level, level[0])
        assert np.array_equal(tilemap.headroom, room)
        assert np.array_equal(tilemap.wall_bits, bits)
        links = {(a.start, a.end): (a.cost, a.kind, a.one_way) for a in tilemap.links}
        walls = {(a.start, a.end): (a.one_way,) for a in tilemap.walls}
        assert (links, walls) == (self.links, self.walls)
        for row, col in np.ndindex(ROWS, COLS):
            decks = sorted(self.column(row, col), key=lambda cell: self.surfaces[cell][0])
            assert tilemap.decks_at((row, col)) == [deck for _, _, deck in decks]


# The first edit hangs decks over the first row, so that most cells drawn below exist.
FIRST = (
    ("add_deck", [(0, 0), (0, 1), (0, 2)], 3, "wood", 1),
    ("add_deck", [(0, 1)], 6, "rock", 2),
    ("add_link", (0, 0, 0), (0, 0, 1), 2, "ladder", False),
    ("add_wall", (0, 0, 1), (0, 1, 1), False),
    ("add_wall", (1, 0, 0), (1, 1, 0), True),
)
columns = st.tuples(st.integers(0, ROWS - 1), st.integers(0, COLS - 1))
grounds = columns.map(lambda column: (*column, 0))
decks = st.integers(0, COLS - 1).map(lambda col: (0, col, 1)) | st.just((0, 1, 2))
cells = grounds | decks | st.tuples(columns, st.integers(1, 3)).map(lambda at: (*at[0], at[1]))
beside = st.tuples(
    st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1)]), st.sampled_from([(0, 1), (1, 0), (1, 1)])
)
edges = beside.map(lambda at: (at[0], (at[0][0] + at[1][0], at[0][1] + at[1][1]))).flatmap(
    lambda pair: st.tuples(*(st.tuples(*map(st.just, c), st.sampled_from([0, 0, 1])) for c in pair))
)
several = st.lists(columns, min_size=1, max_size=3, unique=True)
orders = st.one_of(
    st.tuples(st.just("set_level"), grounds, st.integers(0, 4)),
    st.tuples(st.just("set_level"), decks, st.integers(1, 9)),
    st.tuples(st.just("set_kind"), cells, st.sampled_from(["grass", "road", "void"])),
    st.tuples(
        st.just("add_deck"),
        several,
        st.integers(1, 12),
        st.sampled_from(["wood", "rock"]),
        st.integers(1, 3),
    ),
    st.tuples(st.just("remove_deck"), decks.map(lambda at: [at[:2]]), st.just(1)),
    st.tuples(st.just("remove_deck"), several, st.integers(1, 2)),
    st.tuples(st.just("add_link"), cells, cells, st.integers(1, 9), st.just("lift"), st.booleans()),
    st.tuples(st.just("remove_link"), st.just((0, 0, 0)), st.just((0, 0, 1))),
    st.tuples(st.just("remove_link"), cells, cells),
    edges.flatmap(lambda at: st.tuples(st.just("add_wall"), *map(st.just, at), st.booleans())),
    edges.flatmap(lambda at: st.tuples(st.just("remove_wall"), *map(st.just, at))),
)
scripts = st.builds(
    lambda first, script: [first, *script],
    st.sampled_from([FIRST, FIRST[:1] + FIRST[2:]]),  # with two decks in a column, or with one
    st.lists(
        st.lists(orders, min_size=1, max_size=3) | st.sampled_from(["undo", "redo"]), max_size=25
    ),
)
topologies = st.sampled_from(["square", "hex_odd_r", "hex_even_q"])


def modeled(model, script):
    """Return the model after an edit; None if it is refused."""
    after = copy.deepcopy(model)
    try:
        for name, *arguments in script:
            getattr(after, name)(*arguments)
        after.finish()
    except Refused:
        return None
    return after


@given(topologies, scripts)
def test_any_sequence_of_edits_undo_and_redo_agrees_with_the_model(topology, script):
    tilemap = TileMap(np.zeros((ROWS, COLS), int), topology=topology)
    history, now = [Model(topology)], 0
    for entry in script:
        if entry == "undo":
            assert tilemap.undo() == (now > 0)
            now = max(0, now - 1)
        elif entry == "redo":
            assert tilemap.redo() == (now < len(history) - 1)
            now = min(len(history) - 1, now + 1)
        else:
            after, version = modeled(history[now], entry), tilemap.version
            assert applied(tilemap, entry) == (after is not None)
            if tilemap.version > version:
                history[now + 1 :] = [after]
                now += 1
            elif after is not None:
                assert vars(after) == vars(history[now])
        history[now].assert_is(tilemap)
    fresh = pickle.loads(pickle.dumps(tilemap))
    history[now].assert_is(fresh)
    while tilemap.undo():
        pass
    history[0].assert_is(tilemap)


@thoroughly(300)
@given(tilemaps(max_side=3), st.data())
def test_one_edit_and_an_edit_each_make_the_same_map(tilemap, data):
    before, each, stroke, canceled = (copy.copy(tilemap) for _ in range(4))
    accepted = []
    stroke.begin_stroke()
    canceled.begin_stroke()
    for order in [order for _ in range(3) for order in data.draw(operations(tilemap))]:
        if [applied(edited, [order]) for edited in (each, stroke, canceled)] == [True] * 3:
            accepted.append(order)
    canceled.cancel_stroke()
    assert stroke.end_stroke() == (state_of(each) != state_of(before))
    assert applied(tilemap, accepted)
    assert state_of(tilemap) == state_of(each) == state_of(stroke)
    assert state_of(canceled) == state_of(before)
    assert Board(tilemap).digest() == Board(each).digest()
    for changed in (tilemap, stroke) if state_of(each) != state_of(before) else ():
        changed.undo()
        assert state_of(changed) == state_of(before)
        changed.redo()
        assert state_of(changed) == state_of(each)
