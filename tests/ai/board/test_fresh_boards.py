"""What a board answers in the middle of a game is what a new board in the same state answers."""

import pickle
from contextlib import suppress

import pytest

from ai import Area, Weapon
from tests.games.random_game import TEAMS, RandomGame
from tests.support.nightly import rest_nightly


def answers(board, seed):
    """Return all that a board says of its units, in plain values."""
    found = {}
    cells = [(row, col) for row in range(board.tilemap.rows) for col in range(board.tilemap.cols)]
    for unit in board.units:
        reach, situation = board.reach(unit), board.situation(unit)
        found[unit.name, "reach"] = [
            (cell, reach.cost_to(cell), reach.path_to(cell).cells) for cell in reach
        ]
        found[unit.name, "missing"] = [reach.path_to(cell).reason for cell in cells]
        goal = cells[seed % len(cells)]
        for partial in (False, True):
            plan = board.plan(unit, goal, partial=partial)
            path = plan.path.cells, plan.path.cost, plan.path.reason
            found[unit.name, partial] = plan.cells, plan.cost, plan.reason, plan.turn_ends, path
        blockers = {name: [*each] for name, each in vars(situation.blockers).items()}
        found[unit.name, "situation"] = situation.here, situation.bodies, blockers
        known = filter(situation.has, cells)
        found[unit.name, "stops"] = [
            (situation.can_stop(cell), situation.is_halting(cell)) for cell in known
        ]
        found[unit.name, "steps"] = situation.steps()
    weapons = {unit: Weapon(max_tiles=2, area=Area("diamond", 1)) for unit in board.units[::2]}
    for team in TEAMS:
        for each in ({}, weapons):
            threat = board.threat(team, each)
            found[team, len(each)] = threat.count.tolist(), threat.cells
    return found


@pytest.mark.parametrize("seed", rest_nightly(range(60), 8))
def test_nothing_that_is_kept_outlives_a_change(seed):
    """The random games have undo, turns, charms, arrivals, departures and forced moves."""
    game = RandomGame(seed)
    for number in range(12):
        game.play()
        with suppress(ValueError), game.board.tilemap.edit() as edit:
            edit.set_level(game.cell(), game.random.choice((0, 3)))
        copied = game.board.copy()
        wanted = answers(pickle.loads(pickle.dumps(game.board)), number)
        assert answers(game.board, number) == wanted
        assert answers(copied, number) == wanted
