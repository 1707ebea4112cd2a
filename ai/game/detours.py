"""Say why a planned path is longer than the straight route to its goal."""

from ai.board.board import Board
from ai.game.order_planner import Plan
from ai.rules.profile import MoveProfile
from terrain3d import Cell, TileMap
from terrain3d.grid.reason import plain_reason

MAX_STEPS = 120
"""The longest path that is explained; longer ones would take too much of a frame."""

_PAID_FOR = {
    "ground": "ground",
    "diagonal": "diagonal steps",
    "climb": "climbing",
    "drop": "going down",
    "leap": "leaps",
    "link": "ladders and doors",
}
"""Names for the player of what a step pays for."""


def straight_route(tilemap: TileMap, start: Cell, goal: Cell, profile: MoveProfile) -> list[Cell]:
    """Return the cells along the straight line to a goal, whether or not a step is legal there.

    Each next cell is a neighbor with one step less to go on open ground, and of these the one
    nearest to the line. Of several surfaces of a column the one nearest in level is next.
    """
    grid, route = tilemap.grid, [start]
    diagonals = grid.diagonals if profile.diagonal != "never" else ()
    (x, y), (goal_x, goal_y) = grid.center(start[:2]), grid.center(goal[:2])

    def left(cell: Cell) -> tuple[int, float]:
        across = abs(cell.row - goal.row), abs(cell.col - goal.col)
        n_steps = max(across) if diagonals else grid.distance(cell[:2], goal[:2])
        cell_x, cell_y = grid.center(cell[:2])
        off = (cell_x - x) * (goal_y - y) - (cell_y - y) * (goal_x - x)
        return n_steps, round(abs(off), 9)

    def level(cell: Cell) -> int:
        return int(tilemap.surface_level[cell.deck, cell.row, cell.col])

    while (here := route[-1])[:2] != goal[:2]:
        corners = (Cell(here.row + down, here.col + right) for down, right in diagonals)
        column = min([*grid.neighbors(here[:2]), *filter(grid.contains, corners)], key=left)
        surfaces = [column._replace(deck=deck) for deck in tilemap.decks_at(column[:2]) or [0]]
        route.append(min(surfaces, key=lambda cell: abs(level(cell) - level(here))))
    return [*route[:-1], goal]


def describe_detour(plan: Plan, board: Board) -> str:
    """Return why the path of a plan has more steps than the straight route, and what it saves.

    "" if it has not, if there is no path or a very long one, and if both cost the same.
    """
    cells, unit, others = plan.path.cells, plan.unit, board.situation(plan.unit)
    if not 1 < len(cells) <= MAX_STEPS + 1:
        return ""
    route = straight_route(board.tilemap, cells[0], plan.cell, unit.profile)
    if len(cells) <= len(route):
        return ""
    found = board.navigation.compare(
        cells, route, unit.profile, blocked=others.blocked, halting=others.halting
    )
    if found.other.reason:
        return f"no straight path: {plain_reason(found.other.reason, plan.cell)}"
    if found.path.cost == found.other.cost:
        return ""
    saved = {name: getattr(found.savings, part) for part, name in _PAID_FOR.items()}
    terms = [
        f"{abs(cost):.12g} {'less' if cost > 0 else 'more'} for {name}"
        for name, cost in sorted(saved.items(), key=lambda row: -row[1])
        if cost
    ]
    costs = f"{found.path.cost:.12g} instead of {found.other.cost:.12g}"
    return f"{costs} straight: {', '.join(terms)}"
