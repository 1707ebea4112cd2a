"""Every natural mistake in making a value of `ai`, or in a function, ends in a message of ours."""

import numpy as np
import pytest

import ai
from ai import (
    Area,
    Autopilot,
    Blockers,
    Board,
    Chase,
    Commander,
    Flee,
    FollowTrail,
    FollowWall,
    Intercept,
    KeepDistance,
    Motion,
    MoveProfile,
    Navigation,
    Patrol,
    Replan,
    Seek,
    Situation,
    SquadOrders,
    SquadPlanner,
    Trail,
    Travel,
    Unit,
    Wander,
    Weapon,
    While,
    check,
    choke_points,
    cover,
    formation,
    height_over_neighbors,
    measure,
    plain_reason,
    scatter,
    warm_up,
)
from tests.support.ai_world import BLOCKED, NEAR, PROFILE, World, rng, rule
from tests.support.mistakes import check_mistakes, missing_baselines

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


SIDES = {"allies": [("blue", "green")], "neutral": ["barrels"]}

BASELINES = {
    "Area": lambda _: (
        Area,
        {
            "shape": "line",
            "radius": None,
            "length": 3,
            "up": 1,
            "down": 2.5,
            "stops_at_walls": True,
        },
    ),
    "Autopilot": lambda w: (Autopilot, {"board": w.board, "name": "pilot"}),
    "Board": lambda w: (
        Board,
        {
            "tilemap": w.tilemap,
            "turns": "wait",
            "seed": 3,
            "rules": [rule],
            "fog": True,
            **SIDES,
        },
    ),
    "Chase": lambda _: (
        Chase,
        {
            "target": lambda: (2, 2),
            "replan": Replan(steps=3),
            "max_cost": 9,
        },
    ),
    "Commander": lambda w: (Commander, {"board": w.board, "team": "blue"}),
    "Flee": lambda _: (
        Flee,
        {
            "threats": lambda: [(0, 0)],
            "hunter": NEAR,
            "factor": 1.2,
            "replan": Replan(steps=3),
        },
    ),
    "FollowTrail": lambda w: (
        FollowTrail,
        {"trail": w.trail, "rng": rng(), "sight_tiles": 8},
    ),
    "FollowWall": lambda _: (FollowWall, {"hand": "left"}),
    "Intercept": lambda _: (
        Intercept,
        {
            "target": lambda: (2, 2),
            "speed_ratio": 1,
            "prey": NEAR,
            "replan": Replan(steps=3),
        },
    ),
    "KeepDistance": lambda _: (
        KeepDistance,
        {
            "target": lambda: (2, 2),
            "nearest_tiles": 2,
            "farthest_tiles": 4,
            "flee": Flee(lambda: [(2, 2)]),
        },
    ),
    "Motion": lambda _: (
        Motion,
        {
            "points": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.5)],
            "speed_tiles_s": 3.0,
            "heading_deg": 0.0,
            "is_warp": False,
            "step_s": 0.5,
        },
    ),
    "MoveProfile": lambda _: (
        MoveProfile,
        {
            "max_climb": 2,
            "max_drop": 3,
            "climb_cost": [1, 2],
            "drop_cost": 0,
            "kind_cost": {"swamp": 3, "deep": None},
            "diagonal": "never",
            "diagonal_cost": 1.5,
            "body_height": 1,
            "link_cost": {"ladder": 2},
            "can_fly": False,
            "warp": 0,
            "size": 1,
            "size_tolerance": 0,
            "hover": 0,
            "no_stop": ["swamp"],
            "ignores_zoc": False,
        },
    ),
    "Navigation": lambda w: (Navigation, {"tilemap": w.tilemap, "rules": [rule]}),
    "Patrol": lambda _: (
        Patrol,
        {"posts": [(0, 0), (2, 2)], "wait_s": 1.0},
    ),
    "Replan": lambda _: (
        Replan,
        {"steps": 3, "seconds": 2, "at_decision_points": True, "straight_tiles": 4},
    ),
    "Blockers": lambda _: (Blockers, BLOCKED),
    "Situation": lambda w: (
        Situation,
        {
            **{"navigation": w.navigation, "cell": (0, 0), **PROFILE, **BLOCKED},
            "bodies": [[(1, 2), (1, 3)]],
        },
    ),
    "Seek": lambda _: (
        Seek,
        {"goal": (2, 2), "rng": rng(), "max_side_steps": 4, "max_detours": 2},
    ),
    "SquadOrders": lambda w: (SquadOrders, {"board": w.board}),
    "SquadPlanner": lambda w: (SquadPlanner, {"navigation": w.navigation}),
    "Trail": lambda w: (
        Trail,
        {"max_crumbs": 4, "spacing_tiles": 2, "tilemap": w.tilemap},
    ),
    "Travel": lambda w: (
        Travel,
        {
            "waypoints": w.waypoints,
            "goal": (2, 2),
            "join_within": 9,
            "replan": Replan(steps=3),
        },
    ),
    "Unit": lambda _: (
        Unit,
        {
            "name": "Pell",
            "cell": (2, 0),
            "team": "blue",
            **PROFILE,
            "move": 5,
            "speed_tiles_s": 3.0,
            "heading_deg": 0.0,
            "has_zoc": False,
            "wait": 10,
            "sight": 4,
            "stats": {"hp": 3},
        },
    ),
    "Wander": lambda _: (Wander, {"rng": rng(), "max_turn_deg": 60}),
    "Weapon": lambda _: (
        Weapon,
        {
            "min_tiles": 2,
            "max_tiles": 4,
            "max_up": 3,
            "max_down": 5.5,
            "tiles_per_level_down": 0.5,
            "tiles_per_level_up": 0.5,
            "stops_at_walls": True,
            "arc": 2,
            "area": Area("diamond", radius=1),
        },
    ),
    "While": lambda _: (While, {"condition": lambda: True, "behavior": FollowWall()}),
    "check": lambda w: (
        check,
        {"navigation": w.navigation, **PROFILE, "spawns": [(0, 0), (2, 2)]},
    ),
    "choke_points": lambda w: (choke_points, {"navigation": w.navigation, **PROFILE}),
    "cover": lambda w: (cover, {"tilemap": w.tilemap, "from_deg": 90.0, "within_tiles": 4}),
    "formation": lambda w: (
        formation,
        {
            "navigation": w.navigation,
            "starts": [(0, 0), (0, 1)],
            "target": (2, 2),
            "profile": [NEAR, NEAR],
            "blocked": [(2, 3)],
        },
    ),
    "height_over_neighbors": lambda w: (height_over_neighbors, {"tilemap": w.tilemap}),
    "measure": lambda w: (
        measure,
        {"waypoints": w.waypoints, "navigation": w.navigation, **PROFILE, "max_cost": 9},
    ),
    "plain_reason": lambda w: (  # noqa: ARG005
        plain_reason,
        {"reason": "climb 3 > 2 at (4, 7)", "aim": (4, 7), "has_coordinates": False},
    ),
    "scatter": lambda w: (
        scatter,
        {
            "navigation": w.navigation,
            "count": 2,
            "rng": rng(),
            **PROFILE,
            "spacing_tiles": 2,
            "weights": np.ones((3, 5)),
        },
    ),
    "warm_up": lambda w: (
        warm_up,
        {"tilemap": w.tilemap, "profiles": [NEAR], "background": False},
    ),
}


def test_every_public_value_has_a_baseline():
    missing = missing_baselines(ai, BASELINES, MADE_BY_THE_LIBRARY | ONLY_POSITIONAL)
    assert [name for name in missing if "." not in name] == []


@pytest.mark.parametrize("name", BASELINES)
def test_every_mistake_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a wrong path may be a legal name
    assert check_mistakes(name, BASELINES[name], lambda: World(tmp_path)) == []
