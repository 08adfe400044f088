"""How somebody wants to play: kept as names with words, read as what they mean.

What is not chosen has its default, and so has what is stored but means nothing (any more). Here alone a choice is
checked (:meth:`Preferences.having`), but what one game or the colours ask: that whoever asks it knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

WINDOW: Final = "publish"
"""The seconds in which a confirmed move can be taken back in silence."""
REMINDERS: Final = "reminders"
QUIET: Final = "quiet"
"""From when to when, as ``22:00-07:30``."""
ZONE: Final = "zone"
DIRECT: Final = "direct"
SIZE: Final = "size"
LANGUAGE: Final = "language"
"""In which language somebody wants to be spoken to; which ones there are knows who speaks them."""
EAR: Final = "ear"
"""Whether somebody listens to what only he reads, and sees no pictures."""

USUAL_WINDOW: Final = timedelta(seconds=60)
LONGEST_WINDOW: Final = timedelta(seconds=120)
_ON: Final = "on"
_IN: Final = "@"
"""Between the name of a choice and the code of the game for which alone it holds."""
_HOURS: Final = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s*[-\u2013]\s*(\d{1,2})(?:[:.](\d\d))?", re.ASCII)


class Reminders(StrEnum):
    """Of what somebody is reminded whose turn it is."""

    ALL = "all"
    LAST = "last"
    """Only that the last two hours run."""
    NONE = "none"


class PictureSize(StrEnum):
    """How large the pictures are that only one person sees."""

    LARGE = "large"
    SMALL = "small"


class WholeDayError(ValueError):
    """Quiet hours that leave none for anything else."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one local time of the day to another, be it over midnight; never a whole day, and never nothing."""

    start: time
    end: time

    def __post_init__(self) -> None:
        if self.start == self.end:
            raise WholeDayError(f"from {self.start} to {self.end}")

    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"

    def holds(self, at: time) -> bool:
        """Whether this time of the day is a quiet one; the end is not."""
        if self.start < self.end:
            return self.start <= at < self.end
        return at >= self.start or at < self.end

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Read ``22:00-07:30`` or ``22-7``.

        Raises:
            WholeDayError: they are as long as a day.
            ValueError: they are none.
        """
        match = _HOURS.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"no hours of a day: {text!r}")
        hour, minute, until_hour, until_minute = (int(number or 0) for number in match.groups())
        return cls(_clock(hour, minute), _clock(until_hour, until_minute))


def _clock(hour: int, minute: int) -> time:
    """A time of the day; 24:00 is that of the day after."""
    return time() if (hour, minute) == (24, 0) else time(hour, minute)


@cache
def _zones() -> Mapping[str, str]:
    """The names of all zones by how somebody may type them."""
    return {name.lower(): name for name in available_timezones()}


def zone_name(text: str) -> str:
    """The name of the zone of the IANA database that somebody has typed, however he writes it.

    Raises:
        ValueError: there is none.
    """
    found = _zones().get("_".join(text.lower().split()))
    if found is None:
        raise ValueError(f"no time zone: {text!r}")
    return found


def in_game(choices: Mapping[str, str], code: str) -> Mapping[str, str]:
    """Choices as they hold in a game: what was chosen for it alone before what is for all."""
    own = {name.removesuffix(_IN + code): value for name, value in choices.items() if name.endswith(_IN + code)}
    return {**choices, **own}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """How somebody wants to play; ``confirm`` asks once more before a move is final.

    ``choices`` holds the rest by name, as the pictures' theme; what is not there has its default.
    """

    confirm: bool = True
    choices: Mapping[str, str] = field(default_factory=dict)

    def having(self, name: str, value: str) -> Preferences:
        """These with one more choice, written as it is kept; an empty one is the default again.

        Raises:
            ValueError: it means nothing.
        """
        others = {known: other for known, other in self.choices.items() if known != name}
        kept = _CHECKS[name](value) if value and name in _CHECKS else value
        return replace(self, choices={**others, name: kept} if kept else others)

    def having_in(self, code: str, name: str, value: str) -> Preferences:
        """These with a choice for one game alone, named by its code; an empty one is that of all games again."""
        return self.having(name + _IN + code, value)

    def in_game(self, code: str) -> Mapping[str, str]:
        """The choices by name as they hold in a game."""
        return in_game(self.choices, code)

    @property
    def publish_window(self) -> timedelta:
        """How long after it was confirmed a move is published."""
        return self.window_or(USUAL_WINDOW)

    def window_or(self, usual: timedelta) -> timedelta:
        """The same, where another one is usual."""
        return timedelta(seconds=int(self._read(WINDOW) or usual.total_seconds()))

    @property
    def reminders(self) -> Reminders:
        """Of what they are reminded."""
        return Reminders(self._read(REMINDERS) or Reminders.ALL)

    @property
    def quiet_hours(self) -> QuietHours | None:
        """When they are not to be called, by the clock of their :attr:`zone`; None for never."""
        text = self._read(QUIET)
        return QuietHours.parse(text) if text else None

    @property
    def zone(self) -> ZoneInfo:
        """Where they live; UTC for who has not said."""
        return ZoneInfo(self._read(ZONE) or "UTC")

    @property
    def direct_messages(self) -> bool:
        """Whether they want to be written to directly; only who has got a test message can have chosen it."""
        return bool(self._read(DIRECT))

    @property
    def by_ear(self) -> bool:
        """Whether they listen, and see no pictures."""
        return self._read(EAR) == _ON

    @property
    def picture_size(self) -> PictureSize:
        """How large the pictures are that only they see."""
        return PictureSize(self._read(SIZE) or PictureSize.LARGE)

    def is_quiet_at(self, moment: datetime) -> bool:
        """Whether it is a quiet hour for them."""
        hours = self.quiet_hours
        return hours is not None and hours.holds(moment.astimezone(self.zone).time())

    def _read(self, name: str) -> str:
        """What was chosen; empty for the default."""
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
"""What a choice is kept as; a ValueError says that it is none."""
