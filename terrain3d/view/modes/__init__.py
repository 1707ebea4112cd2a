"""Turn clicks and keys into orders, edits and settings.

May import `hud` and what it imports. Start with `commander_3d.py`.
"""
