"""The page of behaviors says what is so: its programs run as printed, and none is left out."""

import re

import pytest

import ai
from ai import Behavior
from tests.pages import ROOT, blocks_of

PAGE = (ROOT / "docs" / "behaviors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", blocks_of(PAGE))
def test_its_programs_run_as_printed(block):
    exec(compile(block, "docs/behaviors.md", "exec"), {})


def test_every_behavior_stands_in_the_table():
    named = set(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE))
    exported = [getattr(ai, name) for name in ai.__all__]
    behaviors = {each for each in exported if isinstance(each, type) and issubclass(each, Behavior)}
    assert named == {each.__name__ for each in behaviors - {Behavior}}
