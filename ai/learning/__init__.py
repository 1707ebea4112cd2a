"""Let programs learn to play: boards as environments of PettingZoo and Gymnasium, extra `rl`.

May import `ai.board` and what that imports; nothing imports it.
"""

try:
    from ai.learning.tactics_env import CHANNELS, TacticsEnv, TeamEnv, win_or_lose
except ModuleNotFoundError as missing:
    needs = f'ai.learning needs {missing.name}: pip install "terrain3d-tactics[rl]"'
    raise ImportError(needs, name=missing.name) from None

__all__ = ["CHANNELS", "TacticsEnv", "TeamEnv", "win_or_lose"]
