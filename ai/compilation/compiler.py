"""What `ai` uses of numba; where that is missing, stand-ins that leave functions as they are."""

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _NoDispatcher:
    """The type of compiled functions where there are none."""


def _no_events(_kind: str, _listener: object) -> nullcontext[None]:
    """Return a context in which nothing is compiled."""
    return nullcontext()


def _unchanged(**_options: object) -> Callable[[F], F]:
    """Return a decorator that returns its function."""
    return lambda function: function


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
    njit: Any = _unchanged
    Dispatcher: Any = _NoDispatcher
    compiler_lock: Any = nullcontext()
    Listener: Any = object
    install_listener: Any = _no_events
else:
    njit, Dispatcher, compiler_lock = numba.njit, NumbaDispatcher, global_compiler_lock
    Listener, install_listener = event.Listener, event.install_listener
