"""Functions that are not compiled yet run as Python, and another process compiles them."""

from tests.support.forks import fork_python

MODULE = """
from ai.compilation.jit import compiled
"""
FUNCTION = """
@compiled
def {name}(x):
    return x * 2.5
"""
PROGRAM = """
import os, sys, threading, warnings
from pathlib import Path
import numba
from numba.core import event
from ai.compilation.jit import in_background, uncompiled

cache = Path("cache")
numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = str(cache.absolute())
sys.path.insert(0, os.getcwd())
import doubling

compiling = []
warnings.simplefilter("error")


class Listener(event.Listener):
    def on_start(self, event):
        compiling.append(threading.current_thread().name)

    def on_end(self, event):
        pass


event.register("numba:compile", Listener())
executable = sys.executable
for kind in sys.argv[1:]:
    sys.frozen = kind == "packed"
    sys.executable = {"embedded": None, "broken": "/no/such/python"}.get(kind, executable)
    double, answers = getattr(doubling, kind), []
    with uncompiled():
        answers.append(double(21))
        cached = list(cache.rglob(f"*{kind}*.nbc"))
        in_background(lambda: double(21)).result()
    answers.append(double(21))
    files = len(cached), len(list(cache.rglob(f"*{kind}*.nbc")))
    print(kind, *files, compiling, answers)
    compiling.clear()
"""


def test_another_process_compiles_or_else_another_thread(tmp_path):
    kinds = "packed", "embedded", "broken", "usual"  # the other process remains for later ones
    functions = [FUNCTION.format(name=kind) for kind in kinds]
    (tmp_path / "doubling.py").write_text("".join((MODULE, *functions)))
    done = fork_python(PROGRAM, *kinds, cwd=tmp_path)
    threads = ["compiler"], ["compiler"], ["compiler"], []
    assert done.stdout.splitlines() == [
        f"{kind} 0 1 {compiling} [52.5, 52.5]"
        for kind, compiling in zip(kinds, threads, strict=True)
    ]
