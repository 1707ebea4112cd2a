"""Random games: the rules of the board hold, and answers are those of a new board."""

import pytest

from tests.long import edits
from tests.long.games import RandomGame
from tests.support.selection import rest_nightly


class LivelyGame(RandomGame):
    """A game with more units, zones of control, orders and turns."""

    MORE = RandomGame.add, RandomGame.end_turn, *[RandomGame.move] * 7
    ACTS = (*RandomGame.ACTS, *MORE * 4)

    def drawn_unit(self):
        unit = super().drawn_unit()
        if unit not in self.gone:
            unit.has_zoc = self.random.random() < 0.6
        return unit


@pytest.mark.parametrize("seed", rest_nightly(range(100), 24))
def test_a_game_is_the_one_that_plain_rules_make_of_it(seed):
    game = LivelyGame(seed)
    for number in range(300):
        game.play()
        if number % 30 == 0:
            game.check()
    while game.undone:
        game.redo()
    game.check()


@pytest.mark.parametrize("seed", rest_nightly(range(200), 30))
def test_answers_are_those_of_a_new_board(seed):
    edits.check(seed)
