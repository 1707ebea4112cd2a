"""Cells: square and hexagonal grids, kinds of ground, links, walls and stacked columns.

May import `terrain3d.core`. Start reading with `grid.py`; its `make_grid` makes a grid by name.
"""
