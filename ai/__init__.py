"""Height-aware pathfinding on stepped terrain, and units that move on it.

All public names are here; each loads its module when it is used. Outside of `ai.view` it may
import `terrain3d`, but neither its view nor the engine. Start reading with
`navigation/navigation.py` for queries and `board/board.py` for units.
"""

from typing import TYPE_CHECKING

from terrain3d.core.imports import lazy_names

if TYPE_CHECKING:
    from ai import movers as movers
    from ai.analysis.choke_points import choke_points as choke_points
    from ai.analysis.map_check import Finding as Finding
    from ai.analysis.map_check import MapReport as MapReport
    from ai.analysis.map_check import check as check
    from ai.analysis.terrain import cover as cover
    from ai.analysis.terrain import height_over_neighbors as height_over_neighbors
    from ai.behaviors.behavior import Behavior as Behavior
    from ai.behaviors.behavior import FirstOf as FirstOf
    from ai.behaviors.behavior import Replan as Replan
    from ai.behaviors.behavior import Stay as Stay
    from ai.behaviors.behavior import While as While
    from ai.behaviors.chase import Chase as Chase
    from ai.behaviors.chase import Intercept as Intercept
    from ai.behaviors.explore import Explore as Explore
    from ai.behaviors.explore import FollowWall as FollowWall
    from ai.behaviors.explore import Wander as Wander
    from ai.behaviors.flee import Flee as Flee
    from ai.behaviors.flee import KeepDistance as KeepDistance
    from ai.behaviors.seek import Patrol as Patrol
    from ai.behaviors.seek import Seek as Seek
    from ai.behaviors.trail import Crumb as Crumb
    from ai.behaviors.trail import FollowTrail as FollowTrail
    from ai.behaviors.trail import Trail as Trail
    from ai.behaviors.travel import Travel as Travel
    from ai.behaviors.waypoints import Waypoints as Waypoints
    from ai.behaviors.waypoints import measure as measure
    from ai.behaviors.waypoints import scatter as scatter
    from ai.board.area import Area as Area
    from ai.board.attack import Targets as Targets
    from ai.board.attack import Threat as Threat
    from ai.board.attack import Weapon as Weapon
    from ai.board.board import Board as Board
    from ai.board.game_record import GameRecord as GameRecord
    from ai.board.log import Entry as Entry
    from ai.board.log import MoveRefused as MoveRefused
    from ai.board.log import UnitChange as UnitChange
    from ai.board.planning import Plan as Plan
    from ai.board.situation import Situation as Situation
    from ai.board.state import GameState as GameState
    from ai.board.state import Turn as Turn
    from ai.board.unit import Unit as Unit
    from ai.board.unit import UnitState as UnitState
    from ai.game.autopilot import Autopilot as Autopilot
    from ai.game.commander import Commander as Commander
    from ai.game.squad_orders import SquadOrder as SquadOrder
    from ai.game.squad_orders import SquadOrders as SquadOrders
    from ai.game.warm_up import warm_up as warm_up
    from ai.motion.motion import Motion as Motion
    from ai.motion.motion import Pose as Pose
    from ai.navigation.blockers import Blockers as Blockers
    from ai.navigation.cost_field import CostField as CostField
    from ai.navigation.diagnosis import Route as Route
    from ai.navigation.navigation import Navigation as Navigation
    from ai.navigation.path import Path as Path
    from ai.navigation.path import Step as Step
    from ai.navigation.reach import Reach as Reach
    from ai.navigation.reach import ReachArrays as ReachArrays
    from ai.navigation.search import Search as Search
    from ai.rules.profile import MoveProfile as MoveProfile
    from ai.rules.reasons import StepAnswer as StepAnswer
    from ai.rules.reasons import StepParts as StepParts
    from ai.squads import SquadPlan as SquadPlan
    from ai.squads import SquadPlanner as SquadPlanner
    from ai.squads import formation as formation
    from terrain3d.grid.reason import plain_reason as plain_reason
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "ai.analysis.choke_points": "choke_points",
            "ai.analysis.map_check": "Finding MapReport check",
            "ai.analysis.terrain": "cover height_over_neighbors",
            "ai.behaviors.behavior": "Behavior FirstOf Replan Stay While",
            "ai.behaviors.chase": "Chase Intercept",
            "ai.behaviors.explore": "Explore FollowWall Wander",
            "ai.behaviors.flee": "Flee KeepDistance",
            "ai.behaviors.seek": "Patrol Seek",
            "ai.behaviors.trail": "Crumb FollowTrail Trail",
            "ai.behaviors.travel": "Travel",
            "ai.behaviors.waypoints": "Waypoints measure scatter",
            "ai.board.area": "Area",
            "ai.board.attack": "Targets Threat Weapon",
            "ai.board.board": "Board",
            "ai.board.game_record": "GameRecord",
            "ai.board.log": "Entry MoveRefused UnitChange",
            "ai.board.planning": "Plan",
            "ai.board.situation": "Situation",
            "ai.board.state": "GameState Turn",
            "ai.board.unit": "Unit UnitState",
            "ai.game.autopilot": "Autopilot",
            "ai.game.commander": "Commander",
            "ai.game.squad_orders": "SquadOrder SquadOrders",
            "ai.game.warm_up": "warm_up",
            "ai.motion.motion": "Motion Pose",
            "ai.navigation.blockers": "Blockers",
            "ai.navigation.cost_field": "CostField",
            "ai.navigation.diagnosis": "Route",
            "ai.navigation.navigation": "Navigation",
            "ai.navigation.path": "Path Step",
            "ai.navigation.reach": "Reach ReachArrays",
            "ai.navigation.search": "Search",
            "ai.rules.profile": "MoveProfile",
            "ai.rules.reasons": "StepAnswer StepParts",
            "ai.squads": "SquadPlan SquadPlanner formation",
            "terrain3d.grid.reason": "plain_reason",
        },
        "movers",
    )
