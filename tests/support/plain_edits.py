"""What operations of an edit do to a map, in plain Python."""

import itertools

from tests.support.plain_map import kind, level, underside


class PlainMap:
    """Surfaces, links and walls of a map as plain values; void ground is a surface of that kind."""

    def __init__(self, tilemap):
        decks = range(len(tilemap.surface_level))
        columns = itertools.product(range(tilemap.rows), range(tilemap.cols))
        self.surfaces = {
            (*column, deck): self._surface(tilemap, (*column, deck))
            for column, deck in itertools.product(columns, decks)
            if deck == 0 or not tilemap.surface_void[deck, *column]
        }
        self.links = {
            (one.start, one.end, one.cost, one.kind, one.one_way) for one in tilemap.links
        }
        self.walls = {(one.start, one.end, one.one_way) for one in tilemap.walls}

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None

    def __repr__(self):
        return f"{self.surfaces}, links {sorted(self.links)}, walls {sorted(self.walls)}"

    @staticmethod
    def _surface(tilemap, cell):
        return (
            level(tilemap, cell),
            kind(tilemap, cell).name,
            level(tilemap, cell) - underside(tilemap, cell),
        )

    def carry_out(self, orders):
        for name, *arguments in orders:
            getattr(self, f"_{name}")(*arguments)

    def _set_level(self, cell, height):
        _, name, thickness = self.surfaces[cell]
        self.surfaces[cell] = height, name, thickness

    def _set_kind(self, cell, name):
        height, _, thickness = self.surfaces[cell]
        self.surfaces[cell] = height, name, thickness
        if name == "void":
            self._drop_links(cell)

    def _drop_links(self, cell):
        self.links = {link for link in self.links if cell not in link[:2]}

    def _add_deck(self, column, height, name):
        deck = next(
            number for number in itertools.count(1) if (*column, number) not in self.surfaces
        )
        self.surfaces[*column, deck] = height, name, 1

    def _remove_deck(self, column, deck):
        cell = (*column, deck)
        del self.surfaces[cell]
        self._drop_links(cell)
        self.walls = {wall for wall in self.walls if cell not in wall[:2]}

    def _add_link(self, start, end, cost, name, one_way):
        self.links.add((start, end, cost, name, one_way))

    def _remove_link(self, start, end):
        self.links = {link for link in self.links if link[:2] != (start, end)}

    def _add_wall(self, start, end, one_way):
        self.walls.add((start, end, one_way))

    def _remove_wall(self, start, end):
        self.walls = {wall for wall in self.walls if wall[:2] != (start, end)}
