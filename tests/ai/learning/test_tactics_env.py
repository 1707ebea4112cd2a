"""Boards as environments of PettingZoo: spaces, masks, turns, deaths, truncation, determinism."""

import copy
import pickle

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ai import Board, GameRecord, MoveProfile, MoveRefused, Unit
from ai.learning import TacticsEnv, win_or_lose
from terrain3d import Cell, TileMap
from tests.support.forks import fork_python
from tests.support.learning import (
    Duel,
    duel,
    free_skirmish,
    last_team,
    nobody_wins,
    play,
    race,
    skirmish,
    waiting_skirmish,
)

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{text}")
    for text in (
        "Observation is not a NumPy array",  # of each environment with action masks but theirs
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",  # of an agent that has died
        "Environment has not defined a render",
    )
]
BOARDS = [skirmish, free_skirmish, waiting_skirmish]


def bridged(_seed, *, n_decks=1, turns="sides"):
    tilemap = TileMap.from_text("00000\n00000\n00000")
    with tilemap.edit() as edit:
        for deck in range(n_decks):
            edit.add_deck((1, 2), level=1 + 4 * deck)
    board = Board(tilemap, turns=turns)
    board.add(Unit("mira", (1, 0), "blue", move=3, profile=MoveProfile(max_climb=1, max_drop=1)))
    board.add(Unit("odo", (1, 4), "red", move=3))
    return board


def number_of(env, cell):
    deck, (row, col) = (cell[2] if len(cell) == 3 else 0), cell[:2]
    tilemap = env.board.tilemap
    return (deck * tilemap.rows + row) * tilemap.cols + col


def go(env, cell):
    env.step(number_of(env, cell))


def stay(env):
    go(env, env.board.unit(env.agent_selection).cell)


def plane(env, agent, channel):
    """Return the (n_decks + 1, rows, cols) values of a channel."""
    planes = env.observe(agent)["observation"]
    return planes.reshape(len(env.channels), -1, *planes.shape[1:])[env.channels.index(channel)]


@pytest.mark.parametrize("make_board", BOARDS)
@pytest.mark.parametrize("kind", [TacticsEnv, Duel])
def test_it_passes_the_tests_of_pettingzoo(make_board, kind):
    win = last_team if kind is Duel else race
    api_test(kind(make_board, win, max_steps=60), num_cycles=100)
    seed_test(lambda: kind(make_board, win, stats=["hp"], max_steps=300), num_cycles=60)


@pytest.mark.parametrize("make_board", [*BOARDS, bridged])
def test_the_mask_has_exactly_the_moves_that_the_board_accepts(make_board):
    env = TacticsEnv(make_board, nobody_wins, max_steps=40)
    for seed in range(3):
        env.reset(seed=seed)
        for agent, *_, is_cut in play(env):
            if is_cut:
                continue
            observation, tilemap = env.observe(agent), env.board.tilemap
            accepted = np.zeros((tilemap.n_decks + 1, tilemap.rows, tilemap.cols), dtype=np.int8)
            for deck, row, col in np.ndindex(accepted.shape):
                trial = env.board.copy()
                if Cell(row, col, deck) == env.board.unit(agent).cell:
                    accepted[deck, row, col] = 1
                elif tilemap.has_cell((row, col, deck)):
                    try:
                        trial.move(trial.unit(agent), (row, col, deck))
                        accepted[deck, row, col] = 1
                    except MoveRefused:
                        pass
            assert (observation["action_mask"] == accepted.ravel()).all()
            others = [other for other in env.agents if other != agent]
            assert not any(env.observe(other)["action_mask"].any() for other in others)


def test_each_channel_shows_what_it_says():
    board = skirmish(3, allies=[("blue", "green")], neutral=["stone"])
    board.add(Unit("gus", (1, 3), "green", move=2))
    board.add(Unit("stone", (2, 2), "stone"))
    env = TacticsEnv(lambda _seed: board.copy(), nobody_wins, stats=["hp"])
    agent = env.agent_selection
    unit, red = env.board.unit(agent), env.board.unit("red_0")
    tilemap = env.board.tilemap
    assert (plane(env, agent, "level")[0] == tilemap.level).all()
    assert (plane(env, agent, "ground")[0] == ~tilemap.void).all()
    assert plane(env, agent, "cost")[0, 1, 1] == 0
    assert plane(env, agent, "cost")[0, 0, 0] == tilemap.kind_at((0, 0)).cost
    at = {name: env.board.unit(name).cell[:2] for name in (*env.possible_agents, "stone")}

    def shown(channel):
        return {name for name, cell in at.items() if plane(env, agent, channel)[0][cell]}

    assert agent == "blue_0"
    assert shown("self") == {"blue_0"}
    assert shown("allies") == {"blue_1", "gus"}
    assert shown("enemies") == {"red_0", "red_1"}
    assert shown("others") == {"stone"}
    reached = next(
        cell for cell in env.board.reach(unit).cells if env.board.reach(unit).cost_to(cell) == 1
    )
    env.board.move(unit, reached)
    assert plane(env, agent, "points")[0][reached[:2]] == 2
    assert plane(env, agent, "points")[0][red.cell[:2]] == 3
    assert plane(env, agent, "hp")[0][red.cell[:2]] == 2
    assert plane(env, agent, "points").sum() == sum(each.move for each in env.board.units) - 1
    assert "stone" not in env.possible_agents


def test_the_waiting_time_is_counted_from_that_of_the_unit_that_acts():
    env = TacticsEnv(waiting_skirmish, nobody_wins)
    first = env.agent_selection
    stay(env)
    agent = env.agent_selection
    waiting = {unit.name: unit.waiting for unit in env.board.units}
    assert waiting[first] > waiting[agent]
    cell = env.board.unit(first).cell[:2]
    assert plane(env, agent, "waiting")[0][cell] == waiting[first] - waiting[agent]


@pytest.mark.parametrize("make_board", BOARDS)
def test_units_act_in_the_order_of_the_board(make_board):
    env = TacticsEnv(make_board, nobody_wins)
    twin = make_board(0)
    for _ in range(10):
        units = twin.units if twin.turn is None else twin.turn.units
        for unit in units:
            assert env.agent_selection == unit.name
            stay(env)
        if twin.turn is not None:
            twin.end_turn()


def test_a_move_is_an_order_of_the_board_and_spends_points():
    env = TacticsEnv(skirmish, nobody_wins)
    agent = env.agent_selection
    goal = env.board.reach(env.board.unit(agent)).cells[-1]
    go(env, goal)
    assert env.board.unit(agent).cell == goal
    assert [entry.kind for entry in env.board.log][-1] == "move"


def test_an_action_that_is_not_legal_raises_and_changes_nothing():
    env = TacticsEnv(skirmish, nobody_wins)
    before, agent = env.board.digest(), env.agent_selection
    with pytest.raises(ValueError, match=rf"action 7 of {agent}, \(0, 1, 1\), is not legal"):
        env.step(7)
    with pytest.raises(ValueError, match=r"an action must be in 0\.\.23, got 24"):
        env.step(24)
    with pytest.raises(TypeError, match="an action must be a whole number, got None"):
        env.step(None)
    assert (env.board.digest(), env.agent_selection, env.n_steps) == (before, agent, 0)


def test_the_winner_ends_the_game_for_all():
    env = TacticsEnv(skirmish, race)
    env.reset(seed=1)
    steps = list(play(env))
    assert env.winner == race(env.board) != ""
    over = {agent: reward for agent, reward, is_over, _ in steps if is_over}
    assert over == {
        agent: 1.0 if env.teams[agent] == env.winner else -1.0 for agent in env.possible_agents
    }
    assert not env.agents


def test_the_game_is_truncated_after_its_last_step():
    env = TacticsEnv(skirmish, nobody_wins, max_steps=7)
    env.reset(seed=0)
    cut = [agent for agent, _, is_over, is_cut in play(env) if is_cut and not is_over]
    assert env.n_steps == 7
    assert sorted(cut) == sorted(env.possible_agents)


def test_units_that_die_terminate_and_no_one_else_does():
    env, n_deaths = duel(), 0
    for seed in range(4):
        env.reset(seed=seed)
        alive = {unit.name for unit in env.board.units}
        for agent, _, is_over, is_cut in play(env):
            present = {unit.name for unit in env.board.units}
            if is_over and not env.winner:
                n_deaths += 1
                assert agent not in present
                assert env.teams[agent] in {"blue", "red"}
            elif not is_cut and not env.is_over:
                assert agent in present
            alive = alive & present
        assert env.winner == "" or last_team(env.board) == env.winner
    assert n_deaths > 0


class Summoner(TacticsEnv):
    """Staying summons a unit beside the map's corner, or takes it away again."""

    name = "imp"

    def act(self, unit, place):
        if unit.name != self.name:
            with self.board.action("summon", by=unit) as action:
                here = [each for each in self.board.units if each.name == self.name]
                if here:
                    action.remove(here[0])
                else:
                    action.add(Unit(self.name, (3, 3), "blue", move=2))
        return super().act(unit, place)


def test_summoned_units_come_from_the_list_and_do_not_come_back():
    env = Summoner(skirmish, nobody_wins, summoned=["imp"])
    assert env.possible_agents[-1] == "imp"
    assert "imp" not in env.agents
    assert env.observation_space("imp").contains(env.observe("imp"))
    stay(env)
    assert "imp" in env.agents
    assert env.action_space("imp").n == 24
    stay(env)  # the second blue unit takes it away
    assert env.agent_selection == "imp"
    assert env.terminations == {agent: agent == "imp" for agent in env.agents}
    env.step(None)
    assert "imp" not in env.agents
    with pytest.raises(ValueError, match="a new unit must be one of `summoned`, got 'imp'"):
        stay(env)


def test_a_unit_that_is_not_on_the_list_is_refused():
    env = Summoner(skirmish, nobody_wins)
    with pytest.raises(ValueError, match="a new unit must be one of `summoned`, got 'imp'"):
        stay(env)


def test_a_neutral_unit_may_come_and_a_unit_may_become_neutral():
    class Charm(TacticsEnv):
        def act(self, unit, place):
            with self.board.action("charm", by=unit) as action:
                if self.n_steps == 0:
                    action.add(Unit("rock", (3, 3), "stone"))
                    action.change(self.board.unit("red_0"), team="stone")
            return super().act(unit, place)

    env = Charm(lambda seed: skirmish(seed, neutral=["stone"]), nobody_wins, max_steps=20)
    acting = [agent for agent, _, _, is_cut in play(env) if not is_cut]
    assert set(acting) == {"blue_0", "blue_1", "red_1"}
    assert env.teams["red_0"] == "stone"


def test_a_unit_acts_again_if_its_action_says_so():
    class Twice(TacticsEnv):
        def act(self, unit, place):
            super().act(unit, place)
            return self.n_steps % 2 == 0

    env = Twice(skirmish, nobody_wins)
    agents = []
    for _ in range(6):
        agents.append(env.agent_selection)
        stay(env)
    assert agents == [name for name in ("blue_0", "blue_1", "red_0") for _ in range(2)]


def test_a_listener_that_acts_when_a_turn_begins_counts_in_the_same_step():
    def poisoned(seed):
        board = skirmish(seed)

        def bite(_turn):
            if not board.is_replaying and board.turn.team == "red":
                with board.action("poison") as action:
                    for unit in [each for each in board.units if each.team == "red"]:
                        action.remove(unit)

        board.turn_began.connect(bite)
        return board

    env = TacticsEnv(poisoned, last_team)
    stay(env)
    stay(env)
    assert env.winner == "blue"
    assert env.rewards == {"blue_0": 1, "blue_1": 1, "red_0": -1, "red_1": -1}


def test_a_deck_may_go_but_none_may_come_and_the_size_is_fixed():
    env = TacticsEnv(bridged, nobody_wins)
    assert env.observe("mira")["observation"].shape == (18, 3, 5)
    go(env, (1, 2, 1))
    stay(env)
    with env.board.tilemap.edit() as edit:
        edit.remove_deck((1, 2))
    assert env.board.tilemap.n_decks == 0
    stay(env)
    stay(env)
    assert env.observe("mira")["observation"].shape == (18, 3, 5)
    for make_board, sizes in [
        (lambda seed: bridged(seed, n_decks=seed), r"\(1, 3, 5\) at first, now \(3, 3, 5\)"),
        (
            lambda seed: skirmish(seed) if seed else bridged(seed),
            r"\(2, 3, 5\) at first, now \(1, 4, 6\)",
        ),
    ]:
        env = TacticsEnv(make_board, nobody_wins)
        with pytest.raises(ValueError, match=rf"\(decks \+ 1, rows, cols\) are {sizes}"):
            env.reset(seed=2)


def test_a_deck_that_comes_during_play_is_refused():
    class Builder(TacticsEnv):
        def act(self, unit, place):
            with self.board.action("build", by=unit) as action, action.edit() as edit:
                edit.add_deck((1, 2), level=9)
            return super().act(unit, place)

    env = Builder(bridged, nobody_wins)
    with pytest.raises(ValueError, match=r"are \(2, 3, 5\) at first, now \(3, 3, 5\)"):
        stay(env)


def test_the_steps_after_a_new_log_began_have_their_entries():
    class Forgetful(TacticsEnv):
        def act(self, unit, place):
            if self.n_steps == 4:
                self.board.clear_history()
            return super().act(unit, place)

    env = Forgetful(skirmish, nobody_wins)
    for number in range(8):
        go(env, env.board.reach(env.board.unit(env.agent_selection)).cells[-1])
        assert number == 4 or [entry.kind for entry in env.entries][:1] == ["move"]


def test_mistakes_of_the_caller_have_messages():
    empty = Board(TileMap.from_text("00"))
    for wrong, message in [
        ({"make_board": lambda _seed: None}, "what make_board returns must be a Board, got None"),
        ({"make_board": lambda _seed: empty}, "agents must be units by different names, got []"),
        ({"summoned": ["imp", "imp"]}, "agents must be units by different names, got ['blue_0'"),
        ({"summoned": "imp"}, "summoned must be a sequence, got 'imp'"),
        ({"max_steps": 0}, "max_steps must be >= 1, got 0"),
        ({"make_board": 7}, "make_board must be a function, got 7"),
        ({"make_board": lambda: empty}, "make_board must be a function of 1 argument, got"),
        ({"win": None}, "win must be a function, got None"),
        ({"reward": {"blue_0": 1}}, "reward must be a function, got {'blue_0': 1}"),
        ({"stats": ["hp", "hp"]}, "channels must be of different names, got ('level'"),
        ({"stats": ["cost"]}, "channels must be of different names, got ('level'"),
        ({"stats": [3]}, "a stat must be a str, got 3"),
        ({"summoned": [3]}, "the name of an agent must be a str, got 3"),
    ]:
        with pytest.raises((TypeError, ValueError)) as error:
            TacticsEnv(**{"make_board": skirmish, "win": nobody_wins, **wrong})
        assert message in str(error.value)
    env = TacticsEnv(skirmish, lambda _board: None)
    with pytest.raises(TypeError, match="what win returns must be a str, got None"):
        stay(env)

    for reward, message in [
        (lambda _env: None, "what reward returns must be a Mapping, got None"),
        (lambda _env: {"blu_0": 1}, "what reward returns must be by agent, got {'blu_0'}"),
    ]:
        with pytest.raises((TypeError, ValueError)) as error:
            stay(TacticsEnv(skirmish, nobody_wins, reward))
        assert message in str(error.value)

    class Odd(TacticsEnv):
        def legal(self, unit):
            return super().legal(unit)[:, : 4 - getattr(self, "n_steps", 0)]

    env = Odd(skirmish, nobody_wins)
    stay(env)
    with pytest.raises(ValueError, match=r"legal returned \(1, 4, 6\) at first, now \(1, 3, 6\)"):
        env.observe(env.agent_selection)


def test_the_seed_makes_the_board_and_all_that_follows():
    def played(seed):
        env = duel(max_steps=50)
        digests = []
        for each in (seed, None):
            env.reset(seed=each)
            digests += [env.board.digest(), list(play(env)), env.board.digest()]
        return digests

    assert played(5) == played(5)
    assert played(5)[0] == skirmish(5).digest()
    assert played(5)[2] != played(6)[2]
    assert played(5)[0] != played(5)[3]


def test_rewards_are_a_function_of_what_a_step_has_done():
    outcomes = []

    def hits(env):
        outcomes.append(env.entries)
        hits = {entry.by: 10 for entry in env.entries if entry.name == "hit"}
        return hits | win_or_lose(env)

    env = Duel(skirmish, last_team, hits, max_steps=400)
    env.reset(seed=2)
    total = sum(reward for _, reward, *_ in play(env))
    entries = [entry for outcome in outcomes for entry in outcome]
    assert [entry.name for entry in entries].count("hit") >= 3
    assert entries == list(env.board.log)[4:]
    assert total > 10


def test_a_run_is_saved_and_replayed_to_the_same_digest(tmp_path):
    env = duel(max_steps=120)
    env.reset(seed=4)
    list(play(env))
    assert {entry.kind for entry in env.board.log} >= {"move", "action", "end turn"}
    GameRecord.of(env.board).save(tmp_path / "run.tmap")
    assert GameRecord.load(tmp_path / "run.tmap").replay().digest() == env.board.digest()


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_alike_and_apart(twin_of):
    env = duel(max_steps=60)
    env.reset(seed=3)
    list(play(env, 20))
    before, twin = env.board.digest(), twin_of(env)
    rest = list(play(twin))
    assert env.board.digest() == before
    assert rest == list(play(env))
    assert twin.board.digest() == env.board.digest()


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_without_a_package_the_message_names_the_extra(missing):
    code = f"import sys, ai.board.board\nsys.modules[{missing!r}] = None\nimport ai.learning"
    done = fork_python(code, check=False)
    needs = f'ImportError: ai.learning needs {missing}: pip install "terrain3d-tactics[rl]"'
    assert needs in done.stderr


def test_the_rest_of_ai_does_not_import_gymnasium():
    code = "import sys, ai\n[getattr(ai, name) for name in ai.__all__]\n"
    code += "assert not {'gymnasium', 'pettingzoo', 'ai.learning'} & set(sys.modules)"
    fork_python(code)


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "seed must be >= 0, got -1"),
        ("a", "seed must be a whole number, got 'a'"),
        (1.5, "seed must be a whole number, got 1.5"),
        (3, "(decks + 1, rows, cols) are (1, 4, 6) at first, now (1, 1, 2)"),
        (4, "a new unit must be one of `summoned`, got 'imp'"),
        (5, "no such level"),
    ],
)
def test_a_reset_that_fails_leaves_the_game(seed, message):
    def make_board(number):
        if number == 5:
            raise ValueError("no such level")
        board = skirmish(number)
        if number == 4:
            board.add(Unit("imp", (0, 1), "blue"))
        return Board(TileMap.from_text("00")) if number == 3 else board

    env = TacticsEnv(make_board, nobody_wins)
    env.reset(seed=1)
    stay(env)
    board, agents, agent, digest = env.board, env.agents, env.agent_selection, env.board.digest()
    with pytest.raises((TypeError, ValueError)) as error:
        env.reset(seed=seed)
    assert message in str(error.value)
    assert (env.board, env.agents, env.agent_selection) == (board, agents, agent)
    assert (env.n_steps, env.board.digest()) == (1, digest)
    stay(env)
    assert env.n_steps == 2
