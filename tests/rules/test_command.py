"""Tests of the command: few cases agree, each rule is counted, and differences are shown."""

import pytest

from ai import Navigation
from tests.rules.__main__ import main
from tests.support import rulebook


def test_some_cases_agree_and_most_rules_decide_something(capsys):
    assert main(["--cases", "5000", "--seed", "7"]) == 0
    printed = capsys.readouterr().out
    assert "0 rounds of 100 maps with a difference" in printed
    assert all(rule in printed for rule in rulebook.RULES)
    assert set(rulebook.fired) <= set(rulebook.RULES)


def test_a_wrong_answer_is_shown_with_its_map(capsys, monkeypatch):
    monkeypatch.setattr(Navigation, "explain_stop", lambda *_: "")
    assert main(["--cases", "100000"]) == 1
    printed = capsys.readouterr()
    assert "10 rounds of 100 maps with a difference" in printed.out
    assert "stop (0, 0, 0)" in printed.err
    assert "levels [[[0]]]" in printed.err


@pytest.mark.parametrize("options", [["--cases", "0"], ["--seed", "-1"]])
def test_invalid_options_are_bad_input(options):
    with pytest.raises(SystemExit):
        main(options)
