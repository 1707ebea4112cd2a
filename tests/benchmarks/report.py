"""The measurements as Markdown."""

import math
import os
import platform
from pathlib import Path

from tests.benchmarks import maps
from tests.benchmarks.registry import ENTRIES, INDEXED, OURS, PLAIN
from tests.benchmarks.rounds import Cell
from tests.benchmarks.rows import Row


def number(value: float) -> str:
    """Write three digits, without powers of ten."""
    if not math.isfinite(value):
        return "-"
    if value >= 100:
        return f"{value:.0f}"
    digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{min(4, max(0, digits))}f}"


def best_peer(row: Row) -> str | None:
    peers = {name: cell for name, cell in row.cells.items() if name not in OURS and cell.times}
    return min(peers, key=lambda name: peers[name].median) if peers else None


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def table(head: list[str], lines: list[list[str]]) -> str:
    """Write a Markdown table."""
    return "\n".join([_line(head), _line(["---"] * len(head)), *map(_line, lines)])


def summary(rows: list[Row]) -> str:
    """Set our medians beside the best peer's."""
    lines = []
    for row in rows:
        peer, found = best_peer(row), {k: each for k, each in row.cells.items() if each.times}
        ours = [number(found[k].median) if k in found else "" for k in (PLAIN, INDEXED)]
        theirs = f"{peer} {number(found[peer].median)}" if peer else ""
        lines.append([f"{row.name}, {row.unit}", *ours, theirs])
    return table(["median", PLAIN, INDEXED, "best peer"], lines)


def _cell(cell: Cell | None, full: int) -> str:
    if cell is None or not cell.times:
        return "-"
    text = number(cell.median)
    if full > 3:
        text += f" / {number(cell.p95)}"
    if len(cell.times) < full:
        text += f" ({len(cell.times)})"
    return text + (f" **{cell.wrong} wrong**" if cell.wrong else "")


def full_table(rows: list[Row]) -> str:
    """Give median / p95 of every library."""
    names = [e.name for e in ENTRIES if any(e.name in row.cells for row in rows)]
    lines = []
    for row in rows:
        full = max((len(cell.times) for cell in row.cells.values()), default=0)
        cells = [_cell(row.cells.get(name), full) for name in names]
        lines.append([f"{row.name}, {row.unit}", *cells])
    return table(["median / p95", *names], lines)


def mismatches(rows: list[Row]) -> dict[str, int]:
    """Count every library's wrong answers."""
    found: dict[str, int] = {}
    for row in rows:
        for name, cell in row.cells.items():
            found[name] = found.get(name, 0) + cell.wrong
    return found


def machine() -> dict[str, str]:
    """Describe what it ran on."""
    model = platform.processor() or platform.machine()
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.exists():
        lines = [
            line for line in cpu_info.read_text().splitlines() if line.startswith("model name")
        ]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    return {
        "cpu": model,
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def versions() -> dict[str, str]:
    """Give the version of every library; "absent" if it is not installed."""
    from importlib.metadata import version

    found = {name: version(name) for name in ("numpy", "numba")}
    return found | {entry.distribution: entry.version for entry in ENTRIES}


def markdown(rows: list[Row]) -> str:
    """Write everything."""
    wrong = mismatches(rows)
    counts = ", ".join(f"{name} {count}" for name, count in wrong.items())
    is_absent = [name for name, number_ in versions().items() if number_ == "absent"]
    parts = [
        f"Machine: {', '.join(f'{key} {value}' for key, value in machine().items())}.",
        f"Versions: {', '.join(f'{key} {value}' for key, value in versions().items())}.",
        f"Maps: {maps.WORDS}.",
        f"Wrong answers: {counts}.",
        *([f"Absent: {', '.join(is_absent)}."] if is_absent else []),
        summary(rows),
        full_table(rows),
    ]
    return "\n\n".join(parts) + "\n"
