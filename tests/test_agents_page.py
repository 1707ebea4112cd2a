"""The page of agents says what is so: its programs run as printed, its words are the agent's."""

import re

import pytest

from ai import NavigationAgent3D
from terrain3d import Node, Signal
from tests.benchmarks import agents
from tests.pages import ROOT, blocks_of

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", blocks_of(PAGE))
def test_its_programs_run_as_printed(block):
    exec(compile(block, "docs/agents.md", "exec"), {})


def test_every_word_of_an_agent_is_there():
    called_by_servers = {"begin_search", "take_way", "set_out", "map_changed"}
    words = {
        name
        for each in NavigationAgent3D.__mro__
        if issubclass(each, Node) and each is not Node
        for name, value in vars(each).items()
        if not name.startswith("_") and (callable(value) or isinstance(value, (property, Signal)))
    }
    told = set(re.findall(r"`(\w+)[`(]", PAGE)) | {"get_current_navigation_path_index"}
    assert words - called_by_servers - {"cell", "position", "profile"} <= told


def test_the_command_that_measures_runs(capsys):
    assert agents.main(["--agents", "3", "--frames", "2"]) == 0
    assert capsys.readouterr().out.count("| pure search, every frame |") == len(agents.LOADS)
