"""A program that waits for the compiler for long says so once."""

import sys
import threading
import time

import pytest

from ai.search import jit
from tests.support.selection import import_or_skip

event = import_or_skip("numba.core.event")
COMPILING = "numba:compile"
NOTICE = "compiling the searches, once on this machine ...\n"


@pytest.fixture
def notice(monkeypatch):
    """Let another notice than the program's own, which has had its say, hear of compilations."""
    monkeypatch.setattr(jit, "AFTER_S", 0.01)
    notice = jit._Notice()
    event.unregister(COMPILING, jit._notice)
    event.register(COMPILING, notice)
    yield
    event.unregister(COMPILING, notice)
    event.register(COMPILING, jit._notice)


@pytest.mark.usefixtures("notice")
def test_the_first_long_compilation_is_noticed_once_also_if_it_compiles_others(capsys):
    said, end = "", time.monotonic() + 30
    with event.trigger_event(COMPILING), event.trigger_event(COMPILING):
        while not said and time.monotonic() < end:
            time.sleep(0.01)
            said = capsys.readouterr().err
    assert said == NOTICE
    with event.trigger_event(COMPILING):
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("notice")
def test_short_compilations_are_not_noticed(capsys, monkeypatch):
    monkeypatch.setattr(jit, "AFTER_S", 60)
    for _ in range(3):
        with event.trigger_event(COMPILING):
            pass
    timers = [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    assert all(timer.finished.is_set() for timer in timers)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("notice")
def test_a_program_without_a_standard_error_goes_on(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with event.trigger_event(COMPILING):
        time.sleep(0.05)
