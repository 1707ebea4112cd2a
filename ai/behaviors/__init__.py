"""Choose the next cell of a unit: chase, flee, patrol, wander, explore and others.

May import `ai.navigation`, `ai.motion` and what those import. Start with `behavior.py`: the base
class, its input, and the path that a behavior follows. Values of a wrong type or out of their
limits raise `TypeError` or `ValueError`.
"""
