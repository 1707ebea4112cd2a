"""Plan collision-free paths for a squad: CBS, prioritized planning, and LaCAM with PIBT.

May import the modules of `ai.squads` that describe the task and its constraints. Start with
`methods.py`, which lists the planners in the order they are tried.
"""
