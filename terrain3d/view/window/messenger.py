"""Signals as events of Panda3D's messenger, for games that listen with `DirectObject.accept`."""

from __future__ import annotations

from functools import partial
from inspect import getattr_static
from typing import TYPE_CHECKING

from terrain3d.core.checks import instance_of
from terrain3d.core.signals import Signal

if TYPE_CHECKING:
    from direct.showbase.Messenger import Messenger


def forward_signals(source: object, messenger: Messenger, prefix: str) -> list[str]:
    """Send an event for each emission of any signal of an object, with the signal's values.

    Parameters
    ----------
    source : object
        One with signals: a terrain, a cursor, a map, a board, a commander.
    messenger : Messenger
        As `base.messenger`.
    prefix : str
        The event of the signal `tile_clicked` is "<prefix>-tile_clicked".

    Returns
    -------
    list of str
        The names of the events.

    Raises
    ------
    TypeError
        The prefix is not text.
    ValueError
        The object has no signals.

    Examples
    --------
    ::

        forward_signals(terrain, base.messenger, "terrain")
        base.accept("terrain-tile_clicked", lambda cell, button: print(cell))
    """
    instance_of("prefix", prefix, str)
    kind = type(source)
    names = [name for name in dir(kind) if isinstance(getattr_static(kind, name), Signal)]
    if not names:
        raise ValueError(f"source must have signals, got {source!r}")
    for name in names:
        getattr(source, name).connect(partial(_send, messenger, f"{prefix}-{name}"))
    return [f"{prefix}-{name}" for name in names]


def _send(messenger: Messenger, event: str, *values: object) -> None:
    messenger.send(event, list(values))
