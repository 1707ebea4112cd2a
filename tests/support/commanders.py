"""Commanders of small boards, and what they emit."""

from ai import Commander
from tests.support.boards import posted


def at(picture, levels=None, **more):
    board, units = posted(picture, levels, **more)
    return Commander(board), units


def recorded_events(commander):
    """Record every signal but `changed`."""
    events = []
    for name in ("unit_selected", "tile_aimed", "order_given", "order_undone", "order_redone"):
        getattr(commander, name).connect(lambda *values, name=name: events.append((name, *values)))
    commander.refused.connect(lambda reason: events.append(("refused", reason)))
    return events


def arrive(unit):
    unit.advance(1000.0)
