"""Shows three texts."""

from direct.showbase.ShowBase import ShowBase

from terrain3d.view import Labels3D, attach

base = ShowBase()
base.disable_mouse()
base.camera.set_pos(2, -10, 0)
labels = attach(base).root.add_child(Labels3D())
labels.size, labels.color = 1.5, (1.0, 0.8, 0.3)
labels.show([(0, 0, 0), (2, 0, 1), (4, 0, 0)], ["12", "+3", "0.5"])
base.run()
