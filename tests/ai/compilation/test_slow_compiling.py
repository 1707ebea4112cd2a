"""A program hears of a function that is compiled for long, once."""

import threading

from ai.compilation.jit import notice_compiling
from tests.support.optional import import_or_skip

event = import_or_skip("numba.core.event")
COMPILING = "numba:compile"


def test_the_first_long_compilation_is_noticed_also_if_it_compiles_others():
    noticed, is_noticed = [], threading.Event()

    def notice():
        noticed.append(threading.current_thread())
        is_noticed.set()

    with notice_compiling(notice, after_s=0.01):
        for _ in range(2):
            with event.trigger_event(COMPILING):
                with event.trigger_event(COMPILING):
                    pass
                assert is_noticed.wait(30)
    assert len(noticed) == 1
    assert noticed[0] is not threading.current_thread()


def test_short_compilations_and_later_ones_are_not_noticed():
    noticed = []
    with notice_compiling(lambda: noticed.append(1), after_s=60):
        for _ in range(3):
            with event.trigger_event(COMPILING):
                pass
        timers = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
        assert all(timer.finished.is_set() for timer in timers)
    with event.trigger_event(COMPILING):
        pass
    assert not noticed


def test_nothing_is_left_running_after_an_error():
    try:
        with notice_compiling(lambda: None, after_s=60):
            event.start_event(COMPILING)
            raise OSError
    except OSError:
        pass
    timers = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    assert all(timer.finished.is_set() for timer in timers)
