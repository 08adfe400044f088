"""Rating pages: the leaderboard of a server, a player's profile with the last change, and head-to-head records.

A rating view contains the displayed rating and the one before the last rated game.
"""

from __future__ import annotations

from datetime import UTC, datetime

from cogs.commands.tourneys.ratings import leaderboard_page, profile_page
from cogs.texts import MINUS
from host import Person
from host.events import RatingView
from tournaments.lasting.ratings import HeadToHead, Scale

ACTIVE_AT = datetime(2026, 11, 22, tzinfo=UTC)
"""The time of the last rated game."""


def rating_view(number: int, displayed: int, before: int, *, games: int = 9, rank: int | None = None) -> RatingView:
    """Return the rating of a player, provisional with fewer than five games."""
    return RatingView(
        guild_id=0,
        scale=Scale.DUEL,
        person=Person(number, f"Player {number}"),
        mean=25.0,
        deviation=1.0,
        games=games,
        before=before,
        shown=displayed,
        active_at=ACTIVE_AT,
        provisional=games < 5,
        rank=rank,
    )


def test_the_leaderboard_shows_ranks_ratings_and_changes() -> None:
    ratings = [rating_view(1, 1312, 1290, rank=1), rating_view(2, 1104, 1130, rank=2)]
    view, pictures = leaderboard_page("Owls", Scale.DUEL, ratings)
    text = str(view.to_components())
    assert text.index("Player 1") < text.index("Player 2")
    for expected in ("Owls", "1312", "1104", "+22", f"{MINUS}26"):
        assert expected in text
    assert len(pictures) == 1
    assert "Player 1" in pictures[0].alt
    empty_view, pictures = leaderboard_page("Owls", Scale.DUEL, [])
    assert not pictures
    assert "Player" not in str(empty_view.to_components())


def test_a_profile_shows_ratings_ranks_and_the_record_against_a_player() -> None:
    record = {"duel": HeadToHead(7, 4, 3), "multiplayer": HeadToHead(0, 0, 0)}
    text = str(
        profile_page("Ben", [rating_view(2, 1104, 1130)], [rating_view(2, 1090, 1100, rank=6)], record).to_components()
    )
    for expected in (
        "Ben",
        "1104",
        f"{MINUS}26",
        "place 6 in this server",
        "you have met 7 times; you were ahead 4 and behind 3 times",
    ):
        assert expected in text
    assert "Multiplayer" not in text  # a scale without common games
    unrated = str(profile_page("Ben", [], [], {}).to_components())
    assert "1000" not in unrated
