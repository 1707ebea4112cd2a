"""Decision points: the junctions, corners and dead ends where a mover chooses its direction."""

from collections.abc import Mapping

from ai.navigation.profile_graph import GraphChange, ProfileGraph
from terrain3d import Cell
from terrain3d.grid.grid import Grid

_ROUNDING = 1e-6  # centers of hexagons are rounded


class DecisionPoints(dict[int, bool]):
    """Whether nodes are decision points, as far as that was asked, until an edit near them."""

    def __init__(self, graph: ProfileGraph) -> None:
        super().__init__()
        self._graph = graph
        graph.add_follower(self)

    def follow(self, change: GraphChange) -> None:
        """Forget the nodes near an edit."""
        if change.has_new_links:
            self.clear()
        for rect in change.touched if self else ():
            for node in self._graph.nodes_in(rect).tolist():
                self.pop(node, None)


def is_decision_point(grid: Grid, cell: Cell, ends: Mapping[Cell, Mapping[Cell, float]]) -> bool:
    """Return whether a cell is not part of a straight corridor.

    In a straight corridor there are two cells to which a mover can step and back, on opposite
    sides. `ends` are the cells one step away, each with those one step away from it.
    """
    beside = [end for end, further in ends.items() if cell in further]
    if len(beside) != 2:
        return True
    x, y = grid.center(cell[:2])
    (a, b), (c, d) = ((p - x, q - y) for p, q in (grid.center(end[:2]) for end in beside))
    is_opposite = abs(a * d - b * c) < _ROUNDING and a * c + b * d < -_ROUNDING
    return not is_opposite
