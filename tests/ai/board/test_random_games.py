"""Random games: the rules of the board hold, and answers are those of a new board."""

import pytest

from tests.long import edits, games
from tests.support.nightly import rest_nightly


@pytest.mark.parametrize("seed", rest_nightly(range(100), 24))
def test_a_game_is_the_one_that_plain_rules_make_of_it(seed):
    games.check(seed)


@pytest.mark.parametrize("seed", rest_nightly(range(200), 30))
def test_answers_are_those_of_a_new_board(seed):
    edits.check(seed)
