"""Pictures in matplotlib axes."""

import re
import textwrap
from typing import TYPE_CHECKING

from terrain3d.core.checks import optional
from terrain3d.picture.picture import LINE_COLORS, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TITLE_LETTERS, _LEGEND_COLUMNS = 40, 4
"""Width of title and legend: two pictures side by side fit a figure of matplotlib's own size."""


def draw_plot(picture: Picture, ax: "Axes | None" = None) -> "Axes":
    """Draw a picture into matplotlib axes, the current ones if not given; return them."""
    from matplotlib import pyplot
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.patches import Patch

    ax = optional("ax", ax, Axes) or pyplot.gca()
    tiles, colors = picture.polygons[picture.is_drawn], picture.colors[picture.is_drawn] / 255.0
    ax.add_collection(PolyCollection(list(tiles), facecolors=colors, linewidths=0))
    for edges, width in zip(picture.rises(), (0.3, 1.0), strict=False):
        ax.add_collection(LineCollection(list(edges), colors="k", linewidths=width, alpha=0.55))
    for number, line in enumerate(picture.lines):
        x, y = zip(*picture.line_points(line), strict=True)
        color = LINE_COLORS[number % len(LINE_COLORS)]
        ax.plot(x, y, color=color, label=line.label or None)
        ax.plot(x[:1], y[:1], "o", color=color)
        ax.plot(x[-1:], y[-1:], "o", color=color, markerfacecolor="white", markeredgewidth=2)
    x0, y0, x1, y1 = picture.grid.extent
    ax.set(xlim=(x0, x1), ylim=(y0, y1), aspect="equal", xticks=[], yticks=[])
    title = re.sub(r",\s(?=\d+\))", ",\N{NO-BREAK SPACE}", picture.title)  # keeps a cell whole
    ax.set_title(textwrap.fill(title, _TITLE_LETTERS), fontsize="medium")
    handles = [Patch(color=color, label=text) for color, text in picture.legend() if color]
    below, narrow = (0.5, -0.01), {"columnspacing": 1, "handlelength": 1, "handletextpad": 0.4}
    look = {"ncols": _LEGEND_COLUMNS, "fontsize": "small", "frameon": False, **narrow}
    ax.legend(handles=handles, loc="upper center", bbox_to_anchor=below, **look)
    return ax
