"""A lock that several readers hold at once, or one writer alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Self


class ReadWriteLock:
    """Lets threads read at the same time, and a writer change in between what they read.

    `with lock:` is for readers; a thread may nest it. A writer waits for the readers that are
    inside, and readers that come later wait for the writer.
    """

    def __init__(self) -> None:
        self._readers: list[int] = []  # threads; its methods are atomic
        self._is_writing = False
        self._condition = threading.Condition()

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        """Copy and pickle as a new lock."""
        return type(self), ()

    def __enter__(self) -> None:
        """Begin to read."""
        # A reader is counted before it looks for a writer, and a writer is marked before it looks
        # for readers: one of the two notices the other.
        self._readers.append(get_ident())
        if self._is_writing:
            self._let_writer_pass()

    def __exit__(self, *_: object) -> None:
        """End reading."""
        self._readers.remove(get_ident())
        if self._is_writing:
            with self._condition:
                self._condition.notify_all()

    def _let_writer_pass(self) -> None:
        me = get_ident()
        if self._readers.count(me) > 1:  # nested: the writer waits for the outer one
            return
        with self._condition:
            self._readers.remove(me)
            self._condition.notify_all()
            self._condition.wait_for(lambda: not self._is_writing)
            self._readers.append(me)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep readers out; `RuntimeError` in a thread that reads, as it would wait for itself."""
        if get_ident() in self._readers:
            raise RuntimeError("a map cannot be edited from inside one of its own queries")
        with self._condition:
            self._condition.wait_for(lambda: not self._is_writing)
            self._is_writing = True
            self._condition.wait_for(lambda: not self._readers)
        try:
            yield
        finally:
            with self._condition:
                self._is_writing = False
                self._condition.notify_all()
