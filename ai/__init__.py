"""Height-aware pathfinding on stepped terrain, and units that move on it.

All public names are imported here. May import `terrain3d`, but neither its view nor the engine.
Start reading with `navigation/navigation.py` for queries and `board/board.py` for units.
"""

from ai import movers
from ai.agents.navigation_agent import NavigationAgent3D
from ai.agents.navigation_server import NavigationServer3D
from ai.analysis.map_check import Finding, Fix, MapReport
from ai.analysis.region_graph import Gate, RegionGraph, RegionPath
from ai.analysis.terrain import cover, height_over_neighbors
from ai.behaviors.behavior import Behavior, FirstOf, Situation, Stay, While
from ai.behaviors.chase import Chase, Intercept
from ai.behaviors.explore import Explore, FollowWall, Wander
from ai.behaviors.flee import Flee, KeepDistance
from ai.behaviors.seek import Patrol, Seek
from ai.behaviors.trail import Crumb, FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.waypoints import Waypoints, measure, scatter
from ai.board.attack import Targets, Threat, Weapon
from ai.board.board import Board
from ai.board.game_record import GamePlayback, GameRecord
from ai.board.order_book import MoveRefused
from ai.board.orders import Order, TurnEnd
from ai.board.turns import Turn
from ai.board.unit import Unit
from ai.game.autopilot import Autopilot
from ai.game.commander import Commander, Plan
from ai.game.map_checks import MapCheck, check_maps
from ai.game.squad_orders import SquadOrder, SquadOrders, warm_up_squads
from ai.motion.motion import Motion, Pose
from ai.navigation.cost_field import CostField
from ai.navigation.diagnosis import PathComparison, Route
from ai.navigation.known_map import KnownMap
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, PathArrays, Step
from ai.navigation.reach import Reach
from ai.navigation.resumable_search import Search
from ai.navigation.warm_up import warm_up
from ai.rules.profile import MoveProfile
from ai.rules.step_rule import StepAnswer, StepParts
from ai.squads import Reservation, SquadPlan, SquadPlanner, formation
from ai.trace.comparison import SearchComparison, SearchOptions
from ai.trace.recording import Recording, Replay
from terrain3d.grid.reason import plain_reason

__all__ = [
    "Autopilot",
    "Behavior",
    "Board",
    "Chase",
    "Commander",
    "CostField",
    "Crumb",
    "Explore",
    "Finding",
    "FirstOf",
    "Fix",
    "Flee",
    "FollowTrail",
    "FollowWall",
    "GamePlayback",
    "GameRecord",
    "Gate",
    "Intercept",
    "KeepDistance",
    "KnownMap",
    "MapCheck",
    "MapReport",
    "Motion",
    "MoveProfile",
    "MoveRefused",
    "Navigation",
    "NavigationAgent3D",
    "NavigationServer3D",
    "Order",
    "Path",
    "PathArrays",
    "PathComparison",
    "Patrol",
    "Plan",
    "Pose",
    "Reach",
    "Recording",
    "RegionGraph",
    "RegionPath",
    "Replay",
    "Reservation",
    "Route",
    "Search",
    "SearchComparison",
    "SearchOptions",
    "Seek",
    "Situation",
    "SquadOrder",
    "SquadOrders",
    "SquadPlan",
    "SquadPlanner",
    "Stay",
    "Step",
    "StepAnswer",
    "StepParts",
    "Targets",
    "Threat",
    "Trail",
    "Travel",
    "Turn",
    "TurnEnd",
    "Unit",
    "Wander",
    "Waypoints",
    "Weapon",
    "While",
    "check_maps",
    "cover",
    "formation",
    "height_over_neighbors",
    "measure",
    "movers",
    "plain_reason",
    "scatter",
    "warm_up",
    "warm_up_squads",
]


def __dir__() -> list[str]:
    """Return the public names, without the subpackages."""
    return [*__all__, "__all__", "__doc__"]
