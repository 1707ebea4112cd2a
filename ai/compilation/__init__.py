"""Compile functions with numba: at their first call, in another process, or not at all.

May import nothing else of `ai` nor `terrain3d`. Start with `jit.py`, the decorators;
`uncompiled.py` imports numba, or replaces it where it is missing, and runs the same functions as
Python while they are compiled.
"""
