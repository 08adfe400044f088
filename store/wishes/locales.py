"""In which language people are spoken to: what they have chosen, and in which locale they use Discord."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select

from store.connection.database import Transaction
from store.connection.dialect import replacing
from store.schema import locales, preferences
from store.wishes.preference_values import LANGUAGE, Preferences


async def chosen(tx: Transaction) -> dict[int, str]:
    """The language of everybody who has chosen one, by user."""
    rows = await tx.execute(select(preferences.c.user_id, preferences.c.choices))
    found = {user: choices.get(LANGUAGE) for user, choices in rows if isinstance(choices, Mapping)}
    return {user: language for user, language in found.items() if isinstance(language, str)}


async def listening(tx: Transaction) -> set[int]:
    """Everybody who plays by ear."""
    rows = await tx.execute(select(preferences.c.user_id, preferences.c.choices))
    return {user for user, choices in rows if isinstance(choices, Mapping) and Preferences(choices=choices).by_ear}


async def get(tx: Transaction, user_id: int) -> str:
    """The locale in which Discord spoke to somebody last; empty where that is not known."""
    return (await tx.scalar(select(locales.c.locale).where(locales.c.user_id == user_id))) or ""


async def put(tx: Transaction, seen: Mapping[int, str]) -> None:
    """Remember the locales of these people; an empty one is forgotten."""
    gone = [user for user, locale in seen.items() if not locale]
    if gone:
        await tx.execute(delete(locales).where(locales.c.user_id.in_(gone)))
    # In one order, so that two who remember the same people never wait for each other.
    rows = [{"user_id": user, "locale": locale} for user, locale in sorted(seen.items()) if locale]
    if rows:
        await tx.execute(replacing(locales, rows[0]), rows)
