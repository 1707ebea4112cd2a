"""Reasons: why something is refused, as data with one wording for programs and one for players."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from types import MappingProxyType
from typing import Any, cast

from terrain3d.core.checks import instance_of, plain, true_or_false
from terrain3d.core.translation import tr, tr_n
from terrain3d.grid.grid import Cell, CellLike, as_cell

_NOT_ALL = "not all of them find a path"

WORDINGS: dict[str, tuple[str] | tuple[str, str]] = {
    # Steps and surfaces
    "is_void": ("{cell} is void", "there is no ground {cell:at}"),
    "does_not_fit": ("{size} x {size} tiles do not fit {cell:at}",),
    "closed_kind": ("{kind} at {cell} cannot be entered", "{kind} cannot be entered {cell:at}"),
    "closed_by_rule": ("{cell} cannot be entered: {rule}", "{cell:tile} cannot be entered: {rule}"),
    "no_stop_kind": ("cannot stop on {kind} {cell:at}",),
    "low_ceiling": (
        "no headroom: {room} < {headroom} at {cell}",
        "it is {headroom:levels} tall, and {room} are free {cell:at}",
    ),
    "wall_between": ("a wall stands between {start} and {end}",),
    "high_climb": (
        "climb {rise} > {limit} at {cell}",
        "the climb {cell:at} is {rise:levels}, the limit is {limit}",
    ),
    "deep_drop": (
        "drop {rise} > {limit} at {cell}",
        "the drop {cell:at} is {rise:levels}, the limit is {limit}",
    ),
    "closed_corner": ("no path around the corner: {why}",),
    "not_neighbors": ("{start} and {end} are not neighbors", "no step leads from {start} {end:to}"),
    "far_warp": (
        "warp {length} > {limit} at {cell}",
        "the warp {cell:to} is {length:tiles}, the limit is {limit}",
    ),
    "one_way_link": ("the {kind} leads from {start} {end:to} only",),
    "closed_link": ("the {kind} from {start} {end:to} cannot be used",),
    # Paths
    "void_start": ("the start {cell} is void", "there is no ground at the start"),
    "bad_start": ("the start: {why}",),
    "is_occupied": ("{cell} is occupied", "another unit stands {cell:at}"),
    "has_to_end": ("the path has to end {cell:at}",),
    "map_changed": ("{cell:tile} could not be reached; the map has changed since",),
    "no_steps": ("no steps lead {goal:to}",),
    "no_warps": (
        "no warps of range {warp} lead to {goal}",
        "no warp over {warp:tiles} leads {goal:to}",
    ),
    "passed_only": ("{cell:tile} can be passed, but no path ends there",),
    "no_path": ("no path leads {goal:to}",),
    "over_budget": ("no path {goal:to} costs at most {budget}",),
    "no_goal_from": ("no goal can be reached from {cell}",),
    # Orders of a board
    "cannot_go": ("{unit} cannot go there: {why}",),
    "cannot_turn": ("{unit} cannot turn: {why}",),
    "cannot_end_turn": ("{team} cannot end its turn: it is {whose}'s turn",),
    "other_turn": ("it is {whose}'s turn",),
    "is_walking": ("{unit} is still walking",),
    "stands_on": ("{unit} stands {cell:on}",),
    "zone_ends_path": ("{unit}'s zone of control ends the path {cell:at}",),
    "too_expensive": ("costs {cost:move points}, but {unit} has {points}",),
    "expensive_step": (
        "the step {cell:to} costs {cost:move points}, but {unit} never has more than {points}",
    ),
    "too_wide": ("{unit} covers several tiles and has to move alone",),
    "other_start": ("the path does not start {cell:at}",),
    "no_legal_step": ("no legal step leads from {start} {end:to}",),
    "cannot_stop": ("it cannot stop {cell:at}",),
    "trade_places": ("{unit} and {other} would trade places {cell:at}",),
    "would_brush": (
        "{unit} would brush {other} on {cell}",
        "{unit} would bump into {other} {cell:at}",
    ),
    "both_on_cell": ("{unit} and {other} would both be {cell:on}",),
    "no_ground_left": ("no ground is left {cell:at}",),
    "ground_gone": ("the ground {cell:at} is gone",),
    "other_board": ("the plan is one of another board",),
    "plan_before_edit": ("the map has changed since the plan was made",),
    "plan_before_moves": ("units have changed since the plan was made",),
    "nothing_to_face": ("Select a unit and aim at the tile that it should face",),
    "not_yours": ("{unit} of team {team} is not yours",),
    "no_enemy_in_range": ("No enemy is near enough for {skill}: move closer, or wait",),
    "nothing_selected": ("Select a unit of yours first",),
    "no_turns": ("There are no turns to end",),
    # Squads
    "two_start": ("two units would stand {cell:on}",),
    "two_end": ("two units would end {cell:on}",),
    "cannot_pass": ("the units on {first} and {second} cannot get past each other",),
    "units_stuck": ("gave up: {n_stuck} of {n_units} units did not reach their goals", _NOT_ALL),
    "all_searched": (
        "no plan exists: all {n_configurations} configurations were searched",
        _NOT_ALL,
    ),
    # Behaviors
    "off_the_map": ("{cell:tile} is not on the map",),
    "either_off_the_map": ("{target:tile} or {here} is not on the map",),
    "has_arrived": ("has arrived {cell:at}",),
    "arrived_beside": ("has arrived beside {cell}",),
    "is_there": ("is {cell:at}",),
    "waits_at": ("waits {cell:at}",),
    "only_post": ("stays at its only post {cell}",),
    "detours_over": ("has given up {cell:at} after {n_detours:detours}",),
    "chase_over": ("has given up: {why}",),
    "caught_up": ("has caught up with the target {cell:at}",),
    "as_near_as_can": ("is as near {goal:to} as it can get",),
    "keeps_distance": ("keeps its distance of {tiles:tiles}",),
    "no_goal": ("there is no goal",),
    "no_target": ("there is no target",),
    "no_threat": ("no threat is near",),
    "no_safer_place": ("no place is safer",),
    "all_visited": ("all that can be reached has been visited",),
    "no_ground": ("there is no ground {cell:at}",),
    "no_step_from": ("no step is legal from {cell}",),
    "walled_in": ("walls stand all around {cell}",),
    "battle_over": ("the battle is over",),
    "has_acted": ("{unit} has acted",),
    "trail_over": ("has come to the end of the trail {cell:at}",),
    "unit_on_trail": ("a unit stands on the trail {cell:at}",),
    "condition_fails": ("its condition does not hold",),
    # Edits of a map
    "max_decks": ("{cell:tile} already has the maximum of {limit:decks}",),
    "link_into_void": (
        "a link needs surfaces at both ends, {cell} is void",
        "a link needs ground at both ends, there is none {cell:at}",
    ),
    "surfaces_overlap": ("surfaces overlap {cell:at}: {upper}, over {lower}",),
    "deck_of_overlap": ("deck {deck} at level {level}, {thickness} thick",),
    "ground_of_overlap": ("the ground at level {level}",),
    "highest_level": ("{cell:tile} is at level {level}, the highest",),
    "lowest_level": ("{cell:tile} is at level {level}, the lowest",),
    "no_bridge_needed": ("the ground from {start} {end:to} needs no bridge",),
    "long_ladder": ("a ladder leads to a neighbor, {start} and {end} are {distance:tiles} apart",),
    "wall_over_void": ("there is no ground for a wall {cell:at}",),
    "bent_wall": (
        "a wall cannot run from {start} {end:to}: end at a neighbor of the first tile, "
        "or in the next row or column",
        "a wall cannot run from {start} {end:to}: draw it along one straight edge",
    ),
    "same_ends": (
        "a {tool} needs two different ends, got {cell} twice",
        "a {tool} needs two tiles: drag from one end to the other",
    ),
    "nothing_between": (
        "a {tool} needs a tile between its ends, got {start} and {end}",
        "a {tool} needs a tile between its ends: drag farther",
    ),
    "several": ("{reasons}",),
    # Searches
    "searched": ("{algorithm}",),
    "searched_by": ("{algorithm}, heuristic {heuristic}",),
    "searched_in_order": ("{search}, {order}",),
    "searched_uphill": ("{search}, uphill {cost}",),
    "order_undone": ("undone",),
    "order_redone": ("redone",),
    # Strokes and files of the editor
    "paint_kind": ("paint {kind}",),
    "stroke_canceled": ("canceled",),
    "no_stroke": ("There is nothing to cancel",),
    "undone": ("undone: {change}",),
    "redone": ("redone: {change}",),
    "nothing_to_undo": ("nothing to undo",),
    "nothing_to_redo": ("nothing to redo",),
    "saved": ("saved {path}",),
    "loaded": ("loaded {path}",),
    "not_saved": ("not saved: {error}",),
    "not_loaded": ("not loaded: {error}",),
    "no_tiles_selected": ("nothing is selected: drag with the select tool",),
    "nothing_copied": ("nothing is copied",),
    "copied": ("copied {cols} x {rows} tiles",),
    "pasting": ("Click a tile to paste the copied part there",),
    "map_size": ("{change}: the map has {cols} x {rows} tiles",),
    "part_does_not_fit": ("the part does not fit there",),
    "unsaved_edits": (
        "the edits are not saved: {saves} in the map editor saves them, {key} again drops them",
    ),
    # Units of a map
    "unit_left_out": ("unit {n} is left out: {error}",),
    "unknown_mover": ("unit {n}, {unit}, moves as light foot: no mover is called {mover}",),
    "units_not_a_list": ("units: must be a list, got {value}",),
    "turn_begins_anew": ("turn: begins anew: {error}",),
    "more_notes": ("units: {n} more notes",),
    # The map doctor
    "found_at": ("{cell} {what}",),
    "found_at_several": ("{cell} and {n_more} more {what}",),
    "no_spawn": ("cannot be a spawn: {why}",),
    "trapped": ("can be entered, but not left",),
    "cut_off": ("cannot be reached",),
    "cut_spawn": ("cannot reach the spawn on {cell}, nor be reached from it",),
    "no_way_to_spawn": ("cannot reach the spawn on {cell}",),
    "no_way_from_spawn": ("cannot be reached from the spawn on {cell}",),
    "cuts_off": ("would cut off {size} surfaces",),
    "useless_link": ("the {kind} from {start} to {end} leads nowhere: {why}",),
}
"""The wordings of each code, for programs and for players; one if they are alike.

A field is the name of a value. `{cell:at}`, with a preposition, is "at (4, 7)" for a program, and
for a player "there" where the cell is the one aimed at; `{cell:tile}` is "(4, 7)", for a player
"the tile at" its place. `{n:levels}` is a number with a noun, for a player "1 level". A game may
add codes of its own.
"""

_PLACES = {
    "at": "at {place}",
    "on": "on {place}",
    "to": "to {place}",
    "tile": "the tile at {place}",
}
_ELSEWHERE = {
    "at": "at another tile",
    "on": "on another tile",
    "to": "to another tile",
    "tile": "another tile",
    "": "another tile",
}
"""What a player reads without coordinates of a tile that is not aimed at."""

_DETAIL = re.compile(r"\{(\w+):([a-z][a-z ]+)\}")
"""A field with words, which formats of Python such as `:.2f` and `:03d` are not."""
_WORDS = re.compile(r"[a-z][a-z ]+")


class Reason(str):
    """A reason as data; as a text it is the wording for programs, such as "(4, 7) is occupied".

    It equals its text. `str(reason)` and `str(ValueError(reason))` keep the data; a text that is
    made of it by an f-string or `join` does not. `plain_reason` returns the wording for players.

    Parameters
    ----------
    code : str
        A key of `WORDINGS`; any other text is its own wording, with fields if there are values.
    **values : object
        Cells, numbers, names and other reasons, by the fields of the wordings.

    Raises
    ------
    TypeError, KeyError
        The code is not text, or a tuple for a place no cell; a field of the wording has no value.
    """

    _code: str
    _values: dict[str, object]

    def __new__(cls, code: str, /, **values: object) -> "Reason":
        """Word the reason."""
        text, _ = _wordings(instance_of("code", code, str))
        for name in places_in(code):
            if isinstance(values.get(name), tuple):
                values[name] = as_cell(cast(CellLike, values[name]))
        reason = super().__new__(cls, text.format(**values) if values else text)
        reason._code, reason._values = code, values
        return reason

    def __str__(self) -> str:
        """Return itself, so that `str` keeps the data."""
        return self

    @property
    def code(self) -> str:
        """What kind of reason it is."""
        return self._code

    @property
    def values(self) -> Mapping[str, object]:
        """What it is about, by name."""
        return MappingProxyType(self._values)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells among its values, and those of the reasons among them."""
        found: list[Cell] = []
        for value in self._values.values():
            for each in value if isinstance(value, _Several) else (value,):
                found += [each] if isinstance(each, Cell) else ()
                found += each.cells if isinstance(each, Reason) else ()
        return tuple(found)


@lru_cache(maxsize=256)
def _wordings(code: str) -> tuple[str, str]:
    """Return the wording for programs, without details in its fields, and that for players."""
    known = WORDINGS.get(code, (code,))
    text = known[0].replace(":tile}", "}")
    return _DETAIL.sub(_undetailed, text), known[-1]


def places_in(code: str) -> list[str]:
    """Return the fields of a wording for places, which are cells in reasons of our own."""
    return [name for name, detail in _DETAIL.findall(_wordings(code)[1]) if detail in _PLACES]


def _undetailed(field: re.Match[str]) -> str:
    return _beside(f"{{{field[1]}}}", field[2])


def _beside(text: str, words: str) -> str:
    """Return a text after a preposition, or before a noun."""
    return f"{words} {text}" if words in _PLACES else f"{text} {words}"


class _Several(tuple[str, ...]):
    """Reasons as one value."""

    def __str__(self) -> str:
        """Return all, separated by semicolons."""
        return "; ".join(self)


class _Place(Cell):
    """A cell in the words of a player."""

    is_there = has_coordinates = False

    def __format__(self, preposition: str) -> str:
        """Return where it is; with a preposition, "there" if it is the cell aimed at."""
        if preposition not in _ELSEWHERE:
            return _beside(f"{self}", preposition)
        if preposition and self.is_there:
            return tr("the tile there" if preposition == "tile" else "there")
        if not self.has_coordinates:
            return tr(_ELSEWHERE[preposition])
        place = describe_place(self)
        return tr(_PLACES[preposition], place=place) if preposition else place


@dataclass(frozen=True)
class _Value:
    """A number, or what has a detail that is none of Python's, in the words of a player."""

    value: Any

    def __format__(self, detail: str) -> str:
        """Return it, a number perhaps with a regular noun in the form for it."""
        number = float(self.value) if isinstance(self.value, Real) else None
        if number is None or (detail and not _WORDS.fullmatch(detail)):
            has_words = _WORDS.fullmatch(detail)
            return _beside(f"{self.value}", detail) if has_words else format(self.value, detail)
        if not detail or detail in _PLACES:
            return _beside(plain(number), detail).strip()
        return tr_n(f"{{n}} {detail[:-1]}", f"{{n}} {detail}", number)


def join_reasons(reasons: Iterable[str]) -> Reason:
    """Return one reason with several others, separated by semicolons."""
    return Reason("several", reasons=_Several(reasons))


def plain_reason(reason: str, aim: CellLike | None = None, *, has_coordinates: bool = True) -> str:
    """Return a reason in the words of a player; the cell aimed at is called "there".

    Without coordinates no tile is named by its row and column. The words are those of the
    player's language. Plain text without a translation, as a log file has it, is returned as it is.

    Examples
    --------
    >>> reason = Reason("is_void", cell=Cell(4, 7))
    >>> reason, plain_reason(reason)
    ('(4, 7) is void', 'there is no ground at (row 4, col 7)')
    >>> plain_reason(reason, aim=(4, 7))
    'there is no ground there'
    """
    there = None if aim is None else as_cell(aim)
    instance_of("reason", reason, str)
    true_or_false("has_coordinates", has_coordinates)
    if not isinstance(reason, Reason):
        return tr(reason)
    values: dict[str, object] = {}
    wording = _wordings(reason.code)[1]
    detailed = {name for name, _ in _DETAIL.findall(wording)}
    for name, value in reason.values.items():
        if isinstance(value, Cell):
            place = values[name] = _Place(*value)
            place.is_there, place.has_coordinates = value == there, has_coordinates
        elif isinstance(value, _Several):
            values[name] = tr("; ").join(
                plain_reason(each, there, has_coordinates=has_coordinates) for each in value
            )
        else:
            if isinstance(value, str):
                value = plain_reason(value, there, has_coordinates=has_coordinates)
            is_worded = isinstance(value, Real) or name in detailed
            values[name] = _Value(value) if is_worded else value
    return tr(wording, **values)


def describe_place(cell: Cell) -> str:
    """Return row and column in parentheses, and the deck if it is above the ground."""
    if cell.deck:
        return tr("(row {row}, col {col}, deck {deck})", **cell._asdict())
    return tr("(row {row}, col {col})", row=cell.row, col=cell.col)
