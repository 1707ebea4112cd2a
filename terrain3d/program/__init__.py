"""Compose the scene and the commands: the only place that imports both `ai` and the view.

Start with `command_line.py`.
"""
