"""Picking in random views: lenses, regions of the window, and parents of the terrain."""
