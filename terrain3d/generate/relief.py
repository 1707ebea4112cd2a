"""The landscapes of a valley and of an island: rivers, roads and cliffs as masks, and levels.

Levels change by operations over the edges between tiles: limit slopes, fill pits, count steps.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terrain3d.generate.noise import fractal_noise, lattice, terraces
from terrain3d.grid.grid import Grid, Scalar, Step

Mask = NDArray[np.bool_]
Levels = NDArray[np.int32]

Edges = dict[Step, Mask]
"""Edges between tiles by the step across them, each counted once: the mask has the shape of the
arrays of `sides_of` and is True where the edge exists."""

_BEYOND_LEVELS = np.int32(2**16)


def sides_of(values: NDArray[Scalar], step: Step) -> tuple[NDArray[Scalar], NDArray[Scalar]]:
    """Return views of the values on both sides of every edge that a step crosses.

    The step leads down or to the right; the first view is the side where it starts.
    """
    rows, cols = values.shape
    down, right = step
    left, west = max(0, -right), max(0, right)
    return values[: rows - down, left : cols - west], values[down:, west : cols - left]


def edges_of(grid: Grid) -> Edges:
    """Return the edges between the tiles of a grid."""
    kind = grid.cell_class()
    steps = {step for steps in grid.directions for step in steps if step > (0, 0)}
    return {
        step: np.isin(
            sides_of(kind, step)[0],
            [number for number, known in enumerate(grid.directions) if step in known],
        )
        for step in sorted(steps)
    }


def edges_within(edges: Edges, mask: Mask) -> Edges:
    """Return the edges with both sides in a mask."""
    return {step: known & np.logical_and(*sides_of(mask, step)) for step, known in edges.items()}


def edges_except(edges: Edges, first: Mask, second: Mask) -> Edges:
    """Return the edges except those between a tile of one mask and a tile of the other."""
    kept = {}
    for step, known in edges.items():
        (first_a, first_b), (second_a, second_b) = sides_of(first, step), sides_of(second, step)
        kept[step] = known & ~(first_a & second_b | first_b & second_a)
    return kept


def limited(level: Levels, rise: int, edges: Edges) -> Levels:
    """Return levels lowered as little as possible so that no step across an edge exceeds `rise`."""
    # Adding a large number is several times faster than a masked operation.
    rises = {
        step: np.where(counts, np.int32(rise), _BEYOND_LEVELS) for step, counts in edges.items()
    }
    low, before, room = level.copy(), np.full_like(level, -1), np.empty(level.size, level.dtype)
    while not np.array_equal(low, before):
        np.copyto(before, low)
        for step, most in rises.items():
            a, b = sides_of(low, step)
            limit = room[: most.size].reshape(most.shape)  # new memory would take longer
            np.minimum(b, np.add(a, most, out=limit), out=b)
            np.minimum(a, np.add(b, most, out=limit), out=a)
    return low


def without_pits(level: Levels, edges: Edges) -> Levels:
    """Return levels with every single-tile pit raised to its lowest neighbor."""
    lowest = np.full_like(level, level.max())
    for step, counts in edges.items():
        a, b = sides_of(level, step)
        beyond = np.where(counts, np.int32(0), _BEYOND_LEVELS)
        for lowest_neighbor, neighbor in zip(sides_of(lowest, step), (b, a), strict=True):
            np.minimum(lowest_neighbor, neighbor + beyond, out=lowest_neighbor)
    return np.maximum(level, lowest)


def steps_from(mask: Mask, limit: int, edges: Edges) -> Levels:
    """Return the number of steps from each tile to the nearest tile in a mask, at most `limit`."""
    return limited(np.where(mask, np.int32(0), np.int32(limit)), 1, edges)


MIN_SIZE = 18
"""The fewest rows and columns of a map with a valley."""

_RIVER_SEED, _ROAD_SEED, _CLIFF_SEED = 0x51F0A3, 0x7C1D45, 0x2B97E1
_FORD_EVERY = 16
_AROUND_FORD = 3
_HALF_WIDTH = 0.6
_MIN_CLIFF = 5


@dataclass(frozen=True)
class Valley:
    """(rows, cols) masks of a valley; its river flows along the rows."""

    deep: Mask
    shallow: Mask
    road: Mask
    """From the north border over the bridge to the south border, one tile wide."""
    towpath: Mask
    """A road along the river's north bank from border to border, one tile wide."""
    bridge: Mask
    """Water and towpath below the bridge of the road, in one column."""
    bridgeheads: Mask
    """The road's tiles at both ends of the bridge."""
    plateau: Mask
    """The high ground behind the cliff."""
    below: Mask
    """The tiles of the same columns in front of the cliff."""

    @property
    def water(self) -> Mask:
        """Deep and shallow water."""
        return self.deep | self.shallow

    @property
    def bed(self) -> Mask:
        """Water and towpath: low ground without woods."""
        return self.water | self.towpath


def plan_valley(rows: int, cols: int, seed: int) -> Valley:
    """Return the plan of a valley; all masks are empty below MIN_SIZE rows or columns."""
    if min(rows, cols) < MIN_SIZE:
        return Valley(*(np.zeros((rows, cols), dtype=bool) for _ in range(8)))
    deep = _channel(rows, cols, seed)
    shallow = _grown(deep) & ~deep
    towpath = _bank(deep | shallow)
    bed = deep | shallow | towpath
    count = max(2, cols // _FORD_EVERY)
    fords = ((np.arange(count) + 0.5) * cols / count).astype(np.int64)
    at = _crossing(bed, fords)
    for ford in (fords, fords + 1):
        shallow[:, ford] |= deep[:, ford]
    deep &= ~shallow
    gap = max(3, cols // 8)
    bridge = np.zeros_like(bed)
    bridge[:, at] = bed[:, at]
    road = _road(bed, at, gap, seed)
    plateau, below = _cliff(bed, at, gap, seed)
    bridgeheads = road & _grown(bridge)
    return Valley(deep, shallow, road, towpath, bridge, bridgeheads, plateau, below)


def _winding(count: int, seed: int, size: int) -> NDArray[np.float64]:
    """Return (count,) smooth numbers in [-1, 1)."""
    sizes = max(2, size), max(1, size // 3)
    return fractal_noise(count, 1, seed, sizes, (0.8, 0.2))[:, 0] * 2.0 - 1.0


def _grown(mask: Mask) -> Mask:
    """Return a mask grown by the eight tiles around each of its tiles."""
    padded = np.pad(mask, 1)
    wide = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    return wide[:-2] | wide[1:-1] | wide[2:]


def _channel(rows: int, cols: int, seed: int) -> Mask:
    """Return the river's bed, connected from the west border to the east."""
    center = rows * (0.58 + 0.13 * _winding(cols, seed + _RIVER_SEED, cols // 4))
    between = (center[:-1] + center[1:]) / 2.0
    ends = np.concatenate([center[:1], between, center[-1:]])
    low = np.minimum(center, np.minimum(ends[:-1], ends[1:])) - _HALF_WIDTH
    high = np.maximum(center, np.maximum(ends[:-1], ends[1:])) + _HALF_WIDTH
    middle = np.arange(rows)[:, None] + 0.5
    bed: Mask = (middle > low) & (middle < high)
    return bed


def _bank(water: Mask) -> Mask:
    """Return the tiles along the north bank, each sharing an edge with the next."""
    last = water.argmax(axis=0) - 1
    around = np.pad(last, 1, mode="edge")
    first = np.minimum(last, np.minimum(around[:-2], around[2:]))
    row = np.arange(len(water))[:, None]
    bank: Mask = (row >= first) & (row <= last)
    return bank


def _crossing(bed: Mask, fords: NDArray[np.int64]) -> int:
    """Return the column in the middle third, away from fords, with the shortest bridge."""
    cols = bed.shape[1]
    middle = np.arange(cols // 3, 2 * cols // 3 + 1)
    middle = middle[np.abs(middle[:, None] - fords).min(axis=1) >= _AROUND_FORD]
    return int(middle[bed[:, middle].sum(axis=0).argmin()])


def _road(bed: Mask, at: int, gap: int, seed: int) -> Mask:
    """Return a road from the north border to the south, straight near the river."""
    rows = len(bed)
    wet = np.nonzero(bed[:, at - gap : at + gap + 1].any(axis=1))[0]
    row = np.arange(rows)
    beyond = np.maximum(wet[0] - 2 - row, row - wet[-1] - 2)
    sway = np.clip(beyond / 4.0, 0.0, 1.0) * (gap - 2)
    col = at + np.rint(sway * _winding(rows, seed + _ROAD_SEED, 6)).astype(np.int64)
    before = np.concatenate([col[:1], col[:-1]])
    across = np.arange(bed.shape[1])
    left, right = np.minimum(col, before)[:, None], np.maximum(col, before)[:, None]
    road: Mask = (across >= left) & (across <= right) & ~bed
    return road


def _cliff(bed: Mask, at: int, gap: int, seed: int) -> tuple[Mask, Mask]:
    """Return a plateau at the north border, on the wider side of the road, and its front."""
    rows, cols = bed.shape
    edge = rows * (0.22 + 0.08 * _winding(cols, seed + _CLIFF_SEED, 6))
    most = np.maximum(1, bed.argmax(axis=0) - 2)
    behind = np.minimum(np.maximum(2, np.rint(edge)).astype(np.int64), most)
    first, last = (at + gap, cols) if 2 * at < cols else (0, at - gap + 1)
    width = min(last - first, max(_MIN_CLIFF, cols // 3))
    part = float(lattice(seed + _CLIFF_SEED, 1, 1, 1)[0, 0])
    first += int(part * (last - first - width + 1))
    across = np.arange(cols)
    side = (across >= first) & (across < first + width)
    plateau: Mask = (np.arange(rows)[:, None] < behind) & side
    return plateau, side & ~plateau


RISE = 2
"""The tallest step of gentle ground, which a light unit can climb."""

_HILL_SEED = 0x1A2B3C
_WIDE = 9  # tiles from the river to the full height of the hills
_SLOPE = 0.3
_TILT = 0.25  # north and west are higher, for a view from the south-east
_BANK_LEVEL = 1
_DECK_LEVEL = 5  # a deck one level thick leaves three levels of headroom above the towpath
_CLIFF_HEIGHT = 4  # more than a light unit climbs or drops
_FOOT_LEVEL, _FOOT_WIDTH = 3, 2
_TERRACE = 3  # width of the plateau's terraces, which descend away from the cliff, in tiles


def deck_level(levels: int) -> int:
    """Return the level of the bridge, one above the ground at its ends."""
    return min(_DECK_LEVEL, levels)


def relief(valley: Valley, levels: int, seed: int, edges: Edges) -> Levels:
    """Return the levels of the ground: water at 0, land above it, without pits.

    No step is taller than RISE except at the cliff and beside the ends of the bridge.
    """
    head = deck_level(levels) - 1
    level = _with_cliff(_hills(valley, levels, seed, edges), valley, levels - 1, edges)
    # Mounds support the ends of the bridge, so that limiting slopes does not lower them.
    away = steps_from(valley.bridgeheads, head, edges)
    level = np.maximum(level, head - away)
    level[valley.bridgeheads] = head
    level[valley.towpath] = _BANK_LEVEL
    level[valley.water] = 0
    gentle = edges_except(edges, valley.plateau, valley.below)
    gentle = edges_except(gentle, valley.bed, (away < 2) & ~valley.bed)
    level = limited(level, RISE, gentle)
    level = limited(level, 1, edges_within(edges, valley.road))
    level = limited(level, RISE, gentle)
    return np.where(valley.bed, level, without_pits(level, edges))


def _with_cliff(level: Levels, valley: Valley, top: int, edges: Edges) -> Levels:
    """Return levels with the cliff's foot, and a plateau that descends in terraces behind it."""
    foot = max(_BANK_LEVEL, min(_FOOT_LEVEL, top - _CLIFF_HEIGHT - 1))
    edge = min(top, foot + _CLIFF_HEIGHT)
    behind = (steps_from(valley.below, _TERRACE * edge, edges) - 1) // _TERRACE
    level = np.where(valley.plateau, np.maximum(level, edge - behind), level)
    is_foot = valley.below & (steps_from(valley.plateau, _FOOT_WIDTH + 1, edges) <= _FOOT_WIDTH)
    return np.where(is_foot, np.minimum(level, foot), level)


def _hills(valley: Valley, levels: int, seed: int, edges: Edges) -> Levels:
    """Return terraced hills that rise from the river; higher terraces are smaller."""
    rows, cols = valley.deep.shape
    hills = fractal_noise(rows, cols, seed + _HILL_SEED, (9, 5, 2), (0.6, 0.3, 0.1))
    hills += _SLOPE * steps_from(valley.water, _WIDE, edges) / _WIDE
    hills -= _TILT * (np.arange(rows)[:, None] / rows + np.arange(cols) / cols)
    return 1 + terraces(hills, levels - 1, ~valley.water).astype(np.int32)


MIN_ISLAND_SIZE, MIN_ISLAND_LEVELS, ISLAND_DECK = 14, 7, 4
"""The fewest tiles of a side, and levels, of a map with an island, and the level of its bridges."""

_ISLAND_SEED, _BANK_SEED = 0x3E9A55, 0x5B1D07
_RADIUS, _CHANNEL, _STREAM = 3.0, 2.0, 1.1  # of island, lake and river, in tiles
_FALL_LEVEL = 2  # of the river above the island; below it is 0
_STEEP, _TALL = 2.0, 3  # levels of the hill for each tile, and at most
_FORD = 0.1  # roughness above which the lake is shallow


def plan_island(
    rows: int, cols: int, levels: int, seed: int, edges: Edges
) -> tuple[Valley, Levels]:
    """Return the plan of an island in a lake of a river, which falls there, and its levels.

    The plateau of the plan is the island, its road also covers the top of the hill there.
    """
    sway, *shifts = (2.0 * lattice(seed + _ISLAND_SEED, 0, 1, 6)[0] - 1.0).tolist()
    row, col = np.arange(rows)[:, None] + 0.5, np.arange(cols) + 0.5
    at = int(cols / 2 + 1.5 * shifts[0])
    aside, ahead = col - at - 0.5 - 0.8 * shifts[2], row - rows / 2 - 0.6 * shifts[1]
    rough = fractal_noise(rows, cols, seed + _ISLAND_SEED, (4, 2), (0.6, 0.4)) - 0.5
    away = np.sqrt(ahead**2 + aside**2) + 1.4 * rough
    bend = 5.0 * sway * aside / cols + 1.5 * _winding(cols, seed + _ISLAND_SEED, cols // 3)
    bend *= np.clip(np.abs(aside) / 3.0 - 1.0, 0.0, 1.0)
    land = away < _RADIUS
    water = ((away < _RADIUS + _CHANNEL) | (np.abs(ahead - bend) < _STREAM)) & ~land
    line = np.arange(cols) == at
    bridge = water & line
    road = _road(water | land, at, 3, seed) | land & line
    heads = road & _grown(bridge) & line
    far = int(_RADIUS + _CHANNEL) + 1
    ford = water & np.isin(np.arange(cols), (at - far - 1, at - far, at + far, at + far + 1))
    shallow = ford | water & (rough > _FORD) & ~_grown(bridge)
    # The levels: banks of terraces, the hill beside the road, and the river below them.
    flow = np.where(np.arange(cols) <= at + 1, _FALL_LEVEL, 0) * water.astype(np.int32)
    dry = ~water & ~land
    hills = fractal_noise(rows, cols, seed + _BANK_SEED, (8, 4, 2), (0.55, 0.3, 0.15))
    hills += _SLOPE * steps_from(water, _WIDE, edges) / _WIDE - _TILT * (row / rows + col / cols)
    level = 1 + terraces(hills, levels - 2, dry).astype(np.int32)
    level = np.maximum(level, np.where(np.arange(cols) <= at + 1, _FALL_LEVEL + 1, 1))
    slope = _STEEP * (_RADIUS - np.sqrt(ahead**2 + (aside - shifts[3]) ** 2)) + rough
    head = ISLAND_DECK - 1
    level = np.where(land, head + np.clip(slope, 0, _TALL).astype(np.int32), level)
    level = np.maximum(level, head - steps_from(heads, head, edges))
    level[heads] = head
    level = limited(np.where(water, flow, level), RISE, edges_within(edges, dry))
    even = edges_within(edges, land | road)
    for step, known in edges_within(edges, ~water | ford).items():
        even[step] |= known & np.logical_xor(*sides_of(ford, step))
    level = limited(limited(level, 1, even), RISE, edges_within(edges, dry))
    level = np.where(water, flow, without_pits(level, edges))
    road |= land & (level == level[land].max())
    none = np.zeros_like(water)
    return Valley(water & ~shallow, shallow, road, none, bridge, heads, land, none), level
