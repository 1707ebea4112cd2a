"""Measure what queries on other processes cost: `python -m tests.benchmarks.shipping`."""

import multiprocessing
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from ai import Navigation
from terrain3d import TileMap

SIZES = (64, 256, 1024)
N_QUERIES, N_WORKERS = 4096, 2
ROUNDS = 3


def seconds_of(call) -> tuple[float, object]:
    """Return the shortest time of some calls, and the last answer."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - begin)
    return min(times), answer


def main() -> None:
    """Print a row for each size of map."""
    print(
        "| map | pickled, MB | pickle, ms | unpickle, ms | paths here, s | paths, 2 processes, s |"
    )
    print("|---|---|---|---|---|---|")
    with ProcessPoolExecutor(N_WORKERS, multiprocessing.get_context("spawn")) as pool:
        for size in SIZES:
            navigation = Navigation(TileMap.from_noise(size, size, seed=7))
            away, data = seconds_of(partial(pickle.dumps, navigation))
            back, _ = seconds_of(partial(pickle.loads, data))
            rng = np.random.default_rng(1)
            starts, goals = rng.integers(0, size, (2, N_QUERIES, 2)).tolist()
            find = partial(navigation.find_paths, starts, goals)
            here, there = seconds_of(find), seconds_of(partial(find, executor=pool))
            assert [path.cost for path in here[1]] == [path.cost for path in there[1]]
            times = f"{away * 1e3:.1f} | {back * 1e3:.1f} | {here[0]:.2f} | {there[0]:.2f}"
            print(f"| {size} x {size} | {len(data) / 1e6:.2f} | {times} |", flush=True)


if __name__ == "__main__":
    main()
