"""Shows two buttons."""

from direct.showbase.ShowBase import ShowBase

from terrain3d.view import Button, Hud, attach

base = ShowBase()
hud = attach(base).root.add_child(Hud())
hud.buttons = [Button("Wait", lambda: print("waiting"), "Space"), Button("Next unit", key="Tab")]
base.run()
