"""Turn a path into a pose over time.

May import `ai.rules`, `ai.search` and `terrain3d` (not its view). Start with `motion.py`.
"""
