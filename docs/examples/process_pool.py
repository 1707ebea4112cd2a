"""Answers queries in two processes."""

from concurrent.futures import ProcessPoolExecutor

from ai import Navigation
from terrain3d import TileMap

if __name__ == "__main__":
    navigation = Navigation(TileMap.from_noise(64, 64, seed=7))
    starts = [(number % 64, 0) for number in range(600)]
    goals = [(0, number % 64) for number in range(600)]
    shares = [slice(first, first + 300) for first in (0, 300)]
    with ProcessPoolExecutor(2) as pool:
        ends = ([cells[share] for share in shares] for cells in (starts, goals))
        paths = [path for found in pool.map(navigation.find_paths, *ends) for path in found]
    print(sum(path.cost for path in paths))
