"""A picture in axes of matplotlib has the tiles, edges and lines of the SVG."""

from terrain3d import Cell, TileMap
from terrain3d.picture import Line, Picture
from terrain3d.picture.plot import draw_plot
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
