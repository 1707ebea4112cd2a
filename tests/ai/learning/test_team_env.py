"""One team as an environment of Gymnasium: its checker, vectors, opponents and rewards."""

import functools
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ai.learning import TacticsEnv
from tests.support.learning import (
    Duel,
    duel,
    last_team,
    nobody_wins,
    race,
    random_action,
    skirmish,
    waiting_skirmish,
)


def single(max_steps=60, team="red"):
    return TacticsEnv(skirmish, race, max_steps=max_steps).single(team, random_action)


def single_duel(team="blue"):
    return duel(max_steps=60).single(team, random_action)


def drawn(env, mask):
    return int(env.env.random.choice(np.flatnonzero(mask)))


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize("make", [single, single_duel])
def test_it_passes_the_checker_of_gymnasium(make):
    check_env(make())


@pytest.mark.parametrize("make_board", [skirmish, waiting_skirmish])
@pytest.mark.parametrize("team", ["blue", "red"])
def test_only_units_of_the_team_ask_for_actions(make_board, team):
    env = TacticsEnv(make_board, race, max_steps=60).single(team, random_action)
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        total, is_over = 0.0, False
        while not is_over:
            assert info["agent"].startswith(team)
            assert observation["action_mask"].any()
            action = drawn(env, observation["action_mask"])
            observation, reward, is_won, is_cut, info = env.step(action)
            total, is_over = total + reward, is_won or is_cut
        assert is_won == bool(env.env.winner)
        assert total == {"": 0, team: 2}.get(env.env.winner, -2)


def test_the_opponent_may_win_before_the_first_action():
    def at_once(board):
        return "blue" if board.log else ""

    env = TacticsEnv(skirmish, at_once).single("red", lambda env: env.act and random_action(env))
    observation, _ = env.reset(seed=0)
    while not env.env.is_over:  # the first action of blue was to stay
        observation, _ = env.reset()
    assert env.observation_space.contains(observation)
    assert env.step(0)[1:4] == (-2.0, True, False)


def test_an_illegal_action_of_the_opponent_raises_and_one_of_the_team_does_nothing():
    env = TacticsEnv(skirmish, nobody_wins).single("blue", lambda _env: 7)
    _, info = env.reset(seed=0)
    assert info == {"agent": "blue_0", "is_legal": True}
    before = env.env.board.digest()
    _, reward, *_, info = env.step(7)
    assert (reward, info) == (0, {"agent": "blue_1", "is_legal": False})
    assert env.env.board.digest() == before
    with pytest.raises(ValueError, match=r"action 7 of red_0, \(0, 1, 1\), is not legal"):
        env.step(7)


def test_deaths_on_both_sides_are_gone_through():
    env = single_duel()
    winners = set()
    for seed in range(6):
        observation, _ = env.reset(seed=seed)
        is_won = is_cut = False
        while not (is_won or is_cut):
            hits = np.flatnonzero(observation["action_mask"][24:])
            action = 24 + int(hits[0]) if len(hits) else drawn(env, observation["action_mask"])
            observation, _, is_won, is_cut, _ = env.step(action)
            assert env.observation_space.contains(observation)
        winners.add(env.env.winner)
        assert env.env.winner == last_team(env.env.board)
    assert "blue" in winners


def test_a_team_without_agents_is_refused():
    with pytest.raises(ValueError, match="team must be one of 'blue', 'red', got 'green'"):
        single(team="green")


@pytest.mark.parametrize("kind", [gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv])
def test_gymnasium_makes_vectors_of_it(kind):
    envs = kind([functools.partial(single, 12), functools.partial(single, 12)])
    try:
        alone = single(12)
        observation, _ = envs.reset(seed=[3, 4])
        own, _ = alone.reset(seed=3)
        n_over = 0
        for _ in range(20):
            assert (observation["observation"][0] == own["observation"]).all()
            assert (observation["action_mask"][0] == own["action_mask"]).all()
            actions = [mask.argmax() for mask in observation["action_mask"]]
            observation, reward, over, cut, _ = envs.step(np.array(actions))
            if n_over:
                break
            own, earned, *ends, _ = alone.step(int(actions[0]))
            assert reward[0] == earned
            assert [over[0], cut[0]] == ends
            n_over += any(ends)
        assert n_over
    finally:
        envs.close()


def test_it_can_be_pickled():
    env = single_duel()
    env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    assert isinstance(twin.env, Duel)
    for _ in range(10):
        mask = env.env.mask
        action = int(np.flatnonzero(mask)[0])
        mine, its = env.step(action), twin.step(action)
        assert mine[1:] == its[1:]
        assert (mine[0]["observation"] == its[0]["observation"]).all()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (-1, "an action must be in 0..23, got -1"),
        (24, "an action must be in 0..23, got 24"),
        (1.0, "an action must be a whole number, got 1.0"),
        (None, "an action must be a whole number, got None"),
    ],
)
def test_what_is_no_action_is_refused_also_after_the_end(action, message):
    env = single(max_steps=2)
    env.reset(seed=0)
    before = env.env.board.digest()
    for _ in range(2):
        with pytest.raises((TypeError, ValueError)) as error:
            env.step(action)
        assert message in str(error.value)
        assert env.env.board.digest() == before
        env.env.is_over = True


def test_an_opponent_must_be_a_function():
    with pytest.raises(TypeError, match="opponent must be a function, got 3"):
        TacticsEnv(skirmish, race).single("red", 3)
