"""Turn command line options into maps and settings; convert, describe and export maps.

May import every subpackage of `terrain3d` but `view` and `program`. Start with `map_options.py`.
"""
