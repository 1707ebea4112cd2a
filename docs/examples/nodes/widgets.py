"""Shows a slider."""

from direct.showbase.ShowBase import ShowBase

from terrain3d.view import Hud, attach
from terrain3d.view.hud.widgets import Slider, Text, plate

base = ShowBase()
hud = attach(base).root.add_child(Hud())


def show_volume(place):
    hud.show(
        "volume", plate(Text(f"Volume {place}"), Slider(place, 10, show_volume)), "bottom right"
    )


show_volume(7)
base.run()
