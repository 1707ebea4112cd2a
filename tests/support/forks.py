"""Python code in forks of a process that has imported all: alone as in a new one, but sooner."""

import atexit
import json
import os
import subprocess
import sys
import traceback
from contextlib import suppress
from functools import cache
from importlib import import_module
from tempfile import TemporaryFile

from tests.support.paths import ROOT
from tests.support.programs import NO_DISPLAY

SERVER = "from tests.support.forks import serve; serve()"
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
    """Run a command line of the program in a fork."""
    return fork_python(COMMAND, *arguments, check=False, **more)


@cache
def _server():
    """Start the process that forks; it ends with this one."""
    pipe = subprocess.PIPE
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=pipe, stdout=pipe, cwd=ROOT, env=NO_DISPLAY, text=True
    )
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
