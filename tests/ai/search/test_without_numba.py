"""Without numba all queries give the same answers, and a warning says once that they are slow."""

from tests.support.programs import fork_python, run_python

QUERIES = """
import sys
if "without" in sys.argv:
    sys.modules["numba"] = None  # an import of it fails from now on
from ai import Navigation, SquadPlanner, check, movers, warm_up
from terrain3d import TileMap

tilemap = TileMap.from_noise(7, 7, seed=3)
warm_up(tilemap)
nav = Navigation(tilemap)
for mover in movers.LIGHT_FOOT, movers.SWIMMER, movers.FLYER, movers.WARP:
    print(list(nav.find_path((0, 0), (6, 6), mover)))
    print(nav.reach((0, 0), 5, mover).as_costs().tolist())
    print(nav.cost_field((3, 3), mover).cost.tolist())
nav.build_index(movers.LIGHT_FOOT)
print(list(nav.find_path((0, 0), (6, 6), movers.LIGHT_FOOT)))
print(check(nav, movers.LIGHT_FOOT))
print(SquadPlanner(nav).plan([(0, 0), (0, 1)], [(5, 5), (5, 6)], movers.LIGHT_FOOT).paths)
"""


def test_the_answers_are_the_same_and_one_warning_says_that_they_are_slow():
    here, without = fork_python(QUERIES), run_python("-c", QUERIES, "without", check=True)
    assert (without.stdout, here.stderr) == (here.stdout, "")
    assert without.stderr.count("RuntimeWarning: searches run as plain Python") == 1
