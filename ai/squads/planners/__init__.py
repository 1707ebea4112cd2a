"""Multi-agent planners for a squad task: LaCAM with PIBT, prioritized planning and CBS.

May import the modules of `ai.squads` that describe tasks, graphs, constraints and conflicts, but
not `planner.py` and `request.py`. Start with `lacam.py`, which plans crowds.
"""
