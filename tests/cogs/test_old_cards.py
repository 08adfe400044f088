"""The cache of posted cards, which saves a request to Discord when a card's buttons are removed.

The cache is bounded by the memory of the cards; the tests use cards of 2000 characters.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from cogs.panels.card_messages import PostedCards
from host import Post, PostKind

CARD_TEXT = "x" * 2000
"""The text of each card."""


@dataclass(frozen=True)
class FakePost:
    """A fake post with the attributes that the cache reads."""

    game_id: int
    message_id: int | None = None
    kind: PostKind = PostKind.CARD


def post_of(game_id: int) -> Post:
    """Return a fake post of a game."""
    return cast("Post", FakePost(game_id))


def card_of(number: int) -> discord.Message:
    """Return a fake message with a long text."""
    text: Any = SimpleNamespace(content=CARD_TEXT)
    return cast("discord.Message", SimpleNamespace(id=number, components=[SimpleNamespace(children=[text])]))


def test_a_cached_card_can_be_taken_once() -> None:
    posted_cards = PostedCards()
    card = card_of(11)
    assert posted_cards.keep(post_of(1), card) == 11
    newest = posted_cards.newest(1)
    assert newest is not None
    assert newest.message_id == 11
    assert posted_cards.newest(2) is None
    assert (posted_cards.take(11), posted_cards.take(11)) == (card, None)
    assert posted_cards.newest(1) is None


def test_the_cache_is_bounded_and_logs_evictions(caplog: pytest.LogCaptureFixture) -> None:
    posted_cards = PostedCards(100 * 2**10)
    for number in range(100):
        posted_cards.keep(post_of(number), card_of(number))
    cached = [number for number in range(100) if posted_cards.newest(number) is not None]
    assert 5 < len(cached) < 15
    assert cached[-1] == 99
    assert [record.__dict__.get("store") for record in caplog.records if record.levelno == logging.WARNING] == [
        "cards with buttons"
    ]
