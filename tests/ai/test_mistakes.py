"""Every natural mistake in a method of `ai` ends in a message of ours and changes nothing."""

import numpy as np
import pytest

import ai
from ai import (
    Area,
    FollowWall,
    GameRecord,
    Motion,
    MoveProfile,
    SquadOrders,
    SquadPlanner,
    Unit,
    Weapon,
)
from terrain3d import TileMap
from tests.support.ai_world import BLOCKERS, NEAR, PROFILE, World, rule
from tests.support.mistakes import assigned, check_mistakes, missing_baselines

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

ENDS = {"start": (0, 0), "goal": (2, 2)}
EXTRA = {"extra_cost": np.ones((3, 5))}
SQUAD = {"starts": [(0, 0), (0, 1)], "goals": [(2, 0), (2, 1)], "profile": [NEAR, NEAR]}


BASELINES = {
    "Area.cells": lambda w: (
        Area("line", length=2).cells,
        {"tilemap": w.tilemap, "aim": (0, 1), "start": (0, 0)},
    ),
    "Autopilot.advance": lambda w: (w.autopilot.advance, {"dt_s": 0.1}),
    "Autopilot.assign": lambda w: (
        w.autopilot.assign,
        {"unit": (w.board, w.mira)[1], "behavior": FollowWall()},
    ),
    "Autopilot.behavior_of": lambda w: (w.autopilot.behavior_of, {"unit": w.mira}),
    "Autopilot.reason_of": lambda w: (w.autopilot.reason_of, {"unit": w.mira}),
    "Behavior.advance": lambda _: (FollowWall().advance, {"dt_s": 0.1}),
    "Behavior.next_cell": lambda w: (FollowWall().next_cell, {"situation": w.situation}),
    "Board.act": lambda w: (
        w.board.act,
        {"unit": w.mira, "behavior": FollowWall(), "is_automatic": False},
    ),
    "Board.add": lambda w: (w.board.add, {"unit": Unit("Pell", (2, 0))}),
    "Board.add_all": lambda w: (w.board.add_all, {"tilemap": w.tilemap}),
    "Board.at": lambda w: (w.board.at, {"state": w.board.state}),
    "Board.is_seen": lambda w: (w.board.is_seen, {"unit": w.mira, "team": "red"}),
    "Board.seen": lambda w: (w.board.seen, {"team": "red"}),
    "Board.seen_state": lambda w: (w.board.seen_state, {"team": "red"}),
    "Board.state_of": lambda w: (w.board.state_of, {"unit": w.mira}),
    "Board.change_turns": lambda w: (w.sides.change_turns, {"turns": "wait"}),
    "Board.end_turn": lambda w: (w.sides.end_turn, {"is_automatic": False}),
    "Board.find_path": lambda w: (
        w.board.find_path,
        {"unit": w.mira, "cell": (2, 2)},
    ),
    "Board.face": lambda w: (w.board.face, {"unit": w.mira, "cell": (1, 0)}),
    "Board.move": lambda w: (w.board.move, {"unit": w.mira, "cell": (1, 0)}),
    "Board.move_together": lambda w: (
        w.board.move_together,
        {
            "paths": {w.mira: [(0, 0), (1, 0)], w.odo: [(0, 2), (0, 3)]},
            "step_s": 0.4,
        },
    ),
    "Board.next_units": lambda w: (w.waits.next_units, {"count": 4}),
    "Board.plan": lambda w: (
        w.board.plan,
        {"unit": w.mira, "cell": (2, 2), "partial": True, "via": [(1, 1)]},
    ),
    "Board.reach": lambda w: (w.board.reach, {"unit": w.mira, "seen_by": "red"}),
    "Board.remove": lambda w: (w.board.remove, {"unit": w.mira}),
    "Board.action": lambda w: (
        w.board.action,
        {"name": "Strike", "by": w.mira, "is_automatic": False},
    ),
    "Board.situation": lambda w: (w.board.situation, {"unit": w.mira}),
    "Board.targets": lambda w: (
        w.board.targets,
        {"unit": w.mira, "weapon": Weapon(), "at": (0, 0), "who": "all"},
    ),
    "Board.threat": lambda w: (
        w.board.threat,
        {"team": "blue", "weapons": {w.foe: Weapon()}},
    ),
    "Board.enemies_of": lambda w: (w.board.enemies_of, {"unit": w.mira}),
    "Board.unit": lambda w: (w.board.unit, {"which": "Mira"}),
    "Board.turn_reason": lambda w: (w.board.turn_reason, {"unit": w.mira}),
    "Board.unit_at": lambda w: (w.board.unit_at, {"cell": (0, 0)}),
    "Commander.unit_seen_at": lambda w: (w.commander.unit_seen_at, {"cell": (0, 0)}),
    "Commander.act_on": lambda w: (w.commander.act_on, {"cell": (1, 0)}),
    "Commander.aim_at": lambda w: (w.commander.aim_at, {"cell": (1, 0)}),
    "Commander.add_waypoint": lambda w: (w.commander.add_waypoint, {"cell": (1, 0)}),
    "Commander.is_open=": lambda w: assigned(w.commander, "is_open", True),
    "Commander.sees": lambda w: (w.commander.sees, {"unit": w.mira}),
    "Commander.select": lambda w: (w.commander.select, {"unit": w.odo}),
    "Commander.select_all": lambda w: (w.commander.select_all, {"units": [w.mira, w.odo]}),
    "Commander.select_next": lambda w: (w.commander.select_next, {"step": 1}),
    "CostField.as_costs": lambda w: (w.field.as_costs, {"decks": True}),
    "CostField.cost_from": lambda w: (w.field.cost_from, {"cell": (2, 2)}),
    "CostField.next_step": lambda w: (w.field.next_step, {"cell": (2, 2)}),
    "CostField.next_steps": lambda w: (w.field.next_steps, {"cells": [(2, 2), (0, 1)]}),
    "CostField.path_from": lambda w: (w.field.path_from, {"cell": (2, 2)}),
    "GameRecord.carried_by": lambda w: (
        GameRecord.carried_by,
        {"tilemap": TileMap.load(w.game_path)},
    ),
    "GameRecord.go_on_with": lambda w: (w.record.go_on_with, {"board": w.board}),
    "GameRecord.load": lambda w: (GameRecord.load, {"path": w.game_path}),
    "GameRecord.of": lambda w: (GameRecord.of, {"board": w.board}),
    "GameRecord.replay": lambda w: (w.record.replay, {"n_entries": 1, "rules": [rule]}),
    "GameRecord.save": lambda w: (w.record.save, {"path": w.folder / "saved.tmap"}),
    "Motion.part_of_step": lambda _: (motion().part_of_step, {"step": 0, "time_s": 0.1}),
    "Motion.pose": lambda _: (motion().pose, {"time_s": 0.1}),
    "Motion.step_end_s": lambda _: (motion().step_end_s, {"step": 0}),
    "Motion.time_in_step_s": lambda _: (motion().time_in_step_s, {"step": 0, "part": 0.5}),
    "MoveProfile.can_stop_on": lambda w: (NEAR.can_stop_on, {"kind": w.tilemap.kinds[0]}),
    "MoveProfile.classic": lambda _: (MoveProfile.classic, {"uphill": 2}),
    "MoveProfile.cost_to_enter": lambda w: (NEAR.cost_to_enter, {"kind": w.tilemap.kinds[0]}),
    "MoveProfile.entry_cost": lambda w: (NEAR.entry_cost, {"tilemap": w.tilemap}),
    "Navigation.begin_search": lambda w: (
        w.navigation.begin_search,
        {
            **ENDS,
            **PROFILE,
            **BLOCKERS,
            **EXTRA,
            "algorithm": "astar",
            "heuristic": "auto",
            "order": "lifo",
        },
    ),
    "Navigation.build_index": lambda w: (
        w.navigation.build_index,
        {
            **PROFILE,
            "kind": "auto",
            "landmarks": 4,
            "progress": lambda *_: None,
            "background": False,
        },
    ),
    "Navigation.price": lambda w: (
        w.navigation.price,
        {
            "cells": [(0, 0), (0, 1)],
            **PROFILE,
            "blocked": [(0, 2)],
            "blockers": BLOCKERS["blockers"],
            **EXTRA,
        },
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
    "Navigation.cost_fields": lambda w: (
        w.navigation.cost_fields,
        {"goal_sets": [(0, 0), [(2, 2), (2, 3)]], **PROFILE, **EXTRA},
    ),
    "Navigation.distances": lambda w: (
        w.navigation.distances,
        {"starts": [(0, 0), (0, 1)], "goals": [(2, 2), (2, 3)], **PROFILE},
    ),
    "Navigation.distance": lambda w: (
        w.navigation.distance,
        {"starts": [(0, 0), (0, 1)], "goals": [(2, 2)], **PROFILE},
    ),
    "Navigation.explain_step": lambda w: (
        w.navigation.explain_step,
        {"start": (0, 0), "end": (0, 1), **PROFILE},
    ),
    "Navigation.is_decision_point": lambda w: (
        w.navigation.is_decision_point,
        {**PROFILE, "cell": (1, 1)},
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
            "max_cost": 20,
            "partial": True,
        },
    ),
    "Navigation.find_paths": lambda w: (
        w.navigation.find_paths,
        {
            "starts": [(0, 0), (0, 1)],
            "goals": [(2, 2), (2, 3)],
            **PROFILE,
            **EXTRA,
        },
    ),
    "Navigation.has_index": lambda w: (w.navigation.has_index, PROFILE),
    "Navigation.is_reachable": lambda w: (w.navigation.is_reachable, {**ENDS, **PROFILE}),
    "Navigation.line_of_sight": lambda w: (
        w.navigation.line_of_sight,
        {"start": (0, 0), "end": (2, 2), "eye": 1, "target": 1},
    ),
    "Navigation.profile_graph": lambda w: (w.navigation.profile_graph, PROFILE),
    "Navigation.reach": lambda w: (
        w.navigation.reach,
        {"start": (0, 0), "budget": 3, **PROFILE, **BLOCKERS, **EXTRA},
    ),
    "Navigation.reaches": lambda w: (
        w.navigation.reaches,
        {"starts": [(0, 0), (0, 1)], "budget": 3, **PROFILE, **EXTRA},
    ),
    "Navigation.steps_from": lambda w: (
        w.navigation.steps_from,
        {"cell": (0, 0), **PROFILE, "blocked": [(0, 1)]},
    ),
    "Path.head": lambda w: (w.navigation.find_path((0, 0), (2, 2)).head, {"n_cells": 2}),
    "Reach.as_costs": lambda w: (w.navigation.reach((0, 0), 3).as_costs, {"decks": True}),
    "Reach.as_mask": lambda w: (w.navigation.reach((0, 0), 3).as_mask, {"decks": True}),
    "Reach.cost_to": lambda w: (w.navigation.reach((0, 0), 3).cost_to, {"cell": (0, 1)}),
    "Reach.path_to": lambda w: (w.navigation.reach((0, 0), 3).path_to, {"cell": (0, 1)}),
    "Search.run": lambda w: (w.search().run, {"max_expansions": 3}),
    "Situation.can_stop": lambda w: (w.situation.can_stop, {"cell": (0, 2)}),
    "Situation.find_path": lambda w: (
        w.situation.find_path,
        {"goal": [(2, 2), (2, 3)], "max_cost": 20},
    ),
    "Situation.has": lambda w: (w.situation.has, {"cell": (0, 2)}),
    "Situation.is_halting": lambda w: (w.situation.is_halting, {"cell": (0, 2)}),
    "Situation.is_taken": lambda w: (w.situation.is_taken, {"cell": (0, 2)}),
    "Situation.reach": lambda w: (w.situation.reach, {"budget": 3}),
    "Situation.price": lambda w: (w.situation.price, {"cells": [(0, 0), (0, 1)]}),
    "Situation.steps_from": lambda w: (w.situation.steps_from, {"cell": (0, 2)}),
    "Situation.without": lambda w: (w.situation.without, {"cells": [(0, 1)]}),
    "SquadOrders.plan": lambda w: (
        SquadOrders(w.board).plan,
        {"units": [w.mira, w.odo], "cell": (2, 2)},
    ),
    "SquadPlan.at": lambda w: (w.plan.at, {"tick": 1}),
    "Trail.drop": lambda w: (w.trail.drop, {"cell": (0, 1), "data": None}),
    "Threat.by": lambda w: (w.board.threat("blue").by, {"cell": (2, 3)}),
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
            "heading_deg": 90.0,
            "sight": 3,
        }.items()
    },
    "Waypoints.add_point": lambda w: (
        w.waypoints.add_point,
        {"name": "c", "cell": (0, 3)},
    ),
    "Waypoints.connect": lambda w: (
        w.waypoints.connect,
        {"start": "a", "end": "b", "cost": 3, "one_way": True},
    ),
    "Waypoints.cost": lambda w: (w.waypoints.cost, {"start": "a", "end": "b"}),
    "Waypoints.disconnect": lambda w: (
        w.waypoints.disconnect,
        {"start": "a", "end": "b", "one_way": True},
    ),
    "Waypoints.journey": lambda w: (
        w.waypoints.journey,
        {"entries": {"a": 1}, "exits": {"b": 2}},
    ),
    "Waypoints.remove_point": lambda w: (w.waypoints.remove_point, {"name": "a"}),
    "Waypoints.route": lambda w: (w.waypoints.route, {"start": "a", "end": "b"}),
    "SquadPlanner.plan": lambda w: (
        SquadPlanner(w.navigation).plan,
        {**SQUAD, "blocked": [(2, 4)], "max_steps": 1000, "seed": 0},
    ),
}


def motion():
    return Motion([(0.0, 0.0, 0.0), (1.0, 0.0, 0.5)])


def test_every_public_method_has_a_baseline():
    missing = missing_baselines(ai, BASELINES, CALLED_BY_THE_LIBRARY)
    assert [name for name in missing if "." in name] == []


@pytest.mark.parametrize("name", BASELINES)
def test_every_mistake_is_refused_and_changes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a wrong path may be a legal name
    assert check_mistakes(name, BASELINES[name], lambda: World(tmp_path)) == []
