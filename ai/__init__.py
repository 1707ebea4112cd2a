"""Height-aware pathfinding on stepped terrain, and units that move on it.

All public names are imported here. May import `terrain3d`, but neither its view nor the engine.
Start reading with `navigation/navigation.py` for queries and `board/board.py` for units.
"""

from ai.agents.navigation_agent import NavigationAgent3D
from ai.agents.navigation_server import NavigationServer3D
from ai.behaviors.behavior import Behavior
from ai.behaviors.chase import Chase
from ai.behaviors.explore import Explore
from ai.behaviors.flee import Flee
from ai.behaviors.follow_wall import FollowWall
from ai.behaviors.intercept import Intercept
from ai.behaviors.keep_distance import KeepDistance
from ai.behaviors.patrol import Patrol
from ai.behaviors.situation import Situation
from ai.behaviors.trail import Crumb, FollowTrail, Trail
from ai.behaviors.travel import Travel
from ai.behaviors.wander import Wander
from ai.behaviors.waypoint_sampling import measure, scatter
from ai.behaviors.waypoints import Waypoints
from ai.board.board import Board
from ai.board.order_book import MoveRefused
from ai.board.orders import Order, TurnEnd
from ai.board.threat import Threat
from ai.board.turns import Turn
from ai.board.unit import Unit
from ai.game.autopilot import Autopilot
from ai.game.commander import Commander
from ai.game.order_planner import Plan
from ai.game.squad_orders import SquadOrder, SquadOrders, warm_up_squads
from ai.motion.motion import Motion, Pose
from ai.navigation.cost_field import CostField
from ai.navigation.navigation import Navigation
from ai.navigation.path import Path, Step, StepAnswer
from ai.navigation.reach import Reach
from ai.navigation.reason_texts import plain_reason
from ai.navigation.resumable_search import Search
from ai.navigation.warm_up import warm_up
from ai.rules.profile import MoveProfile
from ai.squads import Reservation, SquadPlan, SquadPlanner, formation
from ai.trace.comparison import SearchComparison, SearchOptions
from ai.trace.recording import Recording
from ai.trace.replay import Replay

__all__ = [
    "Autopilot",
    "Behavior",
    "Board",
    "Chase",
    "Commander",
    "CostField",
    "Crumb",
    "Explore",
    "Flee",
    "FollowTrail",
    "FollowWall",
    "Intercept",
    "KeepDistance",
    "Motion",
    "MoveProfile",
    "MoveRefused",
    "Navigation",
    "NavigationAgent3D",
    "NavigationServer3D",
    "Order",
    "Path",
    "Patrol",
    "Plan",
    "Pose",
    "Reach",
    "Recording",
    "Replay",
    "Reservation",
    "Search",
    "SearchComparison",
    "SearchOptions",
    "Situation",
    "SquadOrder",
    "SquadOrders",
    "SquadPlan",
    "SquadPlanner",
    "Step",
    "StepAnswer",
    "Threat",
    "Trail",
    "Travel",
    "Turn",
    "TurnEnd",
    "Unit",
    "Wander",
    "Waypoints",
    "formation",
    "measure",
    "plain_reason",
    "scatter",
    "warm_up",
    "warm_up_squads",
]
