"""Height-aware ways across stepped terrain and units that walk them; no engine is needed."""

from ai.board import Board, MoveRefused
from ai.motion import Motion, Pose
from ai.movement import MoveProfile
from ai.navigation import Navigation
from ai.path import Path, Reach, Step, StepAnswer
from ai.search import warm_up
from ai.unit import Unit

__all__ = [
    "Board",
    "Motion",
    "MoveProfile",
    "MoveRefused",
    "Navigation",
    "Path",
    "Pose",
    "Reach",
    "Step",
    "StepAnswer",
    "Unit",
    "warm_up",
]
