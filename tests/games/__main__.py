"""Play random games with every kind of entry, and save, load, replay, undo and redo each.

`python -m tests.games [--games N] [--seed S]` plays the games of the seeds S, S + 1, ..., so that
`--seed` repeats one that is wrong; `--battles` plays battles instead. The exit status is 0 if all
are right, 1 if not.

`--player DIFFICULTY` plays the first battle as a simple player does, and prints the share of games
that it wins; the exit status is 1 if that is too far from what the difficulty should be.
"""

import argparse
import sys
import time
from collections import Counter

from ai.game.unit_loader import PLAYER_TEAM
from tests.games.battles import check_battle
from tests.games.player import PLAYED, SHARES, TOLERANCE, play_first
from tests.games.random_game import check_game

MAX_WRONG = 10
"""Wrong games after which a run ends."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.games", description=__doc__)
    what = f"how many to play, default 100, with --player {PLAYED}"
    parser.add_argument("--games", type=int, metavar="N", help=what)
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first game")
    parser.add_argument("--battles", action="store_true", help="play battles of two autopilots")
    parser.add_argument("--player", choices=SHARES, help="play as a simple player")
    options = parser.parse_args(arguments)
    if options.player:
        return play_as_player(options.player, options.seed, options.games or PLAYED)
    n_games = options.games or 100
    entries: Counter[str] = Counter()
    n_played, n_wrong, start_s = 0, 0, time.process_time()
    while n_played < n_games and n_wrong < MAX_WRONG:
        seed = options.seed + n_played
        n_played += 1
        try:
            entries.update([check_battle(seed)] if options.battles else check_game(seed))
        except Exception as error:
            n_wrong += 1
            print(f"--seed {seed}: {type(error).__name__}: {error}", file=sys.stderr)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in entries.most_common())
    spent_s = time.process_time() - start_s
    print(f"{n_played:,} games, {n_wrong} wrong; entries: {counts}; {spent_s:.0f} s")
    return 1 if n_wrong else 0


def play_as_player(difficulty: str, first: int, count: int) -> int:
    """Play games of a simple player; return 1 if it wins too often or too seldom."""
    results = [play_first(difficulty, seed) for seed in range(first, first + count)]
    won = 100 * sum(winner == PLAYER_TEAM for winner, _ in results) / count
    rounds = sum(number for _, number in results) / count
    target = SHARES[difficulty]
    text = f"{difficulty}: {won:.0f} % of {count:,} games won, should be {target}"
    print(f"{text}; {rounds:.1f} rounds on average")
    return int(abs(won - target) > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
