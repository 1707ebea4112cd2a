"""Several units at once: plans in which nobody runs into anybody, on the same rules as one unit."""

from ai.squads.formation import formation
from ai.squads.plan import SquadPlan
from ai.squads.planner import SquadPlanner
from ai.squads.request import Reservation

__all__ = ["Reservation", "SquadPlan", "SquadPlanner", "formation"]
