"""The rules of movement: profiles, the prices of their steps on a map, and reasons.

May import `ai.search` and `terrain3d` (not its view). Start with `profile.py`, the data of a mover,
then read `steps.py`, the one place that decides whether a step is legal.
"""
