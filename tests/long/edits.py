"""Answers of boards through edits, orders, undo and copies, beside those of a new board.

Whatever a board, its map and its index keep, the answers are those of a new board in the same state
without an index. For something else that is kept, add a question.
"""

import math
import pickle
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

import ai
from terrain3d import TOPOLOGIES, TileMap
from tests.long import Kind, by_seed
from tests.support.plain_map import all_surfaces
from tests.support.strategies import KINDS, NAMES, ROAD, applied, beside, cells_to_ask

PROFILES = (
    ai.MoveProfile(),
    ai.MoveProfile.classic(uphill=2),
    ai.MoveProfile(max_climb=1, max_drop=2, climb_cost=0.7),
    ai.MoveProfile(climb_cost=(1, 4), drop_cost=2, kind_cost={"#liquid": 2}),
    ai.MoveProfile(diagonal="only_if_no_obstacles", diagonal_cost=math.sqrt(2)),
    ai.MoveProfile(diagonal="always", diagonal_cost=1),
    ai.MoveProfile(diagonal="at_least_one_walkable", diagonal_cost=1.5, body_height=2),
    ai.MoveProfile(link_cost={"ladder": None}),
    ai.MoveProfile(can_fly=True, body_height=2),
    ai.MoveProfile(warp=2),
    ai.MoveProfile(size=2, size_tolerance=1),
    ai.MoveProfile(size=2, can_fly=True),
    ai.MoveProfile(kind_cost={"ice": 0.5, "swamp": 9}, no_stop={"swamp"}),
)


def random_map(rng: random.Random, side: int) -> TileMap:
    """Draw a map of about so many rows and columns, with decks, links and walls."""
    rows, cols = rng.randint(side * 2 // 3, side), side
    table = rng.choice([KINDS, (*KINDS, ROAD)])
    topology = rng.choice(["square", "square", "square", *TOPOLOGIES])
    noise = TileMap.from_noise(rows, cols, rng.randrange(10**6), rng.randint(1, 6))
    kinds = [[random_kind(rng, len(table)) for _ in range(cols)] for _ in range(rows)]
    tilemap = TileMap(noise.level, kinds, table, topology=topology)
    for _ in range(rng.choice([0, 4, 4])):
        applied(tilemap, [operation(rng, tilemap, "add_deck") for _ in range(side // 4)])
    surfaces = all_surfaces(tilemap)
    for _ in range(rng.choice([0, 3, side])):
        for name in ("add_link", "add_wall", "add_wall"):
            applied(tilemap, [operation(rng, tilemap, name, surfaces)])
    return tilemap


def random_kind(rng: random.Random, n_kinds: int) -> int:
    return 0 if rng.random() < 0.7 else rng.randint(0, n_kinds)  # the last is void


def operation(rng: random.Random, tilemap: TileMap, name: str, surfaces: list | None = None):
    """Draw an operation of an edit as (its name, arguments); the map may refuse it."""
    column = rng.randrange(tilemap.rows), rng.randrange(tilemap.cols)
    here = rng.choice(surfaces) if surfaces else (*column, 0)
    level = int(tilemap.level[here[:2]])
    if name == "set_level":
        return name, here, max(0, level + rng.choice([-2, -1, 1, 2]))
    if name == "set_kind":
        return name, here, rng.choice([*NAMES, "void", "grass", "grass"])
    if name == "add_deck":
        return name, column, int(tilemap.level[column]) + rng.randint(1, 5), rng.choice(NAMES)
    if name == "add_wall":
        return name, here, rng.choice(beside(tilemap, here) or [here]), rng.random() < 0.3
    if name == "add_link":
        there = (rng.randrange(tilemap.rows), rng.randrange(tilemap.cols), 0)
        return name, here, there, rng.choice([0.7, 1, 1, 2, 9]), "ladder", rng.random() < 0.3
    if name == "remove_deck":
        decks = [cell for cell in surfaces or all_surfaces(tilemap) if cell[2]]
        *where, deck = rng.choice(decks or [here])
        return name, where, deck
    joints = tilemap.links if name == "remove_link" else tilemap.walls
    joint = rng.choice(joints) if joints else None
    return (name, joint.start, joint.end) if joint else ("set_level", here, level + 1)


RARE = "add_deck", "remove_deck", "add_link", "remove_link", "add_wall", "remove_wall"
OPERATIONS = *["set_level"] * 6, *["set_kind"] * 4, *RARE


def change(rng: random.Random, tilemap: TileMap) -> str:
    """Edit a map, or undo or redo an edit, and return what was done."""
    kind = rng.random()
    if kind < 0.15 and tilemap.undo():
        return "undo"
    if kind < 0.25 and tilemap.redo():
        return "redo"
    if kind < 0.35:
        at = rng.randrange(tilemap.rows) // 2 * 2, rng.randrange(tilemap.cols) // 2 * 2
        with suppress(ValueError, IndexError):  # it does not fit
            tilemap.paste(TileMap.from_text("21", topology=tilemap.topology), at)
            return f"paste at {at}"
    surfaces = all_surfaces(tilemap)
    for _ in range(9):
        names = rng.choices(OPERATIONS, k=rng.choice([1, 1, 2, 4]))
        orders = [operation(rng, tilemap, name, surfaces) for name in names]
        if applied(tilemap, orders):
            return str(orders)
    return "nothing"


def random_case(rng):
    """Draw a map, and a mover of it."""
    tilemap = random_map(rng, rng.choice((3, 6, 10, 16)))
    return tilemap, rng.choice(movers_of(tilemap))


def movers_of(tilemap):
    return [mover for mover in PROFILES if tilemap.topology == "square" or mover.size == 1]


SIDES = (*(3, 3, 4, 4, 5, 5, 6, 8, 12) * 3, 24)
ROUNDS = 40
KEPT = 8
"""How many questions are asked again and again, half of them in a round."""
WEAPONS = (
    ai.Weapon(max_up=2, max_down=3),
    ai.Weapon(2, 3, tiles_per_level_down=0.5, arc=3),
    ai.Weapon(max_tiles=2, area=ai.Area("diamond", 1)),
    ai.Weapon(max_tiles=3, stops_at_walls=True),
)
TEAMS = "blue", "red", "green"


class Side:
    """A board, and what is kept beside it."""

    def __init__(self, board):
        self.board, self.navigation = board, board.navigation
        self.planner, self.commander = ai.SquadPlanner(board.navigation), ai.Commander(board)

    def fresh(self):
        return Side(pickle.loads(pickle.dumps(self.board)))

    def unit(self, asked):
        return self.board.units[asked.number % len(self.board.units)]


@dataclass
class Asked:
    """What questions are about."""

    profile: ai.MoveProfile
    start: tuple[int, int, int]
    goals: list[tuple[int, int, int]]
    blockers: dict
    extra: np.ndarray | None
    budget: float
    number: int
    weapon: ai.Weapon
    team: str

    @property
    def goal(self):
        return self.goals[0]

    def cells(self):
        return {self.start, *self.goals}.union(*self.blockers.values())

    def more(self):
        return {"blockers": ai.Blockers(**self.blockers), "extra_cost": self.extra}


def told(path):
    return path.cells, path.cost, path.reason, path.partial, path.steps


def reached(reach):
    paths = [reach.path_to(cell).cells for cell in reach]
    return reach.cells, [reach.cost_to(cell) for cell in reach], paths


def find_path(side, asked, goals=None, **more):
    more |= asked.more()
    ends = asked.start, asked.goal if goals is None else goals
    return told(side.navigation.find_path(*ends, asked.profile, **more))


def find_paths(side, asked):
    cells = [asked.start, *asked.goals]
    return [*map(told, side.navigation.find_paths(cells, cells[::-1], asked.profile))]


def reach(side, asked):
    found = side.navigation.reach(asked.start, asked.budget, asked.profile, **asked.more())
    return reached(found)


def field(side, asked):
    more = {"blocked": asked.blockers["blocked"], "extra_cost": asked.extra}
    found = side.navigation.cost_field(asked.goals, asked.profile, **more)
    return found.cost.tolist(), told(found.path_from(asked.start))


def steps(side, asked):
    navigation, profile = side.navigation, asked.profile
    return (
        navigation.steps_from(asked.start, profile, blocked=asked.blockers["blocked"]),
        navigation.explain_step(asked.start, asked.goal, profile),
        navigation.explain_stop(asked.start, profile),
        [navigation.is_decision_point(cell, profile) for cell in sorted(asked.cells())],
    )


def costs(side, asked):
    ends = asked.start, asked.goal, asked.profile
    return side.navigation.is_reachable(*ends), side.navigation.distance(*ends)


def sight(side, asked):
    return [side.navigation.line_of_sight(asked.start, goal) for goal in asked.goals]


def watched(side, asked):
    search = side.navigation.begin_search(asked.start, asked.goal, asked.profile)
    search.run()
    return told(search.path)


def squad(side, asked):
    profile = ai.MoveProfile() if asked.profile.size > 1 else asked.profile
    pairs = [*zip([asked.start, *asked.goals], [*asked.goals, asked.start], strict=True)]
    starts, goals = zip(*dict(pairs[:2]).items(), strict=True)
    plan = side.planner.plan(starts, goals, profile, max_steps=30)
    return plan.paths, plan.costs, plan.reason


def unit_reach(side, asked):
    found = side.board.reach(side.unit(asked))
    return reached(found), [found.path_to(cell).reason for cell in sorted(asked.cells())]


def plan(side, asked):
    unit = side.unit(asked)
    plans = [side.board.plan(unit, asked.goal, partial=partial) for partial in (False, True)]
    return [(told(each), told(each.path), each.turn_ends) for each in plans]


def situation(side, asked):
    found = side.board.situation(side.unit(asked))
    known = [*filter(found.has, cells_to_ask(side.board.tilemap))]
    blockers = {name: [*each] for name, each in vars(found.blockers).items()}
    stops = [(found.can_stop(cell), found.is_halting(cell)) for cell in known]
    return found.here, found.bodies, blockers, stops, found.steps()


def targets(side, asked):
    unit, found = side.unit(asked), []
    for at in (None, asked.start):
        each = side.board.targets(unit, asked.weapon, at=at, who="all")
        stands = {other.name: cells for other, cells in each.from_cells.items()}
        found.append((each.cells, [other.name for other in each.units], stands))
    return found


def threat(side, asked):
    armed = dict.fromkeys(side.board.units[:: asked.number or 1], asked.weapon)
    found = side.board.threat(asked.team, armed if asked.number else {})
    return found.count.tolist(), found.cells


def aimed(side, asked):
    commander, unit = side.commander, side.unit(asked)
    if commander.selected is not unit:
        commander.select(unit)
    commander.aim_at(asked.goal)
    found, plan = commander.reach, commander.plan
    seen = () if plan is None else (told(plan), told(plan.path), plan.turn_ends)
    return None if found is None else reached(found), seen


def nearest(side, asked):
    return find_path(side, asked, asked.goals)


def part(side, asked):
    return find_path(side, asked, partial=True, max_cost=asked.budget)


ABOUT_CELLS = (
    *(find_path, nearest, part, find_paths, reach, field),
    *(steps, costs, sight, watched, squad),
)
ABOUT_UNITS = unit_reach, plan, situation, targets, threat, aimed


def answer(question, side, asked):
    """Return the answer of a question; a refusal is one too."""
    try:
        return question(side, asked)
    except (ValueError, IndexError) as error:
        return str(error)


class EditedBoard:
    """A board and its copies through random changes; all choices come from the seed."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        tilemap = random_map(rng, rng.choice(SIDES))
        self.movers = rng.sample(movers_of(tilemap), 2)
        turns = rng.choice([None, "sides", "wait"])
        self.sides, self.n_added = [Side(ai.Board(tilemap, turns, fog=rng.random() < 0.3))], 0
        self.prices = np.zeros((tilemap.rows, tilemap.cols))
        self.asked = []
        self.counts = Counter()
        for _ in range(3):
            self.play(self.sides[0].board, "add")

    def act(self):
        """Change a board, or go on with a copy too, which may share what is known."""
        rng, side = self.rng, self.rng.choice(self.sides)
        self.prices[rng.randrange(len(self.prices)), 0] = rng.randrange(9)  # the same array
        what = rng.choice(["edit"] * 4 + ["play"] * 3 + ["index", "copy"])
        if what == "edit":
            return change(rng, side.board.tilemap)
        if what == "index":
            more = {"landmarks": rng.choice([None, 1, 6]), "background": rng.random() < 0.3}
            side.navigation.build_index(rng.choice(self.movers), **more)
        elif what == "copy":
            change(rng, side.board.tilemap)  # what is known of the map before is not shared
            self.sides = [*self.sides[-1:], Side(side.board.copy())]
        else:
            names = "add", "undo", "redo", "end_turn", "order", "team", "move", "has_zoc", "profile"
            what = rng.choice(names if side.board.units else names[:3])
            with suppress(ai.MoveRefused, ValueError, IndexError):
                self.play(side.board, what)
        return what

    def play(self, board, what):
        rng, units = self.rng, board.units
        if what == "add":
            self.n_added += 1
            cell, has_zoc = rng.choice(cells_to_ask(board.tilemap)), rng.random() < 0.5
            values = cell, rng.choice(TEAMS), rng.choice(self.movers), 5
            with suppress(ValueError):
                board.add(ai.Unit(f"unit {self.n_added}", *values, has_zoc=has_zoc))
        elif what in ("undo", "redo"):
            getattr(board, what)()
        elif what == "end_turn":
            if board.turns:
                board.end_turn()
        elif what == "order":
            unit = rng.choice(units)
            board.move(unit, rng.choice(board.reach(unit).cells or [unit.cell]))
        else:
            values = {"move": range(9), "has_zoc": (True, False), "team": TEAMS}
            setattr(rng.choice(units), what, rng.choice(values.get(what, self.movers)))

    def new_question(self, board):
        rng = self.rng
        cells = cells_to_ask(board.tilemap) + 4 * all_surfaces(board.tilemap)
        most = rng.choice([0, 0, 2, 8])
        names = "blocked", "passable", "halting"
        asked = Asked(
            rng.choice(self.movers),
            rng.choice(cells),
            rng.choices(cells, k=rng.randint(1, 3)),
            {name: {*rng.choices(cells, k=rng.randint(0, most))} for name in names},
            rng.choice([None, None, self.prices, self.prices * 0.5]),
            rng.choice([3.5, 9, math.inf]),
            rng.randrange(4),
            rng.choice(WEAPONS),
            rng.choice(TEAMS),
        )
        return rng.choice(ABOUT_CELLS + ABOUT_UNITS), asked

    def compare(self):
        """Ask questions, most of them asked before, of a board and of a new one."""
        if len(self.asked) < KEPT or self.rng.random() < 0.4:
            self.asked = [*self.asked[1 - KEPT :], self.new_question(self.sides[0].board)]
        for side in self.sides:
            fresh = side.fresh()
            for unit in side.board.units:
                unit.advance(99.0)  # while it walks, a commander shows no reach
            for question, asked in self.rng.sample(self.asked, len(self.asked) // 2):
                is_there = all(map(side.board.tilemap.has_cell, asked.cells()))
                if is_there and (question in ABOUT_CELLS or side.board.units):
                    found, wanted = (answer(question, each, asked) for each in (side, fresh))
                    assert found == wanted, f"{question.__name__} {asked}: {found}, not {wanted}"
                    self.counts["answers"] += 1

    def rounds(self):
        """Change and compare again and again."""
        for number in range(ROUNDS):
            what = self.act()
            try:
                self.compare()
            except AssertionError as error:
                side = self.sides[0].board.tilemap
                about = f"round {number} after {what} on {side.topology} {side.rows} x {side.cols}"
                raise AssertionError(f"{about}: {error}") from None
        self.counts["rounds"] += ROUNDS


def check(seed):
    board = EditedBoard(seed)
    board.rounds()
    return board.counts


KIND = Kind("rounds", 2000, by_seed(check))
