"""A virtual screen with a real mouse and keyboard, and the program running on it."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image, ImageGrab

from tests.support import ROOT
from tests.support.selection import skip_or_fail

TOOLS = ("Xvfb", "xdotool")
PATIENCE_S = 120.0
"""Only a broken program takes this long; a slow machine does not."""


def require_tools() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        skip_or_fail(f"needs {missing}; on Debian: sudo apt install xvfb xdotool")


@contextmanager
def screen(width: int = 1400, height: int = 900) -> Iterator[str]:
    """Start a virtual screen and give its DISPLAY."""
    reader, writer = os.pipe()
    # Else it resets whenever its last client leaves, and refuses clients meanwhile.
    command = ["Xvfb", "-noreset", "-displayfd", str(writer)]
    server = subprocess.Popen(
        [*command, "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


class Desktop:
    """The program in a window, driven by real mouse and key events."""

    def __init__(self, display: str, log: Path, *arguments: str) -> None:
        # Settings of the person who runs the tests stay as they are.
        config = {"XDG_CONFIG_HOME": str(log.parent / "config")}
        self.environment = os.environ | config | {"DISPLAY": display}
        self.display = display
        self.log = log
        self.output = log.with_suffix(".out")
        with self.output.open("w") as output:
            self.program = subprocess.Popen(
                [sys.executable, "-m", "tests.support.logged_scene", str(log), *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.window = ""
        self.left = self.top = 0

    def find_window(self) -> None:
        """Wait for the window and learn where it is."""
        search = "search", "--onlyvisible", "--pid", str(self.program.pid)
        self.window = self.wait(lambda: self.tool(*search, check=False).split(), "the window")[0]
        geometry = self.tool("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in geometry.split())
        self.left, self.top = int(values["X"]), int(values["Y"])

    def tool(self, *words: str, check: bool = True) -> str:
        how = {"env": self.environment, "capture_output": True, "text": True, "check": check}
        return subprocess.run(["xdotool", *words], **how).stdout

    def events(self, name: str = "") -> list[dict[str, Any]]:
        if not self.log.exists():
            return []
        lines = [json.loads(line) for line in self.log.read_text().split("\n")[:-1]]
        return [line for line in lines if not name or line["event"] == name]

    def wait(self, look: Callable[[], Any], what: str) -> Any:
        """Call `look` until it returns something."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if seen := look():
                return seen
            assert self.program.poll() is None, f"the program ended: {self.output.read_text()}"
            time.sleep(0.05)
        raise AssertionError(f"no sign of {what}: {self.log.read_text()[-2000:]}")

    def wait_event(self, name: str, after: int = 0) -> dict[str, Any]:
        """Wait for an event beyond the first `after` lines of the log."""
        return self.wait(lambda: [e for e in self.events()[after:] if e["event"] == name], name)[0]

    def answers(self, after: int) -> list[dict[str, Any]]:
        """Wait for events beyond the first `after` that a click or a key caused; give them."""
        what = "an answer"
        return self.wait(lambda: [e for e in self.events()[after:] if e["event"] != "hover"], what)

    def point(self, x: int, y: int) -> None:
        self.tool("mousemove", str(self.left + x), str(self.top + y))

    def hover(self, x: int, y: int) -> dict[str, Any] | None:
        """Point somewhere and give the tile the program then reports, if it is another one."""
        before = len(self.events("hover"))
        self.point(x, y)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            if found := self.events("hover")[before:]:
                return found[0]
            time.sleep(0.03)
        return None

    def click(self, button: int = 1) -> None:
        self.tool("click", str(button))

    def drag(self, start: tuple[int, int], end: tuple[int, int], button: int = 1) -> None:
        self.point(*start)
        time.sleep(0.3)
        self.tool("mousedown", str(button))
        time.sleep(0.8)  # a press counts where the pointer is at the next frame
        for part in range(1, 9):
            x, y = (a + (b - a) * part // 8 for a, b in zip(start, end, strict=True))
            self.point(x, y)
            time.sleep(0.06)
        time.sleep(0.5)
        self.tool("mouseup", str(button))

    def key(self, *names: str) -> None:
        self.tool("key", *names)

    def deselect(self) -> int:
        """Deselect the unit that is selected at the start; give the number of events then."""
        before = len(self.events())
        self.key("BackSpace")
        assert self.wait_event("selected", before)["unit"] is None
        return len(self.events())

    def units_from_afar(self) -> dict[str, dict[str, Any]]:
        """Show the whole map, and give the units by name, as the log then describes them."""
        self.key("Home")
        seen: list[list[dict[str, Any]]] = [[]]
        while len(seen) < 2 or seen[-1] != seen[-2]:
            time.sleep(0.5)
            before = len(self.events())
            self.key("y")  # there is nothing to redo, but the answer lists the units
            seen.append(self.wait_event("told", before)["units"])
        return {unit["name"]: unit for unit in seen[-1]}

    def picture(self) -> Image.Image:
        whole = ImageGrab.grab(xdisplay=self.display)
        return whole.crop((self.left, self.top, self.left + 1280, self.top + 720)).convert("RGB")

    def stop(self) -> None:
        if self.program.poll() is None:
            self.program.terminate()
            self.program.wait()


@contextmanager
def started(display: str, log: Path, *arguments: str) -> Iterator[Desktop]:
    """Start the program and wait until it takes orders; end it afterwards."""
    program = Desktop(display, log, *arguments)
    try:
        program.find_window()
        program.wait_event("ready")
        yield program
    finally:
        program.stop()
