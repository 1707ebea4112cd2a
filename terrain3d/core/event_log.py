"""A log of events as lines of JSON, to follow while the program runs."""

import json
import time
from pathlib import Path


class EventLog:
    """Writes one line per event; does nothing without a file.

    Parameters
    ----------
    path : Path, optional
        An existing file is overwritten.
    started_s : float, optional
        Start of the program by `time.perf_counter`; default: now.

    Raises
    ------
    OSError
        The file cannot be written.
    """

    def __init__(self, path: Path | None = None, started_s: float | None = None) -> None:
        self._started_s = time.perf_counter() if started_s is None else started_s
        self._path = path
        if path is not None:
            path.write_text("", encoding="utf-8")

    def write(self, event: str, **values: object) -> None:
        """Write one line: the event, the seconds since the start, and the values."""
        if self._path is not None:
            time_s = round(time.perf_counter() - self._started_s, 3)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"event": event, "time_s": time_s, **values}) + "\n")
