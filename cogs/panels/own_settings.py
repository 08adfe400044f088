"""What each player may choose for himself, and the private panel in which he does.

What only one game asks, its presenter names; a button's argument is the name of a setting and the value to give it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from discord import ButtonStyle, ui

from cogs.click.press import button
from cogs.desk.refused import RefusedError
from cogs.messages.layouts import layout, rows
from cogs.presenting.ids import Op
from cogs.presenting.offers import CAREFUL, QUICK
from cogs.presenting.themes import THEME
from cogs.texts import t
from renderers import THEMES

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from host import Preferences

CONFIRM: Final = "confirm"
AS_TABLE: Final = "table"
"""The theme of who leaves it to the table."""
NO_TABLE: Final = "0"
"""Instead of the code of a game: settings are for all of them."""
Values: TypeAlias = Mapping[str, Sequence[str]]
"""The values of each setting, the one with which everybody begins first."""


def settings_of(presenters: Iterable[Presenter[Any]]) -> Values:
    """What can be chosen where these games are played."""
    games = {name: values for presenter in presenters for name, values in presenter.choices.items()}
    return {CONFIRM: (CAREFUL, QUICK), THEME: (AS_TABLE, *THEMES), **games}


def chosen(settings: Values, preferences: Preferences, name: str) -> str:
    """The value of a setting; a stored one that is none any more counts as the first."""
    if name == CONFIRM:
        return CAREFUL if preferences.confirm else QUICK
    value = preferences.choices.get(name, "")
    return value if value in settings[name] else settings[name][0]


def changed(settings: Values, preferences: Preferences, argument: str) -> Preferences:
    """The preferences as a button wants them.

    Raises:
        RefusedError: no button of ours has this argument.
    """
    name, _, value = argument.partition(" ")
    if value not in settings.get(name, ()):
        raise RefusedError("unknown_button")
    if name == CONFIRM:
        return replace(preferences, confirm=value == CAREFUL)
    others = {known: other for known, other in preferences.choices.items() if known != name}
    return replace(preferences, choices=others if value == settings[name][0] else {**others, name: value})


def settings_panel(settings: Values, preferences: Preferences) -> ui.LayoutView:
    """Every setting with a button for each of its values."""
    title: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("setting.title"))
    return layout(title, *(_setting(settings, preferences, name) for name in settings))


def _setting(settings: Values, preferences: Preferences, name: str) -> Iterator[ui.Item[Any]]:
    now = chosen(settings, preferences, name)
    yield ui.TextDisplay(t(f"setting.{name}.title"))
    yield from rows(
        [
            button(
                Op.SETTING,
                NO_TABLE,
                0,
                t(f"setting.{name}.{value}"),
                argument=f"{name} {value}",
                style=ButtonStyle.success if value == now else ButtonStyle.secondary,
            )
            for value in settings[name]
        ]
    )
