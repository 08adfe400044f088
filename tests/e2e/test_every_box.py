"""A whole game with five expansions, by clicks alone; inns and cathedrals change scores, and all figures are used.

A box is an expansion of Carcassonne. `BuilderPlayer` is a random player who uses builders and pigs wherever it can;
members only press buttons.
"""

from pathlib import Path

import pytest

from engine import begin, parse_action, read_setup
from engine.events import Event, Scored
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import localized, words
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import open_table
from tests.e2e.test_full_games import check_game, play
from tests.e2e.test_traders_builders import BuilderPlayer

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept", "game_length")

NOTATION_SIGNS = ("~", " lot:", " builder@", " pig@", " big-follower@")
"""Parts of actions in the log, each of which has to occur: a bridge, a lot, and three kinds of figures."""
FURTHER_BOXES = ("traders-builders", "inns-cathedrals", "river", "king-robber")
"""The boxes added to those of a new table. They are fixed, since a further one would change the course of the game."""
SEED = 5
"""A seed with which all of these actions occur in a short game."""


@pytest.mark.long
async def test_a_game_with_five_expansions(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"every box {SEED}") as table:
        await table.start(4, further=FURTHER_BOXES)
        await play(table, SEED, player=BuilderPlayer)
        await check_game(table, recorder, NOTATION_SIGNS)
        check_inns_and_cathedrals(table.stored())
        text = "\n".join(words(message.components) for message in table.cards())
        assert localized("piece.big-follower_home") in text


def check_inns_and_cathedrals(stored: StoredGame) -> None:
    """Assert that inns and cathedrals affected scores."""
    position = begin(read_setup(stored.setup))
    events: list[Event] = []
    for text in stored.log:
        events += position.apply(parse_action(text))
    terms = {term.name for event in events if isinstance(event, Scored) for term in event.terms}
    assert terms >= {"inn", "cathedral"}
