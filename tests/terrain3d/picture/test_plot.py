"""A picture in axes of matplotlib has the tiles, edges and lines of the SVG."""

import pytest

from ai import MoveProfile, Navigation
from terrain3d import Cell, TileMap
from terrain3d.picture import Line, Picture, draw_plot
from tests.support.optional import import_or_skip

figure = import_or_skip("matplotlib.figure")


def test_matplotlib_draws_tiles_edges_and_lines():
    tilemap = TileMap([[0, 1, 2], [0, 3, 2]])
    line = Line((Cell(0, 0), Cell(1, 2)), "path")
    ax = figure.Figure().subplots()
    picture = Picture(tilemap, "A map", lines=(line,))
    assert draw_plot(picture, ax) is ax
    tiles, low, high = ax.collections
    assert len(tiles.get_paths()) == 6
    assert (len(low.get_paths()), len(high.get_paths())) == (3, 2)
    assert ax.lines[0].get_xydata().tolist() == [[0.5, -0.5], [2.5, -1.5]]
    assert ax.get_title() == "A map"
    assert "path" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_a_long_title_is_wrapped_between_words_that_are_no_cells():
    title = "Path of 31 cells from (0, 0) to (13, 17), cost 30"
    ax = draw_plot(Picture(TileMap([[0]]), title), figure.Figure().subplots())
    assert ax.get_title().splitlines() == [
        "Path of 31 cells from (0,\N{NO-BREAK SPACE}0) to",
        "(13,\N{NO-BREAK SPACE}17), cost 30",
    ]


def test_a_line_ends_in_a_ring():
    picture = Picture(TileMap([[0, 1]]), "A map", lines=(Line((Cell(0, 0), Cell(0, 1))),))
    ax = draw_plot(picture, figure.Figure().subplots())
    _, start, end = ax.lines
    assert (start.get_marker(), end.get_marker()) == ("o", "o")
    assert end.get_markerfacecolor() == "white" != start.get_markerfacecolor()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 2)])
def test_titles_and_legends_stay_in_the_figure_and_apart(rows, cols):
    navigation = Navigation(TileMap.from_noise(14, 18, seed=7))
    whole = figure.Figure(layout="constrained")
    for ax in whole.subplots(rows, cols, squeeze=False).ravel():
        navigation.reach((6, 6), 8, MoveProfile()).plot(ax)
    whole.draw_without_rendering()
    boxes = [
        artist.get_window_extent()
        for ax in whole.axes
        for artist in (ax.patch, ax.title, ax.get_legend())
    ]
    for number, box in enumerate(boxes):
        assert whole.bbox.x0 <= box.x0 <= box.x1 <= whole.bbox.x1
        assert whole.bbox.y0 <= box.y0 <= box.y1 <= whole.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:number])
