"""Tools and their areas, as text pictures before and after, and why they do nothing."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap, editor, make_grid
from terrain3d.grid.columns import MAX_LEVEL
from tests.support.boards import one_edit
from tests.support.reference import tried
from tests.support.selection import table


def map_of(*rows):
    return TileMap.from_text("\n".join(rows))


def brush(tilemap, tool, cells, start=None):
    cells = [tilemap.cell(cell) for cell in cells]
    with tilemap.edit() as edit:
        tool.put(edit, tilemap, cells, tilemap.cell(start or cells[0]))


def span(tilemap, tool, start, end):
    brush(tilemap, tool, [end], start)


@table(
    "tool start before after",
    (editor.Raise(2), (0, 1), ["0123", "0000"], "0343\n0220"),
    (editor.Raise(-2), (0, 1), ["0123", "0000"], "0003\n0000"),
    (editor.Raise(1), (0, 1), ["01#3", "0000"], "02#3\n0110"),  # void is left alone
    (editor.Level(), (1, 2), ["0123", "9#90"], "0993\n9#90"),
    (editor.Paint("swamp"), (0, 1), ["01#3", "0000"], "0103\n0000"),  # which makes ground of void
)
def test_a_tool_changes_every_tile(tool, start, before, after):
    tilemap = map_of(*before)
    brush(tilemap, tool, editor.rectangle(tilemap, (0, 1), (1, 2)), start)
    assert tilemap.to_text() == after


RAMPS = {"0003": "0123", "00005": "01345", "0990": "0000", "33330": "32210", "000009": "024579"}


@pytest.mark.parametrize(("row", "after"), RAMPS.items())
def test_a_ramp_leads_evenly_from_end_to_end_and_rounds_halves_up(row, after):
    tilemap = map_of(row, "5" * len(row))
    span(tilemap, editor.Ramp(), (0, 0), (0, len(row) - 1))
    assert tilemap.to_text() == f"{after}\n{'5' * len(row)}"


@table(
    "tool level says",
    (editor.Raise(-1), 0, r"\(0, 0\) is at level 0, the lowest"),
    (editor.Raise(1), MAX_LEVEL, r"\(0, 0\) is at level 32767, the highest"),
)
def test_a_tool_that_reached_the_limit_gives_the_reason(tool, level, says):
    tilemap = TileMap([[level, level, 5]])
    with pytest.raises(ValueError, match=says):
        brush(tilemap, tool, [(0, 0), (0, 1)])
    assert not tilemap.undo()
    brush(tilemap, tool, [(0, 0), (0, 2)])
    assert tilemap.level.tolist() == [[level, level, 5 + tool.by]]


@pytest.mark.parametrize("tool", [editor.Raise(1), editor.Level(), editor.Erase()])
def test_void_has_no_level_to_change_and_cannot_be_erased(tool):
    tilemap = map_of("1##")
    with pytest.raises(ValueError, match=r"there is no ground at \(0, 1\)"):
        brush(tilemap, tool, [(0, 1), (0, 2)])
    with pytest.raises(ValueError, match=r"there is no ground at \(0, 1\)"):
        brush(tilemap, editor.Level(), [(0, 0)], start=(0, 1))
    assert not tilemap.undo()


def test_erase_removes_decks_and_keeps_the_ground():
    tilemap = map_of("000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0), (0, 1)], level=2)
        edit.add_deck((0, 1), level=4)
    brush(tilemap, editor.Erase(), [(0, 1, 1), (0, 0, 1), (0, 2)])
    assert tilemap.to_text() == "00#"
    assert [tilemap.decks_at((0, col)) for col in range(2)] == [[0], [0, 2]]


@table(
    "row painted cols after kinds",
    ("2##5", "sand", [0], "2345", "sand sand sand grass"),  # void becomes the ground it starts from
    ("30013", "shallow", [1, 2, 3], "32213", "grass grass grass shallow grass"),
    ("0004", "shallow", [0, 1, 2], "0134", "shallow grass grass grass"),  # ground of its dry end
    ("0004", "shallow", [0, 1, 2, 3], "0134", "shallow shallow shallow shallow"),
)
def test_a_ramp_is_dry_ground_where_it_raises_water_or_fills_void(row, painted, cols, after, kinds):
    tilemap = map_of(row)
    brush(tilemap, editor.Paint(painted), [(0, col) for col in cols])
    span(tilemap, editor.Ramp(), (0, 0), (0, 3))
    assert tilemap.to_text() == after
    assert " ".join(tilemap.kind_at((0, col)).name for col in range(len(row))) == kinds


@table(
    "row tool levels",
    ("3#013", editor.Bridge("wood"), {1: 3, 2: 3, 3: 3}),
    ("20005", editor.Bridge("rock", 2), {1: 3, 2: 4, 3: 4}),
    ("333003", editor.Bridge("wood"), {3: 3, 4: 3}),  # it runs on the ground where that is level
)
def test_a_bridge_leads_over_what_lies_between_from_one_height_to_the_other(row, tool, levels):
    tilemap = map_of(row, "3" * len(row))
    span(tilemap, tool, (0, 0), (0, len(row) - 1))
    assert tilemap.to_text() == f"{row}\n{'3' * len(row)}"
    cells = [(0, col, 1) for col in range(len(row)) if 1 in tilemap.decks_at((0, col))]
    assert {col: tilemap.level_at((0, col, 1)) for _, col, _ in cells} == levels
    assert {tilemap.kind_at(cell).name for cell in cells} == {tool.kind}
    assert {*tilemap.surface_thickness[1].flat} == {0, tool.thickness}


@pytest.mark.parametrize(("tool", "name"), [(editor.Ramp(), "ramp"), (editor.Bridge(), "bridge")])
@table(
    "start end says",
    ((0, 0), (0, 1), r"a {} needs a tile between its ends, got \(0, 0\) and \(0, 1\)"),
    ((0, 0), (0, 0), r"a {} needs two different ends, got \(0, 0\) twice"),
    ((0, 0), (0, 4), r"there is no ground at \(0, 4\)"),
    ((0, 4), (0, 0), r"there is no ground at \(0, 4\)"),
)
def test_spans_need_two_separate_ends(tool, name, start, end, says):
    tilemap = map_of("3003#")
    with pytest.raises(ValueError, match=says.format(name)):
        span(tilemap, tool, start, end)


@table(
    "row says",
    ("30403", r"surfaces overlap at \(0, 2\): the ground at level 4, over deck 1 at level 3"),
    ("33333", r"the ground from \(0, 0\) to \(0, 4\) needs no bridge"),
)
def test_a_bridge_through_a_hill_or_along_the_ground_is_refused(row, says):
    tilemap = map_of(row)
    with pytest.raises(ValueError, match=says):
        span(tilemap, editor.Bridge(), (0, 0), (0, 4))
    assert tilemap.n_decks == 0


def test_a_ladder_is_led_up_and_taken_away_again():
    tilemap = map_of("03", "#0")
    for end, says in (((0, 0), "two different ends"), ((1, 0), r"\(1, 0\) is void")):
        with pytest.raises(ValueError, match=says):
            span(tilemap, editor.Connect("ladder"), (0, 0), end)
    span(tilemap, editor.Connect("ladder"), (0, 0), (0, 1))
    (link,) = tilemap.links
    assert (link.start, link.end, link.cost, link.kind) == ((0, 0, 0), (0, 1, 0), 3, "ladder")
    assert not link.one_way
    span(tilemap, editor.Connect("ladder"), (0, 1), (0, 0))
    assert tilemap.links == ()


@pytest.mark.parametrize("topology", ["square", "hex_odd_r"])
def test_a_ladder_leads_to_a_neighbor(topology):
    tilemap = TileMap.from_text("002\n000", topology=topology)
    far = r"a ladder leads to a neighbor, \(0, 0\) and \(0, 2\) are 2 tiles apart"
    with pytest.raises(ValueError, match=far):
        span(tilemap, editor.Connect(), (0, 0), (0, 2))
    assert tilemap.links == ()
    span(tilemap, editor.Connect("portal"), (0, 0), (0, 2))
    span(tilemap, editor.Connect(), (0, 0), (0, 1))
    assert [link.cost for link in tilemap.links] == [1, 2]  # between equal levels too
    tilemap.undo()
    with tilemap.edit() as edit:
        edit.add_deck((1, 1), level=4)
        edit.add_link((0, 0), (1, 2), cost=1, kind="ladder")  # as a file may have it
    span(tilemap, editor.Connect(), (1, 1), (1, 1, 1))
    span(tilemap, editor.Connect(), (0, 0), (1, 2))
    assert [link.kind for link in tilemap.links] == ["portal", "ladder"]


def drawn(tilemap):
    """Draw squares as dots with walls on the edges between them, void as `#`."""
    rows, cols = tilemap.rows, tilemap.cols
    signs = [[" "] * (2 * cols - 1) for _ in range(2 * rows - 1)]
    for row in range(rows):
        for col in range(cols):
            signs[2 * row][2 * col] = "#" if tilemap.is_void((row, col)) else "."
    for wall in tilemap.walls:
        row, col = wall.start.row + wall.end.row, wall.start.col + wall.end.col
        signs[row][col] = "|" if col % 2 else "-"
    return "\n".join("".join(each).rstrip() for each in signs)


BARE = ". . . .\n\n. . . .\n\n. . . ."


@table(
    "start end after",
    ((0, 1), (1, 1), ". . . .\n  -\n. . . .\n\n. . . ."),
    ((1, 1), (1, 2), ". . . .\n\n. .|. .\n\n. . . ."),
    ((0, 0), (1, 3), ". . . .\n- - - -\n. . . .\n\n. . . ."),
    ((2, 2), (1, 0), ". . . .\n\n. . . .\n- - -\n. . . ."),
    ((0, 1), (2, 2), ". .|. .\n\n. .|. .\n\n. .|. ."),
)
def test_a_wall_runs_between_what_lies_on_its_sides(start, end, after):
    tilemap = map_of(*["0000"] * 3)
    span(tilemap, editor.WallTool(), start, end)
    assert drawn(tilemap) == after
    assert not any(wall.one_way for wall in tilemap.walls)
    span(tilemap, editor.WallTool(), end, start)
    assert drawn(tilemap) == BARE


def test_a_border_with_gaps_is_closed_before_it_is_opened():
    tilemap = map_of(*["0000"] * 3)
    span(tilemap, editor.WallTool(), (0, 1), (1, 1))
    span(tilemap, editor.WallTool(), (0, 0), (1, 3))
    assert drawn(tilemap) == ". . . .\n- - - -\n. . . .\n\n. . . ."
    span(tilemap, editor.WallTool(), (0, 0), (1, 1))
    assert drawn(tilemap) == ". . . .\n    - -\n. . . .\n\n. . . ."


def test_a_wall_against_one_side_is_a_wall():
    tilemap = map_of(*["0000"] * 3)
    with tilemap.edit() as edit:
        edit.add_wall((0, 1), (1, 1), one_way=True)
        edit.add_wall((1, 1), (0, 1), one_way=True)
        edit.add_wall((1, 2), (0, 2), one_way=True)
    span(tilemap, editor.WallTool(), (0, 1), (1, 2))
    assert tilemap.walls == ()


def test_no_wall_stands_beside_void():
    tilemap = map_of("00#0", "0000")
    span(tilemap, editor.WallTool(), (0, 0), (1, 3))
    assert drawn(tilemap) == ". . # .\n- -   -\n. . . ."


@table(
    "start end why",
    ((0, 0), (0, 0), "a wall cannot run from"),
    ((0, 0), (0, 2), "a wall cannot run from"),
    ((0, 0), (2, 2), "a wall cannot run from"),
    ((0, 3), (1, 3), r"there is no ground for a wall at \(0, 3\)"),
    ((0, 2), (0, 3), r"there is no ground for a wall at \(0, 3\)"),
)
def test_an_impossible_wall_gives_the_reason(start, end, why):
    tilemap = map_of("000#", "0000", "0000")
    with pytest.raises(ValueError, match=why):
        span(tilemap, editor.WallTool(), start, end)
    assert not tilemap.undo()
    ends = [tilemap.cell(start), tilemap.cell(end)]
    assert editor.WallTool().cells(tilemap, *ends) == list(dict.fromkeys(ends))


def test_walls_stand_on_the_surfaces_that_are_dragged_over():
    tilemap = map_of("000", "000")
    one_edit(tilemap).add_deck([(0, 0), (0, 1)], level=3)
    span(tilemap, editor.WallTool(), (0, 0, 1), (1, 2))
    edges = {((0, col, 1), (1, col, 0)) for col in (0, 1)}
    assert {(wall.start, wall.end) for wall in tilemap.walls} == edges


@pytest.mark.parametrize("topology", TOPOLOGIES)
@given(st.data())
def test_on_every_topology_walls_block_exactly_the_steps_between_their_sides(topology, data):
    tilemap = TileMap.from_text("\n".join(["00000"] * 5), topology=topology)
    place = st.tuples(st.integers(0, 4), st.integers(0, 4))
    start, end = data.draw(place), data.draw(place)
    sides = editor.WallTool().cells(tilemap, tilemap.cell(start), tilemap.cell(end))
    try:
        span(tilemap, editor.WallTool(), start, end)
    except ValueError:
        assert 1 not in (abs(start[0] - end[0]), abs(start[1] - end[1]))
        return
    pairs = [(one, other) for one in sides for other in tilemap.grid.neighbors(one[:2])]
    across = {frozenset(pair) for pair in pairs if pair[1] in sides}
    walled = {frozenset((wall.start, wall.end)) for wall in tilemap.walls}
    assert walled <= across
    assert {cell for edge in walled for cell in edge} == set(sides)
    assert {start, end} <= {cell[:2] for cell in sides} or len(walled) > 1
    if start in {near[:2] for near in tilemap.grid.neighbors(end)}:
        assert len(walled) == 1


def flat(rows, cols, topology="square"):
    return TileMap(np.zeros((rows, cols), int), topology=topology)


every_place = st.integers(0, 12), st.integers(0, 12)


@given(st.sampled_from(sorted(TOPOLOGIES)), *every_place, st.integers(1, 5))
def test_a_brush_holds_the_tiles_whose_centers_are_near(topology, row, col, size):
    tilemap = flat(13, 13, topology)
    middle, center = tilemap.grid.center((row, col)), tilemap.grid.center
    near = {cell for cell in np.ndindex(13, 13) if math.dist(center(cell), middle) < size - 0.5}
    assert {cell[:2] for cell in editor.disc(tilemap, (row, col), size)} == near


def test_a_brush_on_a_deck_stays_on_it():
    tilemap = flat(3, 5)
    one_edit(tilemap).add_deck([(1, col) for col in range(1, 4)], level=3)
    assert editor.disc(tilemap, (1, 1, 1), 3) == [(1, 1, 1), (1, 2, 1), (1, 3, 1)]
    assert editor.rectangle(tilemap, (1, 3, 1), (2, 0)) == [(1, 1, 1), (1, 2, 1), (1, 3, 1)]


@tried(150, st.sampled_from(sorted(TOPOLOGIES)), st.data())
def test_a_fill_is_what_a_walk_over_equal_neighbors_finds(topology, data):
    level, kind = (
        np.reshape(data.draw(st.lists(numbers, min_size=30, max_size=30)), (5, 6))
        for numbers in (st.integers(0, 1), st.sampled_from([0, 0, 0, 2, 12, 12]))  # 12 is void
    )
    tilemap = TileMap(level, kind, topology=topology)
    start = tilemap.cell((data.draw(st.integers(0, 4)), data.draw(st.integers(0, 5))))
    found, left = {start}, [start]
    while left:
        for near in tilemap.grid.neighbors(left.pop()):
            is_alike = tilemap.kind_at(near) == tilemap.kind_at(start) and (
                tilemap.is_void(near) or tilemap.level_at(near) == tilemap.level_at(start)
            )
            if near not in found and is_alike:
                found.add(near)
                left.append(near)
    assert set(editor.flood(tilemap, start)) == found


def test_a_fill_beyond_the_limit_takes_the_nearest_tiles():
    tilemap = flat(40, 40)
    found = editor.flood(tilemap, (20, 20), max_tiles=13)
    assert all(tilemap.grid.distance(cell, (20, 20)) <= 2 for cell in found)
    assert len(found) == 13


@given(st.sampled_from(sorted(TOPOLOGIES)), st.data())
def test_a_line_is_a_shortest_path_over_edges_close_to_the_straight_line(topology, data):
    grid = make_grid(topology, 9, 11)
    cells = st.tuples(st.integers(0, 8), st.integers(0, 10))
    start, end = data.draw(cells), data.draw(cells)
    path = editor.line(grid, start, end)
    assert (path[0][:2], path[-1][:2]) == (start, end)
    assert len(path) == grid.distance(start, end) + 1
    assert all(after in grid.neighbors(before) for before, after in itertools.pairwise(path))
    first, last = np.array(grid.center(start)), np.array(grid.center(end))
    length = np.linalg.norm(last - first)
    for cell in path if length else ():
        away = np.array(grid.center(cell)) - first
        along = last - first
        assert abs(away[0] * along[1] - away[1] * along[0]) / length < 1.0
