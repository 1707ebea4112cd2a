"""Decorators for compiled functions, and placeholders for types that numba infers.

Notice that compiling takes long, for programs that a person waits for.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
    """Let a function that is compiled work when its cache cannot be written, as on a full disk."""
    if not hasattr(dispatcher, "_cache"):  # with compilation off it is the function itself
        return dispatcher
    cache = dispatcher._cache
    save = cache.save_overload

    def save_if_possible(*arguments: object) -> None:
        try:
            save(*arguments)
        except OSError:
            with suppress(OSError):
                cache.flush()  # its index may already name a file that holds older code

    cache.save_overload = save_if_possible
    let_run_uncompiled(dispatcher)
    return dispatcher


def compiled(function: F) -> F:
    """Compile a function at its first call, cache it on disk, and release the interpreter lock.

    A compiled function contains the functions that it calls. The cache on disk does not notice
    when one of them changes in another file: after such an edit delete the `__pycache__` folders.
    """
    made = _cached(_jit(cache=True, **_OPTIONS)(function))
    if made is function:  # compilation is off, but numpy warns where hashes overflow
        made = np.errstate(all="ignore")(function)
    return cast(F, made)


def inlined(function: F) -> F:
    """Inline a small function into its callers: a call with arrays costs more than its body."""
    return cast(F, _cached(_jit(cache=True, inline="always", **_OPTIONS)(function)))


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
