"""Price the steps of a movement profile on a map, and say why a step is illegal.

May import `ai.search` and `terrain3d` (not its view). Start with `profile.py`, then
`step_rule.py`: it owns the question who may step where at what cost.
"""
