"""The scene under random input: a short soak, and what the command would complain about."""

import pytest

from tests.support.desktop import require_tools
from tests.support.programs import run_python


@pytest.mark.nightly
def test_twenty_seconds_of_anything_leave_nothing_behind():
    require_tools()
    done = run_python("-m", "tests.e2e.soak", "--minutes", "0.333", "--seed", "7", env=None)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing grew" in done.stdout
    assert "Traceback" not in done.stderr
