"""Change the rules of the selected unit by sliders, and compare its path with the one before."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ai.board.log import Entry
from ai.board.unit import Unit
from ai.game.commander import Commander
from ai.navigation.path import Path, plain_number
from ai.rules.profile import MoveProfile
from terrain3d.core.checks import instance_of, whole_within

_RULES = (
    ("climb_cost", "uphill cost", range(1, 11)),
    ("max_climb", "climb limit", range(10)),
)
"""Field of the profile, name for the player, and values."""


@dataclass(frozen=True)
class Slider:
    """One rule of a unit, a field of `MoveProfile`, with its values."""

    rule: str
    label: str
    values: Sequence[int]
    """From left to right."""
    place: int
    """The index of the value nearest to the unit's own."""
    text: str
    """The unit's own value, which may be none of the values."""


@dataclass(frozen=True)
class RuleComparison:
    """The cheapest paths by a unit's first rules and by its rules now, each priced by both.

    The price of a path by the rules of the other is infinity if they do not allow it.
    """

    first: Path
    now: Path
    first_cost_now: float
    now_cost_first: float


class RuleChanges:
    """Changes rules of the unit that a commander has selected.

    A change applies to the unit's profile at once: to its reach, its plans and its orders. The
    rules that a unit had before its first change are kept for the comparison. The commander refuses
    changes of a unit that takes no orders from the player.
    """

    def __init__(self, commander: Commander) -> None:
        self._commander = instance_of("commander", commander, Commander)
        self._first: dict[Unit, MoveProfile] = {}
        commander.board.changed.connect(self._forget, weak=True)

    def _forget(self, entry: Entry) -> None:
        for change in entry.changes:
            if change.after is None:
                self._first.pop(self._commander.board.unit(change.unit), None)

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """The rules of the selected unit; none without a unit, or if it does not climb."""
        unit = self._commander.selected
        if unit is None or unit.profile.can_fly or unit.profile.warp:
            return ()
        return tuple(_slider(unit.profile, *row) for row in _RULES)

    def set(self, number: int, place: int) -> None:
        """Give the rule of a slider, counted from 0, the value at a place."""
        sliders, unit = self.sliders, self._commander.selected
        slider = sliders[whole_within("number", number, 0, len(sliders) - 1)]
        value = slider.values[whole_within("place", place, 0, len(slider.values) - 1)]
        if self._commander.refuse_foe():
            return
        if unit is not None and value != getattr(unit.profile, slider.rule):
            first = self._first.setdefault(unit, unit.profile)
            unit.profile = _changed(unit.profile, first, slider.rule, value)

    def reset(self) -> None:
        """Give the selected unit the rules that it had before its first change."""
        unit = self._commander.selected
        if not self._commander.refuse_foe() and unit in self._first:
            unit.profile = self._first.pop(unit)

    @property
    def comparison(self) -> RuleComparison | None:
        """The two paths to the tile aimed at; None if no rule differs or there is no aim."""
        plan = self._commander.plan
        if plan is None or self._first.get(plan.unit, plan.unit.profile) == plan.unit.profile:
            return None
        now = self._commander.board.situation(plan.unit)
        first = replace(now, profile=self._first[plan.unit])
        old, new = first.find_path(plan.cell), plan.path
        costs = (
            by.price(path.cells).cost if path else math.inf
            for path, by in ((old, now), (new, first))
        )
        return RuleComparison(old, new, *costs)


def _slider(profile: MoveProfile, rule: str, label: str, values: Sequence[int]) -> Slider:
    own = getattr(profile, rule)
    parts = own if isinstance(own, tuple) else (own,)
    number = own
    if isinstance(own, tuple):  # the whole surcharge of 1 level, of 2 levels, ...
        number = own[-1] / len(own) if own else 0
    place = min(range(len(values)), key=lambda at: abs(float(values[at]) - number))
    return Slider(rule, label, values, place, ", ".join(str(plain_number(part)) for part in parts))


def _changed(profile: MoveProfile, first: MoveProfile, rule: str, value: int) -> MoveProfile:
    """Return a profile with another rule; costs listed by level follow a new limit of climbs."""
    changes: dict[str, Any] = {rule: value}
    if rule == "max_climb" and isinstance(profile.climb_cost, tuple):
        parts = first.climb_cost if isinstance(first.climb_cost, tuple) else ()
        changes["climb_cost"] = (*parts, *(parts[-1:] or (0,)) * value)[:value]
    return replace(profile, **changes)
