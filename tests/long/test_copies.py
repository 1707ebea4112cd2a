"""Copies of boards never touch each other, in any order of calls, in threads and in processes."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import hypothesis.strategies as st
import pytest

from ai import Board, GameRecord
from tests.long.games import RandomGame, Record
from tests.support.reference import tried

WAYS = {
    "copy": Board.copy,
    "pickle": lambda board: pickle.loads(pickle.dumps(board)),
    "replay": lambda board: GameRecord.of(board).replay(),
}
N_PLAYED = 12


def forked(game, way):
    return game.fork(way, WAYS[way](game.board))


def at(game, number):
    """Return a game that goes on from an earlier state; None if the map was another one then."""
    past = [record for _, record in game.done]
    record = past[number % len(past)] if past else game.now
    if record.state.revision != game.board.tilemap.revision:
        with pytest.raises(ValueError, match="the map has been edited since"):
            game.board.at(record.state)
        return None
    return game.fork("at", game.board.at(record.state), record)


def check(game):
    """Check that a game is as it left its board."""
    assert Record(game) == game.now, "another game has touched this one"
    assert game.board.digest() == game.digests[-1], "another game has touched this one"


calls = st.tuples(st.integers(0, 5), st.sampled_from(["play"] * 4 + [*WAYS, "at"]))


@tried(60, seed=st.integers(0, 10**6), calls=st.lists(calls, min_size=10, max_size=30))
def test_copies_go_on_alone_in_any_order(seed, calls):
    games = [RandomGame(seed)]
    for number, call in calls:
        game = games[number % len(games)]
        if call == "play":
            game.random.seed(number + len(games))
            game.play()
        elif other := at(game, number) if call == "at" else forked(game, call):
            games.append(other)
        for each in games:
            check(each)
    for each in games:
        each.check()


def go_on(game):
    """Return the states that a game goes through."""
    return [(game.play(), game.board.digest())[1] for _ in range(N_PLAYED)]


def played(seed):
    """Return a game in its middle."""
    go_on(game := RandomGame(seed))
    return game


@pytest.mark.parametrize("way", WAYS)
def test_copies_play_in_threads_as_alone(way):
    games = [*map(played, range(6))]
    alone, together = ([forked(each, way) for each in games * 3] for _ in range(2))
    expected = [*map(go_on, alone)]
    with ThreadPoolExecutor(6) as threads:
        assert [*threads.map(go_on, together)] == expected
    for game in games:
        check(game)


def go_on_elsewhere(data):
    game = pickle.loads(data)
    game._listen()
    return go_on(game)


def test_a_copy_plays_in_another_process_as_here():
    alone, together = ([forked(played(seed), "pickle") for seed in range(4)] for _ in range(2))
    expected = [*map(go_on, alone)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as processes:
        assert [*processes.map(go_on_elsewhere, map(pickle.dumps, together))] == expected
    for game in together:
        check(game)
