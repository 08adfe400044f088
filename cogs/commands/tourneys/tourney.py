"""Events for those who play them: ``/tourney`` and the buttons of its cards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.interactions.admission import admitted_event, person_of
from cogs.interactions.replies import answer, button
from cogs.interactions.selection import about_event, find_event, game_here, joinable_event
from cogs.messages import layout
from cogs.panels.events import announcement as cards
from cogs.panels.events import private
from cogs.panels.events.announcement import show_beside
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, private_theme
from cogs.texts import t
from cogs.words.events import explanation_words
from cogs.words.names import safe
from cogs.words.refusals import RefusedError

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host.events import EventView
    from renderers import Theme

EventAnswer = Callable[["Interaction", "EventView", str], Awaitable[None]]
"""Answers in private: what a button, or the command of the same name, does with what follows its first word."""


class TourneyCommands(commands.Cog):
    """What players do."""

    @app_commands.command(name="list", description=t("command.tourney.list"))
    async def list(self, interaction: Interaction) -> None:
        """The events of this server."""
        await answer(interaction, _list(interaction))

    @app_commands.command(name="show", description=t("command.tourney.show"))
    @about_event
    async def show(self, interaction: Interaction, event: str = "") -> None:
        """What was announced, and who is in."""
        await answer(interaction, _answered(interaction, event, _show))

    @app_commands.command(name="join", description=t("command.tourney.join"))
    @app_commands.describe(team=t("command.tourney.join_team"))
    @about_event
    async def join(
        self, interaction: Interaction, event: str = "", team: app_commands.Range[int, 1, 64] | None = None
    ) -> None:
        """Enter an event."""
        await answer(interaction, _join_typed(interaction, event, team))

    @app_commands.command(name="leave", description=t("command.tourney.leave"))
    @about_event
    async def leave(self, interaction: Interaction, event: str = "") -> None:
        """Leave an event, after asking where it is being played."""
        await answer(interaction, _answered(interaction, event, _leave))

    @app_commands.command(name="checkin", description=t("command.tourney.checkin"))
    @about_event
    async def checkin(self, interaction: Interaction, event: str = "") -> None:
        """Say that one is there."""
        await answer(interaction, _answered(interaction, event, _check_in))

    @app_commands.command(name="standings", description=t("command.tourney.standings"))
    @about_event
    async def standings(self, interaction: Interaction, event: str = "") -> None:
        """Everybody's place."""
        await answer(interaction, _answered(interaction, event, _standings))

    @app_commands.command(name="bracket", description=t("command.tourney.bracket"))
    @about_event
    async def bracket(self, interaction: Interaction, event: str = "") -> None:
        """The bracket, or the groups."""
        await answer(interaction, _answered(interaction, event, _bracket))

    @app_commands.command(name="round", description=t("command.tourney.round"))
    @about_event
    async def round(self, interaction: Interaction, event: str = "") -> None:
        """The games of the newest round."""
        await answer(interaction, _answered(interaction, event, _games))

    @app_commands.command(name="rules", description=t("command.tourney.rules"))
    @about_event
    async def rules(self, interaction: Interaction, event: str = "") -> None:
        """How it is decided who is before whom."""
        await answer(interaction, _answered(interaction, event, _rules))

    @app_commands.command(name="audit", description=t("command.tourney.audit"))
    @about_event
    async def audit(self, interaction: Interaction, event: str = "") -> None:
        """What the organisers did."""
        await answer(interaction, _answered(interaction, event, _log))

    @app_commands.command(name="explain", description=t("command.tourney.explain"))
    @app_commands.describe(player=t("command.tourney.explain_player"), other=t("command.tourney.explain_other"))
    @about_event
    async def explain(
        self, interaction: Interaction, player: discord.Member, other: discord.Member, event: str = ""
    ) -> None:
        """Why one of two players is before the other."""
        await answer(interaction, _explain(interaction, event, player.id, other.id))

    @app_commands.command(name="report", description=t("command.tourney.report"))
    @app_commands.describe(words=t("command.tourney.report_words"))
    @about_event
    async def report(self, interaction: Interaction, words: str, event: str = "") -> None:
        """Tell the organisers something in private."""
        await answer(interaction, _report(interaction, event, words))

    @app_commands.command(name="export", description=t("command.tourney.export"))
    @about_event
    async def export(self, interaction: Interaction, event: str = "") -> None:
        """Games and standings as CSV, everything as JSON."""
        await answer(interaction, _answered(interaction, event, _export))


async def _answered(interaction: Interaction, code: str, answer: EventAnswer) -> None:
    await answer(interaction, await find_event(interaction, code), "")


async def _list(interaction: Interaction) -> None:
    events, guild_id = interaction.client.host.events, interaction.guild_id or 0
    found = [*await events.reader.listed(guild_id), *await events.reader.over(guild_id)]
    await interaction.edit_original_response(view=private.said(private.list_words(found)))


async def _show(interaction: Interaction, view: EventView, _: str) -> None:
    await interaction.edit_original_response(view=cards.announcement(view, interaction.client.presenters))


# -- coming and going -------------------------------------------------------------------------------------------------


async def _join_typed(interaction: Interaction, code: str, team: int | None) -> None:
    await _enter(interaction, await joinable_event(interaction, code), team)


async def _join(interaction: Interaction, view: EventView, _: str) -> None:
    await _enter(interaction, view, None)


async def _enter(interaction: Interaction, view: EventView, team: int | None) -> None:
    events = interaction.client.host.events
    after = await events.sign_up.join(
        view.code, person_of(interaction), interaction.guild_id or 0, interaction.id, team
    )
    entry = after.entry_of(interaction.user.id)
    key = "event.panel.waiting" if entry is not None and entry.waiting else "event.panel.joined"
    await done(interaction, after, t(key, name=safe(after.name), code=after.code))


async def _leave(interaction: Interaction, view: EventView, _: str) -> None:
    """Leave at once before the start; later ask first."""
    if str(view.state) not in cards.GOING:
        await _really_leave(interaction, view, "")
        return
    really = button(
        Op.EVENT_PAGE, view.code, 0, t("event.button.leave_really"), argument=cards.LEAVING, style=ButtonStyle.danger
    )
    words = t("event.panel.leaving", name=safe(view.name))
    await interaction.edit_original_response(view=private.said(words, really))


async def _really_leave(interaction: Interaction, view: EventView, _: str) -> None:
    after = await interaction.client.host.events.sign_up.leave(view.code, interaction.user.id, interaction.id)
    await done(interaction, after, t("event.panel.left", name=safe(after.name), code=after.code))


async def _check_in(interaction: Interaction, view: EventView, _: str) -> None:
    after = await interaction.client.host.events.sign_up.check_in(view.code, interaction.user.id, interaction.id)
    await done(interaction, after, t("event.panel.checked_in", name=safe(after.name), code=after.code))


async def done(interaction: Interaction, view: EventView, words: str) -> None:
    """Say so in private, and show the event as it is now."""
    await interaction.edit_original_response(view=private.said(words), attachments=[])
    show_beside(interaction.client, view.code)


# -- looking ----------------------------------------------------------------------------------------------------------


async def _page(interaction: Interaction, draw: Callable[[Theme], private.Page]) -> None:
    """Draw a page beside everything else, as whoever looks likes it, and show it."""
    client, reader = interaction.client, interaction.user.id
    theme = private_theme(await client.host.preferences.get(reader))
    view, pictures = await client.render_pool.run_for(reader, lambda: draw(theme))
    await interaction.edit_original_response(view=view, attachments=attachments(pictures))


def _number(words: str) -> int:
    return int(words) if words.isascii() and words.isdecimal() and len(words) < 6 else 0


async def _standings(interaction: Interaction, view: EventView, words: str) -> None:
    lines = await interaction.client.host.events.reader.standings(view.code)
    await _page(interaction, lambda theme: private.standings_page(view, lines, _number(words), theme))


async def _bracket(interaction: Interaction, view: EventView, words: str) -> None:
    _require_begun(view)
    await _page(interaction, lambda theme: private.bracket_page(view, _number(words), theme))


def _require_begun(view: EventView) -> None:
    if view.event is None:
        raise RefusedError("not_begun", name=safe(view.name))


async def _games(interaction: Interaction, view: EventView, words: str) -> None:
    _require_begun(view)
    found = await interaction.client.host.events.reader.round(view.code)
    await _page(interaction, lambda theme: private.games_page(view, found, _number(words), theme))


async def _log(interaction: Interaction, view: EventView, words: str) -> None:
    lines = await interaction.client.host.events.reader.audit(view.code)
    shown, _ = private.log_page(view, lines, _number(words))
    await interaction.edit_original_response(view=shown, attachments=[])


async def _rules(interaction: Interaction, view: EventView, _: str) -> None:
    await interaction.edit_original_response(view=private.rules_page(view), attachments=[])


async def _explain(interaction: Interaction, code: str, one: int, other: int) -> None:
    view = await find_event(interaction, code)
    _require_begun(view)
    numbers = [_player(view, user_id) for user_id in (one, other)]
    why = await interaction.client.host.events.reader.explain(view.code, *numbers)
    await interaction.edit_original_response(view=private.said(explanation_words(view, why)))


def _player(view: EventView, user_id: int) -> int:
    """The number of somebody's entry.

    Raises:
        RefusedError: who has none.
    """
    entry = view.entry_of(user_id)
    if entry is None or entry.number is None:
        raise RefusedError("not_in_event", player=f"<@{user_id}>")
    return entry.number


async def _report(interaction: Interaction, code: str, words: str) -> None:
    view, game = await find_event(interaction, code), await game_here(interaction)
    await interaction.client.host.events.reports.send(view.code, person_of(interaction), words, interaction.id, game)
    await interaction.edit_original_response(view=private.said(t("event.panel.reported", name=safe(view.name))))


async def _export(interaction: Interaction, view: EventView, _: str) -> None:
    events = interaction.client.host.events
    texts = {
        f"{view.code.lower()}.csv": await events.exports.games_csv(view.code),
        f"{view.code.lower()}-standings.csv": await events.exports.standings_csv(view.code),
        f"{view.code.lower()}.json": await events.exports.as_json(view.code),
    }
    files = [discord.File(BytesIO(text.encode()), name) for name, text in texts.items()]
    words: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(
        t("event.panel.exported", name=safe(view.name), code=view.code)
    )
    shown = layout(words, *(ui.File[ui.LayoutView](f"attachment://{name}") for name in texts))
    await interaction.edit_original_response(view=shown, attachments=files)


# -- buttons ----------------------------------------------------------------------------------------------------------

ANSWERS: Final[Mapping[str, EventAnswer]] = {
    cards.SHOW: _show,
    cards.JOIN: _join,
    cards.LEAVE: _leave,
    cards.CHECK_IN: _check_in,
    cards.STANDINGS: _standings,
    cards.GAMES: _games,
    cards.RULES: _rules,
}
"""What a button of a public card does, by the first word of its argument; it answers in private."""
PAGES: Final[Mapping[str, EventAnswer]] = {
    private.STANDINGS_PAGE: _standings,
    private.BRACKET_PAGE: _bracket,
    private.GAMES_PAGE: _games,
    private.LOG_PAGE: _log,
    cards.LEAVING: _really_leave,
}
"""The same on the private panel, which becomes another page."""


def pressing(answers: Mapping[str, EventAnswer]) -> Callable[[Interaction, Key], Awaitable[None]]:
    """What carries out the buttons of this table."""

    async def press(interaction: Interaction, key: Key) -> None:
        deed, _, rest = key.argument.partition(" ")
        if deed not in answers:
            raise RefusedError("unknown_button")
        await answers[deed](interaction, await admitted_event(interaction, key.ref), rest)

    return press
