"""Functions that are not compiled yet run as Python, and another process compiles them."""

import pytest

from tests.support.paths import ROOT
from tests.support.programs import NO_DISPLAY, run_python

PROGRAM = """
import sys, threading
from pathlib import Path
from numba.core import event
from ai.squads.constraints import hash_set_size
from ai.compilation.jit import in_background, uncompiled

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
answers = []
with uncompiled():
    answers.append(hash_set_size(21))
    cached = list(Path(sys.argv[2]).rglob("*.nbc"))
    in_background(lambda: hash_set_size(21)).result()
answers.append(hash_set_size(21))
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
    environment = NO_DISPLAY | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    arguments = "-W", "error", "-c", PROGRAM, kind, str(tmp_path)
    done = run_python(*arguments, env=environment)
    assert (done.returncode, done.stdout) == (0, f"0 1 {threads}\nTrue\n"), done.stderr
