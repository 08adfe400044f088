"""Settings of a player: ``/carc settings``; and all that is stored of them, to see and to delete: ``/forget-me``."""

from __future__ import annotations

import io
import json
from collections.abc import Coroutine, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import MOST, about_game
from cogs.games.presenters import IN_ONE_GAME, PRESENTERS
from cogs.interactions.context import language_for
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import layout, notice, rows, typed_values
from cogs.panels.own_settings import (
    CALLS,
    HOURS,
    NO_TABLE,
    PAGE,
    TOWN,
    changed,
    hours_modal,
    in_words,
    page_of,
    settings_of,
    settings_panel,
    with_hours,
)
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.rate_limits import Costly
from cogs.texts import LANGUAGE, t
from cogs.texts.languages import folded, speak, speaking, spoken, to_listener, typed_for
from cogs.words.refusals import RefusedError

if TYPE_CHECKING:
    from cogs.services.bot import BotServices, InOneGame, Interaction
    from host import Preferences


SETTINGS: Final = settings_of(PRESENTERS.values())
ALONE: Final = "@"
"""Behind the name of a setting: chosen for one game."""


async def complete_setting(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Every value of every setting."""
    wanted = folded(typed).split()
    found = [(words, value) for value, words in _all_in_words() if _has(wanted, words, value)]
    return [app_commands.Choice(name=words, value=value) for words, value in found[:MOST]]


def _has(wanted: Sequence[str], words: str, value: str) -> bool:
    """Whether what was typed occurs in the words of a setting, or in its English ones."""
    hay = folded(words) if spoken() == LANGUAGE else f"{folded(words)} {folded(_in_english()[value])}"
    return all(part in hay for part in wanted)


def _in_english() -> dict[str, str]:
    with speaking(LANGUAGE):
        return dict(_all_in_words())


def _all_in_words() -> Iterator[tuple[str, str]]:
    """What may be typed: every value of every setting, then those for one game."""
    yield from in_words(SETTINGS)
    for name, setting in IN_ONE_GAME.items():
        title = t(f"setting.{name}.name")
        for value in setting.values:
            yield f"{name}{ALONE} {value}", t("setting.alone", name=title, value=setting.called(value))


class SettingsCommands(commands.Cog):
    """``/carc settings``."""

    @app_commands.command(name="settings", description=t("command.settings.description"))
    @app_commands.describe(
        choose=t("command.settings.choose"), quiet=t("command.settings.quiet"), zone=t("command.settings.zone")
    )
    @app_commands.autocomplete(choose=complete_setting)
    @about_game
    async def settings(
        self,
        interaction: Interaction,
        choose: str = "",
        quiet: str | None = None,
        zone: str | None = None,
        game: str = "",
    ) -> None:
        """Show what can be chosen, and what is; choose what is typed, be it for one game alone."""
        argument = _argument(choose)
        alone = _in_one_game(interaction, argument, game)
        await guarded(interaction, alone or _settings(interaction, argument, quiet, zone))


def _in_one_game(interaction: Interaction, argument: str, code: str) -> Coroutine[Any, Any, None] | None:
    """What is typed, chosen for one game: so it says itself, or the game is named; None for all other settings."""
    name, _, value = argument.partition(" ")
    setting = IN_ONE_GAME.get(name.removesuffix(ALONE))
    return _choose(interaction, setting, value, code) if setting and (name.endswith(ALONE) or code) else None


async def _choose(interaction: Interaction, setting: InOneGame, value: str, code: str) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        await setting.choose(interaction, await find_game(interaction, code, own=True), value)


async def _settings(interaction: Interaction, argument: str, quiet: str | None, zone: str | None) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    page = page_of(argument.partition(" ")[0])
    if argument or quiet is not None or zone is not None:
        preferences = await _keep(interaction, preferences, _typed(preferences, argument, quiet, zone))
        page = page if quiet is None and zone is None else CALLS
    await interaction.edit_original_response(view=settings_panel(SETTINGS, preferences, page))


def _argument(choose: str) -> str:
    """The argument of the button that does what was typed, or was chosen from the suggestions."""
    typed = choose.strip()
    known = [*_all_in_words(), *_in_english().items()]
    return next((value for value, words in known if folded(words) == folded(typed)), typed)


def _typed(preferences: Preferences, argument: str, quiet: str | None, zone: str | None) -> Preferences:
    """The preferences with all that was typed.

    Raises:
        RefusedError: something of it means nothing.
    """
    try:
        wanted = changed(SETTINGS, preferences, argument) if argument else preferences
    except RefusedError as error:
        raise RefusedError("no_setting") from error
    if quiet is not None and folded(quiet.strip()) in typed_for(lambda: t("setting.no_hours")):
        quiet = ""
    return with_hours(wanted, quiet, zone)


async def press_setting(interaction: Interaction, key: Key) -> None:
    """Choose what the button says, or turn the page."""
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    name, _, value = key.argument.partition(" ")
    page = value if name == PAGE else page_of(name)
    if name != PAGE:
        preferences = await _keep(interaction, preferences, changed(SETTINGS, preferences, key.argument))
    await interaction.edit_original_response(view=settings_panel(SETTINGS, preferences, page))


async def press_hours(interaction: Interaction, _: Key) -> None:
    """Ask for quiet hours and zone."""
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    await interaction.response.send_modal(hours_modal(preferences))


async def submit_hours(interaction: Interaction, _: Key) -> None:
    """Choose what was typed."""
    typed = typed_values(interaction.data or {})
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    wanted = with_hours(preferences, typed.get(HOURS), typed.get(TOWN))
    await _keep(interaction, preferences, wanted)
    await interaction.edit_original_response(view=settings_panel(SETTINGS, wanted, CALLS))


async def _keep(interaction: Interaction, before: Preferences, wanted: Preferences) -> Preferences:
    """Store what somebody wants; direct messages only when a first one has reached him.

    Raises:
        RefusedError: ``direct_closed``, ``direct_unsure``; then nothing has changed.
    """
    if wanted.direct_messages and not before.direct_messages:
        await _try_direct(interaction)
    await interaction.client.host.preferences.set(interaction.user.id, wanted)
    speak(language_for(interaction))
    to_listener(wanted.by_ear)
    return wanted


async def _try_direct(interaction: Interaction) -> None:
    """Write to somebody directly, as he wants to be written to from now on."""
    nobody = discord.AllowedMentions.none()
    try:
        await interaction.user.send(view=notice(t("setting.direct.test")), allowed_mentions=nobody)
    except discord.Forbidden as error:
        raise RefusedError("direct_closed") from error
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        raise RefusedError("direct_unsure") from error


FILE: Final = "castellan-data.json"
"""The name of the file with everything."""


class ForgetMe(commands.Cog):
    """``/forget-me``, a command of its own, so that it needs no server."""

    def __init__(self, bot: BotServices) -> None:
        self.bot = bot

    @app_commands.command(name="forget-me", description=t("command.forget_me.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def forget_me(self, interaction: Interaction) -> None:
        """Say what would be taken out, and offer to do it."""
        await guarded(interaction, _ask(interaction))


async def _ask(interaction: Interaction) -> None:
    if await acknowledge(interaction, Ack.PANEL):
        count = await interaction.client.host.forgetting.open_games(interaction.user.id)
        await interaction.edit_original_response(view=forget_panel(count))


def forget_panel(open_games: int) -> ui.LayoutView:
    """What would be taken out, with buttons that show everything and that do it."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("forget.ask", count=open_games))
    buttons = [
        button(Op.DATA, NO_TABLE, 0, t("button.all_data")),
        button(Op.FORGET, NO_TABLE, 0, t("button.forget_me"), style=ButtonStyle.danger),
    ]
    return layout(text, rows(buttons))


async def press_data(interaction: Interaction, _: Key) -> None:
    """Hand out everything that is known of who presses, as a file."""
    client, user_id = interaction.client, interaction.user.id
    client.pace.require(user_id, Costly.RECORD)
    known = await client.host.forgetting.everything(user_id)
    text = await client.render_pool.look(
        user_id, lambda: json.dumps(known, indent=1, default=_plain, ensure_ascii=False)
    )
    client.pace.rest(user_id, Costly.RECORD)
    file = discord.File(io.BytesIO(text.encode()), FILE)
    view = layout(ui.TextDisplay(t("forget.everything")), ui.File(f"attachment://{FILE}"))
    await interaction.followup.send(view=view, file=file, ephemeral=True)


async def press_forget(interaction: Interaction, _: Key) -> None:
    """Take who presses out of everything."""
    resigned = await interaction.client.host.forgetting.forget(interaction.user.id)
    interaction.client.publisher.wake()  # others are told that they left
    await interaction.edit_original_response(view=notice(t("forget.done", count=resigned)))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


HANDLINGS: Final = {
    Op.SETTING: Handling(Ack.UPDATE, press_setting),
    Op.HOURS: Handling(Ack.MODAL, press_hours),
    Op.QUIET: Handling(Ack.UPDATE, submit_hours),
    Op.DATA: Handling(Ack.UPDATE, press_data),
    Op.FORGET: Handling(Ack.UPDATE, press_forget),
}
