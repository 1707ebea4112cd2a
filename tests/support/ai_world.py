"""One of everything in `ai` on a small map, for tests that make every call."""

from functools import cached_property

import numpy as np

from ai import (
    Autopilot,
    Blockers,
    Board,
    Chase,
    Commander,
    GameRecord,
    MoveProfile,
    Navigation,
    Situation,
    SquadPlanner,
    Trail,
    Unit,
    Waypoints,
)
from terrain3d import TileMap

NEAR = MoveProfile(max_climb=1)
BLOCKED = {"blocked": [(0, 1)], "passable": [(0, 2)], "halting": [(0, 3)]}
BLOCKERS = {"blocked": [(0, 1)], "blockers": Blockers(**BLOCKED)}
PROFILE = {"profile": NEAR}


def rng():
    return np.random.default_rng(1)


def rule(tilemap, _):
    return np.zeros(tilemap.level.shape)


class World:
    """One of everything, on a small map, made when it is first asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.tilemap = TileMap.from_text("00000\n01#10\n00000")
        with self.tilemap.edit() as edit:
            edit.add_deck([(1, 1)], level=4)
        self.navigation = Navigation(self.tilemap)

    @cached_property
    def board(self):
        board = Board(self.tilemap)
        self.mira = board.add(Unit("Mira", (0, 0)))
        self.odo = board.add(Unit("Odo", (0, 1)))
        self.foe = board.add(Unit("Foe", (2, 4), team="red"))
        board.move(self.odo, (0, 2))
        return board

    def _with_turns(self, turns):
        board = Board(self.tilemap, turns)
        board.add(Unit("Mira", (0, 0)))
        board.add(Unit("Foe", (2, 4), team="red"))
        return board

    @cached_property
    def sides(self):
        return self._with_turns("sides")

    @cached_property
    def waits(self):
        return self._with_turns("wait")

    @cached_property
    def record(self):
        return GameRecord.of(self.board)

    @cached_property
    def game_path(self):
        self.record.save(self.folder / "game.tmap")
        return self.folder / "game.tmap"

    @cached_property
    def commander(self):
        commander = Commander(self.board)
        commander.select(self.mira)
        commander.aim_at((2, 2))
        return commander

    @cached_property
    def autopilot(self):
        autopilot = Autopilot(self.board)
        autopilot.assign(self.foe, Chase(self.mira))
        return autopilot

    @cached_property
    def waypoints(self):
        made = Waypoints()
        made.add_point("a", (0, 0))
        made.add_point("b", (2, 4))
        made.connect("a", "b", 6)
        return made

    @cached_property
    def situation(self):
        return Situation(self.navigation, (0, 0), blocked=[(0, 1)])

    def search(self):
        return self.navigation.begin_search((0, 0), (2, 2))

    @cached_property
    def field(self):
        return self.navigation.cost_field((0, 0))

    @cached_property
    def trail(self):
        trail = Trail()
        trail.drop((0, 0))
        return trail

    @cached_property
    def plan(self):
        return SquadPlanner(self.navigation).plan([(0, 0), (0, 1)], [(2, 0), (2, 1)])

    def state(self):
        """All that a program can ask, as plain values."""
        tilemap, known = self.tilemap, vars(self)
        state = [tilemap.to_text(), tilemap.version, tilemap.n_decks]
        state += [self.navigation.find_path((0, 0), (2, 4)).cells]
        state += [self.navigation.steps_from((0, 0)), self.navigation.has_index()]
        if "board" in known:
            state += [self.board.digest(), self.board.log]
            state += [
                (
                    u.name,
                    u.team,
                    u.cell,
                    u.move,
                    u.profile,
                    u.speed_tiles_s,
                    u.has_zoc,
                    u.heading_deg,
                    u.pose,
                )
                for u in self.board.units
            ]
        if "commander" in known:
            state += [self.commander.squad, self.commander.aim, self.commander.is_open]
        if "autopilot" in known:
            pilot = self.autopilot
            state += [
                [(pilot.behavior_of(unit), pilot.reason_of(unit)) for unit in self.board.units]
            ]
        if "waypoints" in known:
            state += [self.waypoints.points, self.waypoints.edges, self.waypoints.version]
        if "trail" in known:
            state += [list(self.trail)]
        return state
