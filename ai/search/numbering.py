"""Where a node lies: nodes are numbered deck by deck, row by row, column by column."""

import numpy as np

from ai.search.compiled import Number, inlined, part

STRIP_BITS = 3
"""A strip is 2**STRIP_BITS columns wide."""


@part
def width_of(cols: Number) -> Number:
    """Give the number of columns with its inverse, as the others here take it."""
    return np.int64(cols), 1.0 / cols


@inlined
def row_and_col(node: Number, width: Number) -> Number:
    """Give the row, counted on through all decks, and the column."""
    cols, inverse = width
    row = np.int64((node + 0.5) * inverse)  # exact below 2**50, and quicker than a division
    return row, node - row * cols


@inlined
def cell_of(node: Number, width: Number, n_cells: Number, n_nodes: Number) -> Number:
    """Give the row, the column and the deck, of which there are more if `n_nodes` is more."""
    deck = node // n_cells if n_cells < n_nodes else np.int64(0)
    row, col = row_and_col(node - deck * n_cells, width)
    return row, col, deck


@inlined
def place_in_strips(node: Number, width: Number, n_rows: Number) -> Number:
    """Give the place of a node where strips of some columns follow each other, each row by row.

    There nodes above each other are nearly as close as nodes beside each other, so that a search
    that wanders about reads less memory.
    """
    row, col = row_and_col(node, width)
    strip, inside = col >> STRIP_BITS, col & ((1 << STRIP_BITS) - 1)
    return ((strip * n_rows + row) << STRIP_BITS) + inside
