"""Queries on a cluster of Dask, with two worker processes on this machine."""

import numpy as np
import pytest

from ai import MoveProfile, Navigation, check_maps
from terrain3d import TileMap
from tests.support.optional import import_or_skip

distributed = import_or_skip("distributed")

PROFILE = MoveProfile(max_climb=1, max_drop=2)


@pytest.fixture(scope="module")
def executor():
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


def test_two_workers_give_the_answers_of_this_process(executor, tmp_path):
    tilemap = TileMap.from_noise(20, 20, seed=5)
    navigation = Navigation(tilemap)
    starts, goals = np.random.default_rng(1).integers(0, 20, (2, 600, 2)).tolist()
    here = navigation.find_paths(starts, goals, PROFILE)
    there = navigation.find_paths(starts, goals, PROFILE, executor=executor)
    assert [path.cells for path in there] == [path.cells for path in here]
    assert [path.reason for path in there] == [path.reason for path in here]
    goal_sets = [(1, 1), [(2, 2), (9, 9)], (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)]
    fields = zip(
        navigation.cost_fields(goal_sets, PROFILE, executor=executor),
        navigation.cost_fields(goal_sets, PROFILE),
        strict=True,
    )
    assert all((one.cost == other.cost).all() for one, other in fields)
    tilemap.save(tmp_path / "a.tmap")
    files = [tmp_path / "a.tmap", tmp_path / "gone.tmap"]
    found = check_maps(files, PROFILE, executor=executor)
    assert list(map(str, found)) == list(map(str, check_maps(files, PROFILE)))
