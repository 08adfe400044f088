"""The policy of notifications: every kind of message has one, and ``docs/notifications.md`` prints it.

A policy says where a message is posted, whom it pings, and what quiet hours do to each ping. A *matter* is a message
that quiet hours defer; its condition says whether it is still relevant when they end.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from host.notifications import (
    CONDITIONS,
    DEFERRED,
    EVENT_POSTS,
    OCCASIONS,
    POSTS,
    Matter,
    Notification,
    Occasion,
    QuietHours,
    Where,
    policy_tables,
)
from store import EventPostKind, PostKind

DOCS = Path("docs/notifications.md").read_text(encoding="utf-8")
"""The document with the tables of all policies."""
IN_GAMES = {Where.GAME, Where.GAME_ALONE, Where.CHANNEL}
"""Places of a game's messages."""


def test_every_message_has_a_policy() -> None:
    assert set(POSTS) == set(PostKind)
    assert set(EVENT_POSTS) == set(EventPostKind)
    assert set(OCCASIONS) == set(Occasion)


def test_the_document_prints_the_policy() -> None:
    assert policy_tables() in DOCS


@pytest.mark.parametrize("policy", [*POSTS.values(), *EVENT_POSTS.values(), *OCCASIONS.values()], ids=str)
def test_every_ping_says_how_it_treats_quiet_hours(policy: Notification) -> None:
    expected = len(policy.pings) or 1
    assert len(policy.quiet) == expected
    assert (QuietHours.NO_PING in policy.quiet) is (not policy.pings)


@pytest.mark.parametrize("kind", PostKind)
def test_a_post_about_a_game_stays_with_the_game(kind: PostKind) -> None:
    assert POSTS[kind].where in IN_GAMES


@pytest.mark.parametrize("kind", EventPostKind)
def test_a_post_about_an_event_stays_with_the_event(kind: EventPostKind) -> None:
    assert EVENT_POSTS[kind].where in {Where.EVENT, Where.ORGANISERS}


def test_every_matter_is_covered_by_a_message() -> None:
    covered = [*DEFERRED.values(), *(policy.matter for policy in OCCASIONS.values() if policy.matter)]
    assert sorted(covered) == sorted(Matter)


def test_every_matter_has_a_condition() -> None:
    assert set(CONDITIONS) == set(Matter)


@pytest.mark.parametrize("occasion", Occasion)
def test_a_cog_consults_the_policy_of_every_occasion(occasion: Occasion) -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path("cogs").rglob("*.py")]
    assert any(f"OCCASIONS[Occasion.{occasion.name}].pinged(" in source for source in sources)


def test_posts_deferred_by_quiet_hours_have_a_matter() -> None:
    for kind, policy in POSTS.items():
        deferred = QuietHours.UNTIL_NEWS in policy.quiet and kind is not PostKind.NEWS
        turn_cards = {PostKind.START, PostKind.UNDONE, PostKind.REPLACED, PostKind.REOPENED}
        assert (policy.matter is not None) is (deferred and kind not in turn_cards), kind
