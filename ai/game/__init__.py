"""Connect movement to an interactive scene: selection, autopilot, squad orders, texts.

May import all other subpackages of `ai`. Start with `commander.py`, which turns a player's
selection and aim into orders.
"""

from ai.game import reasons as reasons
