"""Preferences and locales of people, and the private plans and notes that they write for a game.

A *choice* is a preference stored as a text by its name, such as ``quiet``: ``22:00-07:30``. A choice that is missing,
or that this version cannot read, has its default. :meth:`Preferences.with_choice` checks choices before they are
stored, except those for a single game and the colours, which are checked by the code that uses them.

A *plan* is a decision that a player makes in advance for the next time that a game asks them. To *avoid* people means
not to play with them. *By ear* is the mode for
screen readers: positions are described in words instead of pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import and_, bindparam, delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert, upsert_many
from store.records import Person
from store.schema.people import avoided, locales, notes, plans, preferences
from store.schema.play import seats

# Names of the choices, as they are stored.
PUBLISH_WINDOW: Final = "publish"
"""The publish window: the seconds for which a confirmed move stays private and can be taken back."""
REMINDERS: Final = "reminders"
"""The reminders that they get of their turn, one of :class:`Reminders`."""
QUIET_HOURS: Final = "quiet"
"""The quiet hours, in which they are not pinged, as ``22:00-07:30``."""
TIME_ZONE: Final = "zone"
"""The time zone of the quiet hours, by its IANA name."""
DIRECT_MESSAGES: Final = "direct"
"""Notifications by direct message, ``on`` or missing."""
PICTURE_SIZE: Final = "size"
"""The size of their private pictures, one of :class:`PictureSize`."""
LANGUAGE: Final = "language"
"""The language of texts that only they read; the bot's user interface checks that it exists."""
BY_EAR: Final = "ear"
"""The screen reader mode, ``on`` or missing: output for screen readers, in words without pictures."""
PUNCTUALITY: Final = "punctuality"
"""Permission for others to see their record of punctuality, ``on`` or missing."""

DEFAULT_PUBLISH_WINDOW: Final = timedelta(seconds=60)
"""The default publish window."""
MAX_PUBLISH_WINDOW: Final = timedelta(seconds=120)
"""The longest publish window that can be chosen."""
_ON: Final = "on"
"""The stored value of a choice that is switched on; one that is off is missing."""
_GAME_SEPARATOR: Final = "@"
"""The character between the name of a choice and the code of the only game for which it holds, as ``theme@K7QM``."""
_HOURS_PATTERN: Final = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s*[-\u2013]\s*(\d{1,2})(?:[:.](\d\d))?", re.ASCII)


class Reminders(StrEnum):
    """The reminders that a player wants of their turn."""

    ALL = "all"
    LAST = "last"
    """Only the reminder that the last two hours on the clock have begun."""
    NONE = "none"


class PictureSize(StrEnum):
    """The size of pictures that only one person sees."""

    LARGE = "large"
    SMALL = "small"


class WholeDayError(ValueError):
    """Quiet hours that begin and end at the same time, and so would last all day."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of a day in which a person gets no notifications, in local time; they may extend past midnight.

    They are never empty, and never a whole day.
    """

    start: time
    end: time

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise WholeDayError(f"from {self.start} to {self.end}")

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Read ``22:00-07:30`` or ``22-7``.

        Raises:
            WholeDayError: the hours would last all day.
            ValueError: the text has another form, or there is no such time of day.
        """
        match = _HOURS_PATTERN.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"no hours of a day: {text!r}")
        hour, minute, until_hour, until_minute = (int(number or 0) for number in match.groups())
        return cls(_clock(hour, minute), _clock(until_hour, until_minute))


def _clock(hour: int, minute: int) -> time:
    """Return a time of day; 24:00 is midnight."""
    return time() if (hour, minute) == (24, 0) else time(hour, minute)


@cache
def _zones() -> Mapping[str, str]:
    """Return the names of all time zones, by their lower-case forms."""
    return {name.lower(): name for name in available_timezones()}


def zone_name(text: str) -> str:
    """Return the IANA name of a time zone that a user has typed, in any case and with blanks for underscores.

    Raises:
        ValueError: there is no such zone.
    """
    name = _zones().get("_".join(text.lower().split()))
    if name is None:
        raise ValueError(f"no time zone: {text!r}")
    return name


def in_game(choices: Mapping[str, str], code: str) -> Mapping[str, str]:
    """Return the choices that apply to a game: those for this game alone override those for all games."""
    own = {
        name.removesuffix(_GAME_SEPARATOR + code): value
        for name, value in choices.items()
        if name.endswith(_GAME_SEPARATOR + code)
    }
    return {**choices, **own}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The preferences of a person.

    With ``confirm`` they are asked once more before a move is final. ``choices`` holds everything else by name, for
    example the theme of pictures; the properties read it, and return the default of a choice that is missing.
    """

    confirm: bool = True
    choices: Mapping[str, str] = field(default_factory=dict)

    def with_choice(self, name: str, value: str) -> Preferences:
        """Return a copy with a changed choice, which is checked; an empty value restores the default.

        Raises:
            ValueError: there is no such value.
        """
        others = {other_name: other_value for other_name, other_value in self.choices.items() if other_name != name}
        stored = _CHECKS[name](value) if value and name in _CHECKS else value
        return replace(self, choices={**others, name: stored} if stored else others)

    def with_game_choice(self, code: str, name: str, value: str) -> Preferences:
        """Return a copy with a changed choice for one game alone; an empty value restores the choice for all games."""
        return self.with_choice(name + _GAME_SEPARATOR + code, value)

    def in_game(self, code: str) -> Mapping[str, str]:
        """Return the choices that apply to a game, by name."""
        return in_game(self.choices, code)

    @property
    def publish_window(self) -> timedelta:
        """The time between confirming a move and publishing it."""
        return self.publish_window_or(DEFAULT_PUBLISH_WINDOW)

    def publish_window_or(self, usual: timedelta) -> timedelta:
        """Return the publish window; ``usual`` if the person has not chosen one."""
        return timedelta(seconds=int(self._read(PUBLISH_WINDOW) or usual.total_seconds()))

    @property
    def reminders(self) -> Reminders:
        """The reminders that they want of their turn."""
        return Reminders(self._read(REMINDERS) or Reminders.ALL)

    @property
    def quiet_hours(self) -> QuietHours | None:
        """The hours without notifications, in their :attr:`zone`; None if there are none."""
        text = self._read(QUIET_HOURS)
        return QuietHours.parse(text) if text else None

    @property
    def zone(self) -> ZoneInfo:
        """Their time zone; UTC by default."""
        return ZoneInfo(self._read(TIME_ZONE) or "UTC")

    @property
    def direct_messages(self) -> bool:
        """True when they want direct messages; it can be chosen only after a test message arrived."""
        return bool(self._read(DIRECT_MESSAGES))

    @property
    def by_ear(self) -> bool:
        """True when they want output for screen readers, without pictures."""
        return self._read(BY_EAR) == _ON

    @property
    def shows_punctuality(self) -> bool:
        """True when others may see their record of punctuality."""
        return self._read(PUNCTUALITY) == _ON

    @property
    def picture_size(self) -> PictureSize:
        """The size of pictures that only they see."""
        return PictureSize(self._read(PICTURE_SIZE) or PictureSize.LARGE)

    def _read(self, name: str) -> str:
        """Return a stored choice; an empty text if it is missing or cannot be read."""
        try:
            return _CHECKS[name](self.choices[name])
        except (KeyError, TypeError, ValueError):
            return ""


def _window_seconds(text: str) -> str:
    """Check a publish window, and return its stored form."""
    seconds = int(text)
    if not 0 <= seconds <= MAX_PUBLISH_WINDOW.total_seconds():
        raise ValueError(f"no such window: {text!r}")
    return str(seconds)


def _switched_on(text: str) -> str:
    """Check a choice that is stored only when it is switched on."""
    if text != _ON:
        raise ValueError(f"neither on nor off: {text!r}")
    return text


_CHECKS: Final[Mapping[str, Callable[[str], str]]] = {
    PUBLISH_WINDOW: _window_seconds,
    REMINDERS: lambda text: str(Reminders(text)),
    QUIET_HOURS: lambda text: str(QuietHours.parse(text)),
    TIME_ZONE: zone_name,
    DIRECT_MESSAGES: _switched_on,
    BY_EAR: _switched_on,
    PUNCTUALITY: _switched_on,
    PICTURE_SIZE: lambda text: str(PictureSize(text)),
}
"""For each choice, the function that returns its stored form, or raises ValueError if it is invalid."""


async def get(tx: Transaction, user_id: int) -> Preferences:
    """Return the preferences of a person, with defaults for all that is missing or cannot be read."""
    query = select(preferences.c.confirm, preferences.c.choices).where(preferences.c.user_id == user_id)
    row = (await tx.execute(query)).first()
    return Preferences() if row is None else from_row(row.confirm, row.choices)


async def of_users(tx: Transaction, user_ids: Iterable[int]) -> dict[int, Preferences]:
    """Return the preferences of these people, by user."""
    people = list(dict.fromkeys(user_ids))
    query = select(preferences).where(preferences.c.user_id.in_(people))
    stored = {row.user_id: from_row(row.confirm, row.choices) for row in await tx.execute(query)}
    return {user_id: stored.get(user_id, Preferences()) for user_id in people}


def from_row(confirm: bool, choices: object) -> Preferences:  # noqa: FBT001 - the columns of a row
    """Build preferences from the columns of a row."""
    return Preferences(confirm=confirm, choices=choices if isinstance(choices, Mapping) else {})


async def save(tx: Transaction, user_id: int, chosen: Preferences) -> None:
    """Store the preferences of a person."""
    values = {"user_id": user_id, "confirm": chosen.confirm, "choices": dict(chosen.choices)}
    await tx.execute(upsert(preferences, values))


async def languages(tx: Transaction) -> dict[int, str]:
    """Return the language of everybody who has chosen one, by user."""
    rows = await tx.execute(select(preferences.c.user_id, preferences.c.choices))
    chosen = {user: choices.get(LANGUAGE) for user, choices in rows if isinstance(choices, Mapping)}
    return {user: language for user, language in chosen.items() if isinstance(language, str)}


async def screen_reader_users(tx: Transaction) -> set[int]:
    """Return the ids of all who play in screen reader mode."""
    rows = await tx.execute(select(preferences.c.user_id, preferences.c.choices))
    return {user for user, choices in rows if isinstance(choices, Mapping) and Preferences(choices=choices).by_ear}


async def locale_of(tx: Transaction, user_id: int) -> str:
    """Return the locale that Discord last reported for a person; empty where it has reported none."""
    return (await tx.scalar(select(locales.c.locale).where(locales.c.user_id == user_id))) or ""


async def save_locales(tx: Transaction, seen: Mapping[int, str]) -> None:
    """Store the locales of these people; an empty locale removes the stored one."""
    removed = [user for user, locale in seen.items() if not locale]
    if removed:
        await tx.execute(delete(locales).where(locales.c.user_id.in_(removed)))
    # Sorted, so that two processes that store the same people never wait for each other.
    rows = [{"user_id": user, "locale": locale} for user, locale in sorted(seen.items()) if locale]
    if rows:
        await tx.execute(upsert_many(locales, rows[0]), rows)


class StandingOrders(NamedTuple):
    """The decisions that a player has made in advance: choices that hold in all games, and the plan for this one."""

    choices: Mapping[str, str]
    plan: str


_ORDERS: Final = (
    select(seats.c.user_id, preferences.c.confirm, preferences.c.choices, plans.c.text)
    .select_from(seats)
    .outerjoin(preferences, preferences.c.user_id == seats.c.user_id)
    .outerjoin(plans, and_(plans.c.game_id == seats.c.game_id, plans.c.user_id == seats.c.user_id))
    .where(seats.c.game_id == bindparam("game_id"))
)


async def plan_of(tx: Transaction, game_id: int, user_id: int) -> str:
    """Return the plan of a player for a game; empty for none."""
    return (await tx.scalar(select(plans.c.text).filter_by(game_id=game_id, user_id=user_id))) or ""


async def save_plan(tx: Transaction, game_id: int, user_id: int, plan: str, now: datetime) -> None:
    """Store the plan of a player in place of the one before; an empty one removes it."""
    if plan:
        await tx.execute(upsert(plans, {"game_id": game_id, "user_id": user_id, "text": plan, "at": now}))
    else:
        await tx.execute(delete(plans).filter_by(game_id=game_id, user_id=user_id))


async def drop_plans(tx: Transaction, game_id: int) -> None:
    """Remove all plans for a game."""
    await tx.execute(delete(plans).where(plans.c.game_id == game_id))


async def standing_orders(tx: Transaction, game_id: int) -> Mapping[int, StandingOrders]:
    """Return the standing orders of all players of a game, by user."""
    rows = await tx.execute(_ORDERS, {"game_id": game_id})
    return {
        row.user_id: StandingOrders(
            {} if row.confirm is None else from_row(row.confirm, row.choices).choices, row.text or ""
        )
        for row in rows
    }


async def note_of(tx: Transaction, game_id: int, user_id: int) -> str:
    """Return the notes of a player about a game; empty for none."""
    return (await tx.scalar(select(notes.c.text).filter_by(game_id=game_id, user_id=user_id))) or ""


async def save_note(tx: Transaction, game_id: int, user_id: int, text: str, now: datetime) -> None:
    """Store the notes of a player in place of those before; empty ones remove them."""
    if text:
        await tx.execute(upsert(notes, {"game_id": game_id, "user_id": user_id, "text": text, "at": now}))
    else:
        await tx.execute(delete(notes).filter_by(game_id=game_id, user_id=user_id))


async def avoided_by(tx: Transaction, user_id: int) -> tuple[Person, ...]:
    """Return the people with whom a person does not want to play, by name."""
    rows = await tx.execute(select(avoided.c.avoided_id, avoided.c.name).filter_by(user_id=user_id))
    return tuple(sorted((Person(avoided_id, name) for avoided_id, name in rows), key=lambda person: person.name))


async def avoiding(tx: Transaction, user_id: int, among: Collection[int]) -> frozenset[int]:
    """Return those of these people who do not want to play with a person."""
    if not among:
        return frozenset()
    query = select(avoided.c.user_id).where(avoided.c.avoided_id == user_id, avoided.c.user_id.in_(among))
    return frozenset(await tx.scalars(query))


async def avoid(tx: Transaction, user_id: int, person: Person, now: datetime) -> None:
    """Store that a person does not want to play with another one."""
    values = {"user_id": user_id, "avoided_id": person.user_id, "name": person.name, "at": now}
    await tx.execute(upsert(avoided, values))


async def meet_again(tx: Transaction, user_id: int, avoided_id: int) -> None:
    """Store that a person plays with another one again."""
    await tx.execute(delete(avoided).filter_by(user_id=user_id, avoided_id=avoided_id))
