"""Events of a scene as lines of the event log."""

from collections.abc import Mapping

import ai
from terrain3d import Cell, view
from terrain3d.core.event_log import EventLog


class SceneLog:
    """Writes the events of one scene, whose units have `figures` on screen, to a log."""

    def __init__(self, log: EventLog, figures: Mapping[ai.Unit, view.Unit3D]) -> None:
        self._log, self._figures = log, figures

    def write(self, event: str, **values: object) -> None:
        """Write one event."""
        self._log.write(event, **values)

    def units(self) -> list[dict[str, object]]:
        """Return each unit's cell, and its pixel from the window's top left corner."""
        return [
            {"name": unit.name, "team": unit.team, "cell": unit.cell, "pixel": figure.pixel}
            for unit, figure in self._figures.items()
        ]

    def follow(self, commander: ai.Commander) -> None:
        """Log selections, orders, refusals and arrivals from now on."""
        write = self.write
        commander.unit_selected.connect(
            lambda unit: write("selected", unit=unit.name if unit else None)
        )
        commander.order_given.connect(
            lambda unit, path: write("ordered", unit=unit.name, cells=path.cells, cost=path.cost)
        )
        commander.squad_ordered.connect(self._write_squad_order)
        commander.order_undone.connect(lambda is_done: self._write_undone("undo", is_done))
        commander.order_redone.connect(lambda is_done: self._write_undone("redo", is_done))
        commander.refused.connect(lambda reason: write("refused", reason=reason))
        for unit in commander.board.units:
            unit.move_finished.connect(lambda cell, unit=unit: self._write_arrival(unit, cell))

    def _write_squad_order(self, order: ai.SquadOrder) -> None:
        goals = {unit.name: goal for unit, goal in zip(order.units, order.goals, strict=True)}
        self.write("squad_ordered", goals=goals, ticks=order.plan.ticks)

    def _write_undone(self, event: str, is_done: bool) -> None:
        self.write(event, done=is_done, units=self.units())

    def _write_arrival(self, unit: ai.Unit, cell: Cell) -> None:
        self.write("arrived", unit=unit.name, cell=cell, units=self.units())
