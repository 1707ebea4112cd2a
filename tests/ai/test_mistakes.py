"""Every natural mistake in a call of `ai` ends in a message of ours and changes nothing."""

import numpy as np
import pytest

import ai
from ai import (
    Autopilot,
    Board,
    Chase,
    Commander,
    Explore,
    Flee,
    FollowTrail,
    FollowWall,
    Intercept,
    KeepDistance,
    Motion,
    MoveProfile,
    Navigation,
    NavigationAgent3D,
    NavigationServer3D,
    Order,
    Patrol,
    Recording,
    Replay,
    Reservation,
    SearchComparison,
    SearchOptions,
    Situation,
    SquadOrders,
    SquadPlanner,
    Trail,
    Travel,
    TurnEnd,
    Unit,
    Wander,
    Waypoints,
    formation,
    measure,
    plain_reason,
    scatter,
    warm_up,
)
from tests.support.ai_world import World
from tests.support.mistakes import assigned, check_mistakes, missing_baselines

MADE_BY_THE_LIBRARY = {
    "CostField",
    "Crumb",
    "Path",
    "Path.none",
    "Plan",
    "Pose",
    "Reach",
    "Recording",
    "Reservation",
    "Search",
    "SquadOrder",
    "SquadPlan",
    "SquadPlan.none",
    "Step",
    "StepAnswer",
    "Threat",
    "Turn",
}
"""Answers, and tuples that are checked where they are used."""

CALLED_BY_THE_LIBRARY = {
    "NavigationAgent3D.map_changed",
    "NavigationAgent3D.take_path",
    "NavigationAgent3D.take_progress",
    "NavigationServer3D.leave",
    "NavigationServer3D.register",
    "NavigationServer3D.request",
    "NavigationServer3D.withdraw",
    "SearchComparison.add_arguments",
    "SearchComparison.from_options",
    "Unit.allot",
    "Unit.follow",
    "Unit.place",
}
"""Their docstrings say who calls them; a program has no reason to."""

NEAR = MoveProfile(max_climb=1)


def _chaser(**more):
    return Chase(lambda: (2, 2), **more)


def rng():
    return np.random.default_rng(1)


BLOCKERS = {"blocked": [(0, 1)], "passable": [(0, 2)], "halting": [(0, 3)]}
ENDS = {"start": (0, 0), "goal": (2, 2)}
PROFILE = {"profile": NEAR}
EXTRA = {"extra_cost": np.ones((3, 5))}
SQUAD = {"starts": [(0, 0), (0, 1)], "goals": [(2, 0), (2, 1)], "profile": [NEAR, NEAR]}

BASELINES = {
    "Autopilot": lambda w: (Autopilot, {"board": w.board, "seed": 1, "name": "pilot"}),
    "Autopilot.advance": lambda w: (w.autopilot.advance, {"dt_s": 0.1}),
    "Autopilot.assign": lambda w: (
        w.autopilot.assign,
        {"unit": (w.board, w.mira)[1], "behavior": "patrol", "post": (2, 0)},
    ),
    "Autopilot.assign_next": lambda w: (w.autopilot.assign_next, {"unit": w.mira, "post": (2, 0)}),
    "Autopilot.behavior_of": lambda w: (w.autopilot.behavior_of, {"unit": w.mira}),
    "Autopilot.reason_of": lambda w: (w.autopilot.reason_of, {"unit": w.mira}),
    "Autopilot.trail_of": lambda w: (w.autopilot.trail_of, {"unit": w.mira}),
    "Behavior.advance": lambda _: (FollowWall().advance, {"dt_s": 0.1}),
    "Behavior.next_cell": lambda w: (FollowWall().next_cell, {"situation": w.situation}),
    "Board": lambda w: (Board, {"tilemap": w.tilemap, "turns": "wait"}),
    "Board.act": lambda w: (
        w.board.act,
        {"unit": w.mira, "behavior": FollowWall(), "is_automatic": False},
    ),
    "Board.add": lambda w: (w.board.add, {"unit": Unit("Pell", (2, 0))}),
    "Board.begin_search": lambda w: (
        w.board.begin_search,
        {
            "unit": w.mira,
            "cell": (2, 2),
            "profile": NEAR,
            "algorithm": "astar",
            "heuristic": "auto",
        },
    ),
    "Board.change_turns": lambda w: (w.sides.change_turns, {"turns": "wait"}),
    "Board.end_turn": lambda w: (w.sides.end_turn, {"is_automatic": False}),
    "Board.find_path": lambda w: (w.board.find_path, {"unit": w.mira, "cell": (2, 2)}),
    "Board.face": lambda w: (w.board.face, {"unit": w.mira, "cell": (1, 0)}),
    "Board.move": lambda w: (w.board.move, {"unit": w.mira, "cell": (1, 0)}),
    "Board.move_together": lambda w: (
        w.board.move_together,
        {"paths": {w.mira: [(0, 0), (1, 0)], w.odo: [(0, 2), (0, 3)]}, "step_s": 0.4},
    ),
    "Board.next_units": lambda w: (w.waits.next_units, {"count": 4}),
    "Board.plan": lambda w: (w.board.plan, {"unit": w.mira, "cell": (2, 2)}),
    "Board.reach": lambda w: (w.board.reach, {"unit": w.mira}),
    "Board.remove": lambda w: (w.board.remove, {"unit": w.mira}),
    "Board.replay": lambda w: (
        Board.replay,
        {
            "tilemap": w.tilemap,
            "units": [Unit("A", (0, 0)), Unit("B", (2, 0))],
            "turns": "sides",
            "log": [Order(0, [(0, 0), (0, 1)])],
        },
    ),
    "Board.resume": lambda w: (w.sides.resume, {"state": w.sides.turn_state()}),
    "Board.situation": lambda w: (w.board.situation, {"unit": w.mira}),
    "Board.threat": lambda w: (w.board.threat, {"team": "blue"}),
    "Board.turn_reason": lambda w: (w.board.turn_reason, {"unit": w.mira}),
    "Board.unit_at": lambda w: (w.board.unit_at, {"cell": (0, 0)}),
    "Chase": lambda _: (
        Chase,
        {
            "target": lambda: (2, 2),
            "replan_tiles": 3,
            "replan_s": 2,
            "near_tiles": 4,
            "eye": 1,
            "max_cost": 9,
            "patience_s": 9,
        },
    ),
    "Chase.advance": lambda _: (_chaser().advance, {"dt_s": 0.1}),
    "Commander": lambda w: (Commander, {"board": w.board, "team": "blue"}),
    "Commander.act_on": lambda w: (w.commander.act_on, {"cell": (1, 0)}),
    "Commander.aim_at": lambda w: (w.commander.aim_at, {"cell": (1, 0)}),
    "Commander.is_open=": lambda w: assigned(w.commander, "is_open", True),
    "Commander.is_squad_ready=": lambda w: assigned(w.commander, "is_squad_ready", True),
    "Commander.select": lambda w: (w.commander.select, {"unit": w.odo}),
    "Commander.select_all": lambda w: (w.commander.select_all, {"units": [w.mira, w.odo]}),
    "Commander.select_next": lambda w: (w.commander.select_next, {"step": 1}),
    "Commander.change_turns": lambda w: (
        w.commander.change_turns,
        {"turns": "wait", "team": "red"},
    ),
    "CostField.cost_from": lambda w: (w.field.cost_from, {"cell": (2, 2)}),
    "CostField.next_step": lambda w: (w.field.next_step, {"cell": (2, 2)}),
    "CostField.path_from": lambda w: (w.field.path_from, {"cell": (2, 2)}),
    "Explore": lambda _: (Explore, {"rooms": [[(0, 0), (0, 1)], [(2, 2)]]}),
    "Flee": lambda _: (
        Flee,
        {
            "threats": lambda: [(0, 0)],
            "hunter": NEAR,
            "factor": 1.2,
            "fear_tiles": 9,
            "replan_tiles": 1,
            "replan_s": 2,
        },
    ),
    "Flee.advance": lambda _: (Flee(lambda: [(0, 0)]).advance, {"dt_s": 0.1}),
    "FollowTrail": lambda w: (
        FollowTrail,
        {"trail": w.trail, "rng": rng(), "sight_tiles": 8, "eye": 1},
    ),
    "FollowWall": lambda _: (FollowWall, {"hand": "left"}),
    "Intercept": lambda _: (
        Intercept,
        {
            "target": lambda: (2, 2),
            "look_ahead": 8,
            "speed_ratio": 1,
            "prey": NEAR,
            "chase": _chaser(),
        },
    ),
    "Intercept.advance": lambda _: (Intercept(lambda: (2, 2)).advance, {"dt_s": 0.1}),
    "KeepDistance": lambda _: (
        KeepDistance,
        {
            "target": lambda: (2, 2),
            "nearest_tiles": 2,
            "farthest_tiles": 4,
            "flee": Flee(lambda: [(2, 2)]),
            "chase": _chaser(),
        },
    ),
    "KeepDistance.advance": lambda _: (KeepDistance(lambda: (2, 2), 1, 2).advance, {"dt_s": 0.1}),
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
    "Motion.part_of_step": lambda _: (motion().part_of_step, {"step": 0, "time_s": 0.1}),
    "Motion.pose": lambda _: (motion().pose, {"time_s": 0.1}),
    "Motion.step_end_s": lambda _: (motion().step_end_s, {"step": 0}),
    "Motion.time_in_step_s": lambda _: (motion().time_in_step_s, {"step": 0, "part": 0.5}),
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
            "leap": 0,
            "size": 1,
            "size_tolerance": 0,
            "hover": 0,
            "no_stop": ["swamp"],
            "ignores_zoc": False,
        },
    ),
    "MoveProfile.can_stop_on": lambda w: (NEAR.can_stop_on, {"kind": w.tilemap.kinds[0]}),
    "MoveProfile.classic": lambda _: (MoveProfile.classic, {"uphill": 2}),
    "MoveProfile.cost_to_enter": lambda w: (NEAR.cost_to_enter, {"kind": w.tilemap.kinds[0]}),
    "MoveProfile.entry_cost": lambda w: (NEAR.entry_cost, {"tilemap": w.tilemap}),
    "Navigation": lambda w: (Navigation, {"tilemap": w.tilemap}),
    "Navigation.begin_search": lambda w: (
        w.navigation.begin_search,
        {
            **ENDS,
            **PROFILE,
            **BLOCKERS,
            **EXTRA,
            "algorithm": "astar",
            "heuristic": "auto",
            "partial": True,
        },
    ),
    "Navigation.build_index": lambda w: (
        w.navigation.build_index,
        {**PROFILE, "landmarks": 4, "progress": lambda *_: None, "background": False},
    ),
    "Navigation.cost_field": lambda w: (
        w.navigation.cost_field,
        {
            "goals": [(0, 0), (2, 2)],
            **PROFILE,
            **EXTRA,
            "start_costs": [0, 1],
            "blocked": [(0, 1)],
        },
    ),
    "Navigation.costs_to": lambda w: (
        w.navigation.costs_to,
        {"cell": (0, 0), **PROFILE, "blocked": [(0, 1)]},
    ),
    "Navigation.distance": lambda w: (
        w.navigation.distance,
        {"starts": [(0, 0), (0, 1)], "goals": [(2, 2)], **PROFILE},
    ),
    "Navigation.explain_step": lambda w: (
        w.navigation.explain_step,
        {"start": (0, 0), "end": (0, 1), **PROFILE},
    ),
    "Navigation.explain_stop": lambda w: (w.navigation.explain_stop, {"cell": (0, 0), **PROFILE}),
    "Navigation.find_path": lambda w: (
        w.navigation.find_path,
        {
            "start": (0, 0),
            "goal": [(2, 2), (2, 3)],
            **PROFILE,
            **BLOCKERS,
            **EXTRA,
            "heuristic": "auto",
            "max_cost": 20,
            "partial": True,
            "tie": "last",
            "bound": 1.5,
        },
    ),
    "Navigation.find_paths": lambda w: (
        w.navigation.find_paths,
        {"starts": [(0, 0), (0, 1)], "goals": [(2, 2), (2, 3)], **PROFILE, **EXTRA},
    ),
    "Navigation.has_index": lambda w: (w.navigation.has_index, PROFILE),
    "Navigation.is_reachable": lambda w: (w.navigation.is_reachable, {**ENDS, **PROFILE}),
    "Navigation.line_of_sight": lambda w: (
        w.navigation.line_of_sight,
        {"start": (0, 0), "end": (2, 2), "eye": 1, "target": 1},
    ),
    "Navigation.load_index": lambda w: (
        w.navigation.load_index,
        {"path": _saved(w), **PROFILE},
    ),
    "Navigation.profile_graph": lambda w: (w.navigation.profile_graph, PROFILE),
    "Navigation.reach": lambda w: (
        w.navigation.reach,
        {"start": (0, 0), "budget": 3, **PROFILE, **BLOCKERS, **EXTRA},
    ),
    "Navigation.save_index": lambda w: (
        w.navigation.save_index,
        {"path": _saved(w), **PROFILE},
    ),
    "Navigation.steps_from": lambda w: (
        w.navigation.steps_from,
        {"cell": (0, 0), **PROFILE, "blocked": [(0, 1)]},
    ),
    "NavigationAgent3D": lambda w: (
        NavigationAgent3D,
        {"server": w.server, **PROFILE, "name": "agent"},
    ),
    "NavigationAgent3D.blocked=": lambda w: assigned(w.agent, "blocked", [(0, 1)]),
    "NavigationAgent3D.path_desired_distance=": lambda w: assigned(
        w.agent, "path_desired_distance", 0.2
    ),
    "NavigationAgent3D.path_max_distance=": lambda w: assigned(w.agent, "path_max_distance", 0.7),
    "NavigationAgent3D.target_cell=": lambda w: assigned(w.agent, "target_cell", (2, 4)),
    "NavigationAgent3D.target_desired_distance=": lambda w: assigned(
        w.agent, "target_desired_distance", 0.2
    ),
    "NavigationAgent3D.target_position=": lambda w: assigned(
        w.agent, "target_position", (0.5, -0.5, 0.0)
    ),
    "NavigationServer3D": lambda w: (
        NavigationServer3D,
        {"navigation": w.navigation, "max_expansions": 100, "seconds": 0.1, "name": "server"},
    ),
    "Order": lambda _: (
        Order,
        {"unit": 0, "cells": [(0, 0)], "spent": 1, "is_halted": False, "facing_deg": 90.0},
    ),
    "Path.head": lambda w: (w.navigation.find_path((0, 0), (2, 2)).head, {"n_cells": 2}),
    "Patrol": lambda _: (
        Patrol,
        {"posts": [(0, 0), (2, 2)], "back_and_forth": True, "wait_s": 1.0},
    ),
    "Patrol.advance": lambda _: (Patrol([(0, 0)]).advance, {"dt_s": 0.1}),
    "Reach.cost_to": lambda w: (w.navigation.reach((0, 0), 3).cost_to, {"cell": (0, 1)}),
    "Reach.path_to": lambda w: (w.navigation.reach((0, 0), 3).path_to, {"cell": (0, 1)}),
    "Recording.of": lambda w: (Recording.of, {"search": w.search(), "max_steps": 100}),
    "Replay": lambda w: (Replay, {"recording": w.replay.recording, "title": "A"}),
    "Replay.f_of": lambda w: (w.replay.f_of, {"nodes": np.array([0, 1])}),
    "Replay.seek": lambda w: (w.replay.seek, {"step": 1}),
    "Search.known_of": lambda w: (w.search().known_of, {"nodes": np.array([0, 1])}),
    "Search.leads_to": lambda w: (w.search().leads_to, {"node": 0}),
    "Search.run": lambda w: (w.search().run, {"max_expansions": 3, "seconds": 1.0}),
    "SearchComparison": lambda w: (
        SearchComparison,
        {
            "begin": w.comparison,
            "options": SearchOptions(NEAR),
            "rival": SearchOptions(NEAR),
            "draw": lambda: None,
        },
    ),
    "SearchOptions": lambda _: (
        SearchOptions,
        {**PROFILE, "algorithm": "astar", "heuristic": "auto"},
    ),
    "SearchOptions.against": lambda _: (SearchOptions(NEAR).against, {"text": "dijkstra"}),
    "Situation": lambda w: (
        Situation,
        {"navigation": w.navigation, "cell": (0, 0), **PROFILE, **BLOCKERS},
    ),
    "Situation.can_stop": lambda w: (w.situation.can_stop, {"cell": (0, 2)}),
    "Situation.find_path": lambda w: (
        w.situation.find_path,
        {"goal": [(2, 2), (2, 3)], "max_cost": 20, "partial": True},
    ),
    "Situation.has": lambda w: (w.situation.has, {"cell": (0, 2)}),
    "Situation.is_halting": lambda w: (w.situation.is_halting, {"cell": (0, 2)}),
    "Situation.is_taken": lambda w: (w.situation.is_taken, {"cell": (0, 2)}),
    "Situation.reach": lambda w: (w.situation.reach, {"budget": 3}),
    "Situation.steps_from": lambda w: (w.situation.steps_from, {"cell": (0, 2)}),
    "Situation.without": lambda w: (w.situation.without, {"cells": [(0, 1)]}),
    "SquadOrders": lambda w: (SquadOrders, {"board": w.board}),
    "SquadOrders.plan": lambda w: (
        SquadOrders(w.board).plan,
        {"units": [w.mira, w.odo], "cell": (2, 2)},
    ),
    "SquadPlan.at": lambda w: (w.plan.at, {"tick": 1}),
    "SquadPlan.reservations": lambda w: (w.plan.reservations, {"tick": 1}),
    "SquadPlanner": lambda w: (SquadPlanner, {"navigation": w.navigation}),
    "Trail": lambda _: (Trail, {"max_crumbs": 4}),
    "Trail.drop": lambda w: (w.trail.drop, {"cell": (0, 1), "data": None}),
    "Threat.by": lambda w: (w.board.threat("blue").by, {"cell": (2, 3)}),
    "Travel": lambda w: (Travel, {"waypoints": w.waypoints, "goal": (2, 2)}),
    "TurnEnd": lambda _: (TurnEnd, {"team": "blue", "unit": 0}),
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
        },
    ),
    "Unit.name=": lambda _: assigned(Unit("Pell", (0, 0)), "name", "Odo"),
    "Unit.advance": lambda w: ((w.board, w.odo)[1].advance, {"dt_s": 0.1}),
    **{
        f"Unit.{name}=": lambda w, name=name, value=value: assigned(
            (w.board, w.odo)[1], name, value
        )
        for name, value in {
            "team": "red",
            "profile": NEAR,
            "move": 5,
            "speed_tiles_s": 3.0,
            "has_zoc": False,
            "wait": 10,
        }.items()
    },
    "Wander": lambda _: (Wander, {"rng": rng(), "max_turn_deg": 60}),
    "Waypoints.add_point": lambda w: (w.waypoints.add_point, {"name": "c", "cell": (0, 3)}),
    "Waypoints.connect": lambda w: (
        w.waypoints.connect,
        {"start": "a", "end": "b", "cost": 3, "one_way": True},
    ),
    "Waypoints.cost": lambda w: (w.waypoints.cost, {"start": "a", "end": "b"}),
    "Waypoints.disconnect": lambda w: (
        w.waypoints.disconnect,
        {"start": "a", "end": "b", "one_way": True},
    ),
    "Waypoints.from_dict": lambda w: (Waypoints.from_dict, {"data": w.waypoints.to_dict()}),
    "Waypoints.remove_point": lambda w: (w.waypoints.remove_point, {"name": "a"}),
    "Waypoints.route": lambda w: (w.waypoints.route, {"start": "a", "end": "b"}),
    "formation": lambda w: (
        formation,
        {
            "navigation": w.navigation,
            "starts": [(0, 0), (0, 1)],
            "target": (2, 2),
            "profile": [NEAR, NEAR],
            "keep_shape": True,
            "blocked": [(2, 3)],
        },
    ),
    "measure": lambda w: (
        measure,
        {"waypoints": w.waypoints, "navigation": w.navigation, **PROFILE, "max_cost": 9},
    ),
    "plain_reason": lambda w: (  # noqa: ARG005
        plain_reason,
        {"reason": "climb 3 > 2 at (4, 7)", "aim": (4, 7)},
    ),
    "scatter": lambda w: (
        scatter,
        {"navigation": w.navigation, "count": 2, "rng": rng(), **PROFILE, "spacing_tiles": 2},
    ),
    "warm_up": lambda w: (
        warm_up,
        {"tilemap": w.tilemap, "profiles": [NEAR], "background": False},
    ),
    **{
        f"SquadPlanner.{name}": lambda w, name=name, more=more: (
            getattr(SquadPlanner(w.navigation), name),
            {**SQUAD, "blocked": [(2, 4)], "queued": [Reservation([(0, 4)], NEAR)], **more},
        )
        for name, more in {
            "plan": {
                "method": "auto",
                "bound": 1.0,
                "max_expansions": 1000,
                "max_seconds": 1.0,
                "seed": 0,
            },
            "step": {},
        }.items()
    },
}


def motion():
    return Motion([(0.0, 0.0, 0.0), (1.0, 0.0, 0.5)])


def _saved(world):
    world.navigation.build_index(NEAR)
    path = world.folder / "index.npz"
    world.navigation.save_index(path, NEAR)
    return path


def test_every_public_call_has_a_baseline():
    assert missing_baselines(ai, BASELINES, MADE_BY_THE_LIBRARY | CALLED_BY_THE_LIBRARY) == []


@pytest.mark.parametrize("name", BASELINES)
def test_every_mistake_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a wrong path may be a legal name
    assert check_mistakes(name, BASELINES[name], lambda: World(tmp_path)) == []
