"""Terrain characters of MovingAI maps, and the kinds they stand for.

Maps of games have seven characters: https://movingai.com/benchmarks/formats.html. In the collection
of weighted terrain (Sturtevant, Sigurdson, Taylor, Gibson: Pathfinding and Abstraction with Dynamic
Terrain Costs, AIIDE 2019) each letter from A to P is a terrain, named in DynamicWeightedGrid.h of
https://github.com/nathansttt/hog2. Each experiment chooses the costs.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from terrain3d.grid.kinds import VOID, TileKind

KINDS = (
    TileKind("grass", texture="grass", props="meadow"),
    TileKind("swamp", color=(0.40, 0.44, 0.30), texture="mud", props="reeds"),
    TileKind("water", cost=None, color=(0.26, 0.47, 0.66), depth=1, texture="water"),
    TileKind("tree", cost=None, color=(0.20, 0.38, 0.20), texture="grass", props="trees"),
    VOID,
)
"""Grass and swamp cost 1 each unless a movement profile says otherwise."""

TERRAINS = (
    TileKind("black", color=(0.13, 0.12, 0.14), texture="rock"),
    TileKind("deep water", color=(0.13, 0.30, 0.52), tags={"liquid"}, depth=3, texture="water"),
    TileKind("water", color=(0.24, 0.45, 0.68), tags={"liquid"}, depth=2, texture="water"),
    TileKind("river", color=(0.48, 0.68, 0.84), tags={"liquid"}, depth=1, texture="water"),
    TileKind("swamp", color=(0.30, 0.42, 0.36), texture="mud", props="reeds"),
    TileKind("ground", color=(0.56, 0.42, 0.30), texture="soil"),
    TileKind("trees", color=(0.22, 0.40, 0.20), texture="grass", props="trees"),
    TileKind("road", color=(0.78, 0.72, 0.46), texture="paving"),
    TileKind("desert", color=(0.93, 0.86, 0.62), texture="sand"),
    TileKind("ice", color=(0.78, 0.92, 0.96), texture="snow"),
    TileKind("jungle", color=(0.18, 0.34, 0.28), texture="grass", props="trees"),
    TileKind("plains", color=(0.68, 0.66, 0.36), texture="grass", props="meadow"),
    TileKind("blight", color=(0.46, 0.40, 0.18), texture="mud"),
    TileKind("tundra", color=(0.74, 0.74, 0.70), texture="soil", props="stones"),
    TileKind("mountain", color=(0.42, 0.41, 0.42), texture="rock", props="rubble"),
    TileKind("hills", color=(0.44, 0.58, 0.30), texture="grass", props="stones"),
)
"""The terrains of the letters A to P. Each costs 1 unless a profile says otherwise."""

GAME_KINDS: Mapping[str, TileKind] = dict(
    zip(".GSWT@O", (KINDS[0], *KINDS[:4], VOID, VOID), strict=True)
)
LETTER_KINDS: Mapping[str, TileKind] = dict(zip("ABCDEFGHIJKLMNOP", TERRAINS, strict=True))

_CHARACTER_OF_NAME = dict(zip((kind.name for kind in KINDS), ".SWT@", strict=True))
_LETTER_OF = {kind: letter for letter, kind in LETTER_KINDS.items()}


def unknown_characters(characters: Collection[str]) -> set[str]:
    """Return the characters of a map that stand for no kind."""
    if alphabet_of(characters):
        return set()
    is_game_map = bool((GAME_KINDS.keys() - LETTER_KINDS.keys()) & set(characters))
    return set(characters) - (GAME_KINDS if is_game_map else LETTER_KINDS).keys()


def characters_of(kinds: Sequence[TileKind], used: Collection[int]) -> list[str]:
    """Return the character of each kind: letters if all kinds in use are terrains of letters."""
    letters = [_LETTER_OF.get(replace(kind, cost=1), "") for kind in kinds]
    used_letters = {letters[number] for number in used}
    if "" not in used_letters and not used_letters <= GAME_KINDS.keys():
        return [letter or "A" for letter in letters]
    return [_game_character(kind) for kind in kinds]


def alphabet_of(characters: Collection[str]) -> Mapping[str, TileKind]:
    """Return the alphabet that has all of the characters, an empty one if there is none."""
    alphabets = (GAME_KINDS, LETTER_KINDS)
    return next((known for known in alphabets if known.keys() >= set(characters)), {})


def _game_character(kind: TileKind) -> str:
    if kind.name in _CHARACTER_OF_NAME:
        return _CHARACTER_OF_NAME[kind.name]
    if kind.cost is None:
        return "W" if "liquid" in kind.tags else "T"
    return "S" if kind.cost > 1 else "."
