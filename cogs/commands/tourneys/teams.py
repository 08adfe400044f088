"""Teams of an event, ``/tourney team …``, and the queue of the ladder, ``/tourney ladder …``.

In a private panel a captain chooses who plays at which board: a list for each board. What is chosen stands in the ids
of the panel's lists and buttons: a sign for each board, the place of its player in the roster, or a hyphen for nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import discord
from discord import ButtonStyle, SelectOption, app_commands, ui

from cogs.commands.tourneys.ratings import SCALES
from cogs.commands.tourneys.tourney import done
from cogs.interactions.admission import person_of
from cogs.interactions.replies import Press, acknowledge, answer, guarded
from cogs.interactions.selection import about_event, find_event, joinable_event
from cogs.interactions.threads import channel_around, require_table_permissions
from cogs.messages import chosen_values, layout, rows
from cogs.panels.events.announcement import LINE_UP
from cogs.panels.events.private import TEXT, page_button, said
from cogs.presenting.ids import Key, Op, parse_id
from cogs.services.bot import Ack
from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from cogs.words.events import entry_name, person_name, round_name
from cogs.words.names import isolated, safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped, lines_within
from tournaments.lasting.ratings import Scale

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host.events import ChoiceView, EventView, TeamView


BOARD, HAND_IN = "board", "handin"
"""First words of arguments, as ``LINE_UP``, which shows the panel; the round, the page, and what is chosen follow."""
NOBODY: Final = "-"
SIGNS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""For the members of a roster, in its order."""
LISTED: Final = 24
"""Members whom a list holds beside nobody; others are typed."""
BOARDS: Final = 6
"""On a page."""
LONGEST: Final = 90


def chosen_so_far(choice: ChoiceView) -> str:
    """What is chosen, a sign for each board."""
    places = {person.user_id: place for place, person in enumerate(choice.roster[: len(SIGNS)])}
    found = [NOBODY if person is None else places.get(person.user_id) for person in choice.members]
    return "".join(SIGNS[place] if isinstance(place, int) else NOBODY for place in found)


def with_choice(chosen: str, board: int, sign: str) -> str:
    """The same with somebody else at a board (from 0), who plays at no other one then."""
    signs = [NOBODY if other == sign else other for other in chosen]
    signs[board] = sign
    return "".join(signs)


def members_of(choice: ChoiceView, chosen: str) -> list[int | None]:
    """The players by board.

    Raises:
        ValueError: these are no signs for the boards of this team.
    """
    if len(chosen) != len(choice.members):
        raise ValueError(chosen)
    places = [None if sign == NOBODY else SIGNS.index(sign) for sign in chosen]
    if any(place is not None and place >= len(choice.roster) for place in places):
        raise ValueError(chosen)
    return [None if place is None else choice.roster[place].user_id for place in places]


def line_up_panel(view: EventView, choice: ChoiceView, chosen: str, page: int = 0) -> ui.LayoutView:
    """The panel; boards that have no room on it are on its other pages."""
    pages = max(1, -(-len(chosen) // BOARDS))
    page = min(max(page, 0), pages - 1)
    items: list[Any] = [ui.TextDisplay(_title(view, choice))]
    for board in range(page * BOARDS, min((page + 1) * BOARDS, len(chosen))):
        items += [
            ui.TextDisplay(_board(view, choice, chosen, board)),
            *rows([_list(view, choice, chosen, board, page)]),
        ]
    if len(choice.roster) > LISTED:
        items.append(ui.TextDisplay(t("event.line_up.more")))
    return layout(*items, rows(_buttons(view, choice, chosen, page, pages)))


def _title(view: EventView, choice: ChoiceView) -> str:
    drawn = view.event.round(choice.stage, choice.round) if view.event else None
    title = round_name(view.stages[choice.stage - 1], drawn) if drawn else ""
    teams = {"team": entry_name(view, choice.team), "other": entry_name(view, choice.other)}
    return t("event.line_up.title", name=safe(view.name), round=title, **teams)


def _board(view: EventView, choice: ChoiceView, chosen: str, board: int) -> str:
    sign = chosen[board]
    if sign == NOBODY:
        return t("event.line_up.empty", number=board + 1)
    return t("event.line_up.board", number=board + 1, player=person_name(view, choice.roster[SIGNS.index(sign)]))


def _list(view: EventView, choice: ChoiceView, chosen: str, board: int, page: int) -> Press:
    sign = chosen[board]
    placeholder = t("event.line_up.list", number=board + 1)
    people = [
        (other, isolated(view.called(person))) for other, person in zip(SIGNS, choice.roster[:LISTED], strict=False)
    ]
    options = [
        SelectOption(label=_entry(placeholder, name), value=value, default=value == sign)
        for value, name in (*people, (NOBODY, t("event.line_up.nobody")))
    ]
    key = Key(Op.EVENT_PAGE, view.code, 0, f"{BOARD} {choice.mark} {page} {chosen} {board}")
    menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=placeholder, options=options)
    return Press(cast("Any", menu))


def _entry(asked: str, name: str) -> str:
    """What an entry of a list is called; for which board the list is, the eye sees above it."""
    return clipped(t("setting.typed", name=asked, value=name) if by_ear() else name, LONGEST)


def _buttons(view: EventView, choice: ChoiceView, chosen: str, page: int, pages: int) -> Sequence[Press]:
    mark = choice.mark
    hand_in = page_button(
        view, f"{HAND_IN} {mark} {page} {chosen}", t("event.button.hand_in"), style=ButtonStyle.primary
    )
    if pages == 1:
        return [hand_in]
    before, behind = f"{LINE_UP} {mark} {page - 1} {chosen}", f"{LINE_UP} {mark} {page + 1} {chosen}"
    return [
        hand_in,
        page_button(view, before, t("event.button.before"), disabled=page == 0),
        page_button(view, behind, t("event.button.behind"), disabled=page == pages - 1),
    ]


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
        await answer(interaction, _found(interaction, name, event))

    @app_commands.command(name="show", description=t("command.tourney.teams"))
    @about_event
    async def show(self, interaction: Interaction, event: str = "") -> None:
        """The teams, their numbers and members."""
        await answer(interaction, _teams(interaction, event))

    @app_commands.command(name="lineup", description=t("command.tourney.lineup"))
    @app_commands.describe(members=t("command.tourney.members"))
    @about_event
    async def lineup(self, interaction: Interaction, members: str = "", event: str = "") -> None:
        """Hand in who plays at which board; without members choose them from lists."""
        await answer(interaction, _line_up(interaction, members, event))

    @app_commands.command(name="swap", description=t("command.tourney.swap"))
    @app_commands.describe(board=t("command.tourney.board"), member=t("command.tourney.swap_member"))
    @about_event
    async def swap(
        self, interaction: Interaction, board: app_commands.Range[int, 1, 20], member: discord.User, event: str = ""
    ) -> None:
        """Put somebody else of the roster at a board."""
        await answer(interaction, _swap(interaction, board, member.id, event))


async def _found(interaction: Interaction, name: str, code: str) -> None:
    view, events = await joinable_event(interaction, code), interaction.client.host.events
    after = await events.sign_up.found_team(
        view.code, person_of(interaction), interaction.guild_id or 0, name, interaction.id
    )
    team = next((each for each in after.teams if each.captain_id == interaction.user.id), None)
    await done(interaction, after, t("event.panel.founded", team=safe(name), number=team.team if team else 0))


async def _teams(interaction: Interaction, code: str) -> None:
    view = await find_event(interaction, code)
    lines = [_team_line(view, team) for team in view.teams] or [t("event.panel.no_teams")]
    await interaction.edit_original_response(view=said(lines_within(lines, TEXT)))


def _team_line(view: EventView, team: TeamView) -> str:
    members = [person_name(view, entry.person) for entry in team.members]
    return t("event.panel.team", number=team.team, team=safe(team.name), members=listed(members))


async def _line_up(interaction: Interaction, typed: str, code: str) -> None:
    view = await find_event(interaction, code)
    if not typed.strip():
        await press_line_up(interaction, view, "")
        return
    try:
        members = [None if match[2] else parse_id(match[1]) for match in _MEMBER.finditer(typed)]
    except ValueError as error:
        raise RefusedError("bad_line_up_typed") from error
    await interaction.client.host.events.teams.hand_in(view.code, interaction.user.id, members, interaction.id)
    await interaction.edit_original_response(view=said(t("event.panel.handed_in")))


async def press_line_up(interaction: Interaction, view: EventView, _: str) -> None:
    """Open the panel in which a captain chooses."""
    choice = await interaction.client.host.events.teams.to_choose(view.code, interaction.user.id)
    await _show(interaction, view, choice, chosen_so_far(choice), 0)


async def turn_line_up(interaction: Interaction, view: EventView, words: str) -> None:
    """Show another page of it."""
    choice, page, chosen, _ = await _chosen(interaction, view, words)
    await _show(interaction, view, choice, chosen, page)


async def choose_board(interaction: Interaction, view: EventView, words: str) -> None:
    """Put whoever was chosen at a board."""
    choice, page, chosen, board = await _chosen(interaction, view, words)
    picked = "".join(chosen_values(interaction)[:1]) or NOBODY
    try:
        after = with_choice(chosen, parse_id(board), picked)
        members_of(choice, after)
    except (ValueError, IndexError) as error:
        raise RefusedError("unknown_button") from error
    await _show(interaction, view, choice, after, page)


async def hand_in(interaction: Interaction, view: EventView, words: str) -> None:
    """Hand in what is chosen."""
    choice, _, chosen, _ = await _chosen(interaction, view, words)
    members = members_of(choice, chosen)
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
        members_of(choice, chosen)
        return choice, parse_id(page), chosen, board[0]
    except ValueError as error:
        raise RefusedError("unknown_button") from error


async def _show(interaction: Interaction, view: EventView, choice: ChoiceView, chosen: str, page: int) -> None:
    panel = line_up_panel(view, choice, chosen, page)
    await interaction.edit_original_response(view=panel, attachments=[])


ANSWERS: Final = {LINE_UP: press_line_up}
"""What buttons of public cards do for captains."""
PAGE_ANSWERS: Final = {LINE_UP: turn_line_up, BOARD: choose_board, HAND_IN: hand_in}
"""What the lists and buttons of the panel do, by the first word of their argument."""


async def _swap(interaction: Interaction, board: int, member: int, code: str) -> None:
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
        await answer(interaction, _unqueue(interaction, Scale(scale)))


async def _queue(interaction: Interaction, scale: Scale) -> None:
    require_table_permissions(interaction)
    if not await acknowledge(interaction, Ack.PANEL):
        return
    ladder = interaction.client.host.events.ladder
    waiting = await ladder.enter(person_of(interaction), interaction.guild_id or 0, channel_around(interaction), scale)
    words = t("event.panel.queued", scale=t(f"rating.scale.{scale}"), count=waiting)
    await interaction.edit_original_response(view=said(words))


async def _unqueue(interaction: Interaction, scale: Scale) -> None:
    await interaction.client.host.events.ladder.leave(interaction.user.id, interaction.guild_id or 0, scale)
    await interaction.edit_original_response(view=said(t("event.panel.unqueued")))
