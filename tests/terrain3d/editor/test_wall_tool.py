"""The wall tool, as pictures: tiles are dots, with walls on the edges between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terrain3d import TOPOLOGIES, TileMap
from terrain3d.editor.wall_tool import WallTool


def draw_wall(tilemap, start, end):
    with tilemap.edit("wall") as edit:
        WallTool().put(edit, tilemap, tilemap.cell(start), tilemap.cell(end))


def drawn(tilemap):
    """Draw the ground of squares with walls: `|` between columns, `-` between rows."""
    rows, cols = tilemap.rows, tilemap.cols
    signs = [[" "] * (2 * cols - 1) for _ in range(2 * rows - 1)]
    for row in range(rows):
        for col in range(cols):
            signs[2 * row][2 * col] = "#" if tilemap.is_void((row, col)) else "."
    for wall in tilemap.walls:
        row, col = wall.start.row + wall.end.row, wall.start.col + wall.end.col
        signs[row][col] = "|" if col % 2 else "-"
    return "\n".join("".join(line).rstrip() for line in signs)


def picture(*lines):
    return "\n".join(lines)


BARE = picture(". . . .", "", ". . . .", "", ". . . .")


@pytest.fixture
def tilemap():
    return TileMap.from_text("0000\n0000\n0000")


@pytest.mark.parametrize(
    ("start", "end", "after"),
    [
        ((0, 1), (1, 1), picture(". . . .", "  -", ". . . .", "", ". . . .")),
        ((1, 1), (1, 2), picture(". . . .", "", ". .|. .", "", ". . . .")),
        ((0, 0), (1, 3), picture(". . . .", "- - - -", ". . . .", "", ". . . .")),
        ((2, 2), (1, 0), picture(". . . .", "", ". . . .", "- - -", ". . . .")),
        ((0, 1), (2, 2), picture(". .|. .", "", ". .|. .", "", ". .|. .")),
        ((2, 1), (0, 0), picture(".|. . .", "", ".|. . .", "", ".|. . .")),
        ((0, 0), (1, 1), picture(". . . .", "- -", ". . . .", "", ". . . .")),
    ],
)
def test_a_wall_runs_between_what_lies_on_its_sides(tilemap, start, end, after):
    draw_wall(tilemap, start, end)
    assert drawn(tilemap) == after
    assert not any(wall.one_way for wall in tilemap.walls)
    draw_wall(tilemap, end, start)
    assert drawn(tilemap) == BARE


def test_a_border_with_gaps_is_closed_before_it_is_opened(tilemap):
    draw_wall(tilemap, (0, 1), (1, 1))
    draw_wall(tilemap, (0, 0), (1, 3))
    assert drawn(tilemap) == picture(". . . .", "- - - -", ". . . .", "", ". . . .")
    draw_wall(tilemap, (0, 0), (1, 1))
    assert drawn(tilemap) == picture(". . . .", "    - -", ". . . .", "", ". . . .")


def test_a_wall_against_one_side_is_a_wall(tilemap):
    with tilemap.edit() as edit:
        edit.add_wall((0, 1), (1, 1), one_way=True)
        edit.add_wall((1, 1), (0, 1), one_way=True)
        edit.add_wall((1, 2), (0, 2), one_way=True)
    draw_wall(tilemap, (0, 1), (1, 2))
    assert tilemap.walls == ()


def test_no_wall_stands_beside_void():
    tilemap = TileMap.from_text("00#0\n0000")
    draw_wall(tilemap, (0, 0), (1, 3))
    assert drawn(tilemap) == picture(". . # .", "- -   -", ". . . .")


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ((0, 0), (0, 0), "a wall cannot run from"),
        ((0, 0), (0, 2), "a wall cannot run from"),
        ((0, 0), (2, 2), "a wall cannot run from"),
        ((0, 3), (1, 3), r"there is no ground for a wall at \(0, 3\)"),
        ((0, 2), (0, 3), r"there is no ground for a wall at \(0, 3\)"),
    ],
)
def test_an_impossible_wall_gives_the_reason(start, end, why):
    tilemap = TileMap.from_text("000#\n0000\n0000")
    with pytest.raises(ValueError, match=why):
        draw_wall(tilemap, start, end)
    assert not tilemap.undo()
    ends = [tilemap.cell(start), tilemap.cell(end)]
    assert WallTool().cells(tilemap, *ends) == list(dict.fromkeys(ends))


def test_walls_stand_on_the_surfaces_that_are_dragged_over():
    tilemap = TileMap.from_text("000\n000")
    with tilemap.edit() as edit:
        edit.add_deck([(0, 0), (0, 1)], level=3)
    draw_wall(tilemap, (0, 0, 1), (1, 2))
    assert {(wall.start, wall.end) for wall in tilemap.walls} == {
        ((0, 0, 1), (1, 0, 0)),
        ((0, 1, 1), (1, 1, 0)),
    }


@pytest.mark.parametrize("topology", TOPOLOGIES)
@given(st.data())
def test_on_every_topology_walls_block_exactly_the_steps_between_their_sides(topology, data):
    tilemap = TileMap.from_text("\n".join(["00000"] * 5), topology=topology)
    place = st.tuples(st.integers(0, 4), st.integers(0, 4))
    start, end = data.draw(place), data.draw(place)
    sides = WallTool().cells(tilemap, tilemap.cell(start), tilemap.cell(end))
    try:
        draw_wall(tilemap, start, end)
    except ValueError:
        assert 1 not in (abs(start[0] - end[0]), abs(start[1] - end[1]))
        return
    across = {
        frozenset((one, other))
        for one in sides
        for other in tilemap.grid.neighbors(one[:2])
        if other in sides
    }
    walled = {frozenset((wall.start, wall.end)) for wall in tilemap.walls}
    assert walled <= across
    assert {cell for edge in walled for cell in edge} == set(sides)
    assert {start, end} <= {cell[:2] for cell in sides} or len(walled) > 1
    if start in {near[:2] for near in tilemap.grid.neighbors(end)}:
        assert len(walled) == 1
