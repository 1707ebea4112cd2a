"""Battles: orders, the turns of the computer, and what wins them."""

import itertools
from collections import Counter

import numpy as np
import pytest

from ai import Board, GameRecord, Unit
from ai.game.battle import DOOR, SKILLS, Battle, Choice
from ai.game.battle_ai import BattleAI
from ai.game.battle_setup import set_up, skirmish
from ai.game.objective import Objective, describe_losses, describe_objective, goal_line
from terrain3d import KINDS, Cell, TileMap, landscape
from tests.support.boards import one_action, one_edit
from tests.support.selection import rest_nightly, table

STATS = {"hp": 24, "defense": 1, "evasion": 5, "skills": ("sword", "bow", "bash", "poison")}
FIELD = "0000000\n0000000\n0000000"
WEST, EAST = 90, -90
PLAYER = BattleAI()


def battle_of(rows=FIELD, turns="sides", *, goal=(0, 0), n_turns=99, **units):
    """Return a battle on a drawn map; blue units have lower-case names."""
    board = Board(TileMap.from_text(rows, (*KINDS, DOOR)), turns, seed=1)
    for name, (cell, heading_deg) in units.items():
        team = "blue" if name.islower() else "red"
        board.add(Unit(name, cell, team, heading_deg=heading_deg, stats=STATS))
    board.clear_history()
    return Battle(board, Objective("blue", "red", (Cell(*goal),), n_turns))


class Dice:
    def __init__(self, results):
        self.results = iter(results)

    def integers(self, most):
        assert most == 100
        return np.int64(next(self.results))


def rolled(battle, choice, results, monkeypatch):
    """Return the hits of a choice of the first unit on a copy, with given dice."""
    later = Battle(battle.board.copy(), battle.objective)
    with monkeypatch.context() as patch:
        patch.setattr("ai.board.action.np.random.default_rng", lambda _seed: Dice(results))
        later.play(later.board.units[0], choice)
    return later.board, later.board.log[-1].data["hits"]


PLACES = {
    "front": (2, 3, WEST, "sword", FIELD, (75, 8)),
    "side": (2, 3, 0, "sword", FIELD, (90, 8)),
    "back": (2, 3, EAST, "sword", FIELD, (100, 12)),
    "from 2 levels above": (2, 3, WEST, "sword", "0020000\n0020000\n0000000", (85, 8)),
    "bow, 2 levels below": (1, 3, WEST, "bow", "0002000\n0002000\n0000000", (55, 6)),
    "bow, far behind": (0, 4, EAST, "bow", FIELD, (95, 9)),
}


@pytest.mark.parametrize(
    ("col", "at", "heading_deg", "skill", "rows", "shown"), PLACES.values(), ids=PLACES
)
def test_as_many_dice_hit_as_shown(col, at, heading_deg, skill, rows, shown, monkeypatch):
    battle = battle_of(rows, a=((1, col), EAST), B=((1, at), heading_deg))
    unit, target = battle.board.units
    blow = battle.forecast(unit, skill, target.cell)[0]
    assert (blow.chance, blow.damage) == shown
    lost = Counter()
    choice = Choice(unit.cell, skill, target.cell)
    for die in range(100):  # the answer of the target, if there is one, misses
        board, _ = rolled(battle, choice, (die, 99), monkeypatch)
        lost[24 - board.unit("B").stats["hp"]] += 1
    assert lost == Counter({blow.damage: blow.chance, 0: 100 - blow.chance})


def test_all_pairs_of_dice_give_the_numbers_shown_for_an_attack_and_its_answer(monkeypatch):
    battle = battle_of(a=((1, 2), EAST), B=((1, 3), WEST))
    unit, target = battle.board.units
    one_action(battle.board).set(target, hp=8)
    attack, answer = battle.forecast(unit, "sword", target.cell)
    assert (attack.by, answer.by, answer.side) == (unit, target, "front")
    seen = Counter()
    for dice in itertools.product(range(0, 100, 5), repeat=2):  # chances are multiples of 5
        board, hits = rolled(battle, Choice(unit.cell, "sword", target.cell), dice, monkeypatch)
        seen[len(board.units), board.unit("a").stats["hp"], len(hits)] += 1
    hit, back = attack.chance // 5, answer.chance // 5
    assert seen == {
        (1, 24, 1): hit * 20,  # the target is gone, and does not answer
        (2, 24 - answer.damage, 2): (20 - hit) * back,
        (2, 24, 2): (20 - hit) * (20 - back),
    }


def test_an_area_rolls_for_each_target_and_spares_allies(monkeypatch):
    battle = battle_of(a=((1, 1), EAST), b=((0, 3), EAST), B=((1, 3), WEST), C=((1, 4), WEST))
    unit, _, first, second = battle.board.units
    blows = battle.forecast(unit, "poison", first.cell)
    assert [(blow.by, blow.target) for blow in blows] == [(unit, first), (unit, second)]
    board, _ = rolled(battle, Choice(unit.cell, "poison", first.cell), (0, 99), monkeypatch)
    assert [each.stats["hp"] for each in board.units] == [24, 24, 22, 24]
    assert [each.stats.get("poison", 0) for each in board.units] == [0, 0, 3, 0]


@table(
    "row end fall",
    ("0000000", 5, 0),
    ("5555333", 5, 0),
    ("5555000", 5, 9),
    ("5555500", 5, 9),
    ("9999530", 5, 6),
    ("0000100", 3, 0),
    ("0000#00", 3, 0),
)
def test_a_push_goes_over_a_cliff_but_not_up_and_not_into_the_void(row, end, fall, monkeypatch):
    battle = battle_of("\n".join([row] * 3), a=((1, 2), EAST), B=((1, 3), WEST))
    unit, target = battle.board.units
    (blow,) = battle.forecast(unit, "bash", target.cell)  # and no answer
    assert (blow.fall_damage, blow.slide) == (fall, tuple(Cell(1, c) for c in range(4, end + 1)))
    choice = Choice(unit.cell, "bash", target.cell)
    board, _ = rolled(battle, choice, [0], monkeypatch)
    assert board.unit("B").cell == (1, end, 0)
    assert board.unit("B").stats["hp"] == 24 - blow.damage - fall
    board, _ = rolled(battle, choice, [99], monkeypatch)
    assert board.unit("B").cell == target.cell


def test_a_push_ends_before_another_unit_and_before_a_wall():
    battle = battle_of(a=((1, 2), EAST), B=((1, 3), WEST), C=((1, 5), WEST))
    unit, target, _ = battle.board.units
    assert battle.forecast(unit, "bash", target.cell)[0].slide == ((1, 4, 0),)
    one_edit(battle.board.tilemap).add_wall((1, 3), (1, 4))
    assert battle.forecast(unit, "bash", target.cell)[0].slide == ()


@pytest.mark.parametrize("turns", ["sides", "wait"])
def test_poison_ticks_at_the_end_of_each_own_turn_and_expires(turns):
    battle = battle_of(turns=turns, a=((1, 0), EAST), B=((1, 6), WEST))
    unit = battle.board.units[0]
    one_action(battle.board).set(unit, poison=2)
    seen = []
    for _ in range(8):
        battle.end_turn()
        seen.append((unit.stats["hp"], unit.stats["poison"]))
    assert list(dict.fromkeys(seen)) == [(21, 1), (18, 0)]
    one_action(battle.board).set(unit, poison=1, hp=3)
    while unit in battle.board.units:
        battle.end_turn()
    assert battle.winner == "red"
    assert battle.turn.team == "red"


def test_a_door_is_opened_from_beside_it_and_lets_units_pass():
    battle = battle_of("00900\n00300\n00900", a=((1, 0), EAST), B=((0, 4), WEST))
    one_edit(battle.board.tilemap).set_kind((1, 2), DOOR.name)
    unit, door = battle.board.units[0], Cell(1, 2)
    assert not battle.board.plan(unit, (1, 3))
    start = battle.board.digest()
    with pytest.raises(ValueError, match="is not beside a closed door"):
        battle.play(unit, Choice(unit.cell, DOOR.name, door))
    assert battle.board.digest() == start
    battle.play(unit, Choice(Cell(1, 1), DOOR.name, door))
    assert battle.board.plan(unit, (1, 3))
    assert battle.board.undo()
    assert battle.board.digest() == start


@pytest.mark.parametrize("level", range(7))
def test_a_door_opens_only_as_far_as_the_deck_above_it_lets_it_rise(level):
    battle = battle_of(f"{level}0", goal=(0, 1), a=((0, 0), EAST), B=((0, 1), WEST))
    with battle.board.tilemap.edit() as edit:
        edit.set_kind((0, 1), DOOR.name)
        edit.add_deck((0, 1), 4)
    unit, door = battle.board.units[0], Cell(0, 1)
    before = battle.board.digest()
    if battle.doors_beside(unit.cell):
        battle.play(unit, Choice(unit.cell, DOOR.name, door))
        assert battle.board.tilemap.level_at(door) == level < 4
    else:
        with pytest.raises(ValueError, match="overlap"), battle.board.tilemap.edit() as edit:
            edit.set_level(door, level)
        assert battle.board.digest() == before


def test_the_objective():
    for units, n_turns, winner in (
        ({"a": (2, 2), "B": (1, 6)}, 99, ""),
        ({"a": (0, 0), "B": (1, 6)}, 99, "blue"),
        ({"a": (2, 2), "B": (0, 0)}, 99, ""),
        ({"a": (2, 2)}, 99, "blue"),
        ({"B": (2, 2)}, 99, "red"),
        ({"a": (2, 2), "B": (1, 6)}, 0, "red"),
    ):
        placed = {name: (cell, 0) for name, cell in units.items()}
        battle = battle_of(n_turns=n_turns, **placed)
        assert battle.winner == winner
        assert bool(battle.reason(battle.board.units[0])) == bool(winner or "a" not in units)


def test_a_unit_acts_once_a_turn_and_in_its_turn():
    battle = battle_of(a=((1, 2), EAST), B=((1, 4), WEST))
    unit, other = battle.board.units
    with pytest.raises(ValueError, match="turn"):
        battle.play(other, Choice(other.cell))
    battle.play(unit, Choice(Cell(1, 3)))
    with pytest.raises(ValueError, match="a has acted"):
        battle.play(unit, Choice(unit.cell))
    battle.end_turn()
    battle.end_turn()
    assert battle.reason(unit) == ""
    with pytest.raises(ValueError, match='turns="sides"'):
        battle_of(turns=None)


@table(
    "choice message",
    (Choice((1, 2), "fly", (1, 3)), "a has no skill 'fly', only ('sword', 'bow', 'bash',"),
    (Choice((1, 2), "sword", (1, 5)), "a cannot aim sword from (1, 2) at (1, 5)"),
    (Choice((1, 2), "sword"), "a choice has both a skill and an aim, or neither"),
    (Choice((1, 2), "door", (1, 3)), "a is not beside a closed door at (1, 3)"),
    (Choice((9, 9)), "(9, 9) is outside the map"),
)
def test_a_choice_that_cannot_be_is_refused_and_changes_nothing(choice, message):
    battle = battle_of(a=((1, 2), EAST), B=((1, 3), WEST))
    before = battle.board.digest()
    with pytest.raises((ValueError, IndexError)) as error:
        battle.play(battle.board.units[0], choice)
    assert message in str(error.value)
    assert (battle.board.digest(), battle.board.log) == (before, ())


def chosen(battle):
    return next(choice for _, choice in PLAYER.decide(battle) if choice)


def test_a_unit_looks_ahead_and_leaves_the_board_as_it_was():
    goal = battle_of(a=((1, 2), EAST), B=((1, 5), WEST))
    assert chosen(goal).cell == (0, 0, 0)  # it wins
    behind = battle_of(goal=(2, 6), a=((1, 0), EAST), B=((1, 3), EAST))
    before = behind.board.digest()
    choice = chosen(behind)
    assert (behind.board.digest(), behind.board.log) == (before, ())
    behind.play(behind.board.units[0], choice)
    assert {hit["target"] for hit in behind.board.log[-1].data["hits"]} == {"B"}


@pytest.mark.parametrize(("strong", "weak"), ["ac", "ca"])
def test_the_unit_that_gains_most_acts_first(strong, weak):
    battle = battle_of(goal=(2, 6), a=((0, 2), EAST), c=((2, 2), EAST), B=((2, 6), EAST))
    with battle.board.action("armed") as action:
        action.set(strong, skills=("sword",))
        action.set(weak, skills=("bash",))
    decided = PLAYER.decide(battle)
    assert next(unit.name for unit, choice in decided if choice) == strong


@pytest.mark.parametrize("turns", rest_nightly(["wait", "sides"], 1))
def test_a_battle_saved_anywhere_goes_on_as_without_and_is_undone_to_its_start(turns, tmp_path):
    battle = skirmish(5, turns)
    start, digests = battle.board.digest(), [battle.board.digest()]
    battle.board.changed.connect(lambda _entry: digests.append(battle.board.digest()))
    while not battle.winner:
        PLAYER.play_turn(battle)
    board, digest = battle.board, battle.board.digest()
    assert {entry.kind for entry in board.log} == {"action"}
    assert len({entry.name for entry in board.log}) >= 3
    assert len(digests) == len(board.log) + 1  # each entry is one action

    GameRecord.of(board).save(tmp_path / "battle.tmap")
    record = GameRecord.load(tmp_path / "battle.tmap")
    for n_entries in range(0, len(digests), 4):
        early = record.replay(n_entries)
        assert early.digest() == digests[n_entries]
        GameRecord.of(early).save(tmp_path / "part.tmap")
        later = Battle(GameRecord.load(tmp_path / "part.tmap").replay(), battle.objective)
        while not later.winner:
            PLAYER.play_turn(later)
        assert (later.winner, later.board.digest()) == (battle.winner, digest)
        assert later.board.log == board.log

    for expected in reversed(digests[:-1]):
        assert board.undo()
        assert board.digest() == expected
    assert not board.undo()
    assert board.digest() == start
    while board.redo():
        pass
    assert board.digest() == digest


def armed(battle, skill):
    """Give a skill to the first unit of a battle; return it, and the second unit."""
    unit, target = battle.board.units[:2]
    one_action(battle.board).set(unit, skills=(skill,))
    return unit, target


@pytest.mark.parametrize(("skill", "n_slides"), [("fire", 0), ("gust", 2)])
def test_fire_and_gust_strike_at_a_distance_and_gust_alone_pushes(skill, n_slides, monkeypatch):
    battle = battle_of(a=((1, 0), EAST), B=((1, 3), WEST))
    unit, target = armed(battle, skill)
    blow, *answer = battle.forecast(unit, skill, target.cell)
    assert [len(blow.slide), *answer] == [n_slides]  # a sword does not reach so far
    board, (hit,) = rolled(battle, Choice(unit.cell, skill, target.cell), [0], monkeypatch)
    assert board.unit("B").cell == (1, 3 + n_slides, 0)
    assert (hit["left"], hit["missed"]) == (24 - blow.damage, False)


def test_a_pillar_raises_who_is_hit_over_the_steps_of_others(monkeypatch):
    battle = battle_of(a=((1, 2), EAST), B=((1, 3), WEST))
    unit, target = armed(battle, "pillar")
    (blow,) = battle.forecast(unit, "pillar", target.cell)  # and no answer
    assert (blow.lift, blow.slide) == (3, ())
    choice = Choice(unit.cell, "pillar", target.cell)
    board, _ = rolled(battle, choice, [0], monkeypatch)
    assert (board.tilemap.level_at((1, 3)), board.tilemap.kind_at((1, 3)).name) == (3, "rock")
    steps = board.navigation.steps_from((1, 2), board.unit("a").profile)
    assert (1, 3, 0) not in steps
    assert board.undo()
    assert board.tilemap.level_at((1, 3)) == 0
    board, (hit,) = rolled(battle, choice, [99], monkeypatch)
    assert (board.tilemap.level_at((1, 3)), hit["missed"]) == (0, True)


def test_a_pillar_raises_no_deck_and_nothing_below_one():
    battle = battle_of(a=((1, 2), EAST), B=((1, 3), WEST), C=((1, 1), EAST))
    unit, below = armed(battle, "pillar")
    one_edit(battle.board.tilemap).add_deck([(1, 1), (1, 3)], level=2)
    one_action(battle.board).place("C", (1, 1, 1))
    for target in (below, battle.board.unit("C")):
        assert battle.forecast(unit, "pillar", target.cell)[0].lift == 0


def test_the_units_that_play_by_themselves_use_each_skill():
    used = set()
    for seed in range(3):
        battle, _ = set_up(landscape(16, 16, 24, 8, is_island=True), seed)
        while not battle.winner and battle.turn.number < 4:
            PLAYER.play_turn(battle)
        used |= {hit["skill"] for entry in battle.board.log for hit in entry.data.get("hits", ())}
    # In a corner, where of these two only a pillar keeps enemies from answering.
    battle = battle_of(goal=(2, 6), a=((0, 0), EAST), B=((0, 1), WEST), C=((1, 0), 0))
    one_action(battle.board).set("a", skills=("fire", "pillar"))
    assert used | {chosen(battle).skill} == {*SKILLS}


HILL = Cell(0, 2)
HEALTHY = {"hp": 30, "skills": ("sword",), "defense": 0, "evasion": 0}


def fight(turns="sides", rounds=3, n_turns=5, cells=(HILL,), **stats):
    """Return a battle of blue on the left against red on the right, on flat ground."""
    board = Board(TileMap.from_text("00000\n00000"), turns, seed=1)
    for name, cell, team in (("Ann", (0, 0), "blue"), ("Odo", (0, 4), "red")):
        board.add(Unit(name, cell, team, move=5, stats=HEALTHY | stats))
    board.clear_history()
    return Battle(board, Objective("blue", "red", cells, n_turns, rounds, "the hilltop"))


def pass_turns(battle, count):
    for _ in range(count):
        if not battle.winner:
            battle.end_turn()


def test_the_line_counts_rounds_held_and_rounds_gone():
    battle = fight()
    board, goal = battle.board, battle.objective
    ann, odo = board.units

    def line(team="blue"):
        return goal_line(goal, board, team, goal.count(board, "blue"))

    assert line() == "Hold the hilltop 0/3, round 1 of 5"
    assert goal.holding(board, "blue") == ("", 0)
    battle.play(ann, Choice(HILL))
    assert goal.holding(board, "blue") == ("blue", 0)
    pass_turns(battle, 2)
    assert line() == "Hold the hilltop 1/3, round 2 of 5"
    assert line("red") == "Keep the enemies off the hilltop 1/3, round 2 of 5"
    battle.play(ann, Choice((0, 1)))
    battle.end_turn()
    assert goal.holding(board, "blue") == ("", 0)
    battle.play(odo, Choice(HILL))
    assert goal.holding(board, "blue") == ("red", 0)


def test_one_of_the_attackers_is_enough_though_defenders_stand_there_too():
    battle = fight(cells=(HILL, Cell(1, 2)))
    ann, odo = battle.board.units
    battle.play(ann, Choice(HILL))
    battle.end_turn()
    battle.play(odo, Choice((1, 2)))
    assert battle.objective.holding(battle.board, "blue") == ("blue", 1)


def test_without_rounds_the_line_has_no_count_and_turns_are_those_of_units():
    battle = fight("wait", rounds=0)
    assert battle.objective.count(battle.board, "blue") == ""
    goal = battle.objective
    assert goal_line(goal, battle.board, "blue", "") == "Reach the hilltop, turn 1 of 5"
    deed = "Reach the hilltop with one unit, or defeat all enemies, within 5 turns"
    assert describe_objective(goal, "blue", "wait") == deed
    assert describe_objective(goal, "red") == "Keep the enemies off the hilltop for 5 rounds"


@pytest.mark.parametrize(
    ("rounds", "reason"),
    [(2, "Blue held the hilltop for 2 rounds"), (0, "Blue has reached the hilltop")],
)
def test_who_holds_the_goal_has_decided_it(rounds, reason):
    battle = fight(rounds=rounds)
    battle.play(battle.board.units[0], Choice(HILL))
    pass_turns(battle, 9)
    assert battle.winner == "blue"
    assert battle.objective.ending(battle.board, "blue") == (reason, HILL)


@pytest.mark.parametrize(("turns", "time"), [("sides", "round"), ("wait", "turn")])
def test_time_decides_for_the_defenders_at_the_goal(turns, time):
    battle = fight(turns, n_turns=2)
    pass_turns(battle, 9)
    ending = battle.objective.ending(battle.board, battle.winner)
    assert ending == (f"Red kept the enemies off the hilltop for 2 {time}s", HILL)
    losses = describe_losses(battle.objective, battle.board)
    assert losses == f"{time.capitalize()} 2, Blue lost 0 of 1, Red lost 0 of 1"


@pytest.mark.parametrize("winner", ["blue", "red"])
def test_who_strikes_last_has_decided_it(winner):
    battle = fight(hp=1)
    board = battle.board
    striker, foe = board.units[:: 1 if winner == "blue" else -1]
    board.add(Unit("Bea", (0, 1), winner, stats=HEALTHY))  # stands by
    if winner == "red":
        battle.end_turn()
    beside = Cell(1, foe.cell.col)
    for _ in range(20):
        if not battle.winner:
            battle.play(striker, Choice(beside, "sword", foe.cell))
            pass_turns(battle, 2)
    assert battle.winner == winner
    ending = battle.objective.ending(board, winner)
    assert ending == (f"{winner.capitalize()} has defeated all enemies", beside)
    assert f"{foe.team.capitalize()} lost 1 of 1" in describe_losses(battle.objective, board)
