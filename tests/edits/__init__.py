"""Answers with an index, through many edits, compared with a new Navigation without one."""
