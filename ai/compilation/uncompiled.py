"""Run compiled functions as plain Python where nobody may wait for the compiler.

Usually a function is compiled when it is first called with arguments of some types. Within
`uncompiled`, and in a thread whose `in_background` jobs are not done, such a call runs the Python
code of the function instead. The results are the same.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from ai.compilation.compiler_process import Compiled, CompilerProcess

Job = Callable[[], object]


class _Here(threading.local):
    """Why the current thread runs uncompiled; it compiles if there is no reason."""

    def __init__(self) -> None:
        self.reasons: list[object] = []


_here = _Here()
_lock = threading.Lock()
_jobs: "queue.SimpleQueue[tuple[Job, Future[None]]]" = queue.SimpleQueue()
_other_process = CompilerProcess()
_plain_names: dict[str, dict[str, Any]] = {}  # of each module: its globals, nothing compiled


@contextmanager
def uncompiled() -> Iterator[None]:
    """Let the current thread run as Python what is not compiled yet."""
    reason, reasons = object(), _here.reasons
    reasons.append(reason)
    try:
        yield
    finally:
        reasons.remove(reason)


def in_background(job: Job) -> "Future[None]":
    """Run a job in the thread that compiles; until it is done the current one runs uncompiled."""
    future: Future[None] = Future()
    _here.reasons.append(future)
    future.add_done_callback(_here.reasons.remove)
    with _lock:
        if not _compiler.ident:
            _compiler.start()
    _jobs.put((job, future))
    return future


def let_run_uncompiled(dispatcher: Compiled) -> None:
    """Let a compiled function run as Python too; once it is compiled that costs no time."""
    compile_for_args = dispatcher._compile_for_args  # numba calls it where no compiled code fits
    requested: set[object] = set()

    def code_for(*arguments: object) -> Compiled:
        is_compiler = threading.current_thread() is _compiler
        if not is_compiler and not _here.reasons:
            return compile_for_args(*arguments)
        types = tuple(map(dispatcher.typeof_pyval, arguments))
        if is_compiler:
            _compile(dispatcher, types)
            return compile_for_args(*arguments)
        if _compiler.ident and types not in requested:
            requested.add(types)
            in_background(partial(_compile, dispatcher, types))
        return _python_of(dispatcher)

    dispatcher._compile_for_args = code_for


def _compile(dispatcher: Compiled, types: tuple[Any, ...]) -> None:
    with global_compiler_lock:
        is_cached = dispatcher._cache.load_overload(types, dispatcher.targetctx) is not None
    if not is_cached:
        _other_process.fill_cache(dispatcher, types)
    dispatcher.compile(types)


def _python_of(dispatcher: Compiled) -> Callable[..., object]:
    """Return the Python code of a compiled function, as silent as what is compiled of it."""
    with _lock:
        function = _copy(dispatcher.py_func)

    def run(*arguments: object) -> object:
        with np.errstate(all="ignore"):  # hashes overflow on purpose
            return function(*arguments)

    return run


def _copy(function: FunctionType) -> Callable[..., object]:
    """Return a copy that calls copies: Python cannot call what is made for compiled callers."""
    names = _plain_names.get(function.__module__)
    if names is None:
        names = _plain_names[function.__module__] = dict(function.__globals__)
        for name, value in function.__globals__.items():
            if isinstance(value, Dispatcher):
                names[name] = _copy(value.py_func)
    return FunctionType(function.__code__, names, function.__name__)


def _run_jobs() -> None:
    while True:
        job, future = _jobs.get()
        try:
            job()
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(None)


_compiler = threading.Thread(target=_run_jobs, daemon=True, name="compiler")
