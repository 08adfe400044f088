"""Settings, languages and private notes of users.

A user's texts are in the language that they have chosen in the bot or, if they have chosen none, in the locale of
their Discord client. Both are needed for every click, so :class:`LocaleCache` answers from memory: it reads all chosen
languages at the start, and keeps the locales of recently seen users, which it stores in batches.

*By ear* is the stored name of the screen reader mode: texts in words, without pictures.
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
"""The most characters of a user's note on a game."""


@dataclass(eq=False)
class PersonalPreferences:
    """Reads and stores users' preferences, and keeps the cache of languages in step with them."""

    _store: Store
    _locales: LocaleCache

    async def get(self, user_id: int) -> Preferences:
        """Return the preferences of a user, with defaults for everything that they have not chosen."""
        return await self._store.read(preferences.get, user_id)

    async def set(self, user_id: int, chosen: Preferences) -> None:
        """Replace a user's preferences."""
        await self._store.write(preferences.save, user_id, chosen)
        self._locales.set_chosen(user_id, chosen.choices.get(LANGUAGE, ""))
        self._locales.set_by_ear(user_id, by_ear=chosen.by_ear)

    async def end_of_day(self, user_id: int, day: date) -> datetime:
        """Return the instant at which a day ends in the user's time zone."""
        return moment(day + timedelta(days=1), time(0), (await self.get(user_id)).zone)


@dataclass(eq=False)
class PersonalNotes:
    """Reads and stores the private notes that users write about their games."""

    _store: Store
    _clock: Clock

    async def get(self, game: Game, user_id: int) -> str:
        """Return a user's note about a game; empty if there is none.

        Raises:
            HostError: ``not_a_player``.
        """
        _require_seat(game, user_id)
        return await self._store.read(preferences.note_of, game.id, user_id)

    async def set(self, game: Game, user_id: int, text: str) -> str:
        """Replace a user's note about a game; return it as stored, without invisible characters.

        Raises:
            HostError: ``not_a_player``, ``note_too_long``.
        """
        _require_seat(game, user_id)
        note = "\n".join(map(clean_text, text.splitlines())).strip()
        if len(note) > MAX_NOTE_LENGTH:
            raise HostError(ErrorCode.NOTE_TOO_LONG, most=MAX_NOTE_LENGTH, length=len(note))
        await self._store.write(preferences.save_note, game.id, user_id, note, self._clock.now())
        return note


def _require_seat(game: Game, user_id: int) -> None:
    """Check that a user has a seat in a game.

    Raises:
        HostError: ``not_a_player``.
    """
    if game.seat_of(user_id) is None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=game.code)


MAX_CACHED_LOCALES: Final = 20_000
"""The most users whose locale is kept in memory; that many take about 2 MiB."""
LOCALE_BATCH_SIZE: Final = 500
"""The most locales that are stored in one transaction."""
_MAX_LOCALE_LENGTH: Final = 20
"""The most characters of a locale; Discord's have at most six, such as ``pt-BR``."""


class UserLocale(NamedTuple):
    """The two languages of a user; the chosen one takes precedence. Unknown ones are empty."""

    chosen: str = ""
    """The language that the user has chosen in the bot."""
    locale: str = ""
    """The locale of the user's Discord client when they were last seen."""


class LocaleCache:
    """A cache of users' languages, and of the users who have turned the screen reader mode on.

    New locales are only recorded here; a background task stores them with :meth:`flush`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chosen: dict[int, str] = {}
        self._by_ear_users: set[int] = set()
        self._locales: OrderedDict[int, str] = OrderedDict()
        self._new: dict[int, str] = {}
        """Locales that are not stored yet."""

    async def load(self) -> None:
        """Read the chosen languages and the users of the screen reader mode from the database, once at the start."""
        async with self._store.reading() as tx:
            self._chosen = await preferences.languages(tx)
            self._by_ear_users = await preferences.screen_reader_users(tx)

    def chosen_by(self, user_id: int) -> str:
        """Return the language that a user has chosen; empty if they have chosen none."""
        return self._chosen.get(user_id, "")

    def set_chosen(self, user_id: int, language: str) -> None:
        """Record a user's choice of a language; an empty one means none. The caller stores it in the database."""
        if language:
            self._chosen[user_id] = language
        else:
            self._chosen.pop(user_id, None)

    def plays_by_ear(self, user_id: int) -> bool:
        """Return whether a user has turned the screen reader mode on."""
        return user_id in self._by_ear_users

    def set_by_ear(self, user_id: int, *, by_ear: bool) -> None:
        """Record that a user has turned the screen reader mode on or off. The caller stores it in the database."""
        (self._by_ear_users.add if by_ear else self._by_ear_users.discard)(user_id)

    def record(self, user_id: int, locale: str) -> None:
        """Record the locale of a user's Discord client; the least recently recorded user may be evicted."""
        if self._locales.get(user_id) != locale:
            self._new[user_id] = locale = intern(locale[:_MAX_LOCALE_LENGTH])
            self._locales[user_id] = locale
            if len(self._locales) > MAX_CACHED_LOCALES:
                self._locales.popitem(last=False)

    async def of(self, user_id: int) -> UserLocale:
        """Return the languages of a user; reads the database only if the locale is not cached."""
        locale = self._new.get(user_id) or self._locales.get(user_id)
        if locale is None:
            locale = await self._store.read(preferences.locale_of, user_id)
        return UserLocale(self.chosen_by(user_id), locale)

    async def flush(self) -> None:
        """Store the new locales, in batches."""
        while batch := dict(islice(self._new.items(), LOCALE_BATCH_SIZE)):
            await self._store.write(preferences.save_locales, batch)
            # A locale that has changed during the write stays new.
            self._new = {user: locale for user, locale in self._new.items() if batch.get(user) != locale}

    def forget(self, user_id: int) -> None:
        """Remove everything about a user whose data was erased."""
        for cached in (self._chosen, self._locales, self._new):
            cached.pop(user_id, None)
        self._by_ear_users.discard(user_id)
