"""How functions are compiled, and what stands for types that the compiler finds out by itself."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

u64 = np.uint64
"""Of an index that might be negative compiled code asks at every use."""

Array = Any  # of whatever dtype: code is compiled for each that comes
Number = Any

F = TypeVar("F", bound=Callable[..., Any])

_jit: Any = numba.njit  # its type hints leave out some of its options
# Nobody calls these functions from C: without wrappers for it they compile quicker.
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compile a function when it is first called, keep it on disk, let other threads run meanwhile.

    What another file's compiled function calls becomes part of it, and the disk does not notice
    when that changes: after an edit delete the `__pycache__` folders.
    """
    return cast(F, _jit(cache=True, **_OPTIONS)(function))


def inlined(function: F) -> F:
    """Compile a small function into those that call it: a call with arrays costs more than it."""
    return cast(F, _jit(cache=True, inline="always", **_OPTIONS)(function))


def helper(function: F) -> F:
    """Compile a function that only compiled ones call, with them: Python cannot call it."""
    return cast(F, _jit(no_cpython_wrapper=True, **_OPTIONS)(function))
