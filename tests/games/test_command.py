"""Tests of the command: some games are right, and a wrong one is shown with its seed."""

import pytest

from ai import Entry
from tests.games import player
from tests.games.__main__ import main


def test_some_games_are_right(capsys):
    assert main(["--games", "5", "--seed", "7"]) == 0
    assert "5 games, 0 wrong" in capsys.readouterr().out


def test_battles_end_and_a_saved_one_ends_the_same(capsys):
    assert main(["--games", "1", "--battles", "--seed", "1"]) == 0
    assert "1 games, 0 wrong" in capsys.readouterr().out


def test_a_simple_player_wins_a_share_of_games(capsys, monkeypatch):
    assert main(["--player", "easy", "--games", "1", "--seed", "301"]) == 1
    shown = capsys.readouterr().out
    assert "% of 1 games won, should be 80" in shown
    monkeypatch.setitem(player.SHARES, "easy", 100 if "100 %" in shown else 0)
    assert main(["--player", "easy", "--games", "1", "--seed", "301"]) == 0


@pytest.mark.parametrize(
    "forgotten",
    [
        lambda _entry: {"edits": ()},
        lambda entry: {"after": entry.before},
        lambda entry: {"after": entry.after.with_(units=entry.before.units)},
        lambda entry: {"after": entry.after.with_(n_actions=entry.before.n_actions)},
    ],
    ids=["edits", "all", "units", "dice"],
)
def test_a_wrong_game_is_shown_with_its_seed(forgotten, capsys, monkeypatch):
    right = Entry.inverse
    monkeypatch.setattr(
        Entry, "inverse", lambda entry: (back := right(entry))._replace(**forgotten(back))
    )
    assert main(["--games", "4"]) == 1
    assert "--seed " in capsys.readouterr().err
