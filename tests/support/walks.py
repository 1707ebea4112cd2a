"""Walks of movers that behaviors lead over maps, and pictures of them."""

from ai import Navigation, Situation
from tests.support import rulebook


def path_of(behavior, tilemap, start, n_steps=50, dt_s=1.0, **options):
    """Return the cells a behavior leads to until it stays; each step is checked to be legal."""
    navigation = Navigation(tilemap)
    cells = [tilemap.cell(start)]
    for _ in range(n_steps):
        situation = Situation(navigation, cells[-1], **options)
        behavior.advance(dt_s)
        cell = behavior.next_cell(situation)
        if cell is None:
            break
        check_legal(situation, cell)
        cells.append(cell)
    return cells


def check_legal(situation, cell):
    """Fail if no legal steps lead to a cell of which only the last ends where a mover may stop."""
    tilemap, profile = situation.navigation.tilemap, situation.profile
    others = {"blocked": set(situation.blocked), "passable": set(situation.passable)}
    border, seen = [tuple(situation.here)], set()
    while border:
        start = border.pop()
        for end, _ in rulebook.steps_from(tilemap, profile, start, others["blocked"]):
            stops = rulebook.can_stop(tilemap, profile, end, others["passable"])
            if stops and end == tuple(cell):
                return
            if not stops and end not in seen:
                seen.add(end)
                border.append(end)
    raise AssertionError(f"no legal step leads from {situation.here} to {cell}")


def traced(tilemap, cells):
    """Draw how often a mover came to each tile, a dot where it never came."""
    visits = [["."] * tilemap.cols for _ in range(tilemap.rows)]
    for row, col, *_ in cells:
        before = visits[row][col]
        visits[row][col] = "1" if before == "." else str(int(before) + 1)
    return "\n".join("".join(row) for row in visits)


def recorded_calls(monkeypatch, name):
    """Return a list of the arguments of all calls of a Navigation query from now on."""
    calls, query = [], getattr(Navigation, name)

    def recording(self, *args, **options):
        calls.append(args)
        return query(self, *args, **options)

    monkeypatch.setattr(Navigation, name, recording)
    return calls
