"""Agents: nodes that lead other nodes to targets, as Godot's NavigationAgent3D does.

May import `ai.behaviors`, `ai.squads`, `ai.trace` and what those import. Start reading with
`navigation_agent.py`; the searches of all agents share the budget of `navigation_server.py`.
"""
