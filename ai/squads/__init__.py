"""Collision-free plans for several units at once, with the same step rules as for one unit.

May import `ai.navigation`, `ai.motion` and what they import. Start with `planner.py`, the public
class; `lacam.py` searches configurations, for which `pibt.py` chooses the next step of all units.
"""

from ai.squads import reasons as reasons
from ai.squads.formation import formation
from ai.squads.planner import SquadPlan, SquadPlanner

__all__ = ["SquadPlan", "SquadPlanner", "formation"]
