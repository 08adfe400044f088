"""A whole game with the Phantom by clicks alone: it comes after another figure, and alone.

The phantom is a follower that may come as the second figure on the tile just laid. The seed lets both happen.
"""

from pathlib import Path

import pytest

from engine.carcassonne.expansions import PHANTOM
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import localized, words
from tests.e2e.table import open_table
from tests.e2e.test_full_games import check_game, play

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept", "game_length")

NOTATION_SIGNS = (" phantom:", " phantom@")
"""Parts of actions in the log, each of which has to occur: the phantom after another figure, and alone."""
SEED = 1
"""A seed with which both occur in a short game."""


@pytest.mark.long
async def test_a_game_with_the_phantom_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"phantom {SEED}") as table:
        await table.start(3, expansions=PHANTOM)
        assert localized("expansion.phantom") in words(table.cards()[0].components)
        await play(table, SEED)
        await check_game(table, recorder, NOTATION_SIGNS)
        text = "\n".join(words(message.components) for message in table.cards())
        assert localized("piece.phantom_home") in text
        assert localized("piece.phantom_out") not in text
