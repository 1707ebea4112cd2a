"""Collision-free plans for several units at once, with the same step rules as for one unit.

May import `ai.navigation`, `ai.motion` and what they import. Start with `planner.py`, the public
class; it searches by `lacam.py`, which generates each tick by `pibt.py`.
"""

from ai.squads import reasons as reasons
from ai.squads.formation import formation
from ai.squads.planner import SquadPlan, SquadPlanner

__all__ = ["SquadPlan", "SquadPlanner", "formation"]
