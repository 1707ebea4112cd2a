"""Height-aware pathfinding on stepped terrain, and units that move on it.

All public names are imported here. May import `terrain3d`, but neither its view nor the engine.
Start reading with `navigation/navigation.py` for queries and `board/board.py` for units.
"""

from ai import movers
from ai.agents.navigation_agent import NavigationAgent3D
from ai.agents.navigation_server import NavigationServer3D
from ai.analysis.map_report import Finding, Fix, MapReport
from ai.analysis.path_comparison import PathComparison, Route
from ai.analysis.region_graph import Gate, RegionGraph, RegionPath
from ai.analysis.terrain import cover, height_over_neighbors
from ai.behaviors.behavior import Behavior, Stay
from ai.behaviors.chase import Chase
from ai.behaviors.explore import Explore
from ai.behaviors.fallbacks import FirstOf, While
from ai.behaviors.flee import Flee
from ai.behaviors.follow_wall import FollowWall
from ai.behaviors.intercept import Intercept
from ai.behaviors.keep_distance import KeepDistance
from ai.behaviors.patrol import Patrol
from ai.behaviors.seek import Seek
from ai.behaviors.situation import Situation
from ai.behaviors.trail import Crumb, FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.wander import Wander
from ai.behaviors.waypoint_sampling import measure, scatter
from ai.behaviors.waypoints import Waypoints
from ai.board.board import Board
from ai.board.game_playback import GamePlayback
from ai.board.game_record import GameRecord
from ai.board.order_book import MoveRefused
from ai.board.orders import Order, TurnEnd
from ai.board.targets import Targets
from ai.board.threat import Threat
from ai.board.turns import Turn
from ai.board.unit import Unit
from ai.game.autopilot import Autopilot
from ai.game.commander import Commander
from ai.game.map_checks import MapCheck, check_maps
from ai.game.order_planner import Plan
from ai.game.squad_orders import SquadOrder, SquadOrders, warm_up_squads
from ai.motion.motion import Motion, Pose
from ai.navigation.cost_field import CostField
from ai.navigation.known_map import KnownMap
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, PathArrays, Step
from ai.navigation.reach import Reach
from ai.navigation.resumable_search import Search
from ai.navigation.warm_up import warm_up
from ai.rules.profile import MoveProfile
from ai.rules.step_parts import StepAnswer, StepParts
from ai.rules.weapon import Weapon
from ai.squads import Reservation, SquadPlan, SquadPlanner, formation
from ai.trace.comparison import SearchComparison, SearchOptions
from ai.trace.recording import Recording
from ai.trace.replay import Replay
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
