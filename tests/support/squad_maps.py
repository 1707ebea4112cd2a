"""Random squads on small maps, and random changes of their plans."""

from hypothesis import strategies as st

from ai import MoveProfile
from terrain3d import TOPOLOGIES, TileMap
from tests.support.mixed_maps import cells_to_ask
from tests.support.plain_map import all_surfaces, columns
from tests.support.strategies import KINDS, profiles, tilemaps

MOVERS = (
    MoveProfile(),
    MoveProfile(max_climb=1, max_drop=2, climb_cost=2),
    MoveProfile(diagonal="always"),
    MoveProfile(diagonal="always", diagonal_cost=1.5, climb_cost=0, body_height=2),
    MoveProfile(diagonal="at_least_one_walkable", max_climb=1),
    MoveProfile(diagonal="only_if_no_obstacles", drop_cost=1),
    MoveProfile(can_fly=True),
    MoveProfile(can_fly=True, diagonal="always", max_climb=0, max_drop=0),
    MoveProfile(warp=2),
)


FEW_CELLS = 9
OPEN, PASSAGE = "00000000001112#", "###0"
SHAPES = (
    *(
        (rows, cols, OPEN)
        for rows, cols in ((2, 2), (1, 5), (2, 3), (2, 4), (3, 3), (3, 4), (1, 8))
    ),
    *((2, cols, PASSAGE) for cols in (3, 4, 5)),
)


@st.composite
def mixed(draw):
    """Draw a map with all rules mixed, and a profile, start and goal for each unit."""
    tilemap = draw(tilemaps(max_side=3))
    cells = all_surfaces(tilemap) * 4 + cells_to_ask(tilemap)
    some = profiles(tilemap.topology).filter(lambda profile: profile.size == 1)
    movers = draw(st.lists(some, min_size=1, max_size=2))
    order = st.permutations(cells).map(lambda shuffled: list(dict.fromkeys(shuffled)))
    # The reference searches all configurations of the units in plain Python.
    n_cells = len(set(cells))
    n_units = min(draw(st.integers(1, 3)), 3 if n_cells <= FEW_CELLS else 2, n_cells)
    profiles_of = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    return tilemap, profiles_of, draw(order)[:n_units], draw(order)[:n_units]


@st.composite
def crowded(draw):
    """Draw two or three units on a few open tiles or in a passage, where they block each other."""
    n_rows, n_cols, signs = draw(st.sampled_from(SHAPES))
    line = st.lists(st.sampled_from(OPEN), min_size=n_cols, max_size=n_cols)
    beside = st.lists(st.sampled_from(signs), min_size=n_cols, max_size=n_cols)
    rows = ["".join(draw(beside if row else line)) for row in range(n_rows)]
    topology = draw(st.sampled_from(["square", *TOPOLOGIES]))
    tilemap = TileMap.from_text("\n".join(rows), KINDS, topology=topology)
    with tilemap.edit() as edit:
        for row, col in draw(st.sets(st.sampled_from(columns(tilemap)), max_size=2)):
            edit.add_deck([(row, col)], level=draw(st.integers(3, 4)), thickness=1)
    cells = all_surfaces(tilemap)
    if draw(st.booleans()) and len(cells) > 1:
        with tilemap.edit() as edit:
            edit.add_link(cells[0], cells[-1], cost=2, kind="ladder")
    n_units = min(draw(st.sampled_from([2, 2, 3])), 3 if len(cells) <= FEW_CELLS else 2)
    n_units = min(n_units, len(cells))
    movers = draw(st.lists(st.sampled_from(MOVERS), min_size=1, max_size=2))
    profiles_of = [draw(st.sampled_from(movers)) for _ in range(n_units)]
    starts, goals = (draw(st.permutations(cells)) for _ in range(2))
    bogs = draw(st.sets(st.sampled_from(cells or [None]), max_size=2 * bool(cells)))
    if draw(st.booleans()):  # a unit that may have to step aside and to return
        goals = [*starts[:1], *(cell for cell in goals if cell not in starts[:1])]
        bogs |= {*starts[:1]} if draw(st.booleans()) else set()
    with tilemap.edit() as edit:
        for cell in bogs:
            edit.set_kind(cell, "bog")
    return tilemap, profiles_of, starts[:n_units], goals[:n_units]


@st.composite
def walks(draw, board):
    """Draw a schedule of legal steps and waits for the units of a board, conflicts and all."""
    paths = [[unit.cell] for unit in board.units]
    for unit, path in zip(board.units, paths, strict=True):
        for _ in range(draw(st.integers(0, 4))):
            ends = sorted(board.navigation.steps_from(path[-1], unit.profile))
            path.append(draw(st.sampled_from([path[-1], *ends])))
    return paths


@st.composite
def altered(draw, tilemap, paths):
    """Draw a schedule like another one: with delays, cut corners, other cells, other ends."""
    paths = [list(path) for path in paths]
    for _ in range(draw(st.integers(1, 5)) if paths else 0):
        path = draw(st.sampled_from(paths))
        at = draw(st.integers(0, len(path) - 1))
        change = draw(st.sampled_from(["wait", "wait", "hurry", "hurry", "cell", "go on"]))
        cell = draw(st.sampled_from([path[at], *all_surfaces(tilemap)]))
        if change == "wait":
            path.insert(at, path[at])
        elif change == "hurry" and at > 0:
            del path[at]
        elif change == "cell" and at > 0:
            path[at] = cell
        elif change == "go on":
            path.append(cell)
    return paths
