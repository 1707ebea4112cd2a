"""Runs of the program, and of code, in processes of their own and without a display."""

import os
import subprocess
import sys

from tests.support.paths import ROOT

NO_DISPLAY = os.environ | {"DISPLAY": ":4242"}
SCRIPT = [str(ROOT / "main.py")]
MODULE = ["-m", "terrain3d"]


def run_python(*arguments, cwd=ROOT, env=NO_DISPLAY, check=False, **more):
    """Run Python, and return its exit status and what it has printed."""
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=env, check=check, **more)


def run(*arguments, program=SCRIPT, **more):
    """Run a command line of the program."""
    return run_python(*program, *arguments, **more)


def run_main(capsys, *arguments):
    """Run a command line in this process; return its exit status and the lines of both streams."""
    from terrain3d.program import main

    try:
        status = main(list(arguments))
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()
