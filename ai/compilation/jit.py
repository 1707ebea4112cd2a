"""Compile functions with numba at their first call, or in another process meanwhile.

Usually a function is compiled when it is first called with arguments of some types. Within
`uncompiled`, and in a thread whose `in_background` jobs are not done, such a call runs the Python
code of the function instead. The results are the same.

A thread compiles what was run as Python, with the help of another process, which keeps the
interpreter lock of this one free: it writes compiled code to the cache on disk, from where this one
loads it. Where numba is missing, stand-ins leave all functions as they are.
"""

import atexit
import os
import pickle
import queue
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial
from importlib import import_module
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

u64 = np.uint64
"""Cast for indices: with an unsigned index compiled code skips the test for negative ones."""

Array = Any  # of any dtype: numba compiles for each one
Number = Any
Compiled = Any  # what numba makes of a function

F = TypeVar("F", bound=Callable[..., Any])


try:
    import numba
    from numba.core import event
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher as NumbaDispatcher
except (ImportError, OSError) as error:  # a packed game may lack the library of LLVM
    warnings.warn(
        f"searches run as plain Python, some hundred times slower than compiled: {error}",
        RuntimeWarning,
        stacklevel=2,
    )
    njit: Any = lambda **_: lambda function: function  # noqa: E731 - beside those of numba
    Dispatcher: Any = ()  # the types of compiled functions: none
    compiler_lock: Any = nullcontext()
    Listener: Any = object
    install_listener: Any = lambda *_: nullcontext()  # noqa: E731
else:
    njit, Dispatcher, compiler_lock = numba.njit, NumbaDispatcher, global_compiler_lock
    Listener, install_listener = event.Listener, event.install_listener

has_numba = Dispatcher != ()
"""Whether functions can be compiled."""


_SERVE = "from ai.compilation.jit import serve; serve()"
_DONE = b"."
_LAST_S = 3.0
"""The thread that compiles has so long to end before the interpreter does."""


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


Job = Callable[[], object]


class _Here(threading.local):
    """Why the current thread runs uncompiled; it compiles if there is no reason."""

    def __init__(self) -> None:
        self.reasons: list[object] = []


class _Compiler(threading.Thread):
    """Runs jobs and compiles; starts at the first job, and the other process when it compiles."""

    def __init__(self) -> None:
        super().__init__(daemon=True, name="compiler")
        self._jobs: queue.SimpleQueue[tuple[Job, Future[None]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ending = False

    def add(self, job: Job, future: "Future[None]") -> None:
        with self._lock:
            if not self.ident:
                self.start()
                atexit.register(self._end)
        self._jobs.put((job, future))

    def compile(self, dispatcher: Compiled, types: tuple[Any, ...]) -> None:
        with compiler_lock:
            is_cached = dispatcher._cache.load_overload(types, dispatcher.targetctx) is not None
        if not is_cached and not self._is_ending:
            self._fill_cache(dispatcher, types)
        if self._is_ending:
            raise RuntimeError("nothing is compiled while the program ends")
        dispatcher.compile(types)

    def _end(self) -> None:
        """End the thread: the interpreter would wait forever for a module that it imports then."""
        self._is_ending = True
        if self._process is not None:
            self._process.kill()
        self._jobs.put((lambda: None, Future()))
        self.join(_LAST_S)

    def _fill_cache(self, dispatcher: Compiled, types: tuple[Any, ...]) -> None:
        """Let the other process compile a function, where there can be one."""
        name = dispatcher.py_func.__module__, dispatcher.py_func.__name__
        # The executable of a packed program is no interpreter, and an embedded one may have none.
        if getattr(sys, "frozen", False) or not sys.executable:
            return
        with suppress(OSError):  # it cannot be started, or has died
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _SERVE],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
            process: Any = self._process  # both pipes exist
            pickle.dump((*name, types), process.stdin)
            process.stdin.flush()
            process.stdout.read(len(_DONE))

    def run(self) -> None:
        while not self._is_ending:
            job, future = self._jobs.get()
            try:
                job()
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(None)


_here = _Here()
_compiler = _Compiler()


@contextmanager
def uncompiled() -> Iterator[None]:
    """Let the current thread run as Python what is not compiled yet."""
    reason, reasons = object(), _here.reasons
    reasons.append(reason)
    try:
        yield
    finally:
        reasons.remove(reason)


def thread_pool(n_threads: int) -> ThreadPoolExecutor:
    """Return threads that run uncompiled if the current one does."""
    return ThreadPoolExecutor(n_threads, initializer=_inherit, initargs=(tuple(_here.reasons),))


def _inherit(reasons: tuple[object, ...]) -> None:
    _here.reasons.extend(reasons)


def in_background(job: Job) -> "Future[None]":
    """Run a job in the thread that compiles; until it is done the current one runs uncompiled."""
    future: Future[None] = Future()
    _here.reasons.append(future)
    future.add_done_callback(_here.reasons.remove)
    _compiler.add(job, future)
    return future


def let_run_uncompiled(dispatcher: Compiled) -> None:
    """Let a compiled function run as Python too; once it is compiled that costs no time.

    Numba has no public call for this. A wrapper cannot be called by compiled functions, and has to
    find the types of all arguments at each call, which takes some microseconds for each.
    """
    compile_for_args = dispatcher._compile_for_args  # numba calls it where no compiled code fits
    requested: set[object] = set()

    def code_for(*arguments: object) -> Compiled:
        is_compiler = threading.current_thread() is _compiler
        if not is_compiler and not _here.reasons:
            return compile_for_args(*arguments)
        types = tuple(map(dispatcher.typeof_pyval, arguments))
        if is_compiler:
            _compiler.compile(dispatcher, types)
            return compile_for_args(*arguments)
        if _compiler.ident and types not in requested:
            requested.add(types)
            in_background(partial(_compiler.compile, dispatcher, types))
        return _python_of(dispatcher)

    dispatcher._compile_for_args = code_for


def _python_of(dispatcher: Compiled) -> Callable[..., object]:
    """Return the Python code of a compiled function, as silent as what is compiled of it."""
    function = dispatcher.py_func
    plain = FunctionType(function.__code__, _plain_names(function.__module__), function.__name__)

    def run(*arguments: object) -> object:
        with np.errstate(all="ignore"):  # hashes overflow on purpose
            return plain(*arguments)

    return run


@cache
def _plain_names(module: str) -> dict[str, Any]:
    """Return the globals of a module with the Python code of all that is compiled.

    Python cannot call what is made for compiled callers.
    """
    names = dict(vars(sys.modules[module]))
    for name, value in names.items():
        if isinstance(value, Dispatcher):
            code, home = value.py_func.__code__, value.py_func.__module__
            names[name] = FunctionType(code, names if home == module else _plain_names(home), name)
    return names


# No C code calls these functions; without C wrappers they compile faster.
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _cached(dispatcher: Compiled) -> Compiled:
    """Keep what is compiled of a function on disk; no fault of the files there reaches a caller."""
    if not hasattr(dispatcher, "_cache"):  # with compilation off it is the function itself
        return dispatcher
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # neither the package nor the user's folder can be written
        _warn_of_no_cache()
    files = dispatcher._cache
    load, save = files.load_overload, files.save_overload

    def load_if_sound(types: object, context: object) -> object:
        try:
            found = load(types, context)
        except Exception:  # what a damaged file makes of itself may raise anything
            return None
        # Of two processes that save at once, one may give its code the file name of the other.
        return found if found is not None and found.signature.args == types else None

    def save_if_possible(*arguments: object) -> None:
        is_saved, n_tries = False, 2  # the second with a new index, if the old one is damaged
        while not is_saved and n_tries:
            try:
                save(*arguments)
                is_saved = True
            except Exception as error:
                n_tries = 0 if isinstance(error, OSError) else n_tries - 1  # such as a full disk
                with suppress(OSError):
                    files.flush()  # it may already name a file that holds older code

    files.load_overload, files.save_overload = load_if_sound, save_if_possible
    let_run_uncompiled(dispatcher)
    return dispatcher


@cache
def _warn_of_no_cache() -> None:
    """Say, once, how compiled code can be kept."""
    warnings.warn(
        "searches are compiled at each start, since there is no folder to keep them in; "
        "set NUMBA_CACHE_DIR to one that can be written",
        RuntimeWarning,
        stacklevel=2,
    )


def compiled(function: F) -> F:
    """Compile a function at its first call, cache it on disk, and release the interpreter lock.

    A compiled function contains the functions that it calls. The cache on disk does not notice
    when one of them changes in another file: after such an edit delete the `__pycache__` folders.
    """
    made = _cached(njit(**_OPTIONS)(function))
    if made is function:  # compilation is off, but numpy warns where hashes overflow
        made = np.errstate(all="ignore")(function)
    return cast(F, made)


def inlined(function: F) -> F:
    """Inline a small function into its callers: a call with arrays costs more than its body."""
    return cast(F, _cached(njit(inline="always", **_OPTIONS)(function)))


def embedded(function: F) -> F:
    """Compile a helper whose machine code is repeated in its callers, as an alternative to it."""
    return cast(F, njit(no_cpython_wrapper=True, forceinline=True, **_OPTIONS)(function))


def helper(function: F) -> F:
    """Compile a function for calls from compiled functions only; Python cannot call it."""
    return cast(F, njit(no_cpython_wrapper=True, **_OPTIONS)(function))


class _Compilations(Listener):  # type: ignore[misc]  # numba has no types
    """Calls `notice` once, if a compilation lasts for `after_s`; those within it count as one."""

    def __init__(self, notice: Callable[[], object], after_s: float) -> None:
        self._notice, self._after_s = notice, after_s
        self._depth, self._is_noticed = 0, False
        self._timer: threading.Timer | None = None

    def on_start(self, _event: object) -> None:
        self._depth += 1
        if self._depth == 1 and not self._is_noticed:
            self._timer = threading.Timer(self._after_s, self._report)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, _event: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.stop()

    def stop(self) -> None:
        """Forget the compilation that runs now."""
        if self._timer is not None:
            self._timer.cancel()

    def _report(self) -> None:
        self._is_noticed = True
        self._notice()


@contextmanager
def notice_compiling(notice: Callable[[], object], after_s: float = 1.0) -> Iterator[None]:
    """Call `notice` once, from another thread, if something is compiled for `after_s`.

    Loading compiled code from the cache does not count. Without numba nothing is compiled.
    """
    compilations = _Compilations(notice, after_s)
    with install_listener("numba:compile", compilations):
        try:
            yield
        finally:
            compilations.stop()
