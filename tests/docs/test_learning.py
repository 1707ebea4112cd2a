"""The example of learning passes the checks of PettingZoo and Gymnasium, and its games end."""

import runpy

import numpy as np
import pytest

from tests.support.pages import DOCS
from tests.support.selection import import_or_skip

gymnasium_checker = import_or_skip("gymnasium.utils.env_checker")
pettingzoo_test = import_or_skip("pettingzoo.test")
PROGRAM = runpy.run_path(str(DOCS / "examples" / "learning.py"), run_name="learning")
BoardEnv, TeamEnv = PROGRAM["BoardEnv"], PROGRAM["TeamEnv"]

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{text}")
    for text in (
        "Observation is not a NumPy array",  # of each environment with action masks but theirs
        "Observation space for each agent probably should be",
        "Environment has not defined a render",
        ".*Not able to test alternative render modes",
    )
]


def test_a_game_passes_the_tests_of_pettingzoo():
    pettingzoo_test.api_test(BoardEnv(), num_cycles=200)
    pettingzoo_test.seed_test(BoardEnv, num_cycles=60)


@pytest.mark.parametrize("team", ["blue", "red"])
def test_a_team_passes_the_checker_of_gymnasium_and_is_paid_for_its_games(team):
    env = TeamEnv(BoardEnv(), team)
    gymnasium_checker.check_env(env)
    rng, earned = np.random.default_rng(1), set()
    for seed in range(20):
        seen, _ = env.reset(seed=seed)
        is_won = is_cut = False
        while not (is_won or is_cut):
            assert env.game.agent_selection.startswith(team)
            action = rng.choice(np.flatnonzero(seen["action_mask"]))
            seen, reward, is_won, is_cut, _ = env.step(action)
        on_top = env.game.board.unit_at((2, 2))
        assert reward == (0 if on_top is None else 1 if on_top.team == team else -1)
        earned.add(reward)
    assert {1, -1} <= earned


def test_an_action_moves_the_unit_or_leaves_it_where_it_is():
    env = BoardEnv()
    env.reset(seed=0)
    for is_legal in (True, False):
        unit = env.board.unit(env.agent_selection)
        here, action = unit.cell[:2], int(np.flatnonzero(env.mask == is_legal)[0])
        env.step(action)
        assert unit.cell[:2] == (divmod(action, 5) if is_legal else here)
    assert env.agents == env.possible_agents
