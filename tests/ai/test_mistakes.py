"""Every natural mistake in a call of `ai` ends in a message of ours and changes nothing."""

import pytest

import ai
import terrain3d
from tests.support.ai_world import World
from tests.support.mistakes import check_mistakes, public_calls

CALLED_BY_THE_LIBRARY = {
    "Navigation.share",
    "Path.none",
    "SquadPlan.none",
    "Targets.of",
    "UnitState.fresh",
    "UnitState.with_points",
    *(
        f"GameState.{name}"
        for name in (
            "budget",
            "find",
            "late_reason",
            "may_act",
            "next_units",
            "with_",
            "with_added",
            "with_spent",
            "with_team",
            "with_turns",
            "with_unit",
            "without",
        )
    ),
    *(
        f"Situation.{name}"
        for name in (
            "body_at",
            "covering",
            "path_beside",
            "is_beside",
            "nearest",
            "tiles_at",
        )
    ),
}
"""Their docstrings say who calls them, or that they take cells of the map; in inner loops."""

MADE_BY_THE_LIBRARY = {
    "CostField",
    "Crumb",
    "Entry",
    "Finding",
    "GameRecord",
    "GameState",
    "MapReport",
    "Path",
    "Plan",
    "Pose",
    "Reach",
    "ReachArrays",
    "Route",
    "UnitChange",
    "UnitState",
    "Search",
    "SquadOrder",
    "SquadPlan",
    "Step",
    "StepAnswer",
    "StepParts",
    "Targets",
    "Threat",
    "Turn",
}
"""Answers, and tuples that are checked where they are used."""

ONLY_POSITIONAL = {"FirstOf", "Stay"}


FOUND = public_calls(ai, beside=[terrain3d])
EXEMPT = CALLED_BY_THE_LIBRARY | MADE_BY_THE_LIBRARY | ONLY_POSITIONAL


def test_only_public_calls_are_exempt():
    assert EXEMPT - FOUND.keys() == set()


@pytest.mark.parametrize("name", sorted(FOUND.keys() - EXEMPT))
def test_every_mistake_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a wrong path may be a legal name
    assert check_mistakes(name, FOUND[name], lambda: World(tmp_path)) == []
