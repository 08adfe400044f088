"""The cache of posted cards, which saves a request when a card is made read-only."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from cogs.panels.card_messages import PostedCards
from host import Post, PostKind

WORDS = "x" * 2000


@dataclass(frozen=True)
class Posted:
    """A fake post with the attributes that the cache reads."""

    game_id: int
    message_id: int | None = None
    kind: PostKind = PostKind.CARD


def post_of(game_id: int) -> Post:
    return cast("Post", Posted(game_id))


def card_of(number: int) -> discord.Message:
    text: Any = SimpleNamespace(content=WORDS)
    return cast("discord.Message", SimpleNamespace(id=number, components=[SimpleNamespace(children=[text])]))


def test_a_cached_card_can_be_taken_once() -> None:
    standing = PostedCards()
    card = card_of(11)
    assert standing.keep(post_of(1), card) == 11
    newest = standing.newest(1)
    assert newest is not None
    assert newest.message_id == 11
    assert standing.newest(2) is None
    assert (standing.take(11), standing.take(11)) == (card, None)
    assert standing.newest(1) is None


def test_the_cache_is_bounded_and_logs_evictions(caplog: pytest.LogCaptureFixture) -> None:
    standing = PostedCards(100 * 2**10)
    for number in range(100):
        standing.keep(post_of(number), card_of(number))
    kept = [number for number in range(100) if standing.newest(number) is not None]
    assert 5 < len(kept) < 15
    assert kept[-1] == 99
    assert [record.__dict__.get("store") for record in caplog.records if record.levelno == logging.WARNING] == [
        "cards with buttons"
    ]
