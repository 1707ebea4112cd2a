"""Support for the tests of a game: hypothesis strategies, and a pytest plugin that checks maps.

May import all of `ai`; nothing else imports it. `strategies.py` requires hypothesis and
`pytest_plugin.py` pytest, which `pip install "terrain3d-tactics[testing]"` installs.
"""
