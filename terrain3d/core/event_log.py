"""A log of events as lines of JSON, to follow while the program runs."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path


class EventLog:
    """Writes one line per event to a new file; does nothing without a path.

    `started_s` is the start of the program by `time.perf_counter`, by default now. `OSError` if the
    file cannot be written. If a line cannot, the log ends before it, and `failure` has the reason.
    """

    def __init__(self, path: Path | None = None, started_s: float | None = None) -> None:
        self._started_s = time.perf_counter() if started_s is None else started_s
        self._path = path
        self.failure = ""
        if path is not None:
            path.write_bytes(b"")

    def write(self, event: str, **values: object) -> None:
        """Write one line: the event, the seconds since the start, and the values."""
        if self._path is None or self.failure:
            return
        time_s = round(time.perf_counter() - self._started_s, 3)
        line = json.dumps({"event": event, "time_s": time_s, **values}).encode() + b"\n"
        try:
            with self._path.open("ab", buffering=0) as file:
                end = os.fstat(file.fileno()).st_size
                try:
                    while line:
                        line = line[file.write(line) :]
                except OSError:
                    with suppress(OSError):  # a pipe cannot be cut
                        file.truncate(end)
                    raise
        except OSError as error:
            self.failure = f"cannot write {self._path}: {error.strerror}"
