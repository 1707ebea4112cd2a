"""How much hypothesis tries: quickly by default, `--hypothesis-profile=thorough` for more."""

import os

from hypothesis import settings

# In CI the same examples every time, so that whoever reads a red run sees it again at home.
IS_CI = bool(os.environ.get("CI"))

settings.register_profile("fast", max_examples=60, deadline=None, derandomize=IS_CI)
settings.register_profile("thorough", max_examples=2000, deadline=None, derandomize=IS_CI)
settings.load_profile("fast")
