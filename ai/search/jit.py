"""Decorators for compiled functions, and placeholders for types that numba infers."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

u64 = np.uint64
"""Cast for indices: with an unsigned index compiled code skips the test for negative ones."""

Array = Any  # of any dtype: numba compiles for each one
Number = Any

F = TypeVar("F", bound=Callable[..., Any])

_jit: Any = numba.njit  # its type hints leave out some of its options
# No C code calls these functions; without C wrappers they compile faster.
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def compiled(function: F) -> F:
    """Compile a function at its first call, cache it on disk, and release the interpreter lock.

    A compiled function contains the functions that it calls. The cache on disk does not notice
    when one of them changes in another file: after such an edit delete the `__pycache__` folders.
    """
    return cast(F, _jit(cache=True, **_OPTIONS)(function))


def inlined(function: F) -> F:
    """Inline a small function into its callers: a call with arrays costs more than its body."""
    return cast(F, _jit(cache=True, inline="always", **_OPTIONS)(function))


def helper(function: F) -> F:
    """Compile a function for calls from compiled functions only; Python cannot call it."""
    return cast(F, _jit(no_cpython_wrapper=True, **_OPTIONS)(function))
