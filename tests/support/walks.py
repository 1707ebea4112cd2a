"""Movers that behaviors lead over maps, and what of it can be drawn."""

from ai import Navigation, Situation
from tests.support import rulebook


def path_of(behavior, tilemap, start, n_steps=50, dt_s=1.0, **options):
    """List the cells a behavior leads to until it stays, each checked to be a legal step."""
    navigation = Navigation(tilemap)
    cells = [tilemap.cell(start)]
    for _ in range(n_steps):
        situation = Situation(navigation, cells[-1], **options)
        behavior.advance(dt_s)
        cell = behavior.next_cell(situation)
        if cell is None:
            break
        refuse_cheats(situation, cell)
        cells.append(cell)
    return cells


def refuse_cheats(situation, cell):
    """Fail if a cell is no legal end of steps of which all but the last end where none may stop."""
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
    """Draw where a mover went: by how often it came to a tile, dots where it never came."""
    visits = [["."] * tilemap.cols for _ in range(tilemap.rows)]
    for row, col, *_ in cells:
        before = visits[row][col]
        visits[row][col] = "1" if before == "." else str(int(before) + 1)
    return "\n".join("".join(row) for row in visits)


def spied(monkeypatch, name):
    """Let a query of Navigation note its arguments from now on; give the notes."""
    notes, query = [], getattr(Navigation, name)

    def noting(self, *args, **options):
        notes.append(args)
        return query(self, *args, **options)

    monkeypatch.setattr(Navigation, name, noting)
    return notes
