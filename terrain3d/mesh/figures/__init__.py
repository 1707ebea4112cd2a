"""Small people as meshes, each sort with an outline of its own."""

from terrain3d.mesh.figures.catalog import SHAPES, Figure, figure

__all__ = ["SHAPES", "Figure", "figure"]
