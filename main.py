"""Run the scene and the commands from a checkout; the same as `python -m terrain3d`."""

import sys

from terrain3d.program import main

if __name__ == "__main__":
    sys.exit(main(prog="main.py"))
