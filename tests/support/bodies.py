"""Bodies that agents lead over maps, and records of what the agents emit."""

import math

from ai import MoveProfile, Navigation, NavigationAgent3D, NavigationServer3D
from ai.motion.motion import point_on
from terrain3d import Node, SceneTree

DT_S = 1 / 10
SIGNALS = "path_changed", "waypoint_reached", "target_reached", "navigation_finished"


class Body(Node):
    """Moves straight to the next point of its agent, as the page on agents shows."""

    def __init__(self, server, cell, profile=None, speed=4.0, **more):
        super().__init__()
        tilemap = server.navigation.tilemap
        self.position = point_on(tilemap, tilemap.cell(cell), profile or MoveProfile())
        self.speed = speed
        self.agent = self.add_child(NavigationAgent3D(server, profile, **more))
        self.events = recorded_events(self.agent)

    def _process(self, dt_s):
        if not self.agent.is_navigation_finished():
            self.position = towards(
                self.position, self.agent.get_next_path_position(), self.speed * dt_s
            )


def towards(start, end, step):
    """Return the point at a distance from a start towards an end, at most the end."""
    away = math.dist(start, end)
    share = min(1.0, step / away) if away else 1.0
    return tuple(a + (b - a) * share for a, b in zip(start, end, strict=True))


def recorded_events(agent):
    """Return a list of what an agent emits from now on: names, for waypoints their cells."""
    events = []
    for name in SIGNALS:
        if name == "waypoint_reached":
            agent.waypoint_reached.connect(lambda cell: events.append(tuple(cell[:2])))
        else:
            getattr(agent, name).connect(lambda name=name: events.append(name))
    return events


class Stage:
    """A tree with a server on a map, and bodies."""

    def __init__(self, tilemap, **budget):
        self.tilemap = tilemap
        self.navigation = Navigation(tilemap)
        self.tree = SceneTree()
        self.server = self.tree.root.add_child(NavigationServer3D(self.navigation, **budget))

    def add(self, cell, profile=None, speed=4.0):
        return self.tree.root.add_child(Body(self.server, cell, profile, speed))

    def run(self, n_frames=1):
        for _ in range(n_frames):
            self.tree.advance(DT_S)

    def edit(self, *changes):
        """Set levels of cells, or their kinds if these are names."""
        with self.tilemap.edit() as edit:
            for cell, value in changes:
                set_value = edit.set_kind if isinstance(value, str) else edit.set_level
                set_value(cell, value)


def path_events(cells, *names):
    """Return the events of a walk: a new path, its cells, then names."""
    return ["path_changed", *cells, *names]


ARRIVED = "target_reached", "navigation_finished"
