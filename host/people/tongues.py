"""In which language people are spoken to, and who listens, known without asking the store: no press costs a statement.

What they have chosen is read at the start, and is a line in memory for each of those who have. The locales in which
they use Discord are kept for those seen lately, and stored now and then, all together: who is reminded hours later, or
after a restart, has pressed nothing that would tell it.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from sys import intern
from typing import Final, NamedTuple

from store import Store, preferences

MOST: Final = 20_000
"""People whose locale is kept in memory: some two MiB."""
TOGETHER: Final = 500
"""Locales that are stored in one statement."""
_LONGEST: Final = 20


class Tongue(NamedTuple):
    """What is known of somebody's language; empty where it is not."""

    chosen: str = ""
    """The one that he has chosen here."""
    locale: str = ""
    """The locale in which Discord spoke to him last."""


class Tongues:
    """What is known of people's languages."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chosen: dict[int, str] = {}
        self._listening: set[int] = set()
        self._locales: OrderedDict[int, str] = OrderedDict()
        self._new: dict[int, str] = {}
        """Locales that are not stored yet."""

    async def begin(self) -> None:
        """Read what was chosen."""
        async with self._store.reading() as tx:
            self._chosen = await preferences.languages(tx)
            self._listening = await preferences.screen_reader_users(tx)

    def chosen_by(self, user_id: int) -> str:
        """The language that somebody has chosen; empty where he has not."""
        return self._chosen.get(user_id, "")

    def chose(self, user_id: int, language: str) -> None:
        """Somebody has chosen a language, which is stored with his other choices; or none any more."""
        if language:
            self._chosen[user_id] = language
        else:
            self._chosen.pop(user_id, None)

    def listens(self, user_id: int) -> bool:
        """Whether somebody plays by ear."""
        return user_id in self._listening

    def listen(self, user_id: int, *, by_ear: bool) -> None:
        """Somebody plays by ear from now on, or does not any more; it is stored with his other choices."""
        (self._listening.add if by_ear else self._listening.discard)(user_id)

    def seen(self, user_id: int, locale: str) -> None:
        """Somebody uses Discord in this locale."""
        if self._locales.get(user_id) != locale:
            self._new[user_id] = locale = intern(locale[:_LONGEST])
            self._locales[user_id] = locale
            if len(self._locales) > MOST:
                self._locales.popitem(last=False)

    async def of(self, user_id: int) -> Tongue:
        """What is known of somebody who is not here."""
        locale = self._new.get(user_id) or self._locales.get(user_id)
        if locale is None:
            async with self._store.reading() as tx:
                locale = await preferences.locale_of(tx, user_id)
        return Tongue(self.chosen_by(user_id), locale)

    async def keep(self) -> None:
        """Store the locales that are new."""
        while together := dict(islice(self._new.items(), TOGETHER)):
            async with self._store.writing() as tx:
                await preferences.put_locales(tx, together)
            self._new = {user: locale for user, locale in self._new.items() if together.get(user) != locale}

    def forget(self, user_id: int) -> None:
        """Somebody was taken out of what is stored: forget him here, too."""
        for known in (self._chosen, self._locales, self._new):
            known.pop(user_id, None)
        self._listening.discard(user_id)
