"""The page of agents says what is so: its programs run as printed, its words are the agent's."""

import re

import pytest

from ai import NavigationAgent3D
from terrain3d import Node, Signal
from tests.benchmarks import agents
from tests.support.pages import ROOT, blocks_of, in_windows, run_in_window

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


BLOCKS = blocks_of(PAGE)


@pytest.mark.parametrize("block", [each for each in BLOCKS if each not in in_windows(BLOCKS)])
def test_its_programs_run_as_printed(block):
    exec(compile(block, "docs/agents.md", "exec"), {})


def test_figures_follow_their_agents_in_a_window(tmp_path):
    [program] = in_windows(BLOCKS)
    act = """
agents = [each.agent for each in goblins]
for _ in range(400):
    tree.advance(0.05)
assert len(agents) == 10 and all(agent.is_target_reached() for agent in agents)
"""
    _, n_colors = run_in_window(program, act, tmp_path)
    assert n_colors > 50


def test_every_word_of_an_agent_is_there():
    called_by_servers = {"begin_search", "take_path", "take_progress", "map_changed"}
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
