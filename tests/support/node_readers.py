"""Readers of files in JavaScript, for tests of what is written.

npm install --no-package-lock --prefix tests/node_readers
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.support.optional import skip_or_fail
from tests.support.paths import ROOT

FOLDER = ROOT / "tests" / "node_readers"


def read_by_node(reader: str, path: Path) -> Any:
    """Return what a reader of `read.cjs` finds in a file."""
    install = "npm install --no-package-lock --prefix tests/node_readers"
    if shutil.which("node") is None or not (FOLDER / "node_modules").is_dir():
        skip_or_fail(f"needs node and its packages: {install}")
    command = ["node", FOLDER / "read.cjs", reader, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Cannot find " in done.stderr:
        skip_or_fail(f"needs all packages: {install}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
