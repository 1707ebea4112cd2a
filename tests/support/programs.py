"""Programs and code in processes of their own, without a display; the program in this process.

`fork_python` runs code in a fork of a process that has imported all: alone as in a new one, but
sooner. For readers in JavaScript: npm install --no-package-lock --prefix tests/node_readers
"""

import atexit
import json
import os
import shutil
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from unittest import mock

from tests.support import ROOT
from tests.support.selection import skip_or_fail

NO_DISPLAY = os.environ | {"DISPLAY": ":4242"}
SCRIPT = [str(ROOT / "main.py")]
MODULE = ["-m", "terrain3d"]


def run_python(*arguments, cwd=ROOT, env=NO_DISPLAY, check=False, **more):
    """Run Python, and return its exit status and what it has printed."""
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=env, check=check, **more)


def run(*arguments, program=SCRIPT, **more):
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


SERVER = "from tests.support.programs import serve; serve()"
COMMAND = "import sys\nfrom terrain3d.program import main\nsys.exit(main(sys.argv[1:]))"


def fork_python(code, *arguments, cwd=ROOT, env=(), check=True):
    """Run code in a fork, as `run_python("-c", code, *arguments)` runs it in a new process.

    `env` adds to the environment.
    """
    server = _server()
    server.stdin.write(json.dumps([code, list(map(str, arguments)), str(cwd), dict(env)]) + "\n")
    server.stdin.flush()
    done = subprocess.CompletedProcess(code, *json.loads(server.stdout.readline()))
    assert not (check and done.returncode), done.stderr
    return done


def fork_main(*arguments, **more):
    return fork_python(COMMAND, *arguments, check=False, **more)


@cache
def _server():
    """Start the process that forks; it ends with this one."""
    more = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, env=NO_DISPLAY, **more)
    atexit.register(server.communicate)
    return server


def serve():
    """Fork for each request on the standard input, until it ends."""
    _import_all()
    for line in sys.stdin:
        code, arguments, folder, environment = json.loads(line)
        with TemporaryFile() as out, TemporaryFile() as err:
            child = os.fork()
            if not child:
                for number, file in enumerate((out, err), 1):
                    os.dup2(file.fileno(), number)
                os.chdir(folder)
                os.environ.update(environment)
                sys.argv[1:] = arguments
                _run(code)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            printed = [(file.seek(0), file.read().decode())[1] for file in (out, err)]
        print(json.dumps([status, *printed]), flush=True)


def _run(code):
    """Run code and end the process, without taking down what was imported."""
    status = 1
    try:
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status)


def _import_all():
    """Import what programs import, compute textures and load what is compiled; open no window."""
    for name in "ai", "ai.view", "terrain3d", "terrain3d.view", "terrain3d.program.run_scene":
        package = import_module(name)
        for public in getattr(package, "__all__", ()):
            getattr(package, public)
    from ai import Board, Unit
    from terrain3d import TileMap
    from terrain3d.view.geometry import grain_texture, ripple_texture

    grain_texture(), ripple_texture()
    board = Board(TileMap.from_text("000\n000"))
    mira = board.add(Unit("Mira", (0, 0)))
    board.move(mira, board.reach(mira).cells[-1])


READERS = ROOT / "tests" / "node_readers"


def read_by_node(reader: str, path: Path) -> Any:
    """Return what a reader of `read.cjs` finds in a file."""
    install = "npm install --no-package-lock --prefix tests/node_readers"
    if shutil.which("node") is None or not (READERS / "node_modules").is_dir():
        skip_or_fail(f"needs node and its packages: {install}")
    command = ["node", READERS / "read.cjs", reader, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Cannot find " in done.stderr:
        skip_or_fail(f"needs all packages: {install}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def first_calls() -> Iterator[list[tuple[str, str]]]:
    """Yield a list of such functions from now on, each with the name of the thread."""
    from numba.core.dispatcher import Dispatcher

    found, compile_for = list[tuple[str, str]](), Dispatcher.compile

    def note(dispatcher, types):
        found.append((dispatcher.py_func.__name__, threading.current_thread().name))
        return compile_for(dispatcher, types)

    with mock.patch.object(Dispatcher, "compile", note):
        yield found
