"""A whole game with King & Robber Baron by clicks alone, and what its cards say of the two markers.

The expansion has two markers: the king goes to the player who completes the largest city, the robber baron to the one
with the longest road. The seed lets both change hands.
"""

from pathlib import Path

import pytest

from engine import begin, parse_action, read_setup
from engine.carcassonne import Position
from engine.carcassonne.expansions import KING_ROBBER
from engine.carcassonne.expansions.king_robber import KingRobberTaken, Marker, holding_of
from engine.events import Event, Scored
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import alt_texts, localized, words
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import Table, open_table
from tests.e2e.test_full_games import check_game, play

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept", "game_length")

SEED = 3
"""A seed with which both markers are taken in a short game."""


@pytest.mark.long
async def test_a_game_with_both_markers_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"king {SEED}") as table:
        await table.start(3, expansions=KING_ROBBER)
        assert localized("expansion.king-robber") in words(table.cards()[0].components)
        await play(table, SEED)
        await check_game(table, recorder, ())
        position = check_events(table.stored())
        check_cards(table, position)


def check_events(stored: StoredGame) -> Position:
    """Check that both markers were taken and brought points; return the end of the game."""
    position = begin(read_setup(stored.setup))
    assert isinstance(position, Position)
    events: list[Event] = []
    for text in stored.log:
        events += position.apply(parse_action(text))
    assert {event.marker for event in events if isinstance(event, KingRobberTaken)} == {*Marker}
    assert {*Marker} <= {event.kind for event in events if isinstance(event, Scored) and event.final}
    return position


def check_cards(table: Table, position: Position) -> None:
    """Check that cards tell of the markers, in the story, the alt texts and the final table."""
    *card_texts, final = [words(card.components) for card in table.cards()]
    everything = "\n".join(card_texts)
    described = "\n".join(text for card in table.cards() for text in alt_texts(card.components))
    for marker in Marker:
        holding = holding_of(position, marker)
        assert holding is not None
        assert localized(f"tell.{marker}_nobody") in described
        taken_text = localized(f"story.{marker}_taken", player="|", count=holding.size).split("|")[1]
        kept_text = localized(f"story.{marker}_kept", player="|", count=holding.size).split("|")[1]
        assert taken_text in everything or kept_text in everything
        assert localized(f"category.{marker}", points="|").split("|", maxsplit=1)[0] in final
