"""Checks of what members are answered, and that a refused request changes nothing.

A refusal has to be private (ephemeral in Discord's terms), and neither rows nor public messages may differ
afterwards.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import simcord

from cogs.texts import catalogue
from cogs.texts.catalogue import mentioning, texts_of
from tests.e2e.raw_interactions import SentInteraction
from tests.e2e.screen import MemberLanguage, words
from tests.e2e.table import Table

TABLES = ("games", "seats", "actions", "lobbies", "lobby_members", "outbox")
"""Database tables that no refused request may change."""


@contextmanager
def nothing_changes(table: Table) -> Iterator[None]:
    """Assert that the block changes neither the database nor any public message."""
    before = _state(table)
    yield
    assert _state(table) == before


def _state(table: Table) -> object:
    """Return all rows of these tables and all public messages."""
    with closing(sqlite3.connect(table.database)) as file:
        rows = [file.execute(f"select * from {name}").fetchall() for name in TABLES]  # noqa: S608  # constants
    channels = table.env.backend.messages.values()
    public = [(m.id, m.components) for channel in channels for m in channel.values() if m.visible_to(None)]
    return rows, public


def is_sentence(key: str, text: str) -> bool:
    """Return whether a text is exactly the text of a key, with any placeholder values."""
    (sentence,) = texts_of(catalogue(MemberLanguage.language).sentences[key])
    parts = map(re.escape, re.split(r"\{[^{}]*\}", mentioning(sentence)))
    return re.fullmatch(".*".join(parts), text, re.DOTALL) is not None


def answer_to(result: simcord.InteractionResult) -> str:
    """Return the text of the private answer to an interaction."""
    messages = [*result.followups, *([result.response] if result.response else [])]
    private = [message for message in messages if message.ephemeral]
    assert private, "no private answer"
    return words(private[0].components)


def answer_to_press(sent: SentInteraction) -> str:
    """Return the text of the only, private, answer to a raw interaction."""
    assert len(sent.answers) == 1, sent.answers
    return sent.text
