"""Decorators for compiled functions, types that numba infers, and a notice of slow compiling."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Timer
from typing import Any, TypeVar, cast

import numpy as np

from ai.compilation.uncompiled import Listener, install_listener, let_run_uncompiled, njit

u64 = np.uint64
"""Cast for indices: with an unsigned index compiled code skips the test for negative ones."""

Array = Any  # of any dtype: numba compiles for each one
Number = Any
Dispatcher = Any  # what numba makes of a function

F = TypeVar("F", bound=Callable[..., Any])

_jit: Any = njit  # its type hints leave out some of its options
# No C code calls these functions; without C wrappers they compile faster.
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _cached(dispatcher: Dispatcher) -> Dispatcher:
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
    made = _cached(_jit(**_OPTIONS)(function))
    if made is function:  # compilation is off, but numpy warns where hashes overflow
        made = np.errstate(all="ignore")(function)
    return cast(F, made)


def inlined(function: F) -> F:
    """Inline a small function into its callers: a call with arrays costs more than its body."""
    return cast(F, _cached(_jit(inline="always", **_OPTIONS)(function)))


def embedded(function: F) -> F:
    """Compile a helper whose machine code is repeated in its callers, as an alternative to it."""
    return cast(F, _jit(no_cpython_wrapper=True, forceinline=True, **_OPTIONS)(function))


def helper(function: F) -> F:
    """Compile a function for calls from compiled functions only; Python cannot call it."""
    return cast(F, _jit(no_cpython_wrapper=True, **_OPTIONS)(function))


class _Compilations(Listener):  # type: ignore[misc]  # numba has no types
    """Calls `notice` once, if a compilation lasts for `after_s`; those within it count as one."""

    def __init__(self, notice: Callable[[], object], after_s: float) -> None:
        self._notice, self._after_s = notice, after_s
        self._depth, self._is_noticed = 0, False
        self._timer: Timer | None = None

    def on_start(self, _event: object) -> None:
        self._depth += 1
        if self._depth == 1 and not self._is_noticed:
            self._timer = Timer(self._after_s, self._report)
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
