"""The page of squads says what is so: its programs run as printed, no method is left out."""

import re

import pytest

from ai.squads.methods import METHODS
from tests.pages import ROOT, blocks_of

PAGE = (ROOT / "docs" / "squads.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", blocks_of(PAGE))
def test_its_programs_run_as_printed(block):
    exec(compile(block, "docs/squads.md", "exec"), {})


def test_every_method_stands_in_the_table():
    assert set(re.findall(r'^\| `"(\w+)"` \|', PAGE, re.MULTILINE)) == set(METHODS)
