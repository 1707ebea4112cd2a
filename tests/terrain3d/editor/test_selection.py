"""Copy, cut, paste, move and mirror against a plain picture of the map, and undo of all of them."""

import copy

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from terrain3d import Rect, TileMap
from terrain3d.editor import MapEditor
from tests.support.map_states import maps, state_of
from tests.support.plain_map import PlainMap
from tests.support.selection import table

EMPTY = ()


def columns(tilemap):
    """Return the surfaces of each tile: deck, level, kind and thickness."""
    found = {(row, col): () for row in range(tilemap.rows) for col in range(tilemap.cols)}
    for (row, col, deck), surface in sorted(PlainMap(tilemap).surfaces.items()):
        if surface[1] != "void":
            found[row, col] += ((deck, *surface),)
    return found


def inside(rect):
    return [(rect.row + row, rect.col + col) for row, col in np.ndindex(rect.rows, rect.cols)]


def rects(draw, tilemap):
    row, col = draw(st.integers(0, tilemap.rows - 1)), draw(st.integers(0, tilemap.cols - 1))
    rows, cols = draw(st.integers(1, tilemap.rows - row)), draw(st.integers(1, tilemap.cols - col))
    return Rect(row, col, rows, cols)


def editor_of(tilemap):
    """Return an editor that keeps its messages."""
    tilemap.clear_history()
    editor = MapEditor(tilemap, "vale.tmap")
    editor.said = []
    editor.message.connect(editor.said.append)
    return editor


def select(editor, rect):
    editor.choose(tool="select")
    editor.cancel()
    editor.aim_at((rect.row, rect.col))
    editor.press()
    editor.aim_at((rect.row + rect.rows - 1, rect.col + rect.cols - 1))
    editor.release()
    assert editor.selection == rect


@st.composite
def changes(draw):
    """Give an editor with a selection, a change, and what the map then looks like."""
    tilemap = draw(maps(["square"]))
    rect = rects(draw, tilemap)
    before, expected = columns(tilemap), columns(tilemap)
    change = draw(st.sampled_from(("cut", "paste", "move", "left_right", "top_bottom")))
    down = draw(st.integers(-rect.row, tilemap.rows - rect.row - rect.rows))
    right = draw(st.integers(-rect.col, tilemap.cols - rect.col - rect.cols))
    for cell in inside(rect):
        if change in {"cut", "move"}:
            expected[cell] = EMPTY
    for row, col in inside(rect):
        if change in {"paste", "move"}:
            expected[row + down, col + right] = before[row, col]
        elif change == "left_right":
            expected[row, 2 * rect.col + rect.cols - 1 - col] = before[row, col]
        elif change == "top_bottom":
            expected[2 * rect.row + rect.rows - 1 - row, col] = before[row, col]
    return tilemap, rect, change, (down, right), expected


@given(changes())
def test_a_change_of_the_selection_is_that_of_a_plain_picture_and_undone_at_once(case):
    tilemap, rect, change, (down, right), expected = case
    before, editor = state_of(tilemap), editor_of(tilemap)
    select(editor, rect)
    if change == "move":
        editor.press()
        editor.aim_at((editor.aim.row + down, editor.aim.col + right))
        editor.release()
    elif change == "paste":
        editor.copy()
        editor.paste()
        at = rect.row + down + rect.rows // 2, rect.col + right + rect.cols // 2
        editor.aim_at(at)
        assert editor.ghost[1][:2] == (rect.row + down, rect.col + right)
        editor.act()
    elif change == "cut":
        editor.cut()
    else:
        editor.mirror(change)
    assert columns(tilemap) == expected, editor.said
    if change in {"move", "paste"}:
        assert editor.selection == (rect.row + down, rect.col + right, rect.rows, rect.cols)
    after = state_of(tilemap)
    if after != before:
        editor.undo()
        assert state_of(tilemap) == before
        editor.redo()
        assert state_of(tilemap) == after
        editor.undo()
    assert not editor.tilemap.undo_name


@given(maps(), st.data())
def test_a_pasted_part_lies_inside_with_hexagons_among_hexagons_or_is_refused(tilemap, data):
    editor, rect = editor_of(tilemap), rects(data.draw, tilemap)
    select(editor, rect)
    editor.copy()
    part, axis = tilemap.crop(rect), data.draw(st.sampled_from(("", "left_right", "top_bottom")))
    editor.paste()
    if axis:
        editor.mirror(axis)
        if "the part does not fit there" not in editor.said:
            part = part.mirror(axis)
    before = state_of(tilemap)
    aim = data.draw(st.integers(0, tilemap.rows - 1)), data.draw(st.integers(0, tilemap.cols - 1))
    editor.aim_at(aim)
    editor.act()
    if editor.ghost is not None:
        assert "the part does not fit there" in editor.said
        assert state_of(tilemap) == before
        return
    at = editor.selection
    assert (at.rows, at.cols) == (rect.rows, rect.cols)
    assert state_of(tilemap.crop(at))[:4] == state_of(part)[:4]


def shown_editors(tilemap):
    """Give a list of editors, of which the last one is that of the map that is shown."""
    shown = [editor_of(tilemap)]

    def follow(made):
        following = MapEditor(made, "vale.tmap")
        following.continue_from(shown[-1])
        following.loaded.connect(follow)
        shown.append(following)

    shown[0].loaded.connect(follow)
    return shown


FLAT = TileMap.from_text("00\n00")
STEPS = "resize", "mirror", "raise", "rectangle", "select", "refused", "undo", "undo", "redo"
LINES = st.tuples(*[st.integers(-1, 2)] * 4)


@given(maps(), st.lists(st.tuples(st.sampled_from(STEPS), LINES), max_size=12))
@example(FLAT, [(step, (1, 0, 0, 0)) for step in ("raise", "undo", "resize", "undo", "redo")])
@example(FLAT, [(step, (1, 0, 0, 0)) for step in ("resize", "undo", "select", "redo")])
def test_edits_and_other_maps_have_one_linear_history(tilemap, steps):
    tilemap = copy.deepcopy(tilemap)
    shown = shown_editors(tilemap)
    states, at = [copy.deepcopy(state_of(tilemap))], 0
    for step, lines in steps:
        now = shown[-1]
        if step == "resize":
            now.resize_map(**dict(zip(("north", "east", "south", "west"), lines, strict=True)))
        elif step == "mirror":
            now.cancel()
            now.mirror()
        elif step == "refused":
            now.resize_map(east=-now.tilemap.cols)
        elif step in {"undo", "redo"}:
            getattr(now, step)()
            at = max(at - 1, 0) if step == "undo" else min(at + 1, len(states) - 1)
        else:
            area = "rectangle" if step == "rectangle" else "brush"
            now.choose(tool="select" if step == "select" else "raise", area=area)
            now.aim_at((0, 0))
            now.press()
            now.release()
            now.cancel()
        state = copy.deepcopy(state_of(shown[-1].tilemap))
        is_new = shown[-1] is not now or state != states[at]
        if is_new and step not in {"undo", "redo"}:
            states, at = [*states[: at + 1], state], at + 1
        assert state == states[at]
        assert (shown[-1].has_undo, shown[-1].has_redo) == (at > 0, at < len(states) - 1)


@given(maps(), *[st.integers(-3, 3)] * 4)
def test_a_resized_map_keeps_its_tiles_and_gains_ground(tilemap, north, east, south, west):
    editor, made = editor_of(tilemap), []
    editor.loaded.connect(made.append)
    editor.resize_map(north=north, east=east, south=south, west=west)
    rows, cols = tilemap.rows + north + south, tilemap.cols + west + east
    if rows < 1 or cols < 1:
        assert made == []
        assert len(editor.said) == 1
        return
    [wide] = made
    assert (wide.rows, wide.cols) == (rows, cols)
    old, new = columns(tilemap), columns(wide)
    for (row, col), column in new.items():
        if (row - north, col - west) in old:
            assert column == old[row - north, col - west]
        else:
            assert column[0][2] == editor.tool_settings.kind
    assert editor.said == [f"resize: the map has {cols} x {rows} tiles"]


def test_what_changes_nothing_leaves_a_map_to_redo():
    editor = editor_of(TileMap.from_text("000\n000"))
    select(editor, Rect(0, 0, 2, 2))
    editor.copy()
    editor.resize_map(east=1)
    select(editor, Rect(0, 0, 2, 2))
    for _ in range(2):  # a part is put down where it was taken up
        editor.act()
    editor.paste()
    editor.aim_at((1, 1))
    editor.act()  # the same tiles
    editor.mirror()
    assert editor.has_redo


def test_a_wall_has_no_edge_on_a_map_of_one_tile():
    editor = editor_of(TileMap.from_text("0"))
    editor.choose(tool="wall")
    editor.aim_at((0, 0), (0.4, -0.5))
    editor.act()
    assert (editor.edges, editor.tilemap.version) == ([], 0)


def test_esc_ends_pasting_then_the_selection():
    editor = editor_of(TileMap.from_text("000\n000"))
    select(editor, Rect(0, 0, 2, 2))
    editor.copy()
    editor.paste()
    editor.aim_at((0, 0))
    assert editor.ghost is not None
    assert editor.advice == "Click a tile to paste the copied part there"
    assert editor.cancel()
    assert (editor.ghost, editor.selection) == (None, (0, 0, 2, 2))
    assert editor.cancel()
    assert editor.selection is None
    assert not editor.cancel()


@table(
    "point last walls",
    ((1.5, -1.1), (1, 1), {((0, 1), (1, 1))}),
    ((1.9, -1.5), (1, 1), {((1, 1), (1, 2))}),
    ((1.5, -1.1), (1, 3), {((0, col), (1, col)) for col in (1, 2, 3)}),
    ((1.9, -1.5), (2, 1), {((row, 1), (row, 2)) for row in (1, 2)}),
    (None, (1, 2), {((1, 1), (1, 2))}),
)
def test_a_wall_is_built_at_the_edge_under_the_pointer_and_along_it(point, last, walls):
    editor = editor_of(TileMap.from_text("0000\n0000\n0000"))
    editor.choose(tool="wall")
    editor.aim_at((1, 1), point)
    shown = {frozenset(cell[:2] for cell in edge) for edge in editor.edges}
    first = {frozenset(edge) for edge in walls if (1, 1) in edge}
    assert shown == (first if point else set())
    editor.press()
    editor.aim_at(last, point)
    expected = {*map(frozenset, walls)}
    assert {frozenset(cell[:2] for cell in edge) for edge in editor.edges} == expected
    editor.release()
    built = {frozenset((wall.start[:2], wall.end[:2])) for wall in editor.tilemap.walls}
    assert built == expected
