"""A whole game with both rivers by clicks: the fork comes first, and whoever lays the lake lays another tile."""

from pathlib import Path

import pytest

from engine import begin, parse_action, read_setup
from engine.carcassonne.expansions import RIVER, RIVER_TWO
from engine.carcassonne.expansions.river_two import FORK, VOLCANO, VolcanoReached
from engine.events import Event, TilePlaced
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import localized, words
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import open_table
from tests.e2e.test_full_games import check_game, play

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept", "game_length")

SEED = 1
"""The seed of the game."""


@pytest.mark.long
async def test_a_game_with_both_rivers_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"rivers {SEED}") as table:
        await table.start(3, expansions=RIVER_TWO, further=(RIVER,))
        assert localized("expansion.river-two") in words(table.cards()[0].components)
        await play(table, SEED)
        await check_game(table, recorder, ())
        check_events(table.stored())
        text = "\n".join(words(message.components) for message in table.cards())
        assert localized("story.another_tile", player="|").split("|")[1] in text


def check_events(stored: StoredGame) -> None:
    """Check that the fork came first, and that whoever laid the lake laid the next tile."""
    position = begin(read_setup(stored.setup))
    events: list[Event] = []
    for text in stored.log:
        events += position.apply(parse_action(text))
    placed = [event for event in events if isinstance(event, TilePlaced)]
    assert placed[0].tile.id == FORK
    lake = next(number for number, event in enumerate(placed) if event.tile.id == VOLCANO)
    assert placed[lake].player == placed[lake + 1].player
    assert [event.player for event in events if isinstance(event, VolcanoReached)] == [placed[lake].player]
