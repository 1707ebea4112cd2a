"""Compile functions in another process, which keeps the interpreter lock of this one free.

The other process writes compiled code to the cache on disk, from where this one loads it.
"""

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

_SERVE = "from ai.compilation.compiler_process import serve; serve()"
_DONE = b"."

Compiled = Any  # what numba makes of a function


class CompilerProcess:
    """Starts the other process at the first request; it ends with this one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def fill_cache(self, dispatcher: Compiled, types: tuple[Any, ...]) -> None:
        """Compile a function for types of arguments; without effect where that is impossible."""
        name = dispatcher.py_func.__module__, dispatcher.py_func.__name__
        # The executable of a packed program is no interpreter, and an embedded one may have none.
        if getattr(sys, "frozen", False) or not sys.executable:
            return
        with suppress(OSError):  # it cannot be started, or has died
            process: Any = self._started()  # both pipes exist
            pickle.dump((*name, types), process.stdin)
            process.stdin.flush()
            process.stdout.read(len(_DONE))

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _SERVE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        return self._process


def serve() -> None:
    """Compile what is asked for on the standard input, until it ends."""
    if hasattr(os, "nice"):
        os.nice(5)  # the picture goes first
    while True:
        try:
            module, name, types = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        getattr(import_module(module), name).compile(types)
        sys.stdout.buffer.write(_DONE)
        sys.stdout.buffer.flush()
