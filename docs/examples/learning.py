"""A board as an environment of PettingZoo, and one team on it as an environment of Gymnasium."""

import numpy as np
from gymnasium import Env, spaces
from pettingzoo import AECEnv

from ai import Board, Unit
from terrain3d import TileMap

CHANNELS = ("level", "self", "friends", "enemies", "points")


class BoardEnv(AECEnv):
    """A game: each unit acts once in its turn, by the number of a tile to go to, else it stays."""

    metadata = {"name": "board_v0", "render_modes": []}  # noqa: RUF012
    max_steps = 60

    def __init__(self):
        self.rng = np.random.default_rng()
        self.board = self.make_board(self.rng)
        level = self.board.tilemap.level
        self.possible_agents = [unit.name for unit in self.board.units]
        planes = spaces.Box(0, 100, (len(CHANNELS), *level.shape), np.float32)
        mask = spaces.Box(0, 1, (level.size,), np.int8)
        self.seen = spaces.Dict({"observation": planes, "action_mask": mask})
        self.actions = spaces.Discrete(level.size)

    def make_board(self, rng):
        """Return a board for a game: a hill, and two units on each of two sides of it."""
        board = Board(TileMap.from_text("00000\n02220\n02420\n02220\n00000"), turns="sides")
        for team, row in (("blue", 4), ("red", 0)):
            for number, col in enumerate(rng.choice(5, 2, replace=False).tolist()):
                board.add(Unit(f"{team}_{number}", (row, col), team, move=4))
        return board

    def find_winner(self):
        return getattr(self.board.unit_at((2, 2)), "team", "")

    def observation_space(self, agent):  # noqa: ARG002
        return self.seen

    def action_space(self, agent):  # noqa: ARG002
        return self.actions

    def reset(self, seed=None, options=None):  # noqa: ARG002
        self.rng = self.rng if seed is None else np.random.default_rng(seed)
        self.board, self.agents = self.make_board(self.rng), self.possible_agents[:]
        self.teams = {unit.name: unit.team for unit in self.board.units}
        self.n_steps, self.to_act = 0, list(self.board.turn.units)
        self.infos = {agent: {} for agent in self.agents}
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._find_winner_and_next()

    def step(self, action):
        if self.is_over:
            self._was_dead_step(action)
            return
        unit = self.board.unit(self.agent_selection)
        cell = divmod(int(action), self.board.tilemap.cols)
        if self.mask[action] and cell != unit.cell[:2]:
            self.board.move(unit, cell)
        self.n_steps += 1
        self._cumulative_rewards[unit.name] = 0.0
        self._find_winner_and_next()
        self._accumulate_rewards()

    def observe(self, agent):
        planes = np.zeros(self.seen["observation"].shape, np.float32)
        planes[0], team = self.board.tilemap.level, self.teams[agent]
        for unit in self.board.state.units:  # values, sooner read than handles
            channel = 1 if unit.name == agent else 2 if unit.team == team else 3
            planes[channel][unit.cell[:2]], planes[4][unit.cell[:2]] = 1, unit.points_left
        mask = self.mask if agent == self.agent_selection else np.zeros_like(self.mask)
        return {"observation": planes, "action_mask": mask}

    def reward(self, team):
        return 0.0 if not self.winner else 1.0 if team == self.winner else -1.0

    def _find_winner_and_next(self):
        self.winner = self.find_winner()
        self.is_over = bool(self.winner) or self.n_steps >= self.max_steps
        self.terminations = dict.fromkeys(self.agents, bool(self.winner))
        self.truncations = dict.fromkeys(self.agents, self.is_over and not self.winner)
        self.rewards = {name: self.reward(self.teams[name]) for name in self.agents}
        self.to_act = self.to_act or list(self.board.end_turn().units)
        unit = self.to_act.pop(0)
        self.agent_selection = unit.name
        self.mask = self.board.reach(unit).as_mask().ravel().astype(np.int8)


class TeamEnv(Env):
    """One team of a game; between its steps the others play at random."""

    def __init__(self, game, team="blue"):
        self.game, self.team = game, team
        self.observation_space, self.action_space = game.seen, game.actions

    def reset(self, *, seed=None, options=None):  # noqa: ARG002
        super().reset(seed=seed)
        self.game.reset(seed)
        return self._play_others(), {}

    def step(self, action):
        self.game.step(action)
        seen, game = self._play_others(), self.game
        return seen, game.reward(self.team), bool(game.winner), game.is_over and not game.winner, {}

    def _play_others(self):
        while not self.game.is_over and self.game.board.turn.team != self.team:
            self.game.step(self.game.rng.choice(np.flatnonzero(self.game.mask)))
        return self.game.observe(self.game.agent_selection)


if __name__ == "__main__":
    game = BoardEnv()
    game.reset(seed=7)
    while not game.is_over:
        game.step(game.rng.choice(np.flatnonzero(game.mask)))
    print(f"{game.winner or 'nobody'} wins after {game.n_steps} steps at random")
