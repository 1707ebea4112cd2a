"""Record searches step by step, replay them and compare two of them.

May import `ai.navigation` and what it imports. Start with `recording.py`.
"""
