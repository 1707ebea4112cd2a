"""Every natural mistake in a call of `ai` ends in a message of ours and changes nothing."""

from functools import cached_property

import numpy as np
import pytest

import ai
import terrain3d
from terrain3d import TileMap
from tests.support.mistakes import SmallWorld, check_mistakes, public_calls

NEAR = ai.MoveProfile(max_climb=1)


def rule(tilemap, _):
    return np.zeros(tilemap.level.shape)


CALLS = {
    "Area": lambda _: {"shape": "line", "radius": None, "down": 2.5},
    "Area.cells": lambda _: {"self": ai.Area("line", length=2), "aim": (0, 1)},
    "Board.action": lambda w: {"by": w.unit},
    "Board.add": lambda _: {"unit": ai.Unit("Pell", (2, 0))},
    "Board": lambda _: {"turns": "wait", "allies": [("blue", "green")]},
    "Board.change_turns": lambda w: {"self": w.sides, "turns": "wait"},
    "Board.end_turn": lambda w: {"self": w.sides},
    "Board.move_together": lambda w: {"paths": {w.unit: [(0, 0), (1, 0)], w.odo: [(0, 2), (0, 3)]}},
    "Board.next_units": lambda w: {"self": w.waits},
    "Board.threat": lambda w: {"team": "blue", "weapons": {w.unit: ai.Weapon()}},
    "Board.unit": lambda w: {"which": w.unit.name},
    "Commander": lambda _: {"team": "blue"},
    "CostField.path_from": lambda _: {"cell": (2, 2)},
    "Navigation.explain_step": lambda _: {"end": (0, 1)},
    "Navigation.find_path": lambda w: {"goal": w.goals, "partial": True},
    "GameRecord.carried_by": lambda w: {"tilemap": TileMap.load(w.game_path)},
    "GameRecord.go_on_with": lambda w: {"board": ai.Board(w.game_record.tilemap)},
    "GameRecord.load": lambda w: {"path": w.game_path},
    "GameRecord.save": lambda w: {"path": w.folder / "saved.tmap"},
    "KeepDistance": lambda _: {"farthest_tiles": 4},
    "Situation": lambda _: {"cell": (0, 0), "bodies": [[(1, 2), (1, 3)]]},
    "Situation.find_path": lambda w: {"goal": w.goals},
    "Situation.without": lambda _: {"cells": [(0, 1)]},
    "SquadPlanner.plan": lambda _: {"goals": [(2, 0), (2, 1)], "profile": [NEAR, NEAR]},
    "Unit.profile=": lambda _: {"hints": {"profile": ai.MoveProfile}},
    "Unit.name=": lambda _: {"self": ai.Unit("Pell", (0, 0)), "name": "Odo"},
    "Waypoints.add_point": lambda _: {"name": "c"},
    "Waypoints.connect": lambda _: {"end": "b"},
    "formation": lambda _: {"profile": [NEAR, NEAR]},
    "plain_reason": lambda _: {"reason": "climb 3 > 2 at (4, 7)", "aim": (4, 7)},
}
"""What single calls need beside the attributes; see `mistakes.right_call`."""


class World(SmallWorld):
    """One of everything, on a small map, made when it is first asked for."""

    start, end, goal, cell = (0, 0), (2, 2), (2, 2), (1, 0)
    starts, goals = [(0, 0), (0, 1)], [(2, 2), (2, 3)]
    goal_sets = ((0, 0), ((2, 2), (2, 3)))
    cells, posts, spawns, threats = starts, goals, goals, goals
    blocked, passable, halting = [(0, 1)], [(0, 2)], [(0, 3)]
    blockers = ai.Blockers(blocked, passable, halting)
    extra_cost = weights = np.ones((3, 5))
    profile = move_profile = hunter = prey = NEAR
    points = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.5))
    entries, exits = {"a": 1}, {"b": 2}
    link_cost, kind_cost = {"ladder": 2}, {"swamp": 3, "deep": None}
    area, weapon, replan = ai.Area("diamond", radius=1), ai.Weapon(), ai.Replan(steps=3)
    flee = ai.Flee(lambda: [(2, 2)])
    team = seen_by = "red"
    start_costs, climb_cost, stats, step, part = [0, 1], [1, 2], {"hp": 3}, 0, 0.5
    no_stop = ("swamp",)
    rules = (rule,)
    game_state = property(lambda self: self.board.state)
    tile_kind = property(lambda self: self.tilemap.kinds[0])
    unit = property(lambda self: (self.board, self.mira)[1])
    units = property(lambda self: [self.unit, self.odo])
    behavior = property(lambda _: ai.FollowWall())
    generator = property(lambda _: np.random.default_rng(1))
    motion = property(lambda self: ai.Motion(self.points))
    path = property(lambda self: self.navigation.find_path((0, 0), (2, 2)))
    reach = property(lambda self: self.navigation.reach((0, 0), 3))
    threat = property(lambda self: self.board.threat("blue"))
    squad_orders = property(lambda self: ai.SquadOrders(self.board))
    squad_planner = property(lambda self: ai.SquadPlanner(self.navigation))
    search = property(lambda self: self.navigation.begin_search((0, 0), (2, 2)))

    sides = cached_property(lambda self: self._with_turns("sides"))
    waits = cached_property(lambda self: self._with_turns("wait"))
    game_record = cached_property(lambda self: ai.GameRecord.of(self.board))
    situation = cached_property(
        lambda self: ai.Situation(self.navigation, (0, 0), blocked=[(0, 1)])
    )
    cost_field = cached_property(lambda self: self.navigation.cost_field((0, 0)))
    squad_plan = cached_property(lambda self: self.squad_planner.plan(self.starts, self.goals))
    navigation = cached_property(lambda self: ai.Navigation(self.tilemap))

    calls = property(lambda _: CALLS)

    @cached_property
    def board(self):
        board = ai.Board(self.tilemap)
        self.mira = board.add(ai.Unit("Mira", (0, 0)))
        self.odo = board.add(ai.Unit("Odo", (0, 1)))
        self.foe = board.add(ai.Unit("Foe", (2, 4), team="red"))
        board.move(self.odo, (0, 2))
        return board

    def _with_turns(self, turns):
        board = ai.Board(self.tilemap, turns)
        board.add(ai.Unit("Mira", (0, 0)))
        board.add(ai.Unit("Foe", (2, 4), team="red"))
        return board

    @cached_property
    def game_path(self):
        self.game_record.save(self.folder / "game.tmap")
        return self.folder / "game.tmap"

    @cached_property
    def commander(self):
        commander = ai.Commander(self.board)
        commander.select(self.mira)
        commander.aim_at((2, 2))
        return commander

    @cached_property
    def autopilot(self):
        autopilot = ai.Autopilot(self.board)
        autopilot.assign(self.foe, ai.Chase(self.mira))
        return autopilot

    @cached_property
    def waypoints(self):
        made = ai.Waypoints()
        made.add_point("a", (0, 0))
        made.add_point("b", (2, 4))
        made.connect("a", "b", 6)
        return made

    @cached_property
    def trail(self):
        trail = ai.Trail()
        trail.drop((0, 0))
        return trail

    def state(self):
        """All that a program can ask, as plain values."""
        tilemap, known = self.tilemap, vars(self)
        state = [tilemap.to_text(), tilemap.version, tilemap.n_decks]
        state += [self.navigation.find_path((0, 0), (2, 4)).cells]
        state += [self.navigation.steps_from((0, 0)), self.navigation.has_index()]
        if "board" in known:
            state += [self.board.digest(), self.board.log]
            state += [(unit.state, unit.pose) for unit in self.board.units]
        if "commander" in known:
            state += [self.commander.squad, self.commander.aim, self.commander.is_open]
        if "autopilot" in known:
            pilot = self.autopilot
            state += [(pilot.behavior_of(each), pilot.reason_of(each)) for each in self.board.units]
        if "waypoints" in known:
            state += [self.waypoints.points, self.waypoints.edges, self.waypoints.version]
        if "trail" in known:
            state += [list(self.trail)]
        return state


INNER = {
    "GameState": "budget find late_reason may_act next_units with_ with_added with_spent with_team "
    "with_turns with_unit without",
    "Navigation": "share",
    "Path": "none",
    "Situation": "body_at covering path_beside is_beside nearest tiles_at",
    "SquadPlan": "none",
    "Targets": "of",
    "UnitState": "fresh with_points",
}
CALLED_BY_THE_LIBRARY = {f"{kind}.{name}" for kind in INNER for name in INNER[kind].split()}
"""Their docstrings say who calls them, or that they take cells of the map; in inner loops."""

MADE_BY_THE_LIBRARY = {
    *("CostField", "Crumb", "Entry", "Finding", "GameRecord", "GameState", "MapReport", "Path"),
    *("Plan", "Pose", "Reach", "ReachArrays", "Route", "UnitChange", "UnitState", "Search"),
    *("SquadOrder", "SquadPlan", "Step", "StepAnswer", "StepParts", "Targets", "Threat", "Turn"),
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
