"""Where a node lies: nodes are numbered deck by deck, row by row, column by column."""

import numpy as np

from ai.search.jit import Number, helper, inlined

STRIPE_BITS = 3
"""A strip is 2**STRIPE_BITS columns wide."""


@helper
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
def striped_index(node: Number, width: Number, n_rows: Number) -> Number:
    """Give the place of a node where striped of some columns follow each other, each row by row.

    There nodes above each other are nearly as close as nodes beside each other, so that a search
    that wanders about reads less memory.
    """
    row, col = row_and_col(node, width)
    strip, inside = col >> STRIPE_BITS, col & ((1 << STRIPE_BITS) - 1)
    return ((strip * n_rows + row) << STRIPE_BITS) + inside
