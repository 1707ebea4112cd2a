"""Walks of movers over maps from pictures, pictures of them, and what the plain rulebook says."""

import math

from ai import Blockers, MoveProfile, Navigation, Situation
from terrain3d import KINDS, TileMap
from tests.support import rulebook
from tests.support.plain_map import columns
from tests.support.reference import drawn, ground


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


SIGNS = {kind.name[0]: kind.name for kind in KINDS} | {"w": "shallow", "s": "swamp", "#": "void"}
WALKER = MoveProfile()


def land(levels, kinds=None, table=KINDS, signs=SIGNS):
    """Make a map from a picture of levels and one of kinds by their first letters."""
    return ground(levels, kinds, table=table, signs=signs)


def spanned(levels, *bridges):
    """Make a map with (cells, level) bridges, each one level thick."""
    tilemap = TileMap.from_text(levels)
    with tilemap.edit() as edit:
        for cells, level in bridges:
            edit.add_deck(cells, level)
    return tilemap


def best_path(tilemap, profile, start, goal, **others):
    """Find a path: its picture and cost, or the reason why there is none."""
    path = Navigation(tilemap).find_path(start, goal, profile, blockers=Blockers(**others))
    start, goal = (*start, 0)[:3], (*goal, 0)[:3]
    assert path.cost == rulebook.ends(tilemap, profile, start, **others).get(goal, math.inf)
    return (drawn(tilemap, path), path.cost) if path else path.reason


def reached(tilemap, profile):
    """Draw what it costs to each tile of the ground, with a dot where no path ends."""
    reach = Navigation(tilemap).reach((0, 0), math.inf, profile)
    ends = rulebook.ends(tilemap, profile, (0, 0, 0))
    assert {tuple(cell): reach.cost_to(cell) for cell in reach} == ends
    signs = [str(ends.get((*column, 0), ".")) for column in columns(tilemap)]
    rows = range(0, len(signs), tilemap.cols)
    return "\n".join("".join(signs[row : row + tilemap.cols]) for row in rows)
