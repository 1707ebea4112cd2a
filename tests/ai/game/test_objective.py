"""What a side wants, how much of it is done, and why it has won."""

import pytest

from ai import Board, Unit
from ai.game.battle import Battle, Choice
from ai.game.objective import Objective, describe_losses, describe_objective, goal_line
from terrain3d import Cell, TileMap

HILL = Cell(0, 2)
STATS = {"hp": 30, "skills": ("sword",), "defense": 0, "evasion": 0}


def fight(turns="sides", rounds=3, n_turns=5, cells=(HILL,), **stats):
    """Return a battle of blue on the left against red on the right, on flat ground."""
    board = Board(TileMap.from_text("00000\n00000"), turns, seed=1)
    for name, cell, team in (("Ann", (0, 0), "blue"), ("Odo", (0, 4), "red")):
        board.add(Unit(name, cell, team, move=5, stats=STATS | stats))
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
    assert goal_line(goal, board, "blue") == "Hold the hilltop 0/3, round 1 of 5"
    assert goal.holding(board, "blue") == ("", 0)
    battle.play(ann, Choice(HILL))
    assert goal.holding(board, "blue") == ("blue", 0)
    pass_turns(battle, 2)
    assert goal_line(goal, board, "blue") == "Hold the hilltop 1/3, round 2 of 5"
    assert goal_line(goal, board, "red") == "Keep the enemies off the hilltop 1/3, round 2 of 5"
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
    line = goal_line(battle.objective, battle.board, "blue")
    assert line == "Reach the hilltop, turn 1 of 5"
    deed = describe_objective(battle.objective, "blue", "wait")
    assert deed == "Reach the hilltop, or defeat all enemies, within 5 turns"
    deed = describe_objective(battle.objective, "red")
    assert deed == "Keep the enemies off the hilltop for 5 rounds"


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
    other = board.add(Unit("Bea", (0, 1), winner, stats=STATS))  # stands by
    if winner == "red":
        battle.end_turn()
    striker = next(unit for unit in board.units if unit.team == winner and unit is not other)
    foe = next(unit for unit in board.units if unit.team != winner)
    beside = Cell(1, foe.cell.col)
    for _ in range(20):
        if not battle.winner:
            battle.play(striker, Choice(beside, "sword", foe.cell))
            pass_turns(battle, 2)
    assert battle.winner == winner
    ending = battle.objective.ending(board, winner)
    assert ending == (f"{winner.capitalize()} has defeated all enemies", beside)
    assert f"{foe.team.capitalize()} lost 1 of 1" in describe_losses(battle.objective, board)
