"""What a side does not see, and what is dropped."""

import gc
import weakref

import numpy as np
import pytest

from ai import Autopilot, Board, Commander, SquadOrders, Unit
from ai.game import descriptions
from ai.game.battle import Battle
from ai.game.battle_ai import BattleAI
from ai.game.battle_commander import BattleCommander, describe_deed, describe_state
from ai.game.objective import Objective
from ai.game.rule_changes import RuleChanges
from terrain3d import Cell, SceneTree, Signal, TileMap
from terrain3d.editor import MapEditor
from tests.support.boards import heard_of, one_edit, posted
from tests.support.selection import rest_nightly

SIDE = 8
SKILLS = ("sword", "bow", "bash", "poison")
KEYS = {"select_next": "Tab", "confirm": "Enter", "end_turn": "F10", "cursor": "the arrow keys"}


def boards(seed, turns):
    """Return a board in fog, and one without the red units that blue does not see there.

    Blue sees some red units, and does not see others.
    """
    random = np.random.default_rng(seed)
    while True:
        tilemap = TileMap(random.integers(0, 3, (SIDE, SIDE)))
        board = Board(tilemap, turns, seed=seed, fog=True)
        spots = [divmod(spot, SIDE) for spot in random.permutation(SIDE * SIDE).tolist()]
        for name in ("ann", "bob", "cid", "RED", "ODD", "FOE", "ZOE"):
            is_blue = name.islower()
            unit = Unit(name, spots.pop(), "blue" if is_blue else "red", move=4, sight=3)
            # Blue acts first, also by waiting time.
            unit.wait, unit.has_zoc = (9 if is_blue else 10 + seed % 3), seed % 2 > 0
            unit.heading_deg = float(random.integers(8) * 45)
            board.add(unit)
        with board.action("armed") as action:
            for unit in board.units:
                action.set(unit, hp=int(random.integers(1, 20)), skills=SKILLS)
        hidden = [unit for unit in board.units if not board.is_seen(unit, "blue")]
        if 0 < len(hidden) < 4:
            board.clear_history()
            other = board.copy()
            for unit in hidden:
                other.remove(other.unit(unit))
            other.clear_history()
            return board, other


def plain(value):
    """Return what can be compared between boards: units are their names."""
    match value:
        case Unit():
            return value.name
        case dict():
            return {plain(name): plain(part) for name, part in value.items()}
        case tuple() | list():
            return [plain(part) for part in value]
    return value


def told(commander, board):
    refused = heard_of(commander.refused)
    seen = [unit for unit in board.units if commander.sees(unit)]
    aims = [Cell(*divmod(spot, SIDE)) for spot in range(SIDE * SIDE)]
    yield "threat", commander.threat.count.tolist(), commander.threat.cells
    yield "turn", descriptions.describe_turn(board, "blue"), board.turn_reason(seen[-1])
    yield "next", descriptions.describe_next(board, "blue")
    for unit in seen:
        commander.select(unit)
        yield unit.name, "threatens", commander.threat.cells_of(unit)
        reach = commander.reach
        yield unit.name, "reach", {cell: reach.cost_to(cell) for cell in reach}
        yield unit.name, descriptions.advice(commander, KEYS)
        for aim in aims:
            commander.aim_at(aim)
            plan = commander.plan
            yield unit.name, aim, commander.first_threatened
            yield descriptions.describe_threat(commander, aim)
            yield descriptions.describe_tile(board, aim, unit, unit_at=commander.unit_seen_at)
            if plan is not None:
                yield plan.cells, plan.path.cells, plan.turn_ends, str(plan.reason)
                yield descriptions.describe_plan(plan, board)
                if not plan:
                    commander.act_on(aim)
        for aim in aims[:: SIDE + 3]:
            commander.add_waypoint(aim)
            yield aim, commander.waypoints
        if commander.is_foe_selected:
            commander.face_aim()
    yield "refused", [*map(str, refused)]


def fought(commander, battle):
    yield describe_state(commander), battle.objective.count(battle.board, "blue")
    for place in np.ndindex(SIDE, SIDE):
        yield Objective("blue", "red", (Cell(*place),), 20, 3).holding(battle.board, "blue")
    for unit in [unit for unit in battle.board.units if commander.sees(unit)]:
        commander.select(unit)
        yield unit.name, descriptions.statuses(unit, commander.board), plain(commander.idle_units)
        yield commander.fringe, plain(commander.targets), plain(commander.useful_units)
        for aim in (each.cell for each in battle.board.units if commander.sees(each)):
            commander.aim_at(aim)
            yield commander.choice, [plain(tuple(blow)) for blow in commander.forecast]
        for skill in commander.skills:
            commander.choose(skill)
            aims = commander.aims_of(skill)
            yield skill, commander.aim, {aim: plain(hit.units) for aim, hit in aims.items()}
            for aim in aims:
                commander.aim_at(aim)
                yield aim, [plain(tuple(blow)) for blow in commander.forecast]
                yield describe_deed(commander)
            commander.choose("")


def fight(board):
    battle = Battle(board, Objective("blue", "red", (Cell(0, 0),), 20, 3))
    yield from fought(BattleCommander(battle, "blue"), battle)


def rate(board, *teams):
    """Yield how an enemy rates its choices, which it does by what its side sees."""
    battle = Battle(board, Objective(*teams, (Cell(3, 3), Cell(3, 4)), 20, 3))
    for unit in board.units:
        if unit.team == "blue":
            yield [*BattleAI(noise=2).think(battle, unit)]


def order_squads(board):
    units = [unit for unit in board.units if unit.team == "blue"]
    for spot in range(0, SIDE * SIDE, 5):
        order = SquadOrders(board).plan(units, divmod(spot, SIDE))
        yield plain(order.paths), plain(dict(order.stays)), plain(order.parts)
    commander = Commander(board, "blue")
    commander.select_all(units)
    yield commander.reach.cells


WAYS = {
    "player by sides": ("sides", lambda board: told(Commander(board, "blue"), board)),
    "player by waiting": ("wait", lambda board: told(Commander(board, "blue"), board)),
    "fighter": ("sides", fight),
    "attacking enemy": ("sides", lambda board: rate(board, "blue", "red")),
    "defending enemy": ("sides", lambda board: rate(board, "red", "blue")),
    "squad": ("sides", order_squads),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", rest_nightly(range(20), 6))
def test_nobody_is_told_of_a_unit_that_is_not_seen(seed, way):
    turns, tell = WAYS[way]
    one, other = ([*tell(board)] for board in boards(seed, turns))
    assert one == other


def test_an_enemy_walks_to_a_goal_where_a_unit_stands_that_it_does_not_see():
    ends = []
    for where in ((4, 3), (8, 8)):
        board = Board(TileMap.from_text("\n".join(["000000000"] * 9)), "sides", fog=True)
        stats = {"hp": 10, "skills": ("sword",)}
        board.add(Unit("Me", where, team="blue", move=4, sight=2, stats=stats))
        foe = board.add(Unit("Foe", (4, 0), team="red", move=4, sight=2, stats=stats))
        battle = Battle(board, Objective("red", "blue", (Cell(4, 3),), 20, rounds=3))
        battle.end_turn()
        [best] = [choice for _, choice in BattleAI().decide(battle) if choice]
        assert best.cell == (4, 3, 0)
        BattleAI().play_turn(battle)
        ends.append(foe.cell)
    assert ends == [(4, 2, 0), (4, 3, 0)]  # it meets the unit that it did not see


@pytest.mark.parametrize("fog", [True, False])
def test_in_fog_an_enemy_does_not_take_the_fall_of_the_last_one_in_sight_for_victory(fog):
    board = Board(TileMap.from_text("000000000"), "sides", fog=fog)
    stats = {"hp": 1, "skills": ("sword",)}
    foe = board.add(Unit("Foe", (0, 0), team="red", stats=stats))
    board.add(Unit("Me", (0, 1), team="blue", heading_deg=-90, stats=stats))  # looks away
    battle = Battle(board, Objective("red", "blue", (Cell(0, 8),), 20))
    ratings = [rating for rating, _ in BattleAI().think(battle, foe)]
    assert (max(ratings) == float("inf")) == (not fog)


def test_an_enemy_that_walks_out_of_sight_is_not_selected_any_more():
    board = Board(TileMap.from_text("000000000"), "sides", fog=True)
    board.add(Unit("Me", (0, 0), team="blue", sight=3))
    foe = board.add(Unit("Foe", (0, 3), team="red"))
    commander = Commander(board, "blue")
    commander.select(foe)
    assert commander.selected is foe
    board.end_turn()
    board.move(foe, (0, 6))
    assert commander.selected is None
    commander.select(foe)
    assert commander.selected is None


def test_who_is_next_is_named_only_if_it_is_seen():
    board = Board(TileMap.from_text("000000000"), "wait", fog=True)
    board.add(Unit("Me", (0, 0), team="blue", wait=4, sight=3))
    board.add(Unit("Foe", (0, 8), team="red", wait=3))
    assert descriptions.describe_turn(board, "blue") == "Turn 1: Red's turn"
    assert descriptions.describe_turn(board, "red") == "Turn 1: your turn, Foe"
    before = descriptions.describe_next(board, "blue")
    assert before[1:] == [f"{n}  Me (Blue)" for n in range(1, 11)]
    board.move("Foe", (0, 6))
    assert descriptions.describe_next(board, "blue") == before


def in_a_tree(node):
    tree = SceneTree()
    tree.root.add_child(node)
    tree.advance(0.1)
    return tree


FOLLOWERS = {
    "commander": Commander,
    "rule changes": lambda board: RuleChanges(Commander(board)),
    "autopilot": Autopilot,
    "autopilot in a tree": lambda board: in_a_tree(Autopilot(board)),
    "another board": lambda board: Board(board.tilemap),
    "editor": lambda board: MapEditor(board.tilemap, "vale.tmap"),
}


def listeners(*owners):
    signals = [
        getattr(owner, name)
        for owner in owners
        for name in dir(type(owner))
        if isinstance(getattr(type(owner), name), Signal)
    ]
    return [len(signal._listeners) for signal in signals]


@pytest.mark.parametrize("name", FOLLOWERS)
def test_what_is_dropped_leaves_no_listener_behind(name):
    board, units = posted("A..\n.b.\n...")
    before = listeners(board, board.tilemap, *units.values())
    follower = FOLLOWERS[name](board)
    late = board.add(Unit("Late", cell=(2, 2), team="A"))
    assert listeners(board, board.tilemap, *units.values()) != before
    is_alive = weakref.ref(follower)
    del follower
    gc.collect()
    assert is_alive() is None
    assert listeners(board, board.tilemap, *units.values()) == before
    assert not any(listeners(late))
    one_edit(board.tilemap).set_level((0, 1), 1)
    board.remove(late)
