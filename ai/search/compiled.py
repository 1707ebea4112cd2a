"""How functions are compiled, and what stands for types that the compiler finds out by itself."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Array = Any  # of whatever dtype: code is compiled for each that comes
Number = Any

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function when it is first called, keep it on disk, let other threads run meanwhile.

    What another file's compiled function calls becomes part of it, and the disk does not notice
    when that changes: after an edit delete the `__pycache__` folders.
    """
    made: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return cast(F, made)


def inlined(function: F) -> F:
    """Compile a small function into those that call it: a call with arrays costs more than it."""
    made: Any = numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")(function)
    return cast(F, made)
