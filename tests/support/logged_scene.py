"""The program with a log of what happens in its scene: `-m tests.support.logged_scene FILE ...`.

The words after the file are those of the program. Each line of the file is one event, as JSON.
"""

import json
import sys
from pathlib import Path

import numpy as np

from terrain3d.program import game_scene, main, modes
from terrain3d.view.window.viewport import ScreenProjection
from tests.support.looks import make_shadows_small


class LoggedScene(game_scene.GameScene):
    """The scene, which logs what a person does and what it answers."""

    log: Path

    def _ready(self):
        super()._ready()
        commander = self.commander
        self.readiness.opened.connect(lambda: self._write_state("ready", **self._chosen()))
        if isinstance(self.play, modes.PeacefulMode):
            self.play.box.drawn.connect(self._write_squad)
            self.play.autopilot.changed.connect(self._write_behavior)
        self.panda.input.refused.connect(lambda reason: self._write_state("told", reason=reason))
        self.edit.editor.message.connect(lambda message: self._write("edited", message=message))
        self.preferences.changed.connect(self._write_setting, weak=True)
        commander.tile_aimed.connect(lambda cell: self._write("hover", cell=cell) if cell else None)
        commander.unit_selected.connect(self._write_selected)
        commander.order_given.connect(lambda _unit, path: self._write("ordered", cells=path.cells))
        commander.squad_ordered.connect(self._write_squad_order)
        commander.order_undone.connect(lambda _is_done: self._write_state("undo"))
        commander.order_redone.connect(lambda _is_done: self._write_state("redo"))
        commander.refused.connect(lambda reason: self._write("refused", reason=reason))
        for unit in self.board.units:
            unit.move_finished.connect(lambda cell: self._write_state("arrived", cell=cell))

    def _replace(self, seed, *values):
        self._write("new_map", seed=seed)
        super()._replace(seed, *values)

    def _write(self, event, **values):
        with self.log.open("a") as file:
            file.write(json.dumps({"event": event, **values}) + "\n")

    def _write_selected(self, unit):
        self._write("selected", unit=unit.name if unit else None)

    def _write_state(self, event, **values):
        self._write(event, **values, **self._state())

    def _write_behavior(self, unit):
        if behavior := self.play.autopilot.behavior_of(unit):
            self._write("autopilot", unit=unit.name, behavior=type(behavior).__name__)

    def _write_setting(self, name):
        self._write("setting", name=name, value=self._chosen()["settings"][name])

    def _write_squad_order(self, order):
        goals = {unit.name: goal for unit, goal in zip(order.units, order.goals, strict=True)}
        self._write("squad_ordered", goals=goals)

    def _write_squad(self, *_):
        self._write("squad_selected", units=[unit.name for unit in self.commander.squad])

    def _chosen(self):
        return {"settings": self.preferences.settings.as_dict()}

    def _state(self):
        """Give each unit's cell, and the pixel of its middle from the window's top left corner."""
        units, panda = [], self.terrain.panda
        projection = ScreenProjection.of(panda.viewport, self.terrain.np)
        for unit, figure in self.figures.items():
            middle = np.add([figure.point], (0.0, 0.0, 0.4))
            (pixel,) = np.rint(projection.in_pixels(middle)).astype(int).tolist()
            units.append({"name": unit.name, "team": unit.team, "cell": unit.cell, "pixel": pixel})
        return {"units": units}


if __name__ == "__main__":
    make_shadows_small()
    LoggedScene.log = Path(sys.argv[1])
    game_scene.GameScene = LoggedScene
    sys.exit(main(sys.argv[2:]))
