"""Compile functions with numba at their first call, and keep what is compiled on disk.

These are the functions marked `compiled` or `inlined`: searches, prices of steps, choke points.
They are compiled again when their file changes, for other types of arguments, and with another
numba, Python or processor. Where numba is missing they stay Python, some hundred times slower, with
one warning.
"""

import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

Int = Any
"""A whole number: to compiled code those of Python and of numpy are the same."""

F = TypeVar("F", bound=Callable[..., Any])

try:
    import numba
    from numba.core import event
except (ImportError, OSError) as error:  # a packed game may lack the library of LLVM
    warnings.warn(
        f"searches run as plain Python, some hundred times slower than compiled: {error}",
        RuntimeWarning,
        stacklevel=2,
    )
    _numba: Any = None
    Listener: Any = object
else:
    _numba, Listener = numba, event.Listener

has_numba = _numba is not None

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def compiled(function: F) -> F:
    """Compile a function at its first call, cache it on disk, and release the interpreter lock.

    A compiled function contains the functions that it calls. The cache on disk does not notice
    when one of them changes in another file: after such an edit delete the `__pycache__` folders.
    """
    if not has_numba:
        return function
    try:
        return cast(F, _guarded(_numba.njit(cache=True, **_OPTIONS)(function)))
    except RuntimeError:  # neither the package nor the user's folder can be written
        _warn_of_no_cache()
        return cast(F, _numba.njit(**_OPTIONS)(function))


def inlined(function: F) -> F:
    """Compile a function whose machine code is repeated in each function that calls it."""
    return cast(F, _numba.njit(forceinline=True, **_OPTIONS)(function)) if has_numba else function


def _guarded(function: Any) -> Any:  # noqa: ANN401 - numba has no types
    """Let no fault of the cache on disk reach a caller; what is damaged is compiled again.

    The functions of a cache that load and save are the only private names of numba used here.
    """
    files = getattr(function, "_cache", None)
    if files is None:  # compilation is off
        return function
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
    return function


def is_cached(function: Callable[..., Any]) -> bool:
    """Return whether a function was compiled on this machine since its file last changed."""
    code = function.py_func.__code__ if hasattr(function, "py_func") else None
    if code is None:
        return True  # it is not compiled at all
    source, folder = Path(code.co_filename), function.stats.cache_path  # type: ignore[attr-defined]
    if folder is None or not source.exists():
        return False
    indexes = Path(folder).glob(f"{source.stem}.{code.co_name}-*.nbi")
    return any(index.stat().st_mtime > source.stat().st_mtime for index in indexes)


@cache
def _warn_of_no_cache() -> None:
    """Say, once, how compiled code can be kept."""
    warnings.warn(
        "searches are compiled at each start, since there is no folder to keep them in; "
        "set NUMBA_CACHE_DIR to one that can be written",
        RuntimeWarning,
        stacklevel=2,
    )


AFTER_S = 1.0
"""A program that waits for the compiler for longer says so."""


class _Notice(Listener):  # type: ignore[misc]  # numba has no types
    """Says once, on the standard error, that a thread waits for the compiler."""

    def __init__(self) -> None:
        self._depth = 0
        self._timer: threading.Timer | None = None

    def on_start(self, _event: object) -> None:
        self._depth += 1
        if self._depth == 1 and self._timer is None:
            self._timer = threading.Timer(AFTER_S, self._say)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, _event: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._timer is not None and self._timer.is_alive():
            self._timer.cancel()
            self._timer = None

    def _say(self) -> None:
        if sys.stderr is not None and not sys.is_finalizing():
            with suppress(OSError, ValueError):  # closed
                sys.stderr.write("compiling the searches, once on this machine ...\n")


if has_numba:
    _notice = _Notice()
    event.register("numba:compile", _notice)  # type: ignore[no-untyped-call]
