"""Compare two routes: the parts of their costs, and where they diverge and meet again."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from ai.rules.step_parts import StepAnswer, StepParts
from terrain3d import Cell
from terrain3d.core.wording import counted, plain


@dataclass(frozen=True)
class Route:
    """Cells one after the other, with the answer for each step between them.

    Parameters
    ----------
    cells : tuple of Cell
    answers : tuple of StepAnswer
        One fewer than cells: cost and parts of each step, or why it is not legal.
    """

    cells: tuple[Cell, ...]
    answers: tuple[StepAnswer, ...]

    @property
    def cost(self) -> float:
        """The sum of the steps; infinity if one is not legal."""
        return sum(answer.cost for answer in self.answers)

    @property
    def parts(self) -> StepParts:
        """The parts of the costs of all legal steps; their sum is `cost` if all are legal."""
        return StepParts(*map(sum, zip(StepParts(), *(a.parts for a in self.answers), strict=True)))

    @property
    def reason(self) -> str:
        """Why the first illegal step is not legal; "" if all are."""
        return next((answer.reason for answer in self.answers if not answer.legal), "")

    def __str__(self) -> str:
        """Return the ends, and cost and number of steps or why it is not legal."""
        price = self.reason or f"{plain(self.cost)} in {counted(len(self.answers), 'step')}"
        return f"{self.cells[0]} to {self.cells[-1]}: {price}"


@dataclass(frozen=True)
class PathComparison:
    """The answer to `Navigation.compare`; as text, a table of the parts of both costs.

    Parameters
    ----------
    path, other : Route
    sections : tuple of (Route, Route)
        The pieces of both routes from each cell where they diverge to the next cell that both pass.
        The first and the last piece may begin or end at an end of the route instead.
    """

    path: Route
    other: Route
    sections: tuple[tuple[Route, Route], ...]

    @property
    def savings(self) -> StepParts:
        """How much less the path costs than the other route, part by part."""
        pairs = zip(self.path.parts, self.other.parts, strict=True)
        return StepParts(*(other - own for own, other in pairs))

    def __str__(self) -> str:
        """Return the table, and two lines for each section."""
        parts = zip(StepParts._fields, self.path.parts, self.other.parts, strict=True)
        rows = [("", "path", "other")]
        rows += [(name, plain(a), plain(b)) for name, a, b in parts if a or b]
        rows.append(("cost", plain(self.path.cost), plain(self.other.cost)))
        table = [f"{name:8} {own:>8} {other:>8}" for name, own, other in rows]
        parted = [f"path  {own}\nother {other}" for own, other in self.sections]
        return "\n".join([*table, *parted])


def compare_routes(path: Route, other: Route) -> PathComparison:
    """Return the comparison of two routes, with at least one cell each."""
    matcher = SequenceMatcher(None, path.cells, other.cells, autojunk=False)
    blocks = matcher.get_matching_blocks()  # the last one is empty, after both ends
    shared = [(a + i, b + i) for a, b, size in blocks for i in range(max(size, 1))]
    sections = [
        (_between(path, here, there), _between(other, here_other, there_other))
        for (here, here_other), (there, there_other) in pairwise([(-1, -1), *shared])
        if (there - here, there_other - here_other) != (1, 1)
    ]
    return PathComparison(path, other, tuple(sections))


def _between(route: Route, first: int, last: int) -> Route:
    """Return a route from one cell to another by their numbers, as far as it has them."""
    first = max(first, 0)
    return Route(route.cells[first : last + 1], route.answers[first:last])
