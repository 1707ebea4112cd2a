"""First tries in a notebook: mistakes raise clear errors, and reprs show the answers."""

import re

import numpy as np
import pytest

from ai import (
    Autopilot,
    Behavior,
    Board,
    Chase,
    Commander,
    Flee,
    FollowTrail,
    Intercept,
    KeepDistance,
    Navigation,
    NavigationServer3D,
    Situation,
    SquadPlanner,
    Trail,
    Travel,
    Unit,
    Wander,
    Waypoints,
    formation,
    measure,
    scatter,
)
from terrain3d import TileMap


def board():
    made = Board(TileMap.from_text("012\n0#0"))
    made.add(Unit("Mira", (0, 0)))
    return made


def navigation():
    return board().navigation


class Forgetful(Behavior):
    """Choose, and forget to return it."""

    def _choose(self, _situation):
        pass


SLIPS = {
    "a planner of a map": (lambda: SquadPlanner(board().tilemap), "navigation must be a Nav"),
    "a server of a board": (lambda: NavigationServer3D(board()), "navigation must be a Nav"),
    "a navigation of a board": (lambda: Navigation(board()), "tilemap must be a TileMap"),
    "half a tick": (
        lambda: SquadPlanner(navigation()).plan([(0, 0)], [(0, 1)]).at(0.5),
        "tick must be a whole number, got 0.5",
    ),
    "a list of paths": (
        lambda: board().move_together([("Mira", [(0, 0), (0, 1)])]),
        "paths must be a Mapping",
    ),
    "a name for a unit": (lambda: board().reach("Mira"), "a unit must be a Unit, got 'Mira'"),
    "a name to lead": (lambda: Autopilot(board()).assign("Mira", "chase"), "a unit must be a Unit"),
    "a name to select": (lambda: Commander(board()).select("Mira"), "a unit must be a Unit"),
    "names to select": (lambda: Commander(board()).select_all(["Mira"]), "a unit must be a Unit"),
    "a behavior that is not made": (
        lambda: (b := board()).act(b.units[0], Wander),
        "behavior must be a Behavior, got <class",
    ),
    "a behavior that chooses nothing": (
        lambda: Forgetful().next_cell(Situation(navigation(), (0, 0))),
        "a cell is (row, col) or (row, col, deck) in whole numbers: None",
    ),
    "no one to flee from": (
        lambda: Flee(lambda: None).next_cell(Situation(navigation(), (0, 0))),
        "threats must return cells, got None",
    ),
    "a cell to chase": (lambda: Chase((0, 1)), "target must be a function, got (0, 1)"),
    "a cell to cut off": (lambda: Intercept((0, 1)), "target must be a function"),
    "a cell to keep off": (lambda: KeepDistance((0, 1), 2, 4), "target must be a function"),
    "cells to flee from": (lambda: Flee([(0, 1)]), "threats must be a function"),
    "a seed to wander by": (lambda: Wander(3), "rng must be a Generator, got 3"),
    "a list of crumbs": (
        lambda: FollowTrail([(0, 1)], np.random.default_rng(0)),
        "trail must be a Trail, got [(0, 1)]",
    ),
    "a seed to scatter by": (
        lambda: scatter(navigation(), 2, 3),
        "rng must be a Generator, got 3",
    ),
    "a formation on a map": (
        lambda: formation(board().tilemap, [(0, 0)], (0, 1)),
        "navigation must be a Navigation, got <TileMap",
    ),
    "half a point": (
        lambda: scatter(navigation(), 2.5, np.random.default_rng(0)),
        "count must be a whole number, got 2.5",
    ),
    "a map to measure": (
        lambda: measure(Waypoints(), board().tilemap),
        "navigation must be a Navigation, got <TileMap",
    ),
    "points to travel by": (lambda: Travel([(0, 1)], (0, 2)), "waypoints must be a Waypoints"),
    "a board to decide by": (lambda: Situation(board(), (0, 0)), "navigation must be a Nav"),
    "a seed to follow by": (lambda: FollowTrail(Trail(), 3), "rng must be a Generator, got 3"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_mistake_raises_a_clear_error(slip):
    call, message = SLIPS[slip]
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        call()


def test_reprs_show_the_answers():
    made = board()
    assert repr(made) == "<Board of 1 units on <TileMap 2 x 3, levels 0..2, version 0>>"
    assert repr(made.navigation) == "<Navigation over <TileMap 2 x 3, levels 0..2, version 0>>"
    reach = made.navigation.reach((0, 0), 2)
    assert repr(reach) == "<Reach of 3 cells from (0, 0) for at most 2>"
    assert repr(made.navigation.reach((1, 1), 2)) == "<no Reach: the start (1, 1) is void>"
    assert repr(made.navigation.cost_field((0, 0))) == "<CostField of 5 cells, at most 5>"
    points = Waypoints()
    points.add_point("inn", (0, 0))
    points.add_point("mill", (0, 2))
    points.connect("inn", "mill", 4)
    assert repr(points) == "<Waypoints: 2 points, 2 edges>"
