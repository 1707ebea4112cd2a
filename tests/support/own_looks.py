"""Forget the textures and props that a test registers."""

from contextlib import contextmanager

from terrain3d.grid.kinds import PROPS, TEXTURES


@contextmanager
def forgotten():
    """Leave textures and props as they were before a `with` block."""
    before = dict(TEXTURES), dict(PROPS)
    try:
        yield
    finally:
        for table, entries in zip((TEXTURES, PROPS), before, strict=True):
            table.clear()
            table.update(entries)
