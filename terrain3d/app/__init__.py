"""Read what commands ask for, and convert, inspect and export maps.

May import every subpackage of `terrain3d` but `view` and `program`. Start with `map_options.py`.
"""
