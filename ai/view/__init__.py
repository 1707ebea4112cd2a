"""Show units, orders and searches with Panda3D, as nodes of a scene tree.

The only subpackage of `ai` that imports the engine and `terrain3d.view`. Nodes show the state of
objects that they are given, and pass input on to them. Start with `unit_3d.py`.
"""

from __future__ import annotations

from ai.view.commander_3d import BOX_KEYS, Commander3D, SelectionBox
from ai.view.commander_3d import KEYS as COMMAND_KEYS
from ai.view.search_player_3d import KEYS as SEARCH_KEYS
from ai.view.search_player_3d import THEATRE_KEYS, SearchPlayer3D, TheatreToggle3D
from ai.view.search_theatre_3d import SearchTheatre3D
from ai.view.step_player import StepPlayer
from ai.view.unit_3d import Unit3D

__all__ = [
    "BOX_KEYS",
    "COMMAND_KEYS",
    "SEARCH_KEYS",
    "THEATRE_KEYS",
    "Commander3D",
    "SearchPlayer3D",
    "SearchTheatre3D",
    "SelectionBox",
    "StepPlayer",
    "TheatreToggle3D",
    "Unit3D",
]
