"""Functions that are not compiled yet run as Python, and another process compiles them."""

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

PROGRAM = """
import sys, threading
from pathlib import Path
import numpy as np
from numba.core import event
from ai.search.all_pairs import shortest
from ai.compilation.uncompiled import in_background, uncompiled

if sys.argv[1] == "packed":
    sys.frozen = True
elif sys.argv[1] == "embedded":
    sys.executable = None
elif sys.argv[1] == "broken":
    sys.executable = "/no/such/python"
compiling = []


class Listener(event.Listener):
    def on_start(self, event):
        compiling.append(threading.current_thread().name)

    def on_end(self, event):
        pass


event.register("numba:compile", Listener())
cost = np.array([[0.0, 3.0, 9.0], [9.0, 0.0, 4.0], [1.0, 9.0, 0.0]])
answers = []
with uncompiled():
    answers.append(shortest(cost.copy()))
    cached = list(Path(sys.argv[2]).rglob("*.nbc"))
    in_background(lambda: shortest(cost.copy())).result()
answers.append(shortest(cost.copy()))
print(len(cached), len(list(Path(sys.argv[2]).rglob("*.nbc"))), sorted(set(compiling)))
print(all(repr(answer) == repr(answers[0]) for answer in answers))
"""


@pytest.mark.parametrize(
    ("kind", "threads"),
    [
        ("usual", []),
        *[(kind, ["compiler"]) for kind in ("packed", "embedded", "broken")],
    ],
)
def test_another_process_compiles_or_else_another_thread(tmp_path, kind, threads):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, kind, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, f"0 1 {threads}\nTrue\n"), done.stderr
