"""Compile functions with numba: at their first call, in another process, or not at all.

May import nothing else of `ai` nor `terrain3d`.
"""
