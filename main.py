"""Run the scene and the commands from a checkout; the same as `python -m terrain3d`."""

import sys
import time


def run() -> int:
    """Run the command line and return the exit status; the start time includes all imports."""
    started_s = time.perf_counter()
    from terrain3d.program import main

    return main(prog="main.py", started_s=started_s)


if __name__ == "__main__":
    sys.exit(run())
