"""The parts of a step's cost, which `price_steps` adds up in compiled code."""

from typing import NamedTuple

from ai.rules.step_rule import StepRule


class StepParts(NamedTuple):
    """A cost by what it is paid for; the parts add up to the cost of a step, or of a path."""

    ground: float = 0
    """Entering tiles, by their kinds; for a flyer 1 a step."""
    diagonal: float = 0
    """The surcharge of diagonal steps over straight ones; negative if they cost less."""
    climb: float = 0
    drop: float = 0
    leap: float = 0
    """Tiles that leaps skip."""
    link: float = 0
    warp: float = 0
    extra: float = 0
    """The extra costs of a query."""


class StepAnswer(NamedTuple):
    """The answer to `Navigation.explain_step`: legal or not, cost, rise, why not, and the parts.

    Without a legal step the cost is infinity, and no part is above 0.
    """

    legal: bool
    cost: float
    rise: int
    reason: str
    parts: StepParts = StepParts()


def step_parts(rule: StepRule, start: int, end: int, cost: float, slot: int) -> StepParts:
    """Return the parts of an edge between two nodes, by its cost and slot in `Graph`.

    Warps and links have the slots after those of the steps.
    """
    mover, moves = rule.mover, rule.moves
    if rule.profile.warp:
        return StepParts(warp=cost)
    if slot >= moves.count:
        return StepParts(link=cost)
    move = slot % len(moves.length)
    is_diagonal = moves.n_straight <= move < moves.n_single
    factor = float(rule.profile.diagonal_cost) if is_diagonal else 1.0
    if mover.can_fly:
        return StepParts(ground=1.0, diagonal=factor - 1)
    level, kind = rule.footprint.arrays[:2]
    enter = mover.entry[kind[end]].item()
    rise = int(level[end]) - int(level[start])
    surcharge = mover.rise_cost[rise + mover.max_drop].item()
    return StepParts(
        ground=enter,
        diagonal=enter * factor - enter,
        climb=surcharge if rise > 0 else 0.0,
        drop=surcharge if rise < 0 else 0.0,
        leap=float(moves.length[move]) - 1,
    )
