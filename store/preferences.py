"""Preferences of people, their locales, and what they keep for themselves in a game: plans and notes.

Choices are stored by name. What is not chosen has its default, and so has a stored choice that means nothing (any
more). Choices are checked here alone (:meth:`Preferences.having`), but for those of a single game and the colours,
which their users check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import ColumnElement, and_, bindparam, delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert, upsert_many
from store.schema.people import locales, notes, plans, preferences
from store.schema.play import seats

WINDOW: Final = "publish"
"""The seconds in which a confirmed move can be taken back in silence."""
REMINDERS: Final = "reminders"
QUIET: Final = "quiet"
"""Hours of the day, as ``22:00-07:30``."""
ZONE: Final = "zone"
DIRECT: Final = "direct"
SIZE: Final = "size"
LANGUAGE: Final = "language"
"""The language of what only they read; which languages there are is known above."""
EAR: Final = "ear"
"""Output for screen readers: words alone, no pictures."""

USUAL_WINDOW: Final = timedelta(seconds=60)
LONGEST_WINDOW: Final = timedelta(seconds=120)
_ON: Final = "on"
_IN: Final = "@"
"""The sign between the name of a choice and the code of the single game for which it holds."""
_HOURS: Final = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s*[-\u2013]\s*(\d{1,2})(?:[:.](\d\d))?", re.ASCII)


class Reminders(StrEnum):
    """The reminders that a player wants of their turn."""

    ALL = "all"
    LAST = "last"
    """Only the one that the last two hours have begun."""
    NONE = "none"


class PictureSize(StrEnum):
    """The size of pictures that only one person sees."""

    LARGE = "large"
    SMALL = "small"


class WholeDayError(ValueError):
    """Quiet hours as long as a day."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours from one local time of the day to another, also over midnight; never a whole day, and never none."""

    start: time
    end: time

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise WholeDayError(f"from {self.start} to {self.end}")

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"

    def holds(self, at: time) -> bool:
        """Return whether a time of the day is a quiet one; the end is not."""
        if self.start < self.end:
            return self.start <= at < self.end
        return at >= self.start or at < self.end

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Read ``22:00-07:30`` or ``22-7``.

        Raises:
            WholeDayError: they are as long as a day.
            ValueError: the text names no hours.
        """
        match = _HOURS.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"no hours of a day: {text!r}")
        hour, minute, until_hour, until_minute = (int(number or 0) for number in match.groups())
        return cls(_clock(hour, minute), _clock(until_hour, until_minute))


def _clock(hour: int, minute: int) -> time:
    """Return a time of the day; 24:00 is midnight of the day after."""
    return time() if (hour, minute) == (24, 0) else time(hour, minute)


@cache
def _zones() -> Mapping[str, str]:
    """Return the names of all time zones, by their lower-case forms."""
    return {name.lower(): name for name in available_timezones()}


def zone_name(text: str) -> str:
    """Return the IANA name of a time zone that was typed in any case, with blanks or underscores.

    Raises:
        ValueError: there is no such zone.
    """
    found = _zones().get("_".join(text.lower().split()))
    if found is None:
        raise ValueError(f"no time zone: {text!r}")
    return found


def in_game(choices: Mapping[str, str], code: str) -> Mapping[str, str]:
    """Return the choices that hold in a game: those for it alone override those for all games."""
    own = {name.removesuffix(_IN + code): value for name, value in choices.items() if name.endswith(_IN + code)}
    return {**choices, **own}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The preferences of a person; with ``confirm`` they are asked once more before a move is final.

    ``choices`` holds the others by name, as the pictures' theme; missing ones have their default.
    """

    confirm: bool = True
    choices: Mapping[str, str] = field(default_factory=dict)

    def having(self, name: str, value: str) -> Preferences:
        """Return these preferences with one choice more, in its stored form; an empty one restores the default.

        Raises:
            ValueError: the value means nothing.
        """
        others = {known: other for known, other in self.choices.items() if known != name}
        kept = _CHECKS[name](value) if value and name in _CHECKS else value
        return replace(self, choices={**others, name: kept} if kept else others)

    def having_in(self, code: str, name: str, value: str) -> Preferences:
        """Return these preferences with a choice for one game alone; an empty one restores that for all games."""
        return self.having(name + _IN + code, value)

    def in_game(self, code: str) -> Mapping[str, str]:
        """Return the choices that hold in a game, by name."""
        return in_game(self.choices, code)

    @property
    def publish_window(self) -> timedelta:
        """The time between confirming a move and publishing it."""
        return self.window_or(USUAL_WINDOW)

    def window_or(self, usual: timedelta) -> timedelta:
        """Return the publish window, with a default of the caller."""
        return timedelta(seconds=int(self._read(WINDOW) or usual.total_seconds()))

    @property
    def reminders(self) -> Reminders:
        """The reminders that they want of their turn."""
        return Reminders(self._read(REMINDERS) or Reminders.ALL)

    @property
    def quiet_hours(self) -> QuietHours | None:
        """Hours without pings, in their :attr:`zone`; None for none."""
        text = self._read(QUIET)
        return QuietHours.parse(text) if text else None

    @property
    def zone(self) -> ZoneInfo:
        """Their time zone; UTC by default."""
        return ZoneInfo(self._read(ZONE) or "UTC")

    @property
    def direct_messages(self) -> bool:
        """True when they want direct messages; it can be chosen only after a test message arrived."""
        return bool(self._read(DIRECT))

    @property
    def by_ear(self) -> bool:
        """True when they want output for screen readers, without pictures."""
        return self._read(EAR) == _ON

    @property
    def picture_size(self) -> PictureSize:
        """The size of pictures that only they see."""
        return PictureSize(self._read(SIZE) or PictureSize.LARGE)

    def is_quiet_at(self, moment: datetime) -> bool:
        """Return whether a moment lies in their quiet hours."""
        hours = self.quiet_hours
        return hours is not None and hours.holds(moment.astimezone(self.zone).time())

    def _read(self, name: str) -> str:
        """Return a choice that means something; empty for the default."""
        try:
            return _CHECKS[name](self.choices[name])
        except (KeyError, TypeError, ValueError):
            return ""


def _window(text: str) -> str:
    seconds = int(text)
    if not 0 <= seconds <= LONGEST_WINDOW.total_seconds():
        raise ValueError(f"no such window: {text!r}")
    return str(seconds)


def _switched_on(text: str) -> str:
    if text != _ON:
        raise ValueError(f"neither on nor off: {text!r}")
    return text


_CHECKS: Final[Mapping[str, Callable[[str], str]]] = {
    WINDOW: _window,
    REMINDERS: lambda text: str(Reminders(text)),
    QUIET: lambda text: str(QuietHours.parse(text)),
    ZONE: zone_name,
    DIRECT: _switched_on,
    EAR: _switched_on,
    SIZE: lambda text: str(PictureSize(text)),
}
"""The stored form of each choice; a ValueError says that a value means nothing."""


async def get(tx: Transaction, user_id: int) -> Preferences:
    """Return the preferences of a person; the defaults also in place of what cannot be read."""
    query = select(preferences.c.confirm, preferences.c.choices).where(preferences.c.user_id == user_id)
    row = (await tx.execute(query)).first()
    return Preferences() if row is None else of_row(row.confirm, row.choices)


async def some(tx: Transaction, user_ids: Iterable[int]) -> dict[int, Preferences]:
    """Return the preferences of several people."""
    wanted = list(dict.fromkeys(user_ids))
    query = select(preferences).where(preferences.c.user_id.in_(wanted))
    found = {row.user_id: of_row(row.confirm, row.choices) for row in await tx.execute(query)}
    return {user_id: found.get(user_id, Preferences()) for user_id in wanted}


def of_row(confirm: bool, choices: object) -> Preferences:  # noqa: FBT001 - the columns of a row
    """Read the columns of a row."""
    return Preferences(confirm=confirm, choices=choices if isinstance(choices, Mapping) else {})


async def put(tx: Transaction, user_id: int, chosen: Preferences) -> None:
    """Store the preferences of a person."""
    values = {"user_id": user_id, "confirm": chosen.confirm, "choices": dict(chosen.choices)}
    await tx.execute(upsert(preferences, values))


async def languages(tx: Transaction) -> dict[int, str]:
    """Return the language of everybody who has chosen one, by user."""
    rows = await tx.execute(select(preferences.c.user_id, preferences.c.choices))
    found = {user: choices.get(LANGUAGE) for user, choices in rows if isinstance(choices, Mapping)}
    return {user: language for user, language in found.items() if isinstance(language, str)}


async def screen_reader_users(tx: Transaction) -> set[int]:
    """Return everybody who plays by ear."""
    rows = await tx.execute(select(preferences.c.user_id, preferences.c.choices))
    return {user for user, choices in rows if isinstance(choices, Mapping) and Preferences(choices=choices).by_ear}


async def locale_of(tx: Transaction, user_id: int) -> str:
    """Return the locale that Discord last reported of a person; empty where none is known."""
    return (await tx.scalar(select(locales.c.locale).where(locales.c.user_id == user_id))) or ""


async def put_locales(tx: Transaction, seen: Mapping[int, str]) -> None:
    """Store the locales of these people; an empty one is forgotten."""
    gone = [user for user, locale in seen.items() if not locale]
    if gone:
        await tx.execute(delete(locales).where(locales.c.user_id.in_(gone)))
    # Sorted, so that two processes that store the same people never wait for each other.
    rows = [{"user_id": user, "locale": locale} for user, locale in sorted(seen.items()) if locale]
    if rows:
        await tx.execute(upsert_many(locales, rows[0]), rows)


class StandingOrders(NamedTuple):
    """The decisions that a player has made beforehand: for all games by name, and as a plan for this one."""

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
    return (await tx.scalar(select(plans.c.text).where(*_plan(game_id, user_id)))) or ""


async def put_plan(tx: Transaction, game_id: int, user_id: int, plan: str, now: datetime) -> None:
    """Store the plan of a player in place of the one before; an empty one removes it."""
    if plan:
        await tx.execute(upsert(plans, {"game_id": game_id, "user_id": user_id, "text": plan, "at": now}))
    else:
        await tx.execute(delete(plans).where(*_plan(game_id, user_id)))


async def drop_plans(tx: Transaction, game_id: int) -> None:
    """Remove all plans for a game."""
    await tx.execute(delete(plans).where(plans.c.game_id == game_id))


async def standing_orders(tx: Transaction, game_id: int) -> Mapping[int, StandingOrders]:
    """Return what the players of a game have decided beforehand, by their ids."""
    rows = await tx.execute(_ORDERS, {"game_id": game_id})
    return {
        row.user_id: StandingOrders(
            {} if row.confirm is None else of_row(row.confirm, row.choices).choices, row.text or ""
        )
        for row in rows
    }


def _plan(game_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return plans.c.game_id == game_id, plans.c.user_id == user_id


async def note_of(tx: Transaction, game_id: int, user_id: int) -> str:
    """Return the notes of a player about a game; empty for none."""
    return (await tx.scalar(select(notes.c.text).where(*_note(game_id, user_id)))) or ""


async def put_note(tx: Transaction, game_id: int, user_id: int, text: str, now: datetime) -> None:
    """Store the notes of a player in place of those before; empty ones remove them."""
    if text:
        await tx.execute(upsert(notes, {"game_id": game_id, "user_id": user_id, "text": text, "at": now}))
    else:
        await tx.execute(delete(notes).where(*_note(game_id, user_id)))


def _note(game_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return notes.c.game_id == game_id, notes.c.user_id == user_id
