"""Random games with every kind of entry of the log: save, load, replay, undo and redo them."""
