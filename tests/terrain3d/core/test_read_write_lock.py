"""Tests of the lock between queries and edits: who waits, who passes, and what is refused."""

import copy
import pickle
import threading

import pytest

from terrain3d import TileMap
from terrain3d.core.read_write_lock import ReadWriteLock


def started(target):
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


def write(lock, log):
    with lock.writing():
        log.append("written")


def wait_for_writer(lock):
    while not lock._is_writing:
        pass


def test_a_writer_waits_for_readers_and_a_nested_reader_does_not_wait_for_it():
    lock, log = ReadWriteLock(), []
    with lock:
        writer = started(lambda: write(lock, log))
        wait_for_writer(lock)
        with lock:
            log.append("read")
    writer.join()
    assert log == ["read", "written"]


def test_readers_that_come_later_wait_for_the_writer():
    lock, log = ReadWriteLock(), []

    def read():
        with lock:
            log.append("read later")

    with lock:
        writer = started(lambda: write(lock, log))
        wait_for_writer(lock)
        reader = started(read)
        reader.join(0.05)
        log.append("first")
    writer.join()
    reader.join()
    assert log == ["first", "written", "read later"]


def test_an_interrupted_writer_lets_others_in(monkeypatch):
    lock = ReadWriteLock()

    def interrupt(_condition, _predicate):
        raise KeyboardInterrupt

    has_begun, may_end = threading.Event(), threading.Event()

    def read():
        with lock:
            has_begun.set()
            may_end.wait(10)

    reader = started(read)
    has_begun.wait(10)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Condition, "wait_for", interrupt)
        with pytest.raises(KeyboardInterrupt), lock.writing():
            raise AssertionError("the writer has not waited for the reader")
    may_end.set()
    reader.join()
    later = started(lambda: lock.__enter__() or lock.__exit__())
    later.join(10)
    assert not later.is_alive()


def test_readers_do_not_wait_for_each_other():
    lock, both = ReadWriteLock(), threading.Barrier(2, timeout=10)

    def read():
        with lock:
            both.wait()

    reader = started(read)
    read()
    reader.join()


def test_an_edit_by_a_thread_that_reads_is_refused_and_changes_nothing():
    tilemap = TileMap([[0, 1]])
    with (
        tilemap.lock,
        pytest.raises(RuntimeError, match="inside one of its own queries"),
        tilemap.edit() as edit,
    ):
        edit.set_level((0, 0), 5)
    assert tilemap.level.tolist() == [[0, 1]]
    assert tilemap.version == 0
    with tilemap.edit() as edit:
        edit.set_level((0, 0), 5)
    with tilemap.lock, pytest.raises(RuntimeError):
        tilemap.undo()
    assert tilemap.level.tolist() == [[5, 1]]
    assert tilemap.undo_name == "edit"


def test_a_copy_and_a_pickle_of_a_map_are_not_locked_by_the_original():
    tilemap = TileMap([[0, 1]])
    with tilemap.lock:
        for other in (copy.copy(tilemap), pickle.loads(pickle.dumps(tilemap))):
            with other.edit() as edit:
                edit.set_level((0, 0), 2)
            assert other.level.tolist() == [[2, 1]]
