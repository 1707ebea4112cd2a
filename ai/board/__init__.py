"""Keep units on a map: positions, teams, orders, undo, replay and digest.

May import `ai.squads`, `ai.navigation` and what those import. Start with `board.py`, which carries
out orders; `state.py` has the rules of turns, `planning.py` answers where each unit could go.
"""

from ai.board import reasons as reasons
