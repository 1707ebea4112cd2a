"""Fewest turns by brute force: every state of cell, turn, points spent and start of the turn."""

import heapq
import itertools

from tests.support import rulebook

SLACK = 1e-9


class Referee:
    """What one unit may do in turns around the others of its board, by the rules in words."""

    def __init__(self, board, unit, always_one_step=False):
        self.tilemap, self.profile, self.start = board.tilemap, unit.profile, unit.cell
        self.one_step = always_one_step
        own = set(rulebook.tiles(unit.profile, unit.cell))
        others = [other for other in board.units if other is not unit]
        enemies = [other for other in others if other.team != unit.team]
        covered = [tile for other in others for tile in rulebook.tiles(other.profile, other.cell)]
        self.covered = set(covered) - own
        self.blocked = {
            tile for other in enemies for tile in rulebook.tiles(other.profile, other.cell)
        } - own
        self.zones = set()
        for enemy in enemies:
            if enemy.has_zoc and not unit.profile.ignores_zoc:
                self.zones |= rulebook.zone(self.tilemap, enemy.profile, enemy.cell)
        self._steps = {}

    def steps(self, cell):
        if cell not in self._steps:
            found = {}
            for end, cost in rulebook.steps_from(self.tilemap, self.profile, cell, self.blocked):
                found[end] = min(cost, found.get(end, cost))
            self._steps[cell] = found
        return self._steps[cell]

    def halts(self, cell, origin):
        """Return whether a mover that began its turn at `origin` has to end it at a cell."""
        entered = {*rulebook.tiles(self.profile, cell)} - {*rulebook.tiles(self.profile, origin)}
        return not entered.isdisjoint(self.zones)

    def can_stop(self, cell):
        return cell == self.start or rulebook.can_stop(
            self.tilemap, self.profile, cell, self.covered
        )

    def spent_after(self, spent, cost, budget):
        """Return the points spent after a step, or None if it is not allowed."""
        if spent + cost <= budget * (1 + SLACK) + SLACK:
            return spent + cost
        return budget if self.one_step and spent < budget - SLACK else None

    def fewest_turns(self, goal, points, move):
        """Return (turns, cost, points spent in the last turn) of a best plan, or None."""
        n_cells = len(rulebook.whereabouts(self.tilemap, self.profile)) + 1
        heap, seen = [(1, 0, 0, self.start, self.start, False)], set()
        while heap:
            turn, cost, spent, cell, origin, is_halted = heapq.heappop(heap)
            if cell == goal:
                return turn, cost, spent
            state = turn, cell, spent, origin if self.profile.size > 1 else None, is_halted
            if state in seen:
                continue
            seen.add(state)
            if self.can_stop(cell) and turn <= n_cells:
                heapq.heappush(heap, (turn + 1, cost, 0, cell, cell, False))
            for end, price in () if is_halted else self.steps(cell).items():
                after = self.spent_after(spent, price, points if turn == 1 else move)
                if after is not None:
                    entry = turn, cost + price, after, end, origin, self.halts(end, origin)
                    heapq.heappush(heap, entry)
        return None

    def price_plan(self, cells, turn_ends, points, move):
        """Return (turns, cost, points spent in the last turn) of a plan that is legal."""
        assert cells[0] == self.start
        assert [*turn_ends] == sorted({*turn_ends}), turn_ends
        assert turn_ends[-1] == len(cells) - 1
        cost = spent = here = 0
        for number, end in enumerate(turn_ends):
            spent, origin, is_halted = 0, cells[here], False
            for one, other in itertools.pairwise(cells[here : end + 1]):
                assert not is_halted
                price = self.steps(one)[other]
                spent = self.spent_after(spent, price, move if number else points)
                assert spent is not None
                cost, is_halted = cost + price, self.halts(other, origin)
            assert self.can_stop(cells[end])
            here = end
        return len(turn_ends), cost, spent
