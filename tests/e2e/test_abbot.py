"""A whole game with the Abbot by clicks alone: he stands in gardens and on monasteries, and is taken home.

The seed lets all of this happen. The table opened with the box has the tiles with gardens.
"""

from pathlib import Path

import pytest

from engine.carcassonne.expansions import ABBOT
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import localized, words
from tests.e2e.table import open_table
from tests.e2e.test_full_games import check_game, play

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept", "game_length")

NOTATION_SIGNS = (" abbot@garden", " abbot@monastery", " abbot-home")
"""Parts of actions in the log, each of which has to occur."""
SEED = 2
"""A seed with which all of them occur in a short game."""


@pytest.mark.long
async def test_a_game_with_the_abbot_is_played_by_clicks(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"abbot {SEED}") as table:
        await table.start(3, expansions=ABBOT)
        assert localized("expansion.abbot") in words(table.cards()[0].components)
        await play(table, SEED)
        await check_game(table, recorder, NOTATION_SIGNS)
        text = "\n".join(words(message.components) for message in table.cards())
        assert localized("piece.abbot_home") in text
        assert localized("tile.garden") in text
        assert localized("story.abbot_home", player="|", cell="|").split("|")[1].strip() in text
