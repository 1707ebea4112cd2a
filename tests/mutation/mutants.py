"""The mutants of the product: small changes of its code that tests should notice."""

import ast
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import parso.tree  # noqa: F401 - cosmic-ray imports it in a circle unless it is loaded
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

PACKAGES = ("ai", "terrain3d")
_NO_MUTANTS = ("RemoveDecorator", "Variable", "Annotation")


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: the n-th occurrence of an operator of cosmic-ray in a file."""

    file: str
    line: int
    operator: str
    occurrence: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.operator}#{self.occurrence}"

    def source(self, root: Path) -> str:
        """Return the changed source of the file."""
        code = (root / self.file).read_text(encoding="utf-8")
        changed = mutate_code(code, get_operator(f"core/{self.operator}")(), self.occurrence)
        assert changed is not None, f"{self} is out of date"
        return changed


def product_files(root: Path, only: Sequence[str] = ()) -> list[str]:
    """Return the files whose path begins with one of `only`, or all, relative to the root."""
    found = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    names = sorted(path.relative_to(root).as_posix() for path in found)
    return [name for name in names if name.startswith(tuple(only) or "")]


def places(root: Path, file: str) -> dict[tuple[int, int], list[Mutant]]:
    """Return the mutants of a file by line and column; annotations have none."""
    code = (root / file).read_text(encoding="utf-8")
    tree, skipped = get_ast(code), _annotations(code)
    found = defaultdict(list)
    for name in operator_names():
        short = name.removeprefix("core/")
        if short == "NoOp" or any(part in short for part in _NO_MUTANTS):
            continue
        operator = get_operator(name)()
        spans = (span for node in ast_nodes(tree) for span in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(spans):
            if not any(first <= start < last for first, last in skipped):
                found[start].append(Mutant(file, start[0], short, occurrence))
    return found


def _annotations(code: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the first and last position of each annotation and type alias."""
    spans = []
    for node in ast.walk(ast.parse(code)):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if part is not None:
                start, end = (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)
                spans.append((start, end))
    return spans


def sample(root: Path, count: int, seed: int, only: Sequence[str] = ()) -> list[Mutant]:
    """Return `count` mutants at different places of files, drawn at random."""
    files = product_files(root, only)
    every = [mutants for file in files for mutants in places(root, file).values()]
    generator = random.Random(seed)
    return [generator.choice(mutants) for mutants in generator.sample(every, count)]
