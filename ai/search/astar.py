"""One search for all maps: it finds costs alone, and one rule reads the path off them.

The frontier is a ring of buckets, each for a range of f, the cost so far plus a lower bound of the
rest. With a range of one unit f never falls, a node is closed once, and the node that was added
last comes first, which leads straight to the goal on open ground. With a wider range a node that
gets cheaper after it was closed is opened again, and a bucket is done in rounds: what enters it
meanwhile waits for the next round. A range is at most the cheapest edge, so without a goal no node
is opened twice.

The state of a node is one word, from the highest bits down: generation of the search, cost, passed
bit (0 for a source at its start cost), open bit. Generations count down, so that words of older
searches are higher than any of this one. One comparison shows whether an edge reaches a new node or
a lower cost, and nothing is ever cleared. A node that may not be entered gets a word below all.

Of equal paths one is read from the goal back: over the first edge, in the order of
`EdgeArrays.back` and then of the links into the node, that pays exactly what the costs differ by.
So it depends on the costs alone. With a range of one unit the search ends when it closes the goal.
Every node of a lower f is closed then, and the bounds say what the others would cost if they were
on a cheapest path: the reading tries such nodes too, each once. With a wider range it finishes the
goal's bucket.

References
----------
Hart, Nilsson, Raphael (1968), "A formal basis for the heuristic determination of minimum cost
paths", https://doi.org/10.1109/TSSC.1968.300136
Dial (1969), "Algorithm 360: shortest-path forest with topological ordering",
https://doi.org/10.1145/363269.363610
"""

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ai.search.graph import EdgeArrays, at, class_of, edge_into, illegal_mark, n_into, n_out
from ai.search.jit import Int, compiled, inlined

NO_NODE = -1
_FALSE = cast(bool, np.bool_(False))
"""Not as a literal, for which numba would compile the search again."""
FULL = -1
"""Returned in place of a length: the pool is too small."""
_MANY_SHARE = 16
"""A reach of at least one of so many nodes leaves its paths to be read when one is needed."""
NO_LIMIT = 2**45
COST_BITS = 46
BASE = COST_BITS + 2
OPEN, PASSED = 1, 2
_NEVER = 2**62
STRIPE_BITS = 3
"""The rows of a table of landmarks are stored in stripes of 2**STRIPE_BITS columns."""
_ROW_BITS = 10
"""Bits for the number of a row; at most 128 landmarks have two rows each."""

Shape = tuple[Int, Int, float, Int, Int, Int, Int]
"""Rows and columns of a deck, the inverse of the columns, and `Layout.shift`."""
Place = tuple[Int, Int, Int]
"""Both coordinates and the level of a node."""
Rows = tuple[tuple[Int, Int], ...]
"""Eight rows of a table of landmarks, each with the goal's entry in it."""
Aim = tuple[Place, tuple[Int, Int, Int, Int, Int], Rows, Int, Int, Shape]
"""The goal's place, the bound, rows and scale of the table (-1: none), number of nodes, shape."""
Frontier = tuple[Int, Int, Int, Int, Int]
"""The bucket, the entries used, those in the ring, the first one beyond it, and its bucket."""


class Guide(NamedTuple):
    """What leads a search to its goal: where the nodes are, and lower bounds."""

    level: NDArray[np.int16]
    number: NDArray[np.int64]
    """The five numbers of `Bound`, rows and columns of a deck, the four of `Layout.shift`, and how
    many units an entry of the table stands for."""
    entry: NDArray[np.uint16]
    """(2 * n_landmarks, n_places) the goal's entry in a row minus a node's is a lower bound; empty
    without landmarks."""
    coarse: NDArray[np.uint8]
    """(n_nodes, 2 * n_landmarks) roughly the same, from which a search chooses its rows."""


class Work(NamedTuple):
    """The arrays of one search at a time."""

    word: NDArray[np.int64]
    mark: NDArray[np.int32]
    """(3, n_nodes) for each node the generation in which it may be entered but not left; the closed
    nodes in their order; for each of them its entry in the record of a reach."""
    pool: NDArray[np.int32]
    """(n, 2) node and next entry of a bucket."""
    wait: NDArray[np.int64]
    """Bucket of each entry that is beyond the ring."""
    ring: NDArray[np.int32]
    path: NDArray[np.int64]
    """(n_nodes, 5) nodes and costs of the path from the goal back, and the edge to try next; in the
    end its rows, columns, decks, costs and levels."""


@inlined
def row_and_col(node: Int, cols: Int, inverse: float) -> tuple[Int, Int]:
    """Return the row, counted through all decks, and the column of a node."""
    row = np.int64((node + 0.5) * inverse)  # exact below 2**50, faster than a division
    return row, node - row * cols


@inlined
def cell_of(node: Int, n_rows: Int, cols: Int, inverse: float) -> tuple[Int, Int, Int]:
    """Return the row, the column and the deck of a node."""
    row, col = row_and_col(node, cols, inverse)
    deck = np.int64(0)
    while row >= n_rows:
        row -= n_rows
        deck += 1
    return row, col, deck


@inlined
def striped_index(node: Int, n_lines: Int, cols: Int, inverse: float) -> Int:
    """Return the index of a node in stripes of a few columns, each stored row by row.

    In this order vertical neighbors are nearly as close as horizontal ones, so that a search reads
    fewer cache lines. `n_lines` are the rows of all decks.
    """
    row, col = row_and_col(node, cols, inverse)
    stripe, inside = col >> STRIPE_BITS, col & ((1 << STRIPE_BITS) - 1)
    return ((stripe * n_lines + row) << STRIPE_BITS) + inside


@inlined
def _place(node: Int, level: NDArray[np.int16], shape: Shape) -> Place:
    """Return two coordinates and the level of a node."""
    n_rows, cols, inverse, by_row, row_part, by_col, col_part = shape
    row, col, _ = cell_of(node, n_rows, cols, inverse)
    a = row - by_col * ((col + col_part) >> 1)
    b = col - by_row * ((row + row_part) >> 1)
    return a, b, np.int64(level[at(node)])


@inlined
def _shape(number: NDArray[np.int64]) -> Shape:
    by_row, row_part, by_col, col_part = number[7], number[8], number[9], number[10]
    return number[5], number[6], 1.0 / number[6], by_row, row_part, by_col, col_part


@inlined
def _between(start: Place, end: Place, bound: tuple[Int, Int, Int, Int, Int]) -> Int:
    """Return a lower bound of the cost between two places; see `Bound`."""
    axis, turn, opposite, climb, drop = bound
    da, db, rise = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    factor = opposite if (da < 0) != (db < 0) else turn
    away = axis * max(abs(da), abs(db)) + factor * min(abs(da), abs(db))
    return away + (climb * rise if rise > 0 else -drop * rise)


@inlined
def _spot(node: Int, n_nodes: Int, shape: Shape) -> Int:
    """Return the index of a node in a row of a table of landmarks."""
    n_lines = np.int64((n_nodes + 0.5) * shape[2])
    return striped_index(node, n_lines, shape[1], shape[2])


@compiled
def _row(key: Int, entry: NDArray[np.uint16], end: Int) -> tuple[Int, Int]:
    row = -key & ((1 << _ROW_BITS) - 1)
    return (row, np.int64(entry[row, end])) if key > 0 else (np.int64(0), np.int64(0))


@compiled
def _no_rows() -> Rows:
    none = np.int64(0), np.int64(0)
    return none, none, none, none, none, none, none, none


@compiled
def _best_rows(guide: Guide, start: Int, goal: Int, shape: Shape) -> Rows:
    """Return the eight rows of a table with the highest bounds, and the goal's entries in them.

    All are plain numbers: entries of an array would be read again at every node.
    """
    entry, coarse = guide.entry, guide.coarse
    end = _spot(goal, len(coarse), shape)
    best = np.zeros(8, dtype=np.int64)  # the bound, and in the bits below it the row
    for row in range(coarse.shape[1]):
        bound = np.int64(coarse[at(goal), at(row)]) - np.int64(coarse[at(start), at(row)])
        key = ((((bound + 128) & 255) - 128) << _ROW_BITS) - row
        for i in range(8):
            if key <= best[7]:
                break
            if key > best[i]:
                best[i], key = key, best[i]
    return (
        _row(best[0], entry, end), _row(best[1], entry, end), _row(best[2], entry, end),
        _row(best[3], entry, end), _row(best[4], entry, end), _row(best[5], entry, end),
        _row(best[6], entry, end), _row(best[7], entry, end),
    )  # fmt: skip


@inlined
def _known(node: Int, entry: NDArray[np.uint16], rows: Rows, n_nodes: Int, shape: Shape) -> Int:
    """Return the highest bound of the chosen rows of a table."""
    a, b, c, d, e, f, g, h = rows
    here = at(_spot(node, n_nodes, shape))
    return max(
        max(
            max(a[1] - entry[at(a[0]), here], b[1] - entry[at(b[0]), here]),
            max(c[1] - entry[at(c[0]), here], d[1] - entry[at(d[0]), here]),
        ),
        max(
            max(e[1] - entry[at(e[0]), here], f[1] - entry[at(f[0]), here]),
            max(g[1] - entry[at(g[0]), here], h[1] - entry[at(h[0]), here]),
        ),
    )


@inlined
def _rest(node: Int, place: Place, entry: NDArray[np.uint16], aim: Aim) -> Int:
    """Return a lower bound of the cost from a node to the goal."""
    end, bounds, rows, scale, n_nodes, shape = aim
    bound = _between(place, end, bounds)
    return max(bound, _known(node, entry, rows, n_nodes, shape) * scale) if scale > 0 else bound


@compiled
def _gap(entry: NDArray[np.uint16], rows: Rows, start: Int, end: Int) -> Int:
    """Return the highest bound of the chosen rows between two places of a table."""
    a, b = at(start), at(end)
    best = np.int64(0)
    for row, _ in rows:
        best = max(best, np.int64(entry[at(row), b]) - np.int64(entry[at(row), a]))
    return best


@inlined
def _bucket(f: Int, shift: Int | None) -> Int:
    return f if shift is None else f >> shift


@compiled
def _read_back(  # noqa: C901 - one loop over the edges into a node
    edges: EdgeArrays,
    guide: Guide,
    work: Work,
    aim: Aim,
    base: Int,
    goal: Int,
    source: Int,
    has_halts: bool,
) -> Int:
    """Write the path back from the goal and return its length; `source` is -1 for several.

    A node that was not closed counts as one at the wanted cost if it is on the way by the bounds
    and such nodes lead from it to one that is known. Each is looked at once.
    """
    word, path, level, entry, halt = work.word, work.path, guide.level, guide.entry, work.mark[0]
    _, bounds, rows, scale, n_nodes, shape = aim
    origin = _place(np.int64(max(source, 0)), level, shape)
    first_spot = _spot(np.int64(max(source, 0)), n_nodes, shape)
    total = (word[goal] - base) >> 2
    node, left, length, first = np.int64(goal), total, np.int64(0), np.int64(0)
    while True:
        path[at(length), at(0)], path[at(length), at(1)] = node, left
        known = word[at(node)] - base
        if known >> 2 == left and not known & PASSED:
            return length + 1
        before, wanted = np.int64(NO_NODE), np.int64(0)
        for edge in range(first, n_into(node, edges)):
            there, step = edge_into(node, edge, edges)
            if there < 0 or (has_halts and halt[at(there)] == base >> BASE):
                continue
            known, wanted = word[at(there)] - base, left - step
            if known >> 2 != wanted:
                if (known < 1 << BASE and (known < 0 or not known & OPEN)) or wanted < 0:
                    continue
                place = _place(there, level, shape)
                if source >= 0 and _between(origin, place, bounds) > wanted:
                    continue
                if _rest(there, place, entry, aim) != total - wanted:
                    continue
                if source >= 0 and scale > 0:
                    spot = _spot(there, n_nodes, shape)
                    if _gap(entry, rows, first_spot, spot) * scale > wanted:
                        continue
            before, path[at(length), at(2)] = there, edge + 1
            break
        if before >= 0:
            node, left, first, length = before, wanted, np.int64(0), length + 1
        elif length == 0:
            return np.int64(0)
        else:
            word[at(node)] = base - 1
            length -= 1
            node, left = path[at(length), at(0)], path[at(length), at(1)]
            first = path[at(length), at(2)]


@compiled
def _write_path(work: Work, guide: Guide, length: Int, shape: Shape) -> None:
    """Turn nodes and costs back from the goal into rows of a path from the start, in place."""
    path = work.path
    for i in range(length // 2):
        last = length - 1 - i
        for column in range(2):
            path[i, column], path[last, column] = path[last, column], path[i, column]
    for i in range(length):
        node, cost = path[i, 0], path[i, 1]
        path[i, 0], path[i, 1], path[i, 2] = cell_of(node, shape[0], shape[1], shape[2])
        path[i, 3], path[i, 4] = cost, guide.level[node]


@inlined
def _add(
    there: Int,
    key: Int,
    way: tuple[Int, Int],
    base: Int,
    shift: Int | None,
    aim: Aim,
    goal: Int | None,
    arrays: tuple[NDArray[Any], ...],
    frontier: Frontier,
) -> Frontier:
    """Note a node, with its coordinates, that is reached at a lower cost; return the frontier."""
    word, pool, wait, ring, level, entry = arrays
    bucket, top, live, late, late_bucket = frontier
    mask, f = np.int64(len(ring) - 1), (key - base) >> 2
    if goal is not None:
        f += _rest(there, (way[0], way[1], np.int64(level[at(there)])), entry, aim)
    f = _bucket(f, shift)
    word[at(there)] = key
    pool[at(top), at(0)] = there
    if f - bucket > mask:
        pool[at(top), at(1)], wait[at(top)] = late, f
        late, late_bucket = top, min(late_bucket, f)
    else:
        pool[at(top), at(1)] = ring[at(f & mask)]
        ring[at(f & mask)] = top
        live += 1
    return bucket, top + 1, live, late, late_bucket


@compiled
def search(  # noqa: C901 - one loop: a call in it costs more than the loop itself
    edges: EdgeArrays,
    guide: Guide,
    work: Work,
    sources: NDArray[np.int64],
    goal: Int | None,
    limit: Int,
    generation: Int,
    has_halts: bool,
    shift: Int | None,
) -> tuple[Int, Int]:
    """Find costs up to a limit, to a goal or (None) of all nodes.

    The first three arguments are plain tuples of the arrays, which take less time to pass.
    `sources` are (n, 2) nodes and their start costs. `shift` is log2 of the range of a bucket; None
    for costs in bytes. For each None numba compiles a faster search.

    Returns the length of the path in `work` (0: none; `FULL`), and how many nodes were closed.
    """
    edges, guide, work = EdgeArrays(*edges), Guide(*guide), Work(*work)
    cost, slot, links, level = edges.cost, edges.slot, edges.links, guide.level
    word, pool, ring, halt, settled = work.word, work.pool, work.ring, work.mark[0], work.mark[1]
    arrays, number = (word, pool, work.wait, ring, level, guide.entry), guide.number
    base, mask, n_nodes = np.int64(generation) << BASE, np.int64(len(ring) - 1), len(word)
    n_slots, illegal = np.int64(cost.shape[1]), illegal_mark(cost)
    is_wide = False if shift is None else shift > 0
    source = np.int64(sources[0, 0]) if len(sources) == 1 else np.int64(NO_NODE)
    shape, rows, scale = _shape(number), _no_rows(), np.int64(-1)
    end = np.int64(0), np.int64(0), np.int64(0)
    if goal is not None:
        end = _place(np.int64(goal), level, shape)
        if len(guide.entry) > 0:
            rows, scale = _best_rows(guide, np.int64(sources[0, 0]), goal, shape), number[11]
    bounds = number[0], number[1], number[2], number[3], number[4]
    aim = end, bounds, rows, scale, n_nodes, shape
    bucket, late, late_bucket = np.int64(-_NEVER), np.int64(-1), np.int64(_NEVER)
    chain, live, top, count = np.int64(-1), np.int64(0), np.int64(0), np.int64(0)
    ring[:] = -1
    for i in range(len(sources)):  # all are late, and the first bucket is their lowest
        if top == len(pool):
            return FULL, 0
        node, key = np.int64(sources[i, 0]), base + (np.int64(sources[i, 1]) << 2) + OPEN
        if word[node] > key:
            way, frontier = _place(node, level, shape)[:2], (bucket, top, live, late, late_bucket)
            frontier = _add(node, key, way, base, shift, aim, goal, arrays, frontier)
            bucket, top, live, late, late_bucket = frontier
    highest, last = _bucket(np.int64(limit), shift), base + (np.int64(limit) << 2) + 3
    while True:
        entry = np.int64(-1) if shift is None else chain
        if entry < 0:
            entry = np.int64(ring[at(bucket & mask)])
            if entry < 0:
                if live > 0:
                    bucket += 1
                elif late >= 0:
                    bucket = late_bucket
                else:
                    break
                if bucket > highest:
                    break
                if bucket >= late_bucket:
                    late, late_bucket, n_moved = _move_up(late, bucket, pool, work.wait, ring)
                    live += n_moved
                continue
            if shift is None or not is_wide:
                ring[at(bucket & mask)] = pool[at(entry), 1]
            else:
                ring[at(bucket & mask)] = -1
        if shift is not None and is_wide:
            chain = np.int64(pool[at(entry), 1])
        node = np.int64(pool[at(entry), 0])
        live -= 1
        key = word[at(node)]
        if not key & OPEN or key > last:
            continue
        word[at(node)] = key - OPEN
        if goal is None:
            settled[at(count)] = node
        count += 1
        if goal is not None and node == goal:
            if shift is None or not is_wide:
                break
            highest = bucket
            continue
        if has_halts and halt[at(node)] == generation:
            continue
        key |= OPEN | PASSED
        own_class, n_edges = class_of(node, edges), n_out(node, edges)
        if top + n_edges > len(pool):
            return FULL, count
        here = _place(node, level, shape)
        for edge in range(n_slots):
            step = np.int64(cost[at(node), at(edge)])
            if step >= illegal:
                continue
            there = node + slot[at(own_class), at(edge), at(0)]
            there_key = key + (step << 2)
            if word[at(there)] <= there_key:
                continue
            a = here[0] + slot[at(own_class), at(edge), at(1)]
            b = here[1] + slot[at(own_class), at(edge), at(2)]
            frontier = bucket, top, live, late, late_bucket
            frontier = _add(there, there_key, (a, b), base, shift, aim, goal, arrays, frontier)
            bucket, top, live, late, late_bucket = frontier
        for turn in range(n_edges - n_slots):  # inside the other loop this costs 16 % more
            link = edges.link_first[node] + turn
            there, there_key = np.int64(links[link, 0]), key + (np.int64(links[link, 1]) << 2)
            if word[at(there)] > there_key:
                way = _place(there, level, shape)[:2]
                frontier = bucket, top, live, late, late_bucket
                frontier = _add(there, there_key, way, base, shift, aim, goal, arrays, frontier)
                bucket, top, live, late, late_bucket = frontier
    length = np.int64(0)
    if goal is not None and 0 <= word[goal] - base <= last - base and not word[goal] & OPEN:
        length = _read_back(edges, guide, work, aim, base, goal, source, has_halts)
        if length > 0:
            _write_path(work, guide, length, shape)
    return length, count


@compiled
def _move_up(
    late: Int,
    bucket: Int,
    pool: NDArray[np.int32],
    wait: NDArray[np.int64],
    ring: NDArray[np.int32],
) -> tuple[Int, Int, Int]:
    """Move waiting entries into the ring; return the rest, its first bucket, and how many moved."""
    rest, rest_bucket, n_moved, entry = np.int64(-1), np.int64(_NEVER), 0, late
    while entry >= 0:
        after = np.int64(pool[entry, 1])
        if wait[entry] - bucket < len(ring):
            slot = wait[entry] & (len(ring) - 1)
            pool[entry, 1], ring[slot] = ring[slot], entry
            n_moved += 1
        else:
            rest_bucket = min(rest_bucket, np.int64(wait[entry]))
            pool[entry, 1] = rest
            rest = entry
        entry = after
    return rest, rest_bucket, n_moved


@inlined
def _before(
    node: Int, left: Int, edges: EdgeArrays, word: NDArray[np.int64], base: Int, bits: Int
) -> Int:
    """Return the node before one that costs `left` on its path, or -1.

    The words above the base, but for their lowest bits, are the costs of all nodes that a cheapest
    path to it passes. Of a node that may not be left the word is -1 above the base.
    """
    before, number, count = np.int64(NO_NODE), np.int64(0), n_into(node, edges)
    while number < count:
        there, step = edge_into(node, number, edges)
        if there >= 0 and step <= left and (word[at(there)] - base) >> bits == left - step:
            before, number = there, count
        number += 1
    return before


@compiled
def found(word: NDArray[np.int64], generation: Int) -> NDArray[np.int64]:
    """(n_nodes,) cost of each node after a search without goal and limit; -1 without a path."""
    base, cost = np.int64(generation) << BASE, np.empty(len(word), np.int64)
    for node in range(len(word)):
        known = word[node] - base  # open if an earlier search could not enter it
        cost[node] = known >> 2 if 0 <= known < 1 << BASE and not known & OPEN else -1
    return cost


@compiled
def nodes_before(
    edges: EdgeArrays, cost: NDArray[np.int64], halting: NDArray[np.int64]
) -> NDArray[np.int32]:
    """(n_nodes,) the node before each one on its path by their costs, -1 without one."""
    edges, before, passable = EdgeArrays(*edges), np.empty(len(cost), np.int32), cost.copy()
    passable[halting] = -1
    for node in range(len(cost)):
        before[at(node)] = _before(np.int64(node), cost[at(node)], edges, passable, 0, 0)
    return before


@compiled
def reach(
    edges: EdgeArrays,
    guide: Guide,
    work: Work,
    sources: NDArray[np.int64],
    limit: Int,
    generation: Int,
    has_halts: bool,
    shift: Int | None,
) -> tuple[NDArray[np.int64], Int]:
    """(n, 7) entry before (-1: none), row, column, deck, cost, level and number of closed nodes.

    The cheapest come first. Where they are many of the graph's, only (n, 3) the last columns: the
    others are computed faster for all at once, if they are needed. The second number is how many
    nodes there are, or `FULL`.
    """
    length, count = search(edges, guide, work, sources, None, limit, generation, has_halts, shift)
    if length == FULL:
        return np.empty((0, 7), np.int64), FULL
    edges, guide, work = EdgeArrays(*edges), Guide(*guide), Work(*work)
    base, shape, word = np.int64(generation) << BASE, _shape(guide.number), work.word
    halt, nodes, entry_of = work.mark[0], work.mark[1, :count], work.mark[2]
    if shift is not None and shift > 0:  # the order inside a bucket is arbitrary
        nodes = nodes[np.argsort(word[nodes], kind="mergesort")]
    is_few = count * _MANY_SHARE < len(word)
    record = np.empty((count, 7 if is_few else 3), dtype=np.int64)
    tail = record[:, record.shape[1] - 3 :]
    for i in range(count):
        node = np.int64(nodes[i])
        tail[i, 0], tail[i, 1] = (word[at(node)] - base) >> 2, guide.level[at(node)]
        tail[i, 2] = node
        if not is_few:
            continue
        entry_of[at(node)] = i
        before = _before(node, tail[i, 0], edges, word, base, 2)
        record[i, 0] = np.int64(entry_of[at(before)]) if before >= 0 else NO_NODE
        record[i, 1], record[i, 2], record[i, 3] = cell_of(node, shape[0], shape[1], shape[2])
        if has_halts and halt[at(node)] == generation:
            word[at(node)] = base - 1  # no path leads on
    return record, count


@compiled
def reach_many(
    edges: EdgeArrays,
    guide: Guide,
    work: Work,
    sources: NDArray[np.int64],
    limit: Int,
    generation: Int,
    shift: Int | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many nodes each source reaches, and (n, 2) all of them with their costs.

    One source comes after another. Searches run in generations from this one down, as far as the
    pool serves.
    """
    counts, found = np.zeros(len(sources), np.int64), np.empty((64 * len(sources), 2), np.int64)
    filled, opened = 0, Work(*work)
    for turn in range(len(sources)):
        now = np.int64(generation - turn)
        length, count = search(
            edges, guide, work, sources[turn : turn + 1], None, limit, now, _FALSE, shift
        )
        if length == FULL:
            return counts[:turn], found[:filled]
        counts[turn] = count
        while filled + count > len(found):
            found = np.concatenate((found, np.empty_like(found)))
        for i in range(count):
            node = opened.mark[1, i]
            found[filled, 0], found[filled, 1] = node, (opened.word[node] - (now << BASE)) >> 2
            filled += 1
    return counts, found[:filled]
