"""Lines of sight by dense sampling: slow, and sharing no code with the package.

Hexagons are defined again, in halves of their width and quarters of their height: a point belongs
to one if |x| <= 1 and |x| + |y| <= 2 from its center where rows are offset; where columns are
offset, x and y are swapped.
"""

import math

from tests.support.plain_map import is_inside, level, surfaces, underside

N_SAMPLES = 2520  # many fractions of small numbers are among them
FINE = 10**6


def center(topology, column):
    row, col = column
    if topology == "square":
        return 2 * col + 1, 2 * row + 1
    line, place = (row, col) if topology.endswith("r") else (col, row)
    offset = line % 2 == (1 if "odd" in topology else 0)
    along, across = 2 * place + 1 + offset, 3 * line + 2
    return (along, across) if topology.endswith("r") else (across, along)


def is_over(topology, column, point, scale):
    """Return whether a point, times a scale, is over a tile or on its border."""
    x, y = center(topology, column)
    away_x, away_y = abs(point[0] - x * scale), abs(point[1] - y * scale)
    if topology == "square":
        return max(away_x, away_y) <= scale
    narrow, tall = (away_x, away_y) if topology.endswith("r") else (away_y, away_x)
    return narrow <= scale and narrow + tall <= 2 * scale


def bodies(tilemap, column):
    """Return (underside, top) of all solid bodies in a column."""
    if not is_inside(tilemap, column):
        return []
    cells = surfaces(tilemap, column)
    lows = [underside(tilemap, cell) if cell[2] else -math.inf for cell in cells]
    return [*zip(lows, (level(tilemap, cell) for cell in cells), strict=True)]


def above(stack, surface):
    """Remove what is filled right below a surface, body by body downwards."""
    left = []
    for low, high in sorted(stack, reverse=True):
        if low < surface <= high:
            left += [(surface, high)] * (surface < high)
            surface = low
        else:
            left.append((low, high))
    return left


def is_filled(stack, z, scale):
    """Return whether a height, times a scale, is filled right below and right above."""
    just_below = any(low * scale < z <= high * scale for low, high in stack)
    just_above = any(low * scale <= z < high * scale for low, high in stack)
    return just_below and just_above


def sees(tilemap, start, end, eye, target, arc=0):
    """Return whether no point of the line is inside bodies of all tiles around it.

    With an arc it is a parabola, which is sampled right beside each sample too.
    """
    here, there = center(tilemap.topology, start[:2]), center(tilemap.topology, end[:2])
    low, high = level(tilemap, start) + eye, level(tilemap, end) + target
    rows = range(min(start[0], end[0]) - 1, max(start[0], end[0]) + 2)
    cols = range(min(start[1], end[1]) - 1, max(start[1], end[1]) + 2)
    stacks = {(row, col): bodies(tilemap, (row, col)) for row in rows for col in cols}
    if here != there:
        for cell in (start, end):
            stacks[cell[:2]] = above(stacks[cell[:2]], level(tilemap, cell))
    highest = max((top for stack in stacks.values() for _, top in stack), default=0)
    n_samples = N_SAMPLES * FINE if arc else N_SAMPLES
    for sample in samples(arc):
        x, y, z = (
            a * (n_samples - sample) + b * sample
            for a, b in zip((*here, low), (*there, high), strict=True)
        )
        z, scale = z * n_samples + 4 * arc * sample * (n_samples - sample), n_samples**2
        if z >= highest * scale:
            continue
        around = [c for c in stacks if is_over(tilemap.topology, c, (x, y), n_samples)]
        if all(is_filled(stacks[column], z, scale) for column in around):
            return False
    return True


def samples(arc):
    if not arc:
        return range(N_SAMPLES + 1)
    beside = (n * FINE + more for n in range(N_SAMPLES + 1) for more in (-1, 0, 1))
    return (sample for sample in beside if 0 <= sample <= N_SAMPLES * FINE)
