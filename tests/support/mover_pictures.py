"""Maps from pictures, and pictures of what a mover makes of them; the plain rulebook must agree."""

import math

from ai import Blockers, MoveProfile, Navigation
from terrain3d import KINDS, TileMap
from tests.support import rulebook
from tests.support.plain_map import columns
from tests.support.reference import drawn, ground

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


def path_of(tilemap, profile, start, goal, **others):
    """Find a path: its picture and cost, or the reason why there is none."""
    path = Navigation(tilemap).find_path(start, goal, profile, blockers=Blockers(**others))
    start, goal = (*start, 0)[:3], (*goal, 0)[:3]
    assert path.cost == rulebook.ends(tilemap, profile, start, **others).get(goal, math.inf)
    return (drawn(tilemap, path), path.cost) if path else path.reason


def reached(tilemap, profile, start=(0, 0), **others):
    """Draw what it costs to each tile of the ground, with a dot where no path ends."""
    reach = Navigation(tilemap).reach(start, math.inf, profile, blockers=Blockers(**others))
    ends = rulebook.ends(tilemap, profile, (*start, 0), **others)
    assert {tuple(cell): reach.cost_to(cell) for cell in reach} == ends
    signs = [str(ends.get((*column, 0), ".")) for column in columns(tilemap)]
    rows = range(0, len(signs), tilemap.cols)
    return "\n".join("".join(signs[row : row + tilemap.cols]) for row in rows)
