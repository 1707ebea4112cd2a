"""Notice that compiling takes long, for programs that a person waits for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from ai.compilation.compiler import Listener, install_listener


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
