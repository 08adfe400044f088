"""The players' own settings: their values, reading and changing them, and the private panel that shows them.

Settings of one game come from its presenter. The argument of a button is the name of a setting and its new value. Quiet
hours and time zone are typed into a modal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import add_line, form, layout, rows
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import CAREFUL, QUICK, THEME, Presenter
from cogs.texts import t
from cogs.texts.languages import by_ear, choosable_codes, name_of
from cogs.words.names import safe
from cogs.words.punctuality import record_values
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from host import (
    BY_EAR,
    DIRECT_MESSAGES,
    LANGUAGE,
    PICTURE_SIZE,
    PUBLISH_WINDOW,
    PUNCTUALITY,
    QUIET_HOURS,
    REMINDERS,
    TIME_ZONE,
    PictureSize,
    Preferences,
    PunctualityRecord,
    Reminders,
    WholeDayError,
)
from renderers import THEMES

CONFIRM: Final = "confirm"
AS_TABLE: Final = "table"
"""The theme of players who leave it to the table."""
NO_TABLE: Final = "0"
"""Replaces the code of a game in custom ids, because settings hold for all games."""
AS_DISCORD: Final = "discord"
"""The language of players who leave it to their Discord settings."""
OFF: Final = "off"
ON: Final = "on"
PAGE: Final = "page"
"""The first word of the argument of a button that turns the page."""
PLAYING: Final = "playing"
ANSWERS: Final = "answers"
CALLS: Final = "calls"
LOOKS: Final = "looks"
PAGES: Final = (PLAYING, ANSWERS, CALLS, LOOKS)
"""The pages of the panel; the first is shown by default."""
HOURS_FIELD: Final = "hours"
ZONE_FIELD: Final = "town"
"""The custom ids of the modal's fields: quiet hours and time zone."""
MAX_TYPED_LENGTH: Final = 60
SettingValues: TypeAlias = Mapping[str, Sequence[str]]
"""The values of each setting; the first is the default."""
_WINDOWS: Final = ("60", "0", "30", "120")
"""Seconds for which a move can be taken back before it is posted."""
_CALLS_PAGE: Final[SettingValues] = {
    REMINDERS: (Reminders.ALL, Reminders.LAST, Reminders.NONE),
    DIRECT_MESSAGES: (OFF, ON),
    BY_EAR: (OFF, ON),
}
"""The settings of the page about notifications and playing by ear."""
_PLAYING_PAGE: Final = (CONFIRM, PUBLISH_WINDOW, PUNCTUALITY)
"""The settings of the page about how moves are made, and what others know of that."""


def settings_of(presenters: Iterable[Presenter[Any]]) -> SettingValues:
    """Return all settings of a bot that hosts these games."""
    games = {name: values for presenter in presenters for name, values in presenter.choices.items()}
    spoken: SettingValues = {LANGUAGE: (AS_DISCORD, *choosable_codes())} if choosable_codes() else {}
    settings: SettingValues = {THEME: (AS_TABLE, *THEMES), PICTURE_SIZE: tuple(PictureSize)}
    return {
        **spoken,
        CONFIRM: (CAREFUL, QUICK),
        PUBLISH_WINDOW: _WINDOWS,
        PUNCTUALITY: (OFF, ON),
        **settings,
        **games,
        **_CALLS_PAGE,
    }


def chosen(settings: SettingValues, preferences: Preferences, name: str) -> str:
    """Return the value of a setting; a stored value that no longer exists counts as the default."""
    if name == CONFIRM:
        return CAREFUL if preferences.confirm else QUICK
    value = preferences.choices.get(name, "")
    return value if value in settings[name] else settings[name][0]


def changed(settings: SettingValues, preferences: Preferences, argument: str) -> Preferences:
    """Return the preferences changed as the argument of a button says.

    Raises:
        RefusedError: no button has this argument.
    """
    name, _, value = argument.partition(" ")
    if value not in settings.get(name, ()):
        raise RefusedError("unknown_button")
    if name == CONFIRM:
        return replace(preferences, confirm=value == CAREFUL)
    return preferences.with_choice(name, "" if value == settings[name][0] else value)


def in_words(settings: SettingValues) -> Iterator[tuple[str, str]]:
    """Yield every value of every setting: the argument of its button, and its name where it is typed."""
    for name, values in settings.items():
        for value in values:
            yield (
                f"{name} {value}",
                t("setting.typed", name=t(f"setting.{name}.name"), value=_value_name(name, value)),
            )


def _value_name(name: str, value: str) -> str:
    """Return the name of a value; a language has its own name for itself."""
    return name_of(value) if name == LANGUAGE and value != AS_DISCORD else t(f"setting.{name}.{value}")


def with_hours(preferences: Preferences, hours: str | None, zone: str | None) -> Preferences:
    """Return the preferences with typed quiet hours and time zone; None leaves a value as it is.

    Raises:
        RefusedError: ``whole_day``, ``bad_hours``, ``bad_zone``.
    """
    if hours is not None:
        try:
            preferences = preferences.with_choice(QUIET_HOURS, hours.strip())
        except WholeDayError as error:
            raise RefusedError("whole_day") from error
        except ValueError as error:
            raise RefusedError("bad_hours", typed=_quoted(hours)) from error
    if zone is not None:
        try:
            preferences = preferences.with_choice(TIME_ZONE, zone.strip())
        except ValueError as error:
            raise RefusedError("bad_zone", typed=_quoted(zone)) from error
    return preferences


def _quoted(typed: str) -> str:
    """Return typed text for a refusal, cut and escaped."""
    return safe(clip(typed, MAX_TYPED_LENGTH))


def settings_panel(
    settings: SettingValues, preferences: Preferences, record: PunctualityRecord, page: str = PLAYING
) -> ui.LayoutView:
    """Return a page of settings, each with a button for each of its values; ``record`` is that of the user."""
    page = page if page in PAGES else PLAYING
    names = [name for name in settings if page_of(name) == page]
    title: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("setting.title"))
    typed = _hours(preferences) if page == CALLS else ()
    own = t("punctuality.own", **record_values(record)) if page == PLAYING else None
    others = [other for other in PAGES if other != page]
    turning = rows([_setting_button(PAGE, other, t(f"button.settings_{other}")) for other in others])
    return layout(title, *(_setting(settings, preferences, name) for name in names), own, typed, turning)


def page_of(name: str) -> str:
    """Return the page of a setting."""
    if name in {LANGUAGE, THEME, PICTURE_SIZE}:
        return LOOKS
    if name in _CALLS_PAGE:
        return CALLS
    return PLAYING if name in _PLAYING_PAGE or not name else ANSWERS  # what games ask for is decided in advance


def _setting(settings: SettingValues, preferences: Preferences, name: str) -> Iterator[ui.Item[Any]]:
    """Yield a setting: its title and present value, then a button for each value."""
    now = chosen(settings, preferences, name)
    yield ui.TextDisplay("\n".join([t(f"setting.{name}.title"), t("setting.now", value=_value_name(name, now))]))
    yield from rows([_setting_button(name, value, _label(name, value), on=value == now) for value in settings[name]])


def _label(name: str, value: str) -> str:
    """Return the label of a button; only listeners need the name of the setting, which others see above it."""
    value_label = _value_name(name, value)
    return t("setting.typed", name=t(f"setting.{name}.name"), value=value_label) if by_ear() else value_label


def _setting_button(name: str, value: str, label: str, *, on: bool = False) -> Press:
    """Return the button that gives a setting a value; the present value is highlighted."""
    style = ButtonStyle.success if on else ButtonStyle.secondary
    return button(Op.SETTING, NO_TABLE, 0, label, argument=f"{name} {value}", style=style)


def _hours(preferences: Preferences) -> Iterator[ui.Item[Any]]:
    """Return the part about quiet hours and time zone."""
    quiet, zone = preferences.quiet_hours, preferences.zone.key
    words = t("setting.quiet.none", zone=zone) if quiet is None else t("setting.quiet.some", hours=quiet, zone=zone)
    yield ui.TextDisplay("\n".join([t("setting.quiet.title"), words]))
    vacation = button(Op.VACATION, NO_TABLE, 0, t("button.vacation"))
    yield from rows([button(Op.HOURS, NO_TABLE, 0, t("button.quiet_hours")), vacation])


def hours_modal(preferences: Preferences) -> ui.Modal:
    """Return the modal for quiet hours and time zone, filled in with the present values."""
    modal = form(t("modal.hours_title"), Key(Op.QUIET, NO_TABLE))
    quiet = preferences.quiet_hours
    fields = ((HOURS_FIELD, "" if quiet is None else str(quiet)), (ZONE_FIELD, preferences.choices.get(TIME_ZONE, "")))
    for name, value in fields:
        add_line(modal, name, longest=MAX_TYPED_LENGTH, value=value)
    return modal
