"""Compose behaviors: the first of several that acts, and one that acts on a condition."""

from collections.abc import Callable

from ai.behaviors.behavior import Behavior, Stay
from ai.behaviors.situation import Situation
from terrain3d import Cell
from terrain3d.core.checks import checked_function, instance_of
from terrain3d.grid.reason import join_reasons


class FirstOf(Behavior):
    """Follow the first behavior that returns a cell or a `Stay`.

    All are asked in their order at every step, up to the first that answers with a cell or a
    `Stay`; so an earlier one takes over as soon as it can act. Behaviors that are not asked keep
    what they remember, and time passes for them too. If none acts, the reason joins all reasons.

    Parameters
    ----------
    *behaviors : Behavior
        At least one, the preferred first.

    Raises
    ------
    TypeError, ValueError
        A value is not a behavior, or there is none.
    """

    def __init__(self, *behaviors: Behavior) -> None:
        if not behaviors:
            raise ValueError("FirstOf needs at least 1 behavior, got none")
        self._behaviors = [instance_of("a behavior", each, Behavior) for each in behaviors]

    def advance(self, dt_s: float) -> None:
        """Let time pass for all behaviors."""
        for behavior in self._behaviors:
            behavior.advance(dt_s)

    def _choose(self, situation: Situation) -> Cell | str:
        reasons = []
        for behavior in self._behaviors:
            choice = behavior.next_cell(situation) or behavior.reason
            if isinstance(choice, Cell | Stay):
                return choice
            reasons.append(choice)
        return join_reasons(reasons)


class While(Behavior):
    """Follow a behavior as long as a condition holds; otherwise stay.

    While the condition does not hold, the behavior is not asked: it keeps what it remembers, and
    time passes for it. Its reasons are passed on.

    Parameters
    ----------
    condition : callable
        Returns whether the behavior is followed; called without arguments before every step.
    behavior : Behavior

    Raises
    ------
    TypeError
        The condition is no such function, or the other is not a behavior.
    """

    def __init__(self, condition: Callable[[], bool], behavior: Behavior) -> None:
        self._condition = checked_function("condition", condition, 0)
        self._behavior = instance_of("behavior", behavior, Behavior)

    def advance(self, dt_s: float) -> None:
        """Let time pass for the behavior."""
        self._behavior.advance(dt_s)

    def _choose(self, situation: Situation) -> Cell | str:
        if not self._condition():
            return "its condition does not hold"
        return self._behavior.next_cell(situation) or self._behavior.reason
