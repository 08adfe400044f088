"""A user's own settings, vacations and data: ``/carc settings``, ``/carc vacation`` and ``/forget-me``.

Every setting can be typed as an option of the command, or chosen with the buttons of a private panel. Some settings can
also be chosen for one game alone; their names then end with :data:`ONE_GAME_SUFFIX`. ``/forget-me`` offers to export
everything that is stored about the user, and to delete it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.slash import command
from cogs.games.presenters import IN_ONE_GAME, PRESENTERS
from cogs.interactions.context import language_for
from cogs.interactions.replies import MAX_CHOICES, Press, button
from cogs.interactions.selection import find_game
from cogs.messages import add_line, form, layout, notice, rows, typed_values
from cogs.panels import own_settings
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handler, Interaction
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import Costly
from cogs.texts import LANGUAGE, t
from cogs.texts.languages import current_language, folded, folded_versions, set_by_ear, speak, speaking
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from host import YEARLY_VACATION_DAYS, Preferences, Vacation

SETTINGS: Final = own_settings.settings_of(PRESENTERS.values())
ONE_GAME_SUFFIX: Final = "@"
"""The suffix of a setting's name that says that the value is meant for one game only."""


async def complete_setting(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the values of settings that match what is typed."""
    query = folded(typed).split()
    matching = [(words, value) for value, words in _choices() if _matches(query, words, value)]
    return [app_commands.Choice(name=words, value=value) for words, value in matching[:MAX_CHOICES]]


def _matches(query: Sequence[str], words: str, value: str) -> bool:
    """Return whether all typed words occur in the label of a choice, or in its English label."""
    label = folded(words) if current_language() == LANGUAGE else f"{folded(words)} {folded(_english_choices()[value])}"
    return all(part in label for part in query)


def _english_choices() -> dict[str, str]:
    """Return the labels of all choices in English, by value."""
    with speaking(LANGUAGE):
        return dict(_choices())


def _choices() -> Iterator[tuple[str, str]]:
    """Yield all choices as pairs of value and label: every value of every setting, then those for one game."""
    yield from own_settings.in_words(SETTINGS)
    for name, setting in IN_ONE_GAME.items():
        title = t(f"setting.{name}.name")
        for value in setting.values:
            yield f"{name}{ONE_GAME_SUFFIX} {value}", t("setting.alone", name=title, value=setting.label_of(value))


class SettingsCommands(commands.Cog):
    """``/carc settings``."""

    @command("settings", direct=True)
    @app_commands.autocomplete(choose=complete_setting)
    async def settings(
        self,
        interaction: Interaction,
        choose: str = "",
        quiet: str | None = None,
        zone: str | None = None,
        game: str = "",
    ) -> None:
        """Set the typed value, for one game only if one is named, then show the settings."""
        argument, preferences = _argument(choose), interaction.client.host.preferences
        name, _, value = argument.partition(" ")
        setting = IN_ONE_GAME.get(name.removesuffix(ONE_GAME_SUFFIX))
        if setting and (name.endswith(ONE_GAME_SUFFIX) or game):
            await setting.choose(interaction, await find_game(interaction, game, own=True), value)
            return
        chosen, page = await preferences.get(interaction.user.id), own_settings.page_of(name)
        if argument or quiet is not None or zone is not None:
            chosen = await _store(interaction, chosen, _with_typed(chosen, argument, quiet, zone))
            page = page if quiet is None and zone is None else own_settings.CALLS
        await _show_settings(interaction, chosen, page)


def _argument(choose: str) -> str:
    """Return the argument of the button for a typed label; any other text is taken as an argument itself."""
    typed = choose.strip()
    choices = [*_choices(), *_english_choices().items()]
    return next((value for value, words in choices if folded(words) == folded(typed)), typed)


def _with_typed(preferences: Preferences, argument: str, quiet: str | None, zone: str | None) -> Preferences:
    """Return the preferences changed as typed.

    Raises:
        RefusedError: a typed value is invalid.
    """
    try:
        updated = own_settings.changed(SETTINGS, preferences, argument) if argument else preferences
    except RefusedError as error:
        raise RefusedError("no_setting") from error
    if quiet is not None and folded(quiet.strip()) in folded_versions(lambda: t("setting.no_hours")):
        quiet = ""
    return own_settings.with_hours(updated, quiet, zone)


async def press_setting(interaction: Interaction, key: Key) -> None:
    """Set the value that the button says, or turn the page."""
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    name, _, value = key.argument.partition(" ")
    page = value if name == own_settings.PAGE else own_settings.page_of(name)
    if name != own_settings.PAGE:
        preferences = await _store(interaction, preferences, own_settings.changed(SETTINGS, preferences, key.argument))
    await _show_settings(interaction, preferences, page)


async def _show_settings(interaction: Interaction, preferences: Preferences, page: str) -> None:
    """Show a page of the settings."""
    record = await interaction.client.host.punctuality.of(interaction.user.id)
    view = own_settings.settings_panel(SETTINGS, preferences, record, page)
    await interaction.edit_original_response(view=view)


async def press_hours(interaction: Interaction, _: Key) -> None:
    """Open the modal that asks for quiet hours and time zone."""
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    await interaction.response.send_modal(own_settings.hours_modal(preferences))


async def submit_hours(interaction: Interaction, _: Key) -> None:
    """Set the quiet hours and time zone that were typed."""
    typed = typed_values(interaction.data or {})
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    updated = own_settings.with_hours(
        preferences, typed.get(own_settings.HOURS_FIELD), typed.get(own_settings.ZONE_FIELD)
    )
    await _store(interaction, preferences, updated)
    await _show_settings(interaction, updated, own_settings.CALLS)


async def _store(interaction: Interaction, before: Preferences, updated: Preferences) -> Preferences:
    """Store preferences; direct messages are switched on only after a test message has been delivered.

    Raises:
        RefusedError: ``direct_closed`` or ``direct_unsure``; then nothing is stored.
    """
    if updated.direct_messages and not before.direct_messages:
        await _send_test_message(interaction)
    await interaction.client.host.preferences.set(interaction.user.id, updated)
    speak(language_for(interaction))
    set_by_ear(updated.by_ear)
    return updated


async def _send_test_message(interaction: Interaction) -> None:
    """Send the user a first direct message.

    Raises:
        RefusedError: ``direct_closed``: the user does not accept it; ``direct_unsure``: Discord does not say.
    """
    nobody = discord.AllowedMentions.none()
    try:
        await interaction.user.send(view=notice(t("setting.direct.test")), allowed_mentions=nobody)
    except discord.Forbidden as error:
        raise RefusedError("direct_closed") from error
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        raise RefusedError("direct_unsure") from error


DATA_FILE: Final = "castellan-data.json"
"""The name of the file with everything that is stored about a user."""


class ForgetMe(commands.Cog):
    """``/forget-me``, which is not in the group ``/carc`` so that it also works in direct messages."""

    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @command("forget-me", direct=True)
    async def forget_me(self, interaction: Interaction) -> None:
        """Explain what would be deleted, and offer to do it."""
        count = await interaction.client.host.erasure.count_open_games(interaction.user.id)
        await interaction.edit_original_response(view=forget_panel(count))


def forget_panel(open_games: int) -> ui.LayoutView:
    """Return the panel that explains the deletion, with buttons to export all data and to delete it."""
    buttons = [
        button(Op.DATA, own_settings.NO_TABLE, 0, t("button.all_data")),
        button(Op.FORGET, own_settings.NO_TABLE, 0, t("button.forget_me"), style=ButtonStyle.danger),
    ]
    return layout(t("forget.ask", count=open_games), rows(buttons))


async def press_data(interaction: Interaction, _: Key) -> None:
    """Send the user all data stored about them, as a JSON file."""
    client, user_id = interaction.client, interaction.user.id
    client.pace.require(user_id, Costly.RECORD)
    data = await client.host.erasure.export(user_id)
    text = await client.render_pool.run_for(
        user_id, lambda: json.dumps(data, indent=1, default=_json_value, ensure_ascii=False)
    )
    client.pace.start_pause(user_id, Costly.RECORD)
    file = discord.File(io.BytesIO(text.encode()), DATA_FILE)
    view = layout(t("forget.everything"), ui.File(f"attachment://{DATA_FILE}"))
    await interaction.followup.send(view=view, file=file, ephemeral=True)


async def press_forget(interaction: Interaction, _: Key) -> None:
    """Delete the user's data and take them out of their games."""
    resigned = await interaction.client.host.erasure.erase(interaction.user.id)
    interaction.client.publisher.wake()  # posts the cards about their leaving
    await interaction.edit_original_response(view=notice(t("forget.done", count=resigned)))


def _json_value(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


FIRST_DAY_FIELD: Final = "first"
"""The custom id of the form's field for the first day."""
DAYS_FIELD: Final = "days"
"""The custom id of the form's field for the number of days."""
MAX_TYPED_LENGTH: Final = 20
"""The most characters of either field."""
MAX_LISTED: Final = 10
"""The most vacations that the panel lists, the next ones first."""


def vacation_panel(
    announced: Sequence[Vacation], days_left: int, current: Vacation | None, *, ended: bool = False
) -> ui.LayoutView:
    """Return the panel with the announced vacations, the days left this year, and buttons to change them.

    ``current`` is the one that is going on, or None; ``ended`` says that one was just ended early.
    """
    listed = announced[:MAX_LISTED]
    lines = [t("vacation.title"), *([_line(entry) for entry in listed] or [t("vacation.none")])]
    lines += [t("vacation.begun")] if current else []
    lines += [t("vacation.left", count=days_left), *([t("vacation.ended")] if ended else [])]
    drops = [
        _change_button(Op.VACATION, t("button.drop_vacation", first=entry.first), entry)
        for entry in listed
        if entry != current
    ]
    buttons = [button(Op.DAYS, own_settings.NO_TABLE, 0, t("button.vacation_new"), style=ButtonStyle.primary)]
    if current:
        buttons.append(_change_button(Op.BACK, t("button.end_vacation"), current))
    return layout("\n".join(lines), rows(drops), rows(buttons))


def _change_button(op: Op, label: str, entry: Vacation) -> Press:
    """Return a button that changes a vacation, which its first day identifies."""
    return button(op, own_settings.NO_TABLE, 0, label, argument=entry.first.isoformat())


def _line(entry: Vacation) -> str:
    """Return a vacation in words."""
    start, end = int(entry.starts_at.timestamp()), int(entry.ends_at.timestamp())
    return t("vacation.line", first=entry.first, count=entry.days, start=start, end=end)


def vacation_modal() -> ui.Modal:
    """Return the modal that asks for the first day and the number of days."""
    modal = form(t("modal.vacation_title"), Key(Op.AWAY, own_settings.NO_TABLE))
    for name in (FIRST_DAY_FIELD, DAYS_FIELD):
        add_line(modal, name, longest=MAX_TYPED_LENGTH, words=f"vacation_{name}", required=True)
    return modal


MAX_DATE_DISTANCE: Final = timedelta(days=730)
"""The longest time between today and a typed date, in either direction."""


class VacationCommands(commands.Cog):
    """``/carc vacation``."""

    @command("vacation")
    async def vacation(
        self,
        interaction: Interaction,
        first: str = "",
        days: app_commands.Range[int, 1, YEARLY_VACATION_DAYS] | None = None,
        drop: str = "",
        *,
        end: bool = False,
    ) -> None:
        """Announce, withdraw or end a vacation as typed, then show the user's vacations."""
        vacations, user_id = interaction.client.host.vacations, interaction.user.id
        if end:
            await vacations.end(user_id)
        if drop:
            await vacations.cancel(user_id, typed_date(interaction, drop))
        if first or days is not None:
            await vacations.announce(user_id, typed_date(interaction, first), 1 if days is None else days)
        await _show(interaction, ended=end)


async def press_vacation(interaction: Interaction, key: Key) -> None:
    """Show the user's vacations, after withdrawing the one that begins on the day in the argument, if any."""
    if key.argument:
        await interaction.client.host.vacations.cancel(interaction.user.id, typed_date(interaction, key.argument))
    await _show(interaction)


async def press_back(interaction: Interaction, key: Key) -> None:
    """End the vacation that began on the day in the argument."""
    await interaction.client.host.vacations.end(interaction.user.id, typed_date(interaction, key.argument))
    await _show(interaction, ended=True)


async def press_days(interaction: Interaction, _: Key) -> None:
    """Open the modal that announces a vacation."""
    await interaction.response.send_modal(vacation_modal())


async def submit_away(interaction: Interaction, _: Key) -> None:
    """Announce the vacation that was typed into the modal."""
    typed = typed_values(interaction.data or {})
    days = typed.get(DAYS_FIELD, "").strip()
    number = int(days) if days.isascii() and days.isdecimal() and len(days) < len("1000") else 0  # 0 is refused
    await interaction.client.host.vacations.announce(
        interaction.user.id, typed_date(interaction, typed.get(FIRST_DAY_FIELD, "")), number
    )
    await _show(interaction)


async def _show(interaction: Interaction, *, ended: bool = False) -> None:
    """Show the panel with the user's vacations."""
    vacations, user_id = interaction.client.host.vacations, interaction.user.id
    announced, days_left = await vacations.of(user_id), await vacations.days_left(user_id)
    current = next((entry for entry in announced if vacations.has_begun(entry)), None)
    view = vacation_panel(announced, days_left, current, ended=ended)
    await interaction.edit_original_response(view=view, attachments=[])


def typed_date(interaction: Interaction, typed: str) -> date:
    """Parse a typed ISO date.

    Raises:
        RefusedError: ``bad_date``: it is no date, or further than :data:`MAX_DATE_DISTANCE` from today.
    """
    try:
        day = date.fromisoformat(typed.strip())
    except ValueError as error:
        raise RefusedError("bad_date", typed=safe(clip(typed, MAX_TYPED_LENGTH))) from error
    if abs(day - interaction.created_at.date()) > MAX_DATE_DISTANCE:
        raise RefusedError("bad_date", typed=day.isoformat())
    return day


HANDLERS: Final = {
    Op.SETTING: Handler(Ack.UPDATE, press_setting),
    Op.HOURS: Handler(Ack.MODAL, press_hours),
    Op.QUIET: Handler(Ack.UPDATE, submit_hours),
    Op.DATA: Handler(Ack.UPDATE, press_data),
    Op.FORGET: Handler(Ack.UPDATE, press_forget),
    Op.VACATION: Handler(Ack.UPDATE, press_vacation),
    Op.BACK: Handler(Ack.UPDATE, press_back),
    Op.DAYS: Handler(Ack.MODAL, press_days),
    Op.AWAY: Handler(Ack.UPDATE, submit_away),
}
