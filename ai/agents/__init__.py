"""Lead nodes to a target as Godot's NavigationAgent3D and NavigationServer3D do.

May import `ai.behaviors`, `ai.squads`, `ai.trace` and what those import. Start with
`navigation_agent.py`.
"""
