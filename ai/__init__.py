"""Height-aware ways across stepped terrain and units that walk them; no engine is needed."""

from ai.behavior import Behavior
from ai.board import Board, MoveRefused
from ai.breadcrumbs import Crumb, FollowTrail, Trail
from ai.commander import Commander, Plan
from ai.conduct import Conduct
from ai.cost_field import CostField
from ai.drill import Drill, SquadOrder, warm_up_drill
from ai.explore import Explore
from ai.flee import Flee
from ai.intercept import Intercept
from ai.keep_distance import KeepDistance
from ai.motion import Motion, Pose
from ai.navigation import Navigation
from ai.navigation_agent import NavigationAgent3D
from ai.navigation_server import NavigationServer3D
from ai.orders import Order
from ai.path import Path, Step, StepAnswer
from ai.patrol import Patrol
from ai.placing import measure, scatter
from ai.profile import MoveProfile
from ai.pursuit import Chase
from ai.reach import Reach
from ai.recording import Recording
from ai.replay import Replay
from ai.show import Choice, SearchShow
from ai.situation import Situation
from ai.squads import Reservation, SquadPlan, SquadPlanner, formation
from ai.stepwise import Search
from ai.travel import Travel
from ai.unit import Unit
from ai.wall_following import FollowWall
from ai.wander import Wander
from ai.warming import warm_up
from ai.waypoints import Waypoints

__all__ = [
    "Behavior",
    "Board",
    "Chase",
    "Choice",
    "Commander",
    "Conduct",
    "CostField",
    "Crumb",
    "Drill",
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
    "SearchShow",
    "Situation",
    "SquadOrder",
    "SquadPlan",
    "SquadPlanner",
    "Step",
    "StepAnswer",
    "Trail",
    "Travel",
    "Unit",
    "Wander",
    "Waypoints",
    "formation",
    "measure",
    "scatter",
    "warm_up",
    "warm_up_drill",
]
