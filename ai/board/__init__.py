"""Keep units on a map: positions, teams, orders, undo, replay and digest.

May import `ai.squads` and what that imports. Start with `board.py`, which carries out orders;
`occupancy.py` answers where each unit could go.
"""
