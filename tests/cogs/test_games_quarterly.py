"""Games Quarterly 11 in words: its tiles, and pigs that a table may play as a drawing."""

from __future__ import annotations

import pytest

from cogs.commands.table_options import pages
from cogs.games.carcassonne.words import tile_aloud, tile_words
from cogs.games.presenters import presenter_of
from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from engine.carcassonne import Options, tile, tile_set
from engine.carcassonne.expansions import BCB, GAMES_QUARTERLY
from engine.carcassonne.expansions.games_quarterly import CITIES_AT_RIVER, PIG_FIELD, SPRING
from gallery.built_positions import arrange
from tests.cogs.test_choosing_options import lobby_of

LANGUAGES = [language.code for language in offered_languages()]
"""Codes of the offered languages."""


def test_its_own_tiles_in_words() -> None:
    assert tile_words(tile(PIG_FIELD)) == "pigs on the field"
    assert "spring of the river" in tile_words(tile(SPRING))
    assert "river" in tile_words(tile(CITIES_AT_RIVER))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_its_tiles_apart(language: str) -> None:
    with speaking(language):
        kinds = [*tile_set(GAMES_QUARTERLY).values(), tile("bcb/FFFF")]
        assert len({tile_aloud(kind, 0) for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("counts", [True, False])
def test_pigs_that_do_not_count_are_called_a_drawing(counts: bool) -> None:
    position = arrange(hand=PIG_FIELD, expansions=(GAMES_QUARTERLY,), options=Options.of({"gq11_pig_herd": counts}))
    details = presenter_of(position).details(("Ana", "Ben", "Cleo"), position)
    assert (t("panel.idle_herd") in details) == (not counts)


def test_its_option_is_shown_with_the_box_alone() -> None:
    shown = {
        boxes: {name for page in pages(lobby_of("carcassonne", expansions=boxes)).values() for name in page}
        for boxes in ((GAMES_QUARTERLY,), (BCB,))
    }
    assert "gq11_pig_herd" in shown[GAMES_QUARTERLY,]
    assert "gq11_pig_herd" not in shown[BCB,]
