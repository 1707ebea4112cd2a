"""What is measured: `ai.Navigation`, plain and with its index."""

from ai import MoveProfile, Navigation
from terrain3d import TileMap
from tests.benchmarks.maps import MAX_CLIMB, MAX_DROP

PROFILE = MoveProfile(max_climb=MAX_CLIMB, max_drop=MAX_DROP, climb_cost=1, drop_cost=0)


class Ours:
    """Navigation as it is."""

    source = TileMap

    def __init__(self, tilemap):
        self.tilemap = tilemap
        self.navigation = Navigation(tilemap)
        self._make_ready((0, 0))

    def _make_ready(self, cell):
        # Navigation prepares a map, or follows an edit, when it is next asked something.
        self.navigation.find_path(cell, cell, PROFILE)

    def find_path(self, start, goal):
        return self.navigation.find_path(start, goal, PROFILE).as_array()

    def cells(self, answer):
        return answer[:, :2]

    def reach(self, start, budget):
        return self.navigation.reach(start, budget, PROFILE)

    def reached(self, answer):
        return len(answer), sum(answer.cost_to(cell) for cell in answer)

    def reaches(self, starts, budget):
        return self.navigation.reaches(starts, budget, PROFILE)

    def cost_field(self, goal):
        return self.navigation.cost_field(goal, PROFILE)

    def costs(self, answer):
        return answer.cost

    def set_level(self, cell, level):
        with self.tilemap.edit("level") as edit:
            edit.set_level(cell, level)
        self._make_ready(cell)


class OursWithIndex(Ours):
    """Navigation after `build_index`; edits repair the index."""

    def __init__(self, tilemap):
        super().__init__(tilemap)
        self.navigation.build_index(PROFILE)


def batch(ours, questions):
    """Ask many questions in one call."""
    starts, goals = zip(*questions, strict=True)
    paths = ours.navigation.find_paths(starts, goals, PROFILE)
    return [path.as_array() for path in paths]
