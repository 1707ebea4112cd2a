"""Read changed maps with all readers: `python -m tests.fuzz --seconds 3600 --seed 1`.

Files that reach new code are kept and changed again. The command stops at the first one that raises
anything but `MapFileError`, takes 10 s or 2 GB; `--input FILE` reads that one again.
The exit status is 0 if there is none and 1 if there is one. Needs atheris, which is in the
"dev" packages on Linux.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOUND = Path("build") / "fuzz"
MAX_S, MAX_MB, MAX_BYTES = 10, 2048, 2**14

_STATE = re.compile(r"#\d+\s+(?:INITED|NEW|REDUCE|DONE)\s+cov: (\d+) ft: \d+ corp: (\d+)")
_STATISTIC = re.compile(r"stat::(\w+):\s+(\d+)")
_NOISE = re.compile(r"INFO:|#|\"|stat::|Done |Dictionary|WARNING: |0x|\s*$")


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--input", type=Path, help="read this file alone, which was found before")
    chosen = parser.parse_args(arguments)
    FOUND.mkdir(parents=True, exist_ok=True)
    options = [
        *(f"-max_total_time={chosen.seconds}", f"-seed={chosen.seed}", f"-max_len={MAX_BYTES}"),
        *(f"-timeout={MAX_S}", f"-report_slow_units={MAX_S}", f"-rss_limit_mb={MAX_MB}"),
        "-print_final_stats=1",
        f"-artifact_prefix={FOUND}/",
    ]
    options += [str(chosen.input)] if chosen.input else []
    states, statistics = [], {}
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.child", folder, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as child,
    ):
        for line in child.stdout or ():
            if state := _STATE.match(line):
                states.append(state.groups())
            if statistic := _STATISTIC.match(line):
                statistics[statistic[1]] = int(statistic[2])
            if not _NOISE.match(line):
                print(line, end="", flush=True)
    if states and statistics:
        (first_branches, first_files), (branches, files) = states[0], states[-1]
        print(
            f"{statistics['number_of_executed_units']} files in {chosen.seconds} s, "
            f"seed {chosen.seed}; branches {first_branches} at first, {branches} at the end; "
            f"files kept {first_files} at first, {files} at the end; "
            f"peak memory {statistics['peak_rss_mb']} MB"
        )
    if child.returncode:
        print(f"stopped with status {child.returncode}; the file is in {FOUND}")
    return 1 if child.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
