"""A whole game with *Abbey & Mayor* by clicks alone: abbeys, mayors, wagons that move on, and barns.

The seed lets all of this happen, abbeys after the last tile included.
"""

from pathlib import Path

import pytest

from engine.carcassonne.expansions import ABBEY_MAYOR
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import localized, words
from tests.e2e.table import open_table
from tests.e2e.test_full_games import check_game, play

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept", "game_length")

NOTATION_SIGNS = (" abbey ", " mayor@city", " wagon@", " wagon:", " barn:")
"""Parts of actions in the log, each of which has to occur."""
SEED = 20
"""A seed with which all of them occur in a short game."""


@pytest.mark.long
async def test_a_game_with_abbeys_mayors_wagons_and_barns_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"abbey {SEED}") as table:
        await table.start(3, expansions=ABBEY_MAYOR)
        assert localized("expansion.abbey-mayor") in words(table.cards()[0].components)
        await play(table, SEED)
        await check_game(table, recorder, NOTATION_SIGNS)
        text = "\n".join(words(message.components) for message in table.cards())
        for piece in ("mayor_home", "wagon_home", "barn_home"):
            assert localized(f"piece.{piece}") in text
        assert localized("story.barn", player="|", cells="|").split("|")[1].strip() in text
