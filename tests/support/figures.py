"""Units without rules, for figures: a pose, a team and a cell."""

from dataclasses import dataclass

from terrain3d import Cell


@dataclass
class Pose:
    point: tuple[float, float, float]
    heading_deg: float = 0.0
    action: str = "stand"


class Mover:
    """Stands where it is put, and records the time that passes."""

    def __init__(self, point=(2.5, -2.5, 0.0), team="blue", cell=None):
        self.name, self.team, self.pose = "Mira", team, Pose(point)
        self.cell = Cell(int(-point[1]), int(point[0])) if cell is None else cell
        self.advanced_s = []

    def advance(self, dt_s):
        self.advanced_s.append(dt_s)
