"""Many queries at once, on all cores: each thread takes a share, without the interpreter's lock."""

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Q = TypeVar("Q")
A = TypeVar("A")

_LEAST_SHARE = 64  # fewer queries than this are not worth a thread


def answer_all(queries: Sequence[Q], answer: Callable[[Sequence[Q]], list[A]]) -> list[A]:
    """Answer queries in equal shares, one a core, and give the answers in their order.

    Parameters
    ----------
    queries : sequence
    answer : callable
        Answers a share; it should release the interpreter's lock most of the time.
    """
    n_shares = max(1, min(os.cpu_count() or 1, len(queries) // _LEAST_SHARE))
    if n_shares == 1:
        return answer(queries)
    bounds = [len(queries) * share // n_shares for share in range(n_shares + 1)]
    shares = [queries[low:high] for low, high in itertools.pairwise(bounds)]
    with ThreadPoolExecutor(n_shares) as pool:
        return [found for share in pool.map(answer, shares) for found in share]
