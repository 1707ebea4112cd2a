"""Files changed so that they reach new code: `fuzz [FILE]`, `--cases` is the time in seconds.

Files that reach new code are kept and changed again. It stops at the first one that raises anything
but `MapFileError`, takes 10 s or 2 GB; `fuzz FILE` reads that one again. Needs atheris, which is in
the "dev" packages on Linux.
"""

import re
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections import Counter
from functools import partial
from pathlib import Path

from tests.long.kind import Check, Kind

FOUND = Path("build") / "fuzz"
MAX_S, MAX_MB, MAX_BYTES = 10, 2048, 2**14

_STATE = re.compile(r"#\d+\s+(?:INITED|NEW|REDUCE|DONE)\s+cov: (\d+) ft: \d+ corp: (\d+)")
_STATISTIC = re.compile(r"stat::(\w+):\s+(\d+)")
_NOISE = re.compile(r"INFO:|#|\"|stat::|Done |Dictionary|WARNING: |0x|\s*$")


def check(seconds: int, seed: int, files: list[str]) -> Counter[str]:
    """Change files for some time in another process, or read one alone that was found before."""
    FOUND.mkdir(parents=True, exist_ok=True)
    options = [
        *(f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={MAX_BYTES}"),
        *(f"-timeout={MAX_S}", f"-report_slow_units={MAX_S}", f"-rss_limit_mb={MAX_MB}"),
        "-print_final_stats=1",
        f"-artifact_prefix={FOUND}/",
    ]
    options += files
    states, statistics = [], {}
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-m", "tests.long.fuzz_child", folder, *options],
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
            f"{statistics['number_of_executed_units']} files in {seconds} s, "
            f"seed {seed}; branches {first_branches} at first, {branches} at the end; "
            f"files kept {first_files} at first, {files} at the end; "
            f"peak memory {statistics['peak_rss_mb']} MB"
        )
    status = child.returncode
    assert not status, f"stopped with status {status}; the file is in {FOUND}"
    return Counter({"seconds": seconds})


def checks(options: Namespace) -> list[tuple[str, Check]]:
    """Return the only check."""
    name = f"--seed {options.seed}"
    return [(name, partial(check, options.cases, options.seed, options.of))]


KIND = Kind("seconds", 60, checks)
