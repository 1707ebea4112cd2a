"""Tests of the command: few cases agree, each rule is counted, and differences are shown."""

import pytest

from ai import Navigation
from tests.rules import __main__ as command
from tests.support import rulebook


def test_some_cases_agree_and_each_rule_decides_on_three_maps_at_least(capsys):
    assert command.main(["--cases", "16000", "--seed", "7"]) == 0
    printed = capsys.readouterr().out
    assert f"0 rounds of {command.MAPS_PER_ROUND} maps with a difference" in printed
    fired = {line[:32].strip(): line[32:].strip() for line in printed.splitlines()}
    assert {rule: fired[rule] for rule in rulebook.RULES if int(fired[rule]) < 3} == {}
    assert set(rulebook.fired) <= set(rulebook.RULES)


@pytest.mark.nightly
def test_a_wrong_answer_is_shown_with_its_map(capsys, monkeypatch):
    monkeypatch.setattr(Navigation, "explain_stop", lambda *_: "")
    monkeypatch.setattr(command, "MAX_DIFFERENT", 1)
    assert command.main(["--cases", "100000"]) == 1
    printed = capsys.readouterr()
    assert f"1 rounds of {command.MAPS_PER_ROUND} maps with a difference" in printed.out
    assert "but False by the rulebook" in printed.err
    assert "square levels [[[0" in printed.err
