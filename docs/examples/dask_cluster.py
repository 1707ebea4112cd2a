"""Answers queries by the workers of a cluster."""

import numpy as np
from distributed import Client, LocalCluster

from ai import Navigation
from terrain3d import TileMap

if __name__ == "__main__":
    navigation = Navigation(TileMap.from_noise(64, 64, seed=7))
    starts, goals = [(row, 0) for row in range(64)], [(0, 63), (31, 63), (63, 63)]
    shares = [starts[first : first + 16] for first in range(0, 64, 16)]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        there = client.scatter(navigation, broadcast=True)
        tasks = [client.submit(Navigation.distances, there, share, goals) for share in shares]
        costs = np.concatenate(client.gather(tasks))
    print(costs.shape)
