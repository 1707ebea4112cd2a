"""Small games to learn: boards made from seeds, who wins, and a game with an attack."""

import numpy as np

from ai import Board, Unit
from ai.learning import TacticsEnv
from terrain3d import TileMap

STAIRS = """
001230
0#1100
001..0
001100
""".replace(".", "0")


def skirmish(seed, turns="sides", **more):
    """Return a board with two blue units and two red ones; the seed places them."""
    rng = np.random.default_rng(seed)
    board = Board(TileMap.from_text(STAIRS), turns=turns, seed=seed, **more)
    blue, red = rng.permutation([0, 2, 3])[:2], rng.permutation(4)[:2]
    for number, (west, east) in enumerate(zip(blue.tolist(), red.tolist(), strict=True)):
        board.add(Unit(f"blue_{number}", (west, 0), "blue", move=3, stats={"hp": 2}))
        board.add(Unit(f"red_{number}", (east, 5), "red", move=3, stats={"hp": 2}))
    return board


def free_skirmish(seed):
    return skirmish(seed, None)


def waiting_skirmish(seed):
    return skirmish(seed, "wait")


def nobody_wins(_board):
    return ""


def last_team(board):
    """Return the only team that is left."""
    teams = {unit.team for unit in board.units}
    return teams.pop() if len(teams) == 1 else ""


def race(board):
    """Return the team of the first unit that stands on the hill."""
    unit = board.unit_at((0, 3))
    return "" if unit is None else unit.team


def random_action(env):
    """Return a legal action of the selected agent: an opponent."""
    return int(env.random.choice(np.flatnonzero(env.mask)))


class Duel(TacticsEnv):
    """A game in which a unit may hit an enemy beside it instead of walking."""

    def legal(self, unit):
        moves = super().legal(unit)
        hits = np.zeros_like(moves)
        for enemy in self.board.enemies_of(unit):
            if self.board.tilemap.grid.distance(unit.cell, enemy.cell) == 1:
                row, col, deck = enemy.cell
                hits[deck, row, col] = True
        return np.stack([moves, hits])

    def act(self, unit, place):
        kind, deck, row, col = place
        if kind == 0:
            return super().act(unit, (deck, row, col))
        target = self.board.unit_at((row, col, deck))
        with self.board.action("hit", by=unit) as action:
            action.set(target, hp=target.stats["hp"] - 1)
            if target.stats["hp"] <= 0:
                action.remove(target)
        return False


def duel(max_steps=400):
    return Duel(skirmish, last_team, stats=["hp"], max_steps=max_steps)


def play(env, n_steps=10_000):
    """Play legal actions that `env.random` draws; yield the agent and what `last` says before."""
    for _ in range(n_steps):
        if not env.agents:
            return
        agent, (observation, reward, is_over, is_cut, _) = env.agent_selection, env.last()
        yield agent, reward, is_over, is_cut
        if is_over or is_cut:
            env.step(None)
        else:
            env.step(int(env.random.choice(np.flatnonzero(observation["action_mask"]))))
