"""Descriptions of tiles as they lie on the table: different drawings have different descriptions in every language.

All kinds of tiles of both games are described in all four rotations.
"""

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.texts.languages import languages, speaking
from engine.carcassonne import tile
from engine.the_castle import GAME as CASTLE
from engine.the_castle import default_tile_set
from tests.cogs.description_parser import all_tile_kinds, drawing

LANGUAGES = tuple(languages())
CARCASSONNE = "carcassonne"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PRESENTERS)
def test_different_drawings_have_different_descriptions(game: str, language: str) -> None:
    drawings_by_description: dict[str, object] = {}
    with speaking(language):
        for kind in all_tile_kinds(game):
            for rotation in (0, 90, 180, 270):
                words = PRESENTERS[game].tile_aloud(kind, rotation)
                visible = drawing(kind, rotation)
                assert drawings_by_description.setdefault(words, visible) == visible, (
                    f"{kind.id} turned {rotation}: {words}"
                )


def test_formerly_ambiguous_tiles_are_distinguished() -> None:
    tile_aloud = PRESENTERS[CARCASSONNE].tile_aloud
    assert tile_aloud(tile("base/J"), 0) == (
        "north city, east road, south road, west field; road joins east and south;"
        " 2 fields, west and north-east; south-east"
    )
    assert "road joins south and west" in tile_aloud(tile("base/K"), 0)
    assert tile_aloud(tile("base/H"), 0) != tile_aloud(tile("base/I"), 0)


def test_drawings_on_a_feature_are_described_with_it() -> None:
    tile_aloud = PRESENTERS[CARCASSONNE].tile_aloud
    assert "city with a pennant joins north and west" in tile_aloud(tile("base/M"), 0)
    assert "road with an inn joins north and south" in tile_aloud(tile("ic/FRFR-b"), 90)
    assert "city with cloth joins north and east" in tile_aloud(tile("tb/CCCC-a"), 90)
    assert PRESENTERS[CASTLE].tile_aloud(default_tile_set()["castle/D26"], 90) == (
        "north-west and north-east house; south-east and south-west court; east and west path with a well"
    )
