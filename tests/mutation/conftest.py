"""Leave the modules out where the packages of the extra `dev` are missing, except in CI."""

import os
from importlib.util import find_spec

is_complete = all(map(find_spec, ("cosmic_ray", "coverage")))
collect_ignore_glob = [] if is_complete or os.environ.get("CI") else ["*.py"]
