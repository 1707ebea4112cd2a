"""Choose the next cell of a unit: chase, flee, patrol, wander, explore and others.

May import `ai.board` and what that imports. Start with `behavior.py`: the base classes, and when a
path is planned again. Values of a wrong type or out of their limits raise `TypeError` or
`ValueError`.
"""
