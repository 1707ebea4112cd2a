"""A board as an environment of PettingZoo, and a team on it as one of Gymnasium."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ai.board.board import Board
from ai.board.unit import Unit
from terrain3d.core.checks import (
    checked_function,
    finite_number,
    instance_of,
    listed,
    one_of,
    quoted,
    whole_within,
)

Seen = tuple[dict[str, NDArray[Any]], dict[str, Any]]

CHANNELS = ("level", "ground", "cost", "self", "allies", "enemies", "others", "points", "waiting")
"""The channels of an observation. Of surfaces: the level, 1 for ground, the cost of its kind. 1 on
tiles of units: the agent's own, others that it can pass, enemies, all others. Of each unit: what it
can spend now or in its next turn, and its wait beyond that of the acting one. Stats follow."""
_SELF = CHANNELS.index("self")
_LIMIT = float(np.finfo(np.float32).max)  # checkers warn of infinite limits


def win_or_lose(env: "TacticsEnv") -> dict[str, float]:
    """Return 1 for agents whose team or ally has won, and -1 for all others: a reward."""
    won, winner = env.board.sides.are_allies, env.winner
    return {each: 1.0 if won(env.teams[each], winner) else -1.0 for each in env.agents if winner}


class TacticsEnv(AECEnv[str, Any, Any]):
    """A board as an environment of PettingZoo; agents are the units that take turns, by name.

    Each unit acts once in its turn, in the order of the board, and the turn ends when all have;
    without turns they go round. A unit that leaves the board terminates.

    An observation has "observation", (channels * (n_decks + 1), rows, cols) float32, all decks of a
    channel in a row, see `CHANNELS`, and "action_mask", (n_actions,) int8, 0 for all but the agent
    that acts. An action is the number of a surface in (n_decks + 1, rows, cols), to go there; with
    that of its own cell a unit stays. A game adds actions by overriding `legal` and `act`.

    Parameters
    ----------
    make_board : function of a seed that returns a new board
        ``make_board(0)`` fixes size, decks and agents; other boards may lack decks and units.
    win : function of a board that returns the team that has won, "" if none has
    reward : function of a TacticsEnv that returns what agents get for a step, by name
        It reads `board`, `winner`, `teams` of agents, and `entries`, the new ones of the log.
    summoned : names of units that may come later
    stats : names of numbers in `Unit.stats`, a channel for each
    max_steps : number of steps after which the game is truncated
    """

    metadata: dict[str, Any] = {"name": "tactics_v0", "render_modes": []}  # noqa: RUF012
    _mask: NDArray[np.bool_] | None  # None before it is asked for

    def __init__(
        self,
        make_board: Callable[[int], Board],
        win: Callable[[Board], str],
        reward: Callable[["TacticsEnv"], Mapping[str, float]] = win_or_lose,
        *,
        summoned: Iterable[str] = (),
        stats: Iterable[str] = (),
        max_steps: int = 500,
    ) -> None:
        self._make_board = checked_function("make_board", make_board, 1)
        self._win = checked_function("win", win, 1)
        self._reward = checked_function("reward", reward, 1)
        numbers = [instance_of("a stat", each, str) for each in listed("stats", stats)]
        self.channels = *CHANNELS, *numbers
        if len({*self.channels}) < len(self.channels):
            raise ValueError(f"channels must be of different names, got {self.channels}")
        self.max_steps = whole_within("max_steps", max_steps, 1)
        self.random = np.random.default_rng()
        self.board = instance_of("what make_board returns", make_board(0), Board)
        units, self._shape = self._units(), self.board.tilemap.surface_void.shape
        self._ground: tuple[object, NDArray[np.float32]] = None, np.zeros(0, np.float32)
        names = [unit.name for unit in units] + listed("summoned", summoned)
        self.possible_agents = [instance_of("the name of an agent", each, str) for each in names]
        if not units or len({*self.possible_agents}) < len(self.possible_agents):
            raise ValueError(f"agents must be units by different names, got {self.possible_agents}")
        self._mask_shape = self.legal(units[0]).shape
        n_actions, n_planes = int(np.prod(self._mask_shape)), len(self.channels) * self._shape[0]
        seen = spaces.Box(-_LIMIT, _LIMIT, (n_planes, *self._shape[1:]), np.float32)
        mask = spaces.Box(0, 1, (n_actions,), np.int8)
        self._seen = spaces.Dict({"observation": seen, "action_mask": mask})
        self._actions = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self._begin()

    def legal(self, unit: Unit) -> NDArray[np.bool_]:
        """(n_decks + 1, rows, cols) where a unit can go; an override may have any fixed shape."""
        reached = self.board.reach(unit).as_mask(decks=True)
        mask = np.zeros(self._shape, dtype=np.bool_)
        mask[: len(reached)] = reached
        mask[unit.cell.deck, unit.cell.row, unit.cell.col] = True
        return mask

    def act(self, unit: Unit, place: Sequence[int]) -> bool:
        """Carry out the action at an index of `legal`; return whether the unit acts once more."""
        deck, row, col = place
        if (row, col, deck) != unit.cell:
            self.board.move(unit, (row, col, deck))
        return False

    def single(self, team: str, opponent: "Callable[[TacticsEnv], int]") -> "TeamEnv":
        """Return an environment of Gymnasium for one team; see `TeamEnv`."""
        return TeamEnv(self, team, opponent)

    def observation_space(self, agent: str) -> spaces.Dict:  # noqa: ARG002 - one for all
        """Return the space of observations."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game on the board of a seed, or of one that `random` draws.

        If that board is not as the first, it raises `ValueError` and the last game is left.
        """
        before = vars(self).copy()
        if seed is None:
            seed = int(self.random.integers(2**31))
        else:
            self.random = np.random.default_rng(whole_within("seed", seed, 0))
        try:
            self.board = instance_of("what make_board returns", self._make_board(seed), Board)
            self._begin()
        except BaseException:
            vars(self).update(before)
            raise

    @property
    def mask(self) -> NDArray[np.bool_]:
        """(n_actions,) which actions of the selected agent are legal; of a dead one none."""
        if self._mask is None:
            agent, mask = self.agent_selection, np.zeros(self._mask_shape, dtype=np.bool_)
            if not (self.is_over or self.terminations[agent]):
                mask = self.legal(self.board.unit(agent))
            if mask.shape != self._mask_shape:
                raise ValueError(f"legal returned {self._mask_shape} at first, now {mask.shape}")
            self._mask = mask.ravel()
        return self._mask

    def step(self, action: Any) -> None:  # noqa: ANN401 - int, also of numpy, or None
        """Let the selected agent act; `ValueError` if it cannot. A dead one takes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._mask = None
            self._was_dead_step(action)
            return
        number = whole_within("an action", action, 0, self.mask.size - 1)
        place = tuple(map(int, np.unravel_index(number, self._mask_shape)))
        if not self.mask[number]:
            raise ValueError(f"action {number} of {agent}, {place}, is not legal: its mask is 0")
        self._finish(acts_again=self.act(self.board.unit(agent), place))

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees, also before its unit comes and after it has left."""
        turn, sides, team = self.board.turn, self.board.sides, self.teams.get(agent, "")
        planes = np.zeros((len(self.channels), *self._shape), dtype=np.float32)
        planes[:_SELF] = self._surfaces()
        n_surfaces, (_, rows, cols) = planes[0].size, self._shape
        numbers, of_each = self.channels[len(CHANNELS) :], range(_SELF + 4, len(planes))
        acting = () if turn is None else turn.units
        first = min((unit.waiting for unit in acting), default=0.0)
        places, values = list[int](), list[float]()
        for unit in self.board.units:
            side = _SELF + (2 if sides.are_enemies(unit.team, team) else 3)
            if unit.name == agent or sides.are_allies(unit.team, team):
                side = _SELF + (unit.name != agent)
            points = unit.points if unit in acting else unit.move
            stats = [finite_number(name, unit.stats.get(name, 0)) for name in numbers]
            for row, col, deck in unit.cells:
                place = (deck * rows + row) * cols + col
                places += [channel * n_surfaces + place for channel in (side, *of_each)]
                values += 1, points, unit.waiting - first, *stats
        planes.put(places, values)
        mask = self.mask if agent == self.agent_selection else np.zeros_like(self.mask)
        return {"observation": planes.reshape(-1, rows, cols), "action_mask": mask.astype(np.int8)}

    def _begin(self) -> None:
        self.n_steps, self.is_over, self.agents = 0, False, list[str]()
        self._cumulative_rewards = dict[str, float]()
        self.teams: dict[str, str] = {}  # of all agents that have come
        self._turn, self._acted, self._n_entries = "", set[str](), len(self.board.log)
        self._settle(self._next_unit(), "")

    def _finish(self, *, acts_again: bool) -> None:
        self.n_steps += 1
        self._cumulative_rewards[self.agent_selection] = 0
        self._acted |= set() if acts_again else {self.agent_selection}
        unit = None if self._win(self.board) else self._next_unit()
        self._settle(unit, self._win(self.board))  # who may have won by the end of the turn

    def _settle(self, unit: Unit | None, winner: str) -> None:
        """Note what has changed, and who acts next."""
        self._mask = None
        self.winner = instance_of("what win returns", winner, str)
        self.is_over = bool(winner) or unit is None or self.n_steps >= self.max_steps
        self.entries = self.board.log[self._n_entries :]
        self._n_entries = len(self.board.log)
        self._admit()
        agents, here = self.agents, {unit.name for unit in self.board.units}
        self.terminations = {each: bool(winner) or each not in here for each in agents}
        self.truncations = {each: self.is_over and not self.terminations[each] for each in agents}
        self.infos = {each: {} for each in agents}
        given = self._reward(self) if self.n_steps else {}
        instance_of("what reward returns", given, Mapping)
        if unknown := given.keys() - self._actions.keys():
            raise ValueError(f"what reward returns must be by agent, got {quoted(unknown)}")
        self.rewards = {each: finite_number("a reward", given.get(each, 0.0)) for each in agents}
        self._accumulate_rewards()
        self.agent_selection = unit.name if unit else self.agent_selection
        self._deads_step_first()

    def _admit(self) -> None:  # units that have come; the map must fit
        size = self.board.tilemap.surface_void.shape
        if size[1:] != self._shape[1:] or size[0] > self._shape[0]:
            raise ValueError(f"(decks + 1, rows, cols) are {self._shape} at first, now {size}")
        for unit in self.board.units:
            name = unit.name
            if name not in self.agents and unit in self._units():
                if name in self.teams or name not in self._actions:
                    raise ValueError(f"a new unit must be one of `summoned`, got {quoted(name)}")
                self.agents.append(name)
                self._cumulative_rewards[name] = 0.0
            if name in self.agents:
                self.teams[name] = unit.team

    def _units(self) -> list[Unit]:
        neutral = self.board.sides.neutral
        return [unit for unit in self.board.units if unit.team not in neutral]

    def _next_unit(self) -> Unit | None:
        """Return the unit that acts next, after the end of the turn if all of it have acted."""
        for _ in range(2):
            turn = self.board.turn
            now = f"{self.board.turns} {turn.number} {turn.team}" if turn else ""
            if now != self._turn:
                self._turn, self._acted = now, set()
            for unit in self._units() if turn is None else turn.units:
                if unit.name not in self._acted:
                    return unit
            self._acted = set()
            if turn is not None:
                self.board.end_turn()
        return None

    def _surfaces(self) -> NDArray[np.float32]:
        """(3, n_decks + 1, rows, cols) the channels that only an edit of the map changes."""
        tilemap = self.board.tilemap
        if self._ground[0] != (tilemap, tilemap.version):
            costs = np.array([kind.cost or 0 for kind in tilemap.kinds])[tilemap.surface_kind]
            is_ground, ground = ~tilemap.surface_void, np.zeros((_SELF, *self._shape), np.float32)
            ground[:, : len(is_ground)] = tilemap.surface_level, is_ground, costs
            self._ground = (tilemap, tilemap.version), ground * ground[1]
        return self._ground[1]


class TeamEnv(Env[Any, Any]):
    """One team of a `TacticsEnv`: in each step its next unit acts, and then others until its turn.

    The reward is the sum of what the team's agents got. In the info are "agent", who acts next, and
    "is_legal": if the last action was not legal, the unit did nothing. The team is that of an agent
    on the first board; the opponent returns a legal action of the selected agent of a `TacticsEnv`.
    """

    def __init__(self, env: TacticsEnv, team: str, opponent: Callable[[TacticsEnv], int]) -> None:
        self.env, self._earned = env, 0.0
        self._opponent = checked_function("opponent", opponent, 1)
        self.team = one_of("team", team, tuple(dict.fromkeys(env.teams.values())))
        self._agent = next(agent for agent in env.agents if env.teams[agent] == team)
        self.observation_space = env.observation_space(self._agent)
        self.action_space = env.action_space(self._agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Seen:
        """Begin a game; others act until it is the team's turn."""
        super().reset(seed=seed)
        self.env.reset(seed, options)
        self._earned = 0.0
        return self._play_others(is_legal=True)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Let the next unit of the team act, and others until it is the team's turn."""
        env = self.env
        action = whole_within("an action", action, 0, env.mask.size - 1)
        is_legal = env.is_over or bool(env.mask[action])
        if not env.is_over:
            env.step(action) if is_legal else env._finish(acts_again=False)
            self._after_step()
        observation, info = self._play_others(is_legal=is_legal)
        earned, self._earned = self._earned, 0.0
        return observation, earned, bool(env.winner), env.is_over and not env.winner, info

    def _play_others(self, *, is_legal: bool) -> Seen:
        env = self.env
        while not env.is_over and env.teams[env.agent_selection] != self.team:
            env.step(self._opponent(env))
            self._after_step()
        self._agent = self._agent if env.is_over else env.agent_selection
        return env.observe(self._agent), {"agent": self._agent, "is_legal": is_legal}

    def _after_step(self) -> None:  # dead agents leave
        env, team = self.env, self.team
        self._earned += sum(env.rewards[each] for each in env.agents if env.teams[each] == team)
        while not env.is_over and env.terminations[env.agent_selection]:
            env.step(None)
