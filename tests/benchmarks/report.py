"""The measurements as Markdown."""

import math
import os
import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks import maps
from tests.benchmarks.registry import ENTRIES, INDEXED, OURS, PLAIN


def number(value):
    """Write three digits, without powers of ten."""
    if not math.isfinite(value):
        return "-"
    if value >= 100:
        return f"{value:.0f}"
    digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:.{min(4, max(0, digits))}f}"


def best_peer(row):
    peers = {name: cell for name, cell in row.cells.items() if name not in OURS and cell.times}
    return min(peers, key=lambda name: peers[name].median) if peers else None


def _line(cells):
    return f"| {' | '.join(cells)} |"


def table(head, lines):
    """Write a Markdown table."""
    return "\n".join([_line(head), _line(["---"] * len(head)), *map(_line, lines)])


def summary(rows):
    """Set our medians beside the best peer's."""
    lines = []
    for row in rows:
        peer, found = best_peer(row), {k: each for k, each in row.cells.items() if each.times}
        ours = [number(found[k].median) if k in found else "" for k in (PLAIN, INDEXED)]
        theirs = f"{peer} {number(found[peer].median)}" if peer else ""
        lines.append([f"{row.name}, {row.unit}", *ours, theirs])
    return table(["median", PLAIN, INDEXED, "best peer"], lines)


def _cell(cell, full):
    if cell is None or not cell.times:
        return "-"
    text = number(cell.median)
    if full > 3:
        text += f" / {number(cell.p95)}"
    if len(cell.times) < full:
        text += f" ({len(cell.times)})"
    return text + (f" **{cell.wrong} wrong**" if cell.wrong else "")


def full_table(rows):
    """Give median / p95 of every library."""
    names = [e.name for e in ENTRIES if any(e.name in row.cells for row in rows)]
    lines = []
    for row in rows:
        full = max((len(cell.times) for cell in row.cells.values()), default=0)
        cells = [_cell(row.cells.get(name), full) for name in names]
        lines.append([f"{row.name}, {row.unit}", *cells])
    return table(["median / p95", *names], lines)


def mismatches(rows):
    """Count every library's wrong answers."""
    found = Counter()
    for row in rows:
        found.update({name: cell.wrong for name, cell in row.cells.items()})
    return found


def machine():
    """Describe what it ran on, in a line."""
    model, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    system = f"{platform.system()} {platform.machine()}, python {platform.python_version()}"
    return f"Machine: cpu {model}, cores {os.cpu_count()}, system {system}."


def markdown(rows):
    """Write everything."""
    counts = ", ".join(f"{name} {count}" for name, count in mismatches(rows).items())
    names = dict.fromkeys(["numpy", "numba", *(e.distribution for e in ENTRIES if e.is_there)])
    absent = ", ".join(entry.name for entry in ENTRIES if not entry.is_there)
    parts = [
        machine(),
        f"Versions: {', '.join(f'{name} {version(name)}' for name in names)}.",
        f"Maps: {maps.WORDS}.",
        f"Wrong answers: {counts}.",
        *([f"Absent: {absent}."] if absent else []),
        summary(rows),
        full_table(rows),
    ]
    return "\n\n".join(parts) + "\n"
