"""A binary heap whose rows are a price, a rank, a cost and an entry.

The lowest price comes first, then the lowest rank, then the highest cost.
"""

import numpy as np

from ai.search.jit import Array, Number, compiled


@compiled
def push(
    heap: Array, size: Number, price: Number, rank: Number, cost: Number, entry: Number
) -> None:
    """Add an entry to a heap of so many rows."""
    place = size
    while place > 0:
        above = (place - 1) // 2
        if heap[above, 0] < price or (
            heap[above, 0] == price
            and (heap[above, 1] < rank or (heap[above, 1] == rank and heap[above, 2] > cost))
        ):
            break
        for column in range(4):  # a whole row at once is slower
            heap[place, column] = heap[above, column]
        place = above
    heap[place, 0], heap[place, 1], heap[place, 2], heap[place, 3] = price, rank, cost, entry


@compiled
def pop(heap: Array, size: Number) -> Number:
    """Take the first entry out of a heap of so many rows."""
    best, last, place = np.int64(heap[0, 3]), size - 1, 0
    price, rank, cost = heap[last, 0], heap[last, 1], heap[last, 2]
    while True:
        child = 2 * place + 1
        if child >= last:
            break
        right = child + 1
        if right < last and (
            heap[right, 0] < heap[child, 0]
            or (
                heap[right, 0] == heap[child, 0]
                and (
                    heap[right, 1] < heap[child, 1]
                    or (heap[right, 1] == heap[child, 1] and heap[right, 2] > heap[child, 2])
                )
            )
        ):
            child = right
        if price < heap[child, 0] or (
            price == heap[child, 0]
            and (rank < heap[child, 1] or (rank == heap[child, 1] and cost >= heap[child, 2]))
        ):
            break
        for column in range(4):
            heap[place, column] = heap[child, column]
        place = child
    for column in range(4):
        heap[place, column] = heap[last, column]
    return best
