"""Compiled conversions of node numbers, which count deck by deck, row by row.

The counterpart for Python is `ai.rules.nodes.Nodes`.
"""

import numpy as np
from numpy.typing import NDArray

from ai.compilation.jit import Number, helper, inlined

STRIPE_BITS = 3
"""A stripe is 2**STRIPE_BITS columns wide."""


@helper
def width_of(cols: Number) -> Number:
    """Return the number of columns and its inverse, the `width` of the other functions."""
    return np.int64(cols), 1.0 / cols


@inlined
def row_and_col(node: Number, width: Number) -> Number:
    """Return the row, counted through all decks, and the column."""
    cols, inverse = width
    row = np.int64((node + 0.5) * inverse)  # exact below 2**50, faster than a division
    return row, node - row * cols


@inlined
def cell_of(node: Number, width: Number, n_cells: Number, n_nodes: Number) -> Number:
    """Return the row, the column and the deck; the deck is 0 if `n_nodes` is `n_cells`."""
    deck = node // n_cells if n_cells < n_nodes else np.int64(0)
    row, col = row_and_col(node - deck * n_cells, width)
    return row, col, deck


@inlined
def striped_index(node: Number, width: Number, n_rows: Number) -> Number:
    """Return the index of a node in stripes of a few columns, each stored row by row.

    In this order vertical neighbors are nearly as close as horizontal ones, so that a search reads
    fewer cache lines.
    """
    row, col = row_and_col(node, width)
    stripe, inside = col >> STRIPE_BITS, col & ((1 << STRIPE_BITS) - 1)
    return ((stripe * n_rows + row) << STRIPE_BITS) + inside


def striped_places(n_nodes: int, cols: int) -> NDArray[np.int64]:
    """(n_nodes,) `striped_index` of each node."""
    row, col = np.divmod(np.arange(n_nodes), cols)
    stripe, inside = np.divmod(col, 1 << STRIPE_BITS)
    places: NDArray[np.int64] = ((stripe * (n_nodes // cols) + row) << STRIPE_BITS) + inside
    return places
