"""A lock that several readers hold at once, or one writer alone."""

import threading
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
        self._writer = threading.Lock()
        """Held by the one writer; readers that let it pass wait for it."""
        self._has_left = threading.Condition()
        """Notified by each reader that leaves while a writer waits."""

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
            self._notify_writer()

    def _let_writer_pass(self) -> None:
        me = get_ident()
        if self._readers.count(me) > 1:  # nested: the writer waits for the outer one
            return
        self._readers.remove(me)
        self._notify_writer()
        with self._writer:
            self._readers.append(me)

    def _notify_writer(self) -> None:
        with self._has_left:
            self._has_left.notify_all()

    def writing(self) -> "_Writing":
        """Keep readers out of a `with` block, which waits for those that are inside.

        The block raises `RuntimeError` in a thread that reads, as it would wait for itself.
        """
        return _Writing(self)


class _Writing:
    """The `with` block of one writer; a class, as a generator would double its time."""

    __slots__ = ("_lock",)

    def __init__(self, lock: ReadWriteLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        lock = self._lock
        if get_ident() in lock._readers:
            raise RuntimeError("a map cannot be edited from inside one of its own queries")
        lock._writer.acquire()
        lock._is_writing = True
        if lock._readers:
            try:
                with lock._has_left:
                    lock._has_left.wait_for(lambda: not lock._readers)
            except BaseException:  # as of Ctrl+C
                self.__exit__()
                raise

    def __exit__(self, *_: object) -> None:
        self._lock._is_writing = False
        self._lock._writer.release()
