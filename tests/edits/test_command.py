"""Tests of the command: some rounds agree, and a wrong answer is shown with its seed."""

from ai import MoveProfile, Navigation
from tests.edits.__main__ import main
from tests.edits.rounds import least_cost
from tests.support.mover_pictures import land


def test_some_rounds_agree(capsys):
    assert main(["--rounds", "300", "--seed", "5"]) == 0
    printed = capsys.readouterr().out
    assert "300 rounds" in printed
    assert "with a difference" not in printed


def test_a_wrong_answer_is_shown_with_its_seed(capsys, monkeypatch):
    right = Navigation.distance

    def wrong(self, *ends):
        return right(self, *ends) + self.has_index(ends[2])

    monkeypatch.setattr(Navigation, "distance", wrong)
    assert main(["--rounds", "60", "--seed", "5"]) == 1
    assert "--seed 5, round " in capsys.readouterr().err


def test_the_least_cost_counts_the_cheapest_of_several_edges():
    tilemap = land("000\n000", "iii\nggg", signs={"i": "road", "g": "grass"})
    with tilemap.edit() as edit:
        edit.add_link((0, 0), (0, 1), cost=3)
        edit.add_link((0, 1), (0, 2), cost=0.25)
    profile = MoveProfile(kind_cost={"road": 0.5})
    assert least_cost(tilemap, profile, (0, 0, 0), (0, 2, 0)) == 0.75
    assert least_cost(tilemap, profile, (0, 0, 0), (1, 2, 0)) == 1.75
