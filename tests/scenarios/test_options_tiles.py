"""The tile list of the edition of 2017 (SU-09) and the wrong tiles of its first print (SU-10, O-15).

The printed list names the tiles by letters. For some letters, public sources leave open which drawing they mean. Codes
such as SU-09 are rules of the rule digest; each test is named by the rule that it shows.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine.carcassonne import FeatureKind, Options, TileKind, new_setup, tile_set
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.inns_cathedrals import has_inn

KINDS = [kind for kind in tile_set(BCB).values() if kind.count]
"""The tiles of the box, without those that only later editions have."""
FIRST_PRINT = Options(c2_tile_mix="first_print")
"""The option with the wrong tiles of the first print."""
SEEDS = [str(number) for number in range(100)]
"""The seeds of the setups that are compared."""


def tiles_with_letter(letter: str) -> list[TileKind]:
    """Return the tiles that a letter of the printed list may mean."""
    return [kind for kind in KINDS if letter in kind.letters]


def expansion_tiles(seed: str, options: Options = FIRST_PRINT) -> Counter[str]:
    """Count the tiles of the expansion in a new pile, by id."""
    pile = new_setup(players=3, seed=seed, options=options).pile
    return Counter(name for name in pile if name.startswith("bcb/"))


def test_SU_09_eleven_letters_for_eleven_drawings() -> None:
    assert len(KINDS) == len("ABCDEFGHIJK")
    assert {letter for kind in KINDS for letter in kind.letters} == set("ABCDEFGHIJK")
    assert all(kind.letters for kind in KINDS)


def test_SU_09_two_tiles_D() -> None:
    assert [(kind.id, kind.count) for kind in tiles_with_letter("D")] == [("bcb/CCCC", 2)]
    assert all(kind.count == 1 for kind in KINDS if kind.letters != "D")


def test_SU_09_inns_on_C_and_J() -> None:
    inns = {kind.id for kind in KINDS if any(has_inn(segment) for segment in kind.segments)}
    assert {kind.id for kind in tiles_with_letter("C")} == {kind.id for kind in tiles_with_letter("J")} == inns


def test_SU_09_the_pointed_city_on_I() -> None:
    assert [kind.id for kind in tiles_with_letter("I")] == ["bcb/FRFC"]
    (pointed,) = [segment for segment in tiles_with_letter("I")[0].segments if segment.kind is FeatureKind.CITY]
    assert not pointed.cap


@pytest.mark.parametrize("seed", SEEDS[:20])
def test_SU_10_the_first_print_has_twelve_tiles_without_C_and_I_and_two_of_E_and_J(seed: str) -> None:
    tiles = expansion_tiles(seed)
    assert sum(tiles.values()) == 12
    assert tiles["bcb/FRFC"] == 0
    assert sorted(tiles[kind.id] for kind in tiles_with_letter("C")) == [0, 2]
    assert sorted(tiles[kind.id] for kind in tiles_with_letter("E")) == [1, 1, 1, 1, 1, 1, 2]
    assert tiles["bcb/CCCC"] == 2


def test_SU_10_the_seed_decides_where_the_list_is_ambiguous() -> None:
    mixes = [expansion_tiles(seed) for seed in SEEDS]
    for letter in "EJ":
        assert {kind.id for kind in tiles_with_letter(letter) for tiles in mixes if tiles[kind.id] == 2} == {
            kind.id for kind in tiles_with_letter(letter)
        }
    assert expansion_tiles("5") == expansion_tiles("5")


def test_SU_10_the_default_is_the_corrected_list() -> None:
    assert expansion_tiles("1", Options()) == {kind.id: kind.count for kind in KINDS}


def test_SU_10_the_rest_of_the_pile_is_unchanged() -> None:
    corrected, first = (
        Counter(new_setup(players=3, seed="7", options=options).pile) for options in (Options(), FIRST_PRINT)
    )
    assert all(name.startswith("bcb/") for name in (corrected - first) + (first - corrected))
    assert sum(first.values()) == 83


def test_SU_10_without_the_expansion_the_option_changes_nothing() -> None:
    plain, first = (
        new_setup(players=2, seed="7", options=options, expansions=()).pile for options in (Options(), FIRST_PRINT)
    )
    assert plain == first
