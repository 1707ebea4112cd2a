"""Shows panels of text and the help."""

from direct.showbase.ShowBase import ShowBase

from terrain3d.view import Hud, attach

base = ShowBase()
hud = attach(base).root.add_child(Hud())
hud.unit_text, hud.unit_color = "Mira\nmoves 5, climbs 2", (0.3, 0.5, 0.9)
hud.status_text = "Mira has arrived"
hud.keys = [("Space", "wait"), ("Tab", "the next unit")]
base.run()
