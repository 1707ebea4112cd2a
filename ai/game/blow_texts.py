"""Say in short words what blows of a battle may do, and what those of its log have done."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ai.board.log import Entry
from ai.board.unit import Unit
from ai.game.battle import CHANCE_PER_LEVEL, POISON_DAMAGE, SIDES, SKILLS, Blow
from ai.game.objective import side_name, turn_name
from terrain3d.core.checks import plain
from terrain3d.core.translation import capitalized, tr, tr_n


class Card(NamedTuple):
    """What a forecast says over a unit: the skill used on it, and words, the numbers first."""

    skill: str
    lines: tuple[str, ...]
    loss: float
    """The most hit points that it may lose."""


class Outcome(NamedTuple):
    """What a unit has lost, the attacker and the cause; without a blow, `by` is ""."""

    by: str
    skill: str
    target: str
    damage: float
    left: float
    text: str
    """A number or a word."""
    effect: str = ""
    """What the blow does beside its damage, in a word; "" if nothing."""
    is_hit: bool = True


def forecast_cards(blows: Sequence[Blow]) -> dict[Unit, Card]:
    """Return what a forecast says over each unit that it concerns, first those who are struck.

    No number is larger than the hit points that are left, and the chance of a counterattack is
    that of both: that its unit is not defeated before, and that it hits.
    """
    cards: dict[Unit, Card] = {}
    defeats: dict[Unit, int] = {}
    for blow in blows:
        known = cards.get(blow.target, Card(blow.skill, (), 0))
        left = max(0, round(blow.target.stats["hp"]) - known.loss)
        damage = min(blow.damage, left)
        fall = min(blow.fall_damage, left - damage)
        chance = round(blow.chance * (100 - defeats.get(blow.by, 0)) / 100)
        if not chance and blow.by in defeats:
            continue
        numbers = tr("{chance} %  -{damage}", chance=chance, damage=damage)
        words = _modifiers(blow, fall)
        if left and damage + fall == left:
            defeats[blow.target] = chance
            words.insert(0, tr("defeated"))
        if blow.by != blows[0].by:
            is_sure = blow.by not in defeats
            words.insert(0, tr("counterattack" if is_sure else "counterattack, unless defeated"))
        lines = *known.lines, numbers if damage else tr("{chance} %", chance=chance), *words
        cards[blow.target] = Card(known.skill, lines, known.loss + damage + fall)
    for blow in blows[:1]:
        cards.setdefault(blow.by, Card("", (tr("no counterattack"),), 0))
    return cards


def _modifiers(blow: Blow, fall: float) -> list[str]:
    """Return what adds to the chance of a blow, and what it does beside its damage."""
    more, above, n_turns = SIDES[blow.side][0], blow.above, SKILLS[blow.skill].poison
    words = [f"{tr('from behind') if blow.side == 'back' else tr('from the side')} {more:+} %"]
    words = words if more else []
    if above:
        level = tr_n("{n} level higher", "{n} levels higher", above)
        if above < 0:
            level = tr_n("{n} level lower", "{n} levels lower", -above)
        words.append(f"{level} {CHANCE_PER_LEVEL * above:+} %")
    if blow.fall:
        words.append(tr_n("falls {n} level", "falls {n} levels", blow.fall))
        words[-1] += f": -{fall:g}" if fall else ""
    elif blow.slide:
        words.append(tr_n("pushed {n} tile", "pushed {n} tiles", len(blow.slide)))
    elif SKILLS[blow.skill].push:
        words.append(tr("cannot be pushed there"))
    if blow.lift:
        words.append(tr_n("raised {n} level", "raised {n} levels", blow.lift))
    if n_turns:
        one = "poisoned for {n} turn: -{damage}"
        many = "poisoned for {n} turns: -{damage} each"
        words.append(tr_n(one, many, n_turns, damage=POISON_DAMAGE))
    return words


def outcomes(hits: Iterable[Mapping[str, Any]], team: str = "") -> list[Outcome]:
    """Return what the hits of an entry's data have done, in their order, as far as a team sees it.

    In fog an attacker out of its sight is called "?". A fall is an outcome of its own.
    """
    found = []
    for hit in hits:
        unseen = hit.get("unseen", {}).get(team, ())
        if hit["target"] in unseen:
            continue
        by, fall = "?" if hit["by"] in unseen else hit["by"], hit.get("fall_damage", 0)
        lost, left, is_hit = hit["damage"] - fall, hit["left"], not hit.get("missed")
        effect = _effect(hit)
        text = f"-{lost:g}" if lost else (effect or "0") if is_hit else tr("miss")
        if not by:
            text = f"{tr(hit['skill'])} {lost:g}"
        each = Outcome(by, hit["skill"], hit["target"], lost, left + fall, text, effect, is_hit)
        found.append(each)
        if levels := hit.get("fall"):
            text = tr_n("fell {n} level", "fell {n} levels", levels)
            text = f"{text} -{fall:g}" if fall else text
            found.append(Outcome("", "fall", hit["target"], fall, left, text))
    return found


def _effect(hit: Mapping[str, Any]) -> str:
    """Return what a hit does beside its damage."""
    if hit.get("poison"):
        return tr("poisoned")
    return tr("pushed") if hit.get("pushed") else ""


def log_lines(log: Iterable[Entry], team: str) -> list[str]:
    """Return a line for each outcome in the log that a team has seen, and one for each turn."""
    lines, turn = list[str](), ""
    for entry in log:
        for each in outcomes(entry.data.get("hits", ()), team):
            if not turn:
                now, side = entry.before, side_name(entry.before.acting_team)
                turn = capitalized(turn_name(now.number, now.order))
                turn = tr("{turn}: {whose}", turn=turn, whose=side)
                lines.append(turn)
            lines.append(_line(each))
        turn = "" if entry.begins_turn else turn
    return lines


def _line(each: Outcome) -> str:
    """Return a line of the log."""
    skill, ending = tr(each.skill), tr("{n} left", n=plain(each.left))
    values = {"by": each.by, "skill": skill, "target": each.target, "text": each.text}
    if not each.is_hit:
        return tr("{by}, {skill}: misses {target}", **values)
    text = tr("{by}, {skill}: {target} {text}", **values)
    if not each.by:
        text = tr("{target}: {text}", **values)
    parts = [text, ending if each.left else tr("defeated")]
    if each.damage and each.effect:
        parts.insert(1, each.effect)
    return tr(", ").join(parts)
