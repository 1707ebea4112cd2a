"""Map analysis: problems and choke points for a profile; height and cover.

May import `ai.rules`, `ai.search` and `ai.compilation`, nothing else of `ai`. Start with
`map_check.py`, which finds the problems of a map for `Navigation.check`.
"""
