"""SVG documents of pictures, without scripts, styles or fonts from elsewhere."""

import html
from collections.abc import Sequence

import numpy as np

from terrain3d.grid.grid import Point
from terrain3d.picture.picture import LINE_COLORS, Picture, Polygons, hex_color

_SIZE, _LARGEST_TILE = 640, 30
"""The longer side of the map in pixels, and the most pixels of a tile."""

_LABELED_TILE = 18
"""Tiles of at least this many pixels have their value written on them."""

_MIN_WIDTH, _MARGIN, _LINE_HEIGHT, _LETTER = 320, 8, 20, 7
"""Layout of title and legend in pixels; `_LETTER` is the width of a wide letter."""


def draw_svg(picture: Picture) -> str:
    """Return a picture as an SVG document."""
    x0, y0, x1, y1 = picture.grid.extent
    scale = min(_LARGEST_TILE, _SIZE / max(x1 - x0, y1 - y0))
    left, top = _MARGIN, _MARGIN + _LINE_HEIGHT

    def px(points: Sequence[Point] | Polygons) -> Polygons:
        pairs = np.reshape(points, (*np.shape(points)[:-1], 2))
        return (pairs - (x0, y1)) * (scale, -scale) + (left, top)

    body = [_tiles(picture, px(picture.polygons))]
    for segments, width in zip(picture.rises(), (0.5, 1.5), strict=False):
        path = "".join(f"M{_at(start)}L{_at(end)}" for start, end in px(segments))
        body.append(f'<path d="{path}" stroke="#000" stroke-opacity=".55" stroke-width="{width}"/>')
    if scale >= _LABELED_TILE:
        body += [_label(px([at])[0], text, color, scale) for at, text, color in picture.labels()]
    for number, line in enumerate(picture.lines):
        color = LINE_COLORS[number % len(LINE_COLORS)]
        body.append(_line(px(picture.line_points(line)), color, scale))
    map_width, bottom = (x1 - x0) * scale, top + (y1 - y0) * scale
    width = max(map_width, _MIN_WIDTH) + 2 * _MARGIN
    legend, height = _legend(picture.legend(), width, bottom + _LINE_HEIGHT)
    title = html.escape(picture.title)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="sans-serif" '
        f'font-size="13" fill="none">',
        f"<title>{title}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_MARGIN}" y="18" fill="#222">{title}</text>',
        *body,
        *legend,
        "</svg>",
        "",
    ])  # fmt: skip


def _tiles(picture: Picture, polygons: Polygons) -> str:
    """Return one element per color, with all tiles of it."""
    drawn = np.flatnonzero(picture.is_drawn)
    names = [hex_color(color) for color in picture.colors[drawn]]
    shapes: dict[str, list[str]] = {}
    for name, polygon in zip(names, polygons[drawn], strict=True):
        steps = np.diff(np.round(polygon, 1), axis=0)
        shapes.setdefault(name, []).append(f"M{_at(polygon[0])}l{' '.join(map(_at, steps))}z")
    # A thin line of the same color hides the seams that smooth edges leave.
    look = 'stroke-width=".4"'
    return "\n".join(
        f'<path fill="{name}" stroke="{name}" {look} d="{"".join(parts)}"/>'
        for name, parts in shapes.items()
    )


def _line(points: Polygons, color: str, scale: float) -> str:
    """Return a line on a white one, a dot on its first point and a ring around its last."""
    width = min(max(scale / 7, 2), 4)
    path, start, end = "M" + "L".join(map(_at, points)), points[0], points[-1]
    look = 'stroke-linejoin="round" stroke-linecap="round"'
    return "\n".join([
        f'<path d="{path}" stroke="#fff" stroke-width="{2 * width:.3g}" {look}/>',
        f'<path d="{path}" stroke="{color}" stroke-width="{width:.3g}" {look}/>',
        f'<circle cx="{start[0]:.5g}" cy="{start[1]:.5g}" r="{1.6 * width:.3g}" fill="{color}"/>',
        f'<circle cx="{end[0]:.5g}" cy="{end[1]:.5g}" r="{2 * width:.3g}" fill="#fff" '
        f'stroke="{color}" stroke-width="{width:.3g}"/>',
    ])  # fmt: skip


def _label(point: Polygons, text: str, color: str, scale: float) -> str:
    size = min(scale / 2.4, 1.5 * scale / len(text))
    return (
        f'<text x="{point[0]:.5g}" y="{point[1] + size / 3:.5g}" font-size="{size:.3g}" '
        f'text-anchor="middle" fill="{color}">{text}</text>'
    )


def _legend(pairs: list[tuple[str, str]], width: float, top: float) -> tuple[list[str], float]:
    """Return the elements of the legend, in lines of at most `width`, and where it ends."""
    x, y, elements = float(_MARGIN), top, []
    for color, text in pairs:
        length = _LETTER * len(text) + (18 if color else 0) + 2 * _MARGIN
        if x > _MARGIN and x + length > width:
            x, y = float(_MARGIN), y + _LINE_HEIGHT
        if color:
            place = f'x="{x:.0f}" y="{y - 11:.0f}" width="13" height="13"'
            elements.append(f'<rect {place} fill="{color}" stroke="#666"/>')
        text_x = x + (18 if color else 0)
        elements.append(
            f'<text x="{text_x:.0f}" y="{y:.0f}" fill="#222">{html.escape(text)}</text>'
        )
        x += length
    return elements, y + _MARGIN + 2


def _at(point: Polygons) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"
