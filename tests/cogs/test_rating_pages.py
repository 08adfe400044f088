"""Rating pages: the leaderboard of a server, a player's profile with the last change, and head-to-head records."""

from __future__ import annotations

from datetime import UTC, datetime

from cogs.commands.tourneys.ratings import leaderboard_page, profile_page
from cogs.texts import MINUS
from host import Person
from host.events import RatingView
from tournaments.lasting.ratings import HeadToHead, Scale

AT = datetime(2026, 11, 22, tzinfo=UTC)


def rated(number: int, shown: int, before: int, *, games: int = 9, rank: int | None = None) -> RatingView:
    return RatingView(
        guild_id=0,
        scale=Scale.DUEL,
        person=Person(number, f"Player {number}"),
        mean=25.0,
        deviation=1.0,
        games=games,
        before=before,
        shown=shown,
        active_at=AT,
        provisional=games < 5,
        rank=rank,
    )


def test_the_leaderboard_shows_ranks_ratings_and_changes() -> None:
    found = [rated(1, 1312, 1290, rank=1), rated(2, 1104, 1130, rank=2)]
    view, pictures = leaderboard_page("Owls", Scale.DUEL, found)
    words = str(view.to_components())
    assert words.index("Player 1") < words.index("Player 2")
    for told in ("Owls", "1312", "1104", "+22", f"{MINUS}26"):
        assert told in words
    assert len(pictures) == 1
    assert "Player 1" in pictures[0].alt
    nobody, pictures = leaderboard_page("Owls", Scale.DUEL, [])
    assert not pictures
    assert "Player" not in str(nobody.to_components())


def test_a_profile_shows_ratings_ranks_and_the_record_against_a_player() -> None:
    record = {"duel": HeadToHead(7, 4, 3), "multiplayer": HeadToHead(0, 0, 0)}
    words = str(profile_page("Ben", [rated(2, 1104, 1130)], [rated(2, 1090, 1100, rank=6)], record).to_components())
    for told in ("Ben", "1104", f"{MINUS}26", "place 6 in this server", "you have met 7 times, before 4, behind 3"):
        assert told in words
    assert "Multiplayer" not in words  # a scale without common games
    unrated = str(profile_page("Ben", [], [], {}).to_components())
    assert "1000" not in unrated
