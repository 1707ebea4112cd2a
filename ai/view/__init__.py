"""Show units, orders and searches with Panda3D, as nodes of a scene tree.

The only subpackage of `ai` that imports the engine and `terrain3d.view`. Nodes show the state of
objects that they are given, and pass input on to them. Start with `unit_3d.py`.
"""

from typing import TYPE_CHECKING

from terrain3d.core.imports import lazy_names

if TYPE_CHECKING:
    from ai.view.commander_3d import Commander3D as Commander3D
    from ai.view.commander_3d import SelectionBox as SelectionBox
    from ai.view.figures_3d import Figures3D as Figures3D
    from ai.view.search_theatre_3d import SearchTheatre3D as SearchTheatre3D
    from ai.view.unit_3d import Unit3D as Unit3D
else:
    __all__, __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "ai.view.commander_3d": "Commander3D SelectionBox",
            "ai.view.figures_3d": "Figures3D",
            "ai.view.search_theatre_3d": "SearchTheatre3D",
            "ai.view.unit_3d": "Unit3D",
        },
    )
