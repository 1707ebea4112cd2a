"""Random ends of searches: a start where a mover may stand, and a goal that it can reach."""

from ai import MoveProfile, Navigation
from ai.navigation.comparison import FARTHEST, RandomSearches
from terrain3d import TileMap


def ends(tilemap, profile, seed, count=20):
    """Draw searches, run them, and give their starts and goals with the cost of the paths."""
    searches, drawn = RandomSearches(Navigation(tilemap), seed), []
    for _ in range(count):
        search = searches.draw(profile)(profile, algorithm="astar", heuristic="auto")
        search.run()
        cells = search.path.cells
        drawn.append((cells[0], cells[-1], search.path.cost))
    return drawn


def test_the_goal_is_reached_at_a_cost_within_the_limit():
    tilemap, profile = TileMap.from_noise(40, 40, seed=2, levels=6), MoveProfile()
    drawn = ends(tilemap, profile, 5)
    assert len({start for start, _, _ in drawn}) > 10
    assert all(0 < cost <= FARTHEST and start != goal for start, goal, cost in drawn)


def test_a_seed_gives_the_same_ends():
    tilemap, profile = TileMap.from_noise(20, 20, seed=2, levels=6), MoveProfile()
    assert ends(tilemap, profile, 5) == ends(tilemap, profile, 5) != ends(tilemap, profile, 6)


def test_void_and_blocked_ground_is_no_end():
    tilemap = TileMap.from_text("##0#\n#00#\n0###")
    drawn = ends(tilemap, MoveProfile(), 1)
    assert {cell[:2] for start, goal, _ in drawn for cell in (start, goal)} == {
        (0, 2),
        (1, 1),
        (1, 2),
    }


def test_where_nothing_is_connected_there_is_no_search():
    assert RandomSearches(Navigation(TileMap.from_text("0#0\n###")), 1).draw(MoveProfile()) is None
