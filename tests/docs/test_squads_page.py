"""The page of squads says what is so: its programs run as printed, no method is left out."""

import re

import pytest

from ai.squads.planners.methods import METHODS
from tests.support.pages import ROOT, blocks_of, in_windows, run_in_window

PAGE = (ROOT / "docs" / "squads.md").read_text(encoding="utf-8")


BLOCKS = blocks_of(PAGE)


@pytest.mark.parametrize("block", [each for each in BLOCKS if each not in in_windows(BLOCKS)])
def test_its_programs_run_as_printed(block):
    exec(compile(block, "docs/squads.md", "exec"), {})


def test_two_companies_trade_places_in_a_window(tmp_path):
    [program] = in_windows(BLOCKS)
    act = """
for _ in range(plan.ticks * 20):
    tree.advance(0.05)
assert [unit.cell[:2] for unit in units] == goals
assert not any(unit.is_moving for unit in units)
"""
    _, n_colors = run_in_window(program, act, tmp_path)
    assert n_colors > 50


def test_every_method_stands_in_the_table():
    assert set(re.findall(r'^\| `"(\w+)"` \|', PAGE, re.MULTILINE)) == set(METHODS)
