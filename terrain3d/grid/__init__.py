"""Describe cells: square and hexagonal grids, kinds, links, walls and stacked columns.

May import `terrain3d.core`. Start with `grid.py`.
"""
