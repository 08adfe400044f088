"""King & Robber Baron in words: the markers' texts, alt texts, and the crossing of two cities for screen readers.

The expansion has two markers. The player who completes the largest city takes the king, the one with the longest road
the robber baron. *By ear* is a setting for players who use a screen reader: tiles are described in words.
"""

from __future__ import annotations

from typing import Any

import pytest

from cogs.commands.table_options import pages
from cogs.games.carcassonne import presenter
from cogs.games.carcassonne.words import sentence, tile_aloud, tile_words
from cogs.games.presenters import presenter_of
from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from cogs.words.alt_texts import board_alt, move_alt
from cogs.words.names import segment_aloud, segment_words
from cogs.words.story import score_table
from engine.carcassonne import Position, tile
from engine.carcassonne.expansions import BCB, KING_ROBBER
from engine.carcassonne.expansions.king_robber import KingRobberTaken, Marker
from engine.events import Event, Scored, Term
from gallery.built_positions import arrange
from host import Moment
from renderers import DAY, Picture
from renderers.carcassonne import Tally
from tests.cogs.positions import game_of
from tests.cogs.test_choosing_options import lobby_of
from tests.scenarios.vocabulary import play_turn

NAMES = ("Ana", "Ben", "Cleo")
"""Names of the seats 0, 1 and 2."""
KING, ROBBER = Marker
LANGUAGES = [language.code for language in offered_languages()]
"""Codes of the offered languages."""
CROSSING = tile("kr/CCCC")
"""A tile with two cities that cross without touching."""


def table(*markers: str, **values: Any) -> Position:
    """Return a position with the box, and markers held by players."""
    return arrange(**{"expansions": (KING_ROBBER,), "king_robber": markers, **values})


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (KingRobberTaken(0, KING, 5, False, (0,)), "Ana takes the King with a city of 5 tiles."),
        (KingRobberTaken(1, KING, 7, True, (1,)), "Ben keeps the King: the largest city now has 7 tiles."),
        (KingRobberTaken(1, KING, 5, False, (0, 1)), "Ben now shares the King, with a city of 5 tiles."),
        (KingRobberTaken(2, ROBBER, 6, False, (2,)), "Cleo takes the Robber Baron with a road of 6 tiles."),
        (KingRobberTaken(2, ROBBER, 8, True, (2,)), "Cleo keeps the Robber Baron: the longest road now has 8 tiles."),
        (
            Scored(0, 6, "king", (Term("cities", 6, 6),), (), final=True),
            "**Ana +6** at the end for a favour of the King: 6 cities.",
        ),
        (
            Scored(1, 9, "robber", (Term("roads", 9, 9),), (), final=False),
            "**Ben +9** for a favour of the Robber Baron: 9 roads.",
        ),
        (
            Scored(1, 20, "king", (Term("markers", 2, 20),), (), final=True),
            "**Ben +20** at the end for a favour of the King: both of them.",
        ),
    ],
)
def test_what_happens_is_told(event: Event, told: str) -> None:
    assert sentence(NAMES, event) == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_who_takes_and_who_keeps_apart(language: str) -> None:
    with speaking(language):
        events = [
            KingRobberTaken(0, marker, size, kept, holders)
            for marker in Marker
            for size in (2, 5)
            for kept, holders in ((False, (0,)), (True, (0,)), (False, (0, 1)))
        ]
        sentences = [sentence(NAMES, event) for event in events]
        assert len(set(sentences)) == len(sentences)
        assert all("Ana" in line and str(event.size) in line for line, event in zip(sentences, events, strict=True))


def test_the_holder_of_a_marker_is_in_the_score_table() -> None:
    position = table("king 0 5", "robber 1 2 6")
    ana, ben, cleo = score_table(presenter_of(position), game_of(position), position).splitlines()
    assert "King (5 tiles)" in ana
    assert "Robber" not in ana
    assert "Robber Baron (6 tiles)" in ben
    assert "Robber Baron (6 tiles)" in cleo
    assert "King" not in ben + cleo


def test_the_score_track_counts_the_tiles_of_each_marker(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_tallies: list[list[Tally]] = []
    monkeypatch.setattr(
        presenter, "score_panel", lambda tallies, **_: drawn_tallies.append(tallies) or Picture(b"", "track.png", 1, 1)
    )
    for position in (table("king 0 5"), arrange(expansions=())):
        presenter.score_pictures(game_of(position), position, DAY)
    played, without = ([dict(tally.left) for tally in tallies] for tallies in drawn_tallies)
    assert [(counts.get("king"), counts.get("robber")) for counts in played] == [(5, None), (None, None), (None, None)]
    assert all(list(counts) == ["follower"] for counts in without)


def moment(position: Position) -> Moment:
    """Return the moment at which a position is shown on a card."""
    return Moment(game_of(position), position, position, (), ())


def test_the_picture_of_a_move_says_who_holds_the_markers_beside_the_board() -> None:
    position = table("king 1 5")
    alt_text = move_alt(presenter_of(position), moment(position))
    assert "The King is with Ben, for a city of 5 tiles." in alt_text
    assert "Nobody has the Robber Baron yet." in alt_text
    assert "King" not in board_alt(presenter_of(position), moment(position))


def test_without_the_box_no_picture_says_so() -> None:
    position = arrange(expansions=(BCB,))
    assert "King" not in move_alt(presenter_of(position), moment(position))
    assert list(presenter_of(position).beside_board(NAMES, position)) == []


def test_two_fields_of_the_crossing_are_told_apart() -> None:
    fields = [segment for segment in CROSSING.segments if not segment.places]
    assert [segment_words(field) for field in fields] == ["field NW", "field SE"]
    assert [segment_aloud(field) for field in fields] == ["field north-west", "field south-east"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_crossing_is_described_by_ear_as_it_lies(language: str) -> None:
    with speaking(language):
        descriptions = [tile_aloud(CROSSING, rotation) for rotation in (0, 90, 180, 270)]
        assert descriptions[0] == descriptions[2] != descriptions[1] == descriptions[3]


def test_the_crossing_in_words() -> None:
    assert tile_words(CROSSING) == "2 cities from side to side"
    assert "2 fields, enclosed north-west; enclosed south-east" in tile_aloud(CROSSING, 0)


def test_the_points_of_a_move_that_wins_a_marker_are_foretold() -> None:
    assert KingRobberTaken in presenter_of(table()).foretold_events


def test_a_holder_who_wins_both_is_told_so_in_one_turn() -> None:
    position = table(tiles=["base/E 0,-1 180", "base/A -1,0 270", "base/A 1,0 90"], hand="base/D")
    sentences = [sentence(NAMES, event) for event in play_turn(position, "0,0")]
    assert "Ana takes the King with a city of 2 tiles." in sentences
    assert "Ana takes the Robber Baron with a road of 3 tiles." in sentences


def test_its_options_are_shown_with_the_box_alone() -> None:
    names = {"king_robber_scoring", "king_robber_tie", "king_robber_tiles"}
    with_box = pages(lobby_of("carcassonne", expansions=(KING_ROBBER,)))
    without = pages(lobby_of("carcassonne", expansions=(BCB,)))
    assert names <= {name for page in with_box.values() for name in page}
    assert not names & {name for page in without.values() for name in page}


def test_its_rules_in_short_name_its_number() -> None:
    summary = list(presenter_of(table()).rules_summary((KING_ROBBER,)))
    assert summary[-2:] == [t(f"rules.{KING_ROBBER}"), t("rules.box_undated", number=6)]
