"""The ``/tourney`` commands of players, and the buttons of the messages about events (tournaments and leagues).

A command and a button with the same meaning run the same function. A button's custom id names the function in its first
word; buttons on public messages answer privately, and those of the private panel change its page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import Final

import discord
from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.slash import command
from cogs.commands.tourneys.entrants import complete_entrant, entry_number
from cogs.interactions.admission import admitted_event, asker_of, person_of
from cogs.interactions.replies import button
from cogs.interactions.selection import find_event, game_here, joinable_event
from cogs.messages import layout
from cogs.panels.events import posts, private
from cogs.panels.events.posts import refresh_card_in_background
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, private_theme
from cogs.services.bot import Interaction
from cogs.texts import listed, t
from cogs.words.events import explanation_words, person_name
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import lines_within
from host.events import EventView, TeamView
from renderers import Theme
from tournaments.formats import FORMATS, SEASON_FORMAT

EventHandler = Callable[[Interaction, EventView, str], Awaitable[None]]
"""A function that answers a button, or its command, privately; it gets the button's argument after the first word."""


ANNOUNCEMENT: Final = "announcement"
"""The page of an event that is shown when no other one is chosen."""
PAGE_NAMES: Final = (ANNOUNCEMENT, "standings", "bracket", "games", "rules", "log", "teams", "alltime", "files")
"""The pages of ``/tourney show``, in the order in which they are offered."""


class TourneyCommands(commands.Cog):
    """The ``/tourney`` commands of players."""

    @command("list", "tourney.list")
    async def list(self, interaction: Interaction) -> None:
        """Show the events of this server."""
        events, guild_id = interaction.client.host.events, interaction.guild_id or 0
        views = [*await events.reader.unfinished(guild_id), *await events.reader.finished(guild_id)]
        await interaction.edit_original_response(view=private.text_panel(private.list_words(views)))

    @command("show", "tourney.show", page="tourney.page")
    @app_commands.choices(
        page=[app_commands.Choice(name=t(f"command.tourney.page_{name}"), value=name) for name in PAGE_NAMES]
    )
    async def show(self, interaction: Interaction, page: str = ANNOUNCEMENT, event: str = "") -> None:
        """Show a page of an event: the announcement and the entries, or another one."""
        await PAGES[page](interaction, await find_event(interaction, event), "")

    @command("join", "tourney.join", team="tourney.join_team")
    async def join(
        self, interaction: Interaction, event: str = "", team: app_commands.Range[int, 1, 64] | None = None
    ) -> None:
        """Enter an event."""
        await _join(interaction, await joinable_event(interaction, event), team=team)

    @command("leave", "tourney.leave")
    async def leave(self, interaction: Interaction, event: str = "") -> None:
        """Leave an event; while it is running, ask for confirmation first."""
        await _leave(interaction, await find_event(interaction, event))

    @command("checkin", "tourney.checkin")
    async def checkin(self, interaction: Interaction, event: str = "") -> None:
        """Check in for an event."""
        await _check_in(interaction, await find_event(interaction, event))

    @command("explain", "tourney.explain", player="tourney.explain_player", other="tourney.explain_other")
    @app_commands.autocomplete(player=complete_entrant, other=complete_entrant)
    async def explain(self, interaction: Interaction, player: str, other: str, event: str = "") -> None:
        """Explain why one of two players ranks before the other."""
        view = await find_event(interaction, event)
        _require_begun(view)
        numbers = [entry_number(view, typed) for typed in (player, other)]
        why = await interaction.client.host.events.reader.explain(view.code, *numbers)
        await interaction.edit_original_response(view=private.text_panel(explanation_words(view, why)))

    @command("report", "tourney.report", words="tourney.report_words")
    async def report(self, interaction: Interaction, words: str, event: str = "") -> None:
        """Send a private report to the organisers."""
        view, game = await find_event(interaction, event), await game_here(interaction)
        reports = interaction.client.host.events.reports
        await reports.send(view.code, person_of(interaction), words, interaction.id, game)
        confirmation = private.text_panel(t("event.panel.reported", name=safe(view.name)))
        await interaction.edit_original_response(view=confirmation)


async def _show(interaction: Interaction, view: EventView, _: str = "") -> None:
    """Show the announcement of an event, with what the user can do about it."""
    card = posts.announcement(view, interaction.client.presenters, reader=interaction.user.id)
    await interaction.edit_original_response(view=card)


# -- coming and going -------------------------------------------------------------------------------------------------


async def _join(interaction: Interaction, view: EventView, _: str = "", *, team: int | None = None) -> None:
    """Enter the user, and tell them if they are on the waiting list."""
    events = interaction.client.host.events
    after = await events.sign_up.join(
        view.code, person_of(interaction), interaction.guild_id or 0, interaction.id, team
    )
    entry = after.entry_of(interaction.user.id)
    key = "event.panel.waiting" if entry is not None and entry.waiting else "event.panel.joined"
    await confirm_change(interaction, after, t(key, name=safe(after.name), code=after.code))


async def _leave(interaction: Interaction, view: EventView, _: str = "") -> None:
    """Leave at once before the start; later ask for confirmation."""
    if str(view.state) not in posts.RUNNING_STATES:
        await _leave_confirmed(interaction, view, "")
        return
    confirm = button(
        Op.EVENT_PAGE,
        view.code,
        0,
        t("event.button.leave_really"),
        argument=posts.CONFIRM_LEAVE,
        style=ButtonStyle.danger,
    )
    key = "event.panel.leaving_season" if view.plan.format == SEASON_FORMAT else "event.panel.leaving"
    words = t(key, name=safe(view.name))
    await interaction.edit_original_response(view=private.text_panel(words, confirm))


async def _leave_confirmed(interaction: Interaction, view: EventView, _: str) -> None:
    after = await interaction.client.host.events.sign_up.leave(view.code, interaction.user.id, interaction.id)
    await confirm_change(interaction, after, t("event.panel.left", name=safe(after.name), code=after.code))


async def _check_in(interaction: Interaction, view: EventView, _: str = "") -> None:
    after = await interaction.client.host.events.sign_up.check_in(view.code, interaction.user.id, interaction.id)
    await confirm_change(interaction, after, t("event.panel.checked_in", name=safe(after.name), code=after.code))


async def confirm_change(interaction: Interaction, view: EventView, words: str) -> None:
    """Confirm a change in private and refresh the event's card."""
    await interaction.edit_original_response(view=private.text_panel(words), attachments=[])
    refresh_card_in_background(interaction.client, view.code)


# -- looking ----------------------------------------------------------------------------------------------------------


async def _show_page(interaction: Interaction, draw: Callable[[Theme], private.Page]) -> None:
    """Render a page in the worker pool, in the viewer's theme, and show it."""
    client, reader = interaction.client, interaction.user.id
    theme = private_theme(await client.host.preferences.get(reader))
    view, pictures = await client.render_pool.run_for(reader, lambda: draw(theme))
    await interaction.edit_original_response(view=view, attachments=attachments(pictures))


def _page_number(words: str) -> int:
    """Read the number of a page from the argument of a button; 0 if it is malformed."""
    return int(words) if words.isascii() and words.isdecimal() and len(words) < 6 else 0


async def _show_standings(interaction: Interaction, view: EventView, words: str = "") -> None:
    lines = await interaction.client.host.events.reader.standings(view.code)
    await _show_page(interaction, lambda theme: private.standings_page(view, lines, _page_number(words), theme))


async def _show_bracket(interaction: Interaction, view: EventView, words: str = "") -> None:
    _require_begun(view)
    await _show_page(interaction, lambda theme: private.bracket_page(view, _page_number(words), theme))


def _require_begun(view: EventView) -> None:
    """Refuse to show games or results before the event has begun."""
    if view.event is None:
        raise RefusedError("not_begun", name=safe(view.name))


async def _show_games(interaction: Interaction, view: EventView, words: str = "") -> None:
    """Show a page of the games of the newest round."""
    _require_begun(view)
    round_view = await interaction.client.host.events.reader.round(view.code)
    await _show_page(interaction, lambda theme: private.games_page(view, round_view, _page_number(words), theme))


async def show_preview(interaction: Interaction, view: EventView, words: str = "", notice: str = "") -> None:
    """Show an organiser a page of the round that waits to be opened; ``notice`` says what has just happened to it."""
    organising = interaction.client.host.events.organising
    coming, round_view = await organising.preview(view.code, asker_of(interaction))
    page = _page_number(words)
    await _show_page(interaction, lambda theme: private.preview_page(coming, round_view, page, theme, notice))


async def _show_log(interaction: Interaction, view: EventView, words: str = "") -> None:
    """Show a page of the log of organisers' actions."""
    lines = await interaction.client.host.events.reader.audit(view.code)
    panel, _ = private.log_page(view, lines, _page_number(words))
    await interaction.edit_original_response(view=panel, attachments=[])


async def _show_rules(interaction: Interaction, view: EventView, _: str = "") -> None:
    await interaction.edit_original_response(view=private.rules_page(view), attachments=[])


async def _show_all_time(interaction: Interaction, view: EventView, words: str = "") -> None:
    """Show a page of the table of all seasons."""
    _require_begun(view)
    if not FORMATS[view.plan.format].seasons:
        await interaction.edit_original_response(view=private.text_panel(t("event.panel.all_time_none")))
        return
    lines = await interaction.client.host.events.reader.all_time(view.code)
    panel, _ = private.all_time_page(view, lines, _page_number(words))
    await interaction.edit_original_response(view=panel, attachments=[])


async def _show_teams(interaction: Interaction, view: EventView, _: str = "") -> None:
    """Show the teams with their numbers and members."""
    lines = [_team_line(view, team) for team in view.teams] or [t("event.panel.no_teams")]
    await interaction.edit_original_response(view=private.text_panel(lines_within(lines, private.MAX_TEXT_LENGTH)))


def _team_line(view: EventView, team: TeamView) -> str:
    """Return a line about a team: its number, name and members."""
    members = [person_name(view, entry.person) for entry in team.members]
    return t("event.panel.team", number=team.team, team=safe(team.name), members=listed(members))


async def _send_files(interaction: Interaction, view: EventView, _: str = "") -> None:
    """Send games and standings as CSV, and the whole event as JSON."""
    exports = interaction.client.host.events.exports
    texts = {
        f"{view.code.lower()}.csv": await exports.games_csv(view.code),
        f"{view.code.lower()}-standings.csv": await exports.standings_csv(view.code),
        f"{view.code.lower()}.json": await exports.as_json(view.code),
    }
    files = [discord.File(BytesIO(text.encode()), name) for name, text in texts.items()]
    words = t("event.panel.exported", name=safe(view.name), code=view.code)
    panel = layout(words, *(ui.File[ui.LayoutView](f"attachment://{name}") for name in texts))
    await interaction.edit_original_response(view=panel, attachments=files)


PAGES: Final[Mapping[str, EventHandler]] = {
    ANNOUNCEMENT: _show,
    "standings": _show_standings,
    "bracket": _show_bracket,
    "games": _show_games,
    "rules": _show_rules,
    "log": _show_log,
    "teams": _show_teams,
    private.ALL_TIME_PAGE: _show_all_time,
    "files": _send_files,
}
"""The functions that show the pages of :data:`PAGE_NAMES`."""


# -- buttons ----------------------------------------------------------------------------------------------------------

CARD_HANDLERS: Final[Mapping[str, EventHandler]] = {
    posts.SHOW: _show,
    posts.JOIN: _join,
    posts.LEAVE: _leave,
    posts.CHECK_IN: _check_in,
    posts.STANDINGS: _show_standings,
    posts.GAMES: _show_games,
    posts.RULES: _show_rules,
}
"""Handlers of a public card's buttons, by the first word of the argument; they answer in private."""
PANEL_HANDLERS: Final[Mapping[str, EventHandler]] = {
    private.STANDINGS_PAGE: _show_standings,
    private.BRACKET_PAGE: _show_bracket,
    private.GAMES_PAGE: _show_games,
    private.LOG_PAGE: _show_log,
    private.ALL_TIME_PAGE: _show_all_time,
    private.PREVIEW_PAGE: show_preview,
    posts.CONFIRM_LEAVE: _leave_confirmed,
}
"""Handlers of the private panel's buttons, by the first word of the argument; they change its page."""


def press_handler(handlers: Mapping[str, EventHandler]) -> Callable[[Interaction, Key], Awaitable[None]]:
    """Return a function that passes a press to the handler of its button."""

    async def press(interaction: Interaction, key: Key) -> None:
        name, _, words = key.argument.partition(" ")
        if name not in handlers:
            raise RefusedError("unknown_button")
        await handlers[name](interaction, await admitted_event(interaction, key.ref), words)

    return press
