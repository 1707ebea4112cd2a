"""Keep units on a map: positions, teams, orders, undo, replay and digest.

May import `ai.behaviors`, `ai.squads` and what those import. Start with `board.py`,
which carries out orders; `occupancy.py` answers where each unit could go.
"""

from ai.board import reasons as reasons
