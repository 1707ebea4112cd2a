"""Functions that are compiled or loaded from the cache, since no call had such arguments before."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from numba.core.dispatcher import Dispatcher


@contextmanager
def first_calls() -> Iterator[list[tuple[str, str]]]:
    """Yield a list of such functions from now on, each with the name of the thread."""
    found, compile_for = list[tuple[str, str]](), Dispatcher.compile

    def note(dispatcher, types):
        found.append((dispatcher.py_func.__name__, threading.current_thread().name))
        return compile_for(dispatcher, types)

    with mock.patch.object(Dispatcher, "compile", note):
        yield found
