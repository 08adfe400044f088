"""Teams of an event, ``/tourney team …``, and the queue of the ladder, ``/tourney ladder …``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands

from cogs.commands.tourneys.ratings import SCALES
from cogs.commands.tourneys.tourney import done
from cogs.interactions.admission import person_of
from cogs.interactions.replies import acknowledge, guarded
from cogs.interactions.selection import about_event, find_event, joinable_event
from cogs.interactions.threads import channel_around, require_table_permissions
from cogs.messages import chosen_values
from cogs.panels.events import line_ups
from cogs.panels.events.announcement import LINE_UP
from cogs.panels.events.private import TEXT, said
from cogs.presenting.ids import number_in
from cogs.services.bot import Ack
from cogs.texts import listed, t
from cogs.words.events import person_name
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import lines_within
from tournaments.lasting.ratings import Scale

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host.events import ChoiceView, EventView, TeamView

_MEMBER: Final = re.compile(r"<@!?(\d{1,20})>|(-)")


class TeamGroup(app_commands.Group):
    """What captains do."""

    def __init__(self) -> None:
        super().__init__(name="team", description=t("command.tourney.team"))

    @app_commands.command(name="found", description=t("command.tourney.found"))
    @app_commands.describe(name=t("command.tourney.team_name"))
    @about_event
    async def found(self, interaction: Interaction, name: app_commands.Range[str, 1, 80], event: str = "") -> None:
        """Enter an event with a team."""
        await guarded(interaction, _found(interaction, name, event))

    @app_commands.command(name="show", description=t("command.tourney.teams"))
    @about_event
    async def show(self, interaction: Interaction, event: str = "") -> None:
        """The teams, their numbers and members."""
        await guarded(interaction, _teams(interaction, event))

    @app_commands.command(name="lineup", description=t("command.tourney.lineup"))
    @app_commands.describe(members=t("command.tourney.members"))
    @about_event
    async def lineup(self, interaction: Interaction, members: str = "", event: str = "") -> None:
        """Hand in who plays at which board; without members choose them from lists."""
        await guarded(interaction, _line_up(interaction, members, event))

    @app_commands.command(name="swap", description=t("command.tourney.swap"))
    @app_commands.describe(board=t("command.tourney.board"), member=t("command.tourney.swap_member"))
    @about_event
    async def swap(
        self, interaction: Interaction, board: app_commands.Range[int, 1, 20], member: discord.User, event: str = ""
    ) -> None:
        """Put somebody else of the roster at a board."""
        await guarded(interaction, _swap(interaction, board, member.id, event))


async def _found(interaction: Interaction, name: str, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    view, events = await joinable_event(interaction, code), interaction.client.host.events
    after = await events.sign_up.found_team(
        view.code, person_of(interaction), interaction.guild_id or 0, name, interaction.id
    )
    team = next((each for each in after.teams if each.captain_id == interaction.user.id), None)
    await done(interaction, after, t("event.panel.founded", team=safe(name), number=team.team if team else 0))


async def _teams(interaction: Interaction, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    view = await find_event(interaction, code)
    lines = [_team_line(view, team) for team in view.teams] or [t("event.panel.no_teams")]
    await interaction.edit_original_response(view=said(lines_within(lines, TEXT)))


def _team_line(view: EventView, team: TeamView) -> str:
    members = [person_name(view, entry.person) for entry in team.members]
    return t("event.panel.team", number=team.team, team=safe(team.name), members=listed(members))


async def _line_up(interaction: Interaction, typed: str, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    view = await find_event(interaction, code)
    if not typed.strip():
        await press_line_up(interaction, view, "")
        return
    try:
        members = [None if match[2] else number_in(match[1]) for match in _MEMBER.finditer(typed)]
    except ValueError as error:
        raise RefusedError("bad_line_up_typed") from error
    await interaction.client.host.events.teams.hand_in(view.code, interaction.user.id, members, interaction.id)
    await interaction.edit_original_response(view=said(t("event.panel.handed_in")))


async def press_line_up(interaction: Interaction, view: EventView, _: str) -> None:
    """Open the panel in which a captain chooses."""
    choice = await interaction.client.host.events.teams.to_choose(view.code, interaction.user.id)
    await _show(interaction, view, choice, line_ups.chosen_so_far(choice), 0)


async def turn_line_up(interaction: Interaction, view: EventView, words: str) -> None:
    """Show another page of it."""
    choice, page, chosen, _ = await _chosen(interaction, view, words)
    await _show(interaction, view, choice, chosen, page)


async def choose_board(interaction: Interaction, view: EventView, words: str) -> None:
    """Put whoever was chosen at a board."""
    choice, page, chosen, board = await _chosen(interaction, view, words)
    picked = "".join(chosen_values(interaction)[:1]) or line_ups.NOBODY
    try:
        after = line_ups.with_choice(chosen, number_in(board), picked)
        line_ups.members_of(choice, after)
    except (ValueError, IndexError) as error:
        raise RefusedError("unknown_button") from error
    await _show(interaction, view, choice, after, page)


async def hand_in(interaction: Interaction, view: EventView, words: str) -> None:
    """Hand in what is chosen."""
    choice, _, chosen, _ = await _chosen(interaction, view, words)
    members = line_ups.members_of(choice, chosen)
    await interaction.client.host.events.teams.hand_in(view.code, interaction.user.id, members, interaction.id)
    await interaction.edit_original_response(view=said(t("event.panel.handed_in")))


async def _chosen(interaction: Interaction, view: EventView, words: str) -> tuple[ChoiceView, int, str, str]:
    """What a button of the panel says: the page, what is chosen, and the board.

    Raises:
        HostError: ``not_captain``, ``no_round_due``, ``no_line_up_due``, ``line_up_late``, also for an earlier round.
        RefusedError: the button is none of ours.
    """
    mark, page, chosen, *board = [*words.split(), "", "", ""]
    choice = await interaction.client.host.events.teams.to_choose(view.code, interaction.user.id, mark)
    try:
        line_ups.members_of(choice, chosen)
        return choice, number_in(page), chosen, board[0]
    except ValueError as error:
        raise RefusedError("unknown_button") from error


async def _show(interaction: Interaction, view: EventView, choice: ChoiceView, chosen: str, page: int) -> None:
    panel = line_ups.line_up_panel(view, choice, chosen, page)
    await interaction.edit_original_response(view=panel, attachments=[])


ANSWERS: Final = {LINE_UP: press_line_up}
"""What buttons of public cards do for captains."""
PAGE_ANSWERS: Final = {LINE_UP: turn_line_up, line_ups.BOARD: choose_board, line_ups.HAND_IN: hand_in}
"""What the lists and buttons of the panel do, by the first word of their argument."""


async def _swap(interaction: Interaction, board: int, member: int, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    view = await find_event(interaction, code)
    await interaction.client.host.events.teams.swap(view.code, interaction.user.id, board, member, interaction.id)
    await interaction.edit_original_response(view=said(t("event.panel.done")))


class LadderGroup(app_commands.Group):
    """Waiting for somebody about as strong."""

    def __init__(self) -> None:
        super().__init__(name="ladder", description=t("command.tourney.ladder"))

    @app_commands.command(name="join", description=t("command.tourney.ladder_join"))
    @app_commands.describe(scale=t("command.tourney.ladder_scale"))
    @app_commands.choices(scale=SCALES)
    async def join(self, interaction: Interaction, scale: str = Scale.DUEL) -> None:
        """Wait for opponents."""
        await guarded(interaction, _queue(interaction, Scale(scale)))

    @app_commands.command(name="leave", description=t("command.tourney.ladder_leave"))
    @app_commands.describe(scale=t("command.tourney.ladder_scale"))
    @app_commands.choices(scale=SCALES)
    async def leave(self, interaction: Interaction, scale: str = Scale.DUEL) -> None:
        """Wait no more."""
        await guarded(interaction, _unqueue(interaction, Scale(scale)))


async def _queue(interaction: Interaction, scale: Scale) -> None:
    require_table_permissions(interaction)
    if not await acknowledge(interaction, Ack.PANEL):
        return
    ladder = interaction.client.host.events.ladder
    waiting = await ladder.enter(person_of(interaction), interaction.guild_id or 0, channel_around(interaction), scale)
    words = t("event.panel.queued", scale=t(f"rating.scale.{scale}"), count=waiting)
    await interaction.edit_original_response(view=said(words))


async def _unqueue(interaction: Interaction, scale: Scale) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    await interaction.client.host.events.ladder.leave(interaction.user.id, interaction.guild_id or 0, scale)
    await interaction.edit_original_response(view=said(t("event.panel.unqueued")))
