"""Preferences, languages and notes of users.

A press needs no statement for its language: the chosen languages are read at the start. The locales that Discord
reports are cached for recently seen users, and stored now and then in batches.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from sys import intern
from typing import Final, NamedTuple

from host.clock import Clock
from host.clocks import moment
from host.errors import ErrorCode, HostError
from store import LANGUAGE, Game, Preferences, Store, clean_text, preferences

MAX_NOTE_LENGTH: Final = 1500
"""Characters of a user's note on a game."""


@dataclass(eq=False)
class PersonalPreferences:
    """The preferences of users: settings of their own for all games."""

    _store: Store
    _locales: LocaleCache

    async def get(self, user_id: int) -> Preferences:
        """Return the choices of a user, or the defaults."""
        async with self._store.reading() as tx:
            return await preferences.get(tx, user_id)

    async def set(self, user_id: int, chosen: Preferences) -> None:
        """Store a user's preferences."""
        async with self._store.writing() as tx:
            await preferences.put(tx, user_id, chosen)
        self._locales.chose(user_id, chosen.choices.get(LANGUAGE, ""))
        self._locales.listen(user_id, by_ear=chosen.by_ear)

    async def end_of_day(self, user_id: int, day: date) -> datetime:
        """Return the end of a day in the user's time zone."""
        return moment(day + timedelta(days=1), time(0), (await self.get(user_id)).zone)


@dataclass(eq=False)
class PersonalNotes:
    """The private notes of users about their games."""

    _store: Store
    _clock: Clock

    async def get(self, game: Game, user_id: int) -> str:
        """Return the notes of a user about a game.

        Raises:
            HostError: ``not_a_player``.
        """
        _require_seat(game, user_id)
        async with self._store.reading() as tx:
            return await preferences.note_of(tx, game.id, user_id)

    async def set(self, game: Game, user_id: int, text: str) -> str:
        """Replace a user's notes on a game; return them as stored.

        Raises:
            HostError: ``not_a_player``, ``note_too_long``.
        """
        _require_seat(game, user_id)
        kept = "\n".join(map(clean_text, text.splitlines())).strip()
        if len(kept) > MAX_NOTE_LENGTH:
            raise HostError(ErrorCode.NOTE_TOO_LONG, most=MAX_NOTE_LENGTH, length=len(kept))
        async with self._store.writing() as tx:
            await preferences.put_note(tx, game.id, user_id, kept, self._clock.now())
        return kept


def _require_seat(game: Game, user_id: int) -> None:
    if game.seat_of(user_id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)


MAX_CACHED_LOCALES: Final = 20_000
"""Users whose locale is kept in memory, about 2 MiB."""
LOCALE_BATCH_SIZE: Final = 500
"""Locales that are stored by one statement."""
_MAX_LOCALE_LENGTH: Final = 20


class UserLocale(NamedTuple):
    """A user's language as far as it is known; unknown fields are empty."""

    chosen: str = ""
    """The language that the user has chosen here."""
    locale: str = ""
    """The locale in which Discord addressed the user last."""


class LocaleCache:
    """A cache of users' languages, and of who uses screen-reader mode."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chosen: dict[int, str] = {}
        self._listening: set[int] = set()
        self._locales: OrderedDict[int, str] = OrderedDict()
        self._new: dict[int, str] = {}
        """Locales that are not stored yet."""

    async def begin(self) -> None:
        """Read the chosen languages."""
        async with self._store.reading() as tx:
            self._chosen = await preferences.languages(tx)
            self._listening = await preferences.screen_reader_users(tx)

    def chosen_by(self, user_id: int) -> str:
        """Return the language that a user has chosen; empty if none."""
        return self._chosen.get(user_id, "")

    def chose(self, user_id: int, language: str) -> None:
        """Record that a user has chosen a language, or none; it is stored with their other preferences."""
        if language:
            self._chosen[user_id] = language
        else:
            self._chosen.pop(user_id, None)

    def listens(self, user_id: int) -> bool:
        """Return whether a user has turned on screen-reader mode."""
        return user_id in self._listening

    def listen(self, user_id: int, *, by_ear: bool) -> None:
        """Record that a user has turned screen-reader mode on or off; it is stored with their other preferences."""
        (self._listening.add if by_ear else self._listening.discard)(user_id)

    def seen(self, user_id: int, locale: str) -> None:
        """Record the locale in which a user uses Discord."""
        if self._locales.get(user_id) != locale:
            self._new[user_id] = locale = intern(locale[:_MAX_LOCALE_LENGTH])
            self._locales[user_id] = locale
            if len(self._locales) > MAX_CACHED_LOCALES:
                self._locales.popitem(last=False)

    async def of(self, user_id: int) -> UserLocale:
        """Return the known language of a user who is not in the cache."""
        locale = self._new.get(user_id) or self._locales.get(user_id)
        if locale is None:
            async with self._store.reading() as tx:
                locale = await preferences.locale_of(tx, user_id)
        return UserLocale(self.chosen_by(user_id), locale)

    async def keep(self) -> None:
        """Store the locales that are new."""
        while together := dict(islice(self._new.items(), LOCALE_BATCH_SIZE)):
            async with self._store.writing() as tx:
                await preferences.put_locales(tx, together)
            self._new = {user: locale for user, locale in self._new.items() if together.get(user) != locale}

    def forget(self, user_id: int) -> None:
        """Remove an erased user."""
        for known in (self._chosen, self._locales, self._new):
            known.pop(user_id, None)
        self._listening.discard(user_id)
