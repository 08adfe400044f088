"""The commands ``/tourney team …`` for teams of an event, and ``/tourney ladder …`` for the queue of the ladder.

A *line-up* names the member of a team who plays at each board. Captains choose it in a private panel with a list for
each board. The custom ids of its lists and buttons contain the line-up chosen so far, encoded as a symbol for each
board: that of the member's place in the roster, or a hyphen for an empty board. So nothing has to be stored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, cast

import discord
from discord import ButtonStyle, SelectOption, app_commands, ui

from cogs.commands.slash import command
from cogs.commands.tourneys.ratings import SCALES
from cogs.commands.tourneys.tourney import confirm_change
from cogs.interactions.admission import person_of
from cogs.interactions.replies import Press, acknowledge
from cogs.interactions.selection import find_event, joinable_event
from cogs.interactions.threads import parent_channel_id, require_table_permissions
from cogs.messages import chosen_values, layout, rows
from cogs.panels.events.posts import LINE_UP
from cogs.panels.events.private import option_label, page_button, text_panel
from cogs.presenting.ids import Key, Op, parse_id
from cogs.services.bot import Ack, Interaction
from cogs.texts import t
from cogs.words.events import entry_name, person_name, round_name
from cogs.words.names import isolate, safe
from cogs.words.refusals import RefusedError
from host.events import ChoiceView, EventView
from tournaments.lasting.ratings import Scale

BOARD, HAND_IN = "board", "handin"
"""First words of buttons' arguments, as is ``LINE_UP``; the round, the page and the encoded line-up follow."""
EMPTY_BOARD: Final = "-"
"""The symbol of a board without a player."""
MEMBER_SYMBOLS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Symbols of the members of a roster, in its order."""
MAX_LISTED_MEMBERS: Final = 24
"""Maximum members in a menu, next to the option for an empty board; captains type other members."""
BOARDS_PER_PAGE: Final = 6
"""Maximum boards on a page of the panel."""


def encode_line_up(choice: ChoiceView) -> str:
    """Encode the line-up chosen so far, a symbol for each board."""
    places = {person.user_id: place for place, person in enumerate(choice.roster[: len(MEMBER_SYMBOLS)])}
    board_places = [EMPTY_BOARD if person is None else places.get(person.user_id) for person in choice.members]
    return "".join(MEMBER_SYMBOLS[place] if isinstance(place, int) else EMPTY_BOARD for place in board_places)


def with_member_at(encoded: str, board: int, symbol: str) -> str:
    """Put a member at a board (from 0) of an encoded line-up and remove them from any other board."""
    symbols = [EMPTY_BOARD if other == symbol else other for other in encoded]
    symbols[board] = symbol
    return "".join(symbols)


def decode_line_up(choice: ChoiceView, encoded: str) -> list[int | None]:
    """Decode a line-up into the players' ids by board; None for an empty board.

    Raises:
        ValueError: the symbols do not fit this team's boards and roster.
    """
    if len(encoded) != len(choice.members):
        raise ValueError(encoded)
    places = [None if symbol == EMPTY_BOARD else MEMBER_SYMBOLS.index(symbol) for symbol in encoded]
    if any(place is not None and place >= len(choice.roster) for place in places):
        raise ValueError(encoded)
    return [None if place is None else choice.roster[place].user_id for place in places]


def line_up_panel(view: EventView, choice: ChoiceView, encoded: str, page: int = 0) -> ui.LayoutView:
    """Return a page of the panel in which a captain chooses a line-up."""
    pages = max(1, -(-len(encoded) // BOARDS_PER_PAGE))
    page = min(max(page, 0), pages - 1)
    items: list[Any] = [ui.TextDisplay(_title(view, choice))]
    for board in range(page * BOARDS_PER_PAGE, min((page + 1) * BOARDS_PER_PAGE, len(encoded))):
        items += [
            ui.TextDisplay(_board_line(view, choice, encoded, board)),
            *rows([_board_menu(view, choice, encoded, board, page)]),
        ]
    if len(choice.roster) > MAX_LISTED_MEMBERS:
        items.append(ui.TextDisplay(t("event.line_up.more")))
    return layout(*items, rows(_buttons(view, choice, encoded, page, pages)))


def _title(view: EventView, choice: ChoiceView) -> str:
    """Return the heading of the panel: the event, the round and the two teams."""
    event_round = view.event.round(choice.stage, choice.round) if view.event else None
    title = round_name(view.stages[choice.stage - 1], event_round) if event_round else ""
    teams = {"team": entry_name(view, choice.team), "other": entry_name(view, choice.other)}
    return t("event.line_up.title", name=safe(view.name), round=title, **teams)


def _board_line(view: EventView, choice: ChoiceView, encoded: str, board: int) -> str:
    """Return a board and its player in words."""
    symbol = encoded[board]
    if symbol == EMPTY_BOARD:
        return t("event.line_up.empty", number=board + 1)
    return t(
        "event.line_up.board", number=board + 1, player=person_name(view, choice.roster[MEMBER_SYMBOLS.index(symbol)])
    )


def _board_menu(view: EventView, choice: ChoiceView, encoded: str, board: int, page: int) -> Press:
    """Return the list from which the captain chooses the player of a board."""
    symbol = encoded[board]
    placeholder = t("event.line_up.list", number=board + 1)
    people = [
        (other, isolate(view.name_of_person(person)))
        for other, person in zip(MEMBER_SYMBOLS, choice.roster[:MAX_LISTED_MEMBERS], strict=False)
    ]
    options = [
        SelectOption(label=option_label(placeholder, name), value=value, default=value == symbol)
        for value, name in (*people, (EMPTY_BOARD, t("event.line_up.nobody")))
    ]
    key = Key(Op.EVENT_PAGE, view.code, 0, f"{BOARD} {choice.mark} {page} {encoded} {board}")
    menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=placeholder, options=options)
    return Press(cast("Any", menu))


def _buttons(view: EventView, choice: ChoiceView, encoded: str, page: int, pages: int) -> Sequence[Press]:
    """Return the button that hands the line-up in, and those to other pages."""
    mark = choice.mark
    hand_in = page_button(
        view, f"{HAND_IN} {mark} {page} {encoded}", t("event.button.hand_in"), style=ButtonStyle.primary
    )
    if pages == 1:
        return [hand_in]
    before, behind = f"{LINE_UP} {mark} {page - 1} {encoded}", f"{LINE_UP} {mark} {page + 1} {encoded}"
    return [
        hand_in,
        page_button(view, before, t("event.button.before"), disabled=page == 0),
        page_button(view, behind, t("event.button.behind"), disabled=page == pages - 1),
    ]


_MEMBER: Final = re.compile(r"<@!?(\d{1,20})>|(-)")


class TeamGroup(app_commands.Group, name="team", description=t("command.tourney.team")):
    """The ``/tourney team …`` commands of captains."""

    @command("found", "tourney.found", name="tourney.team_name")
    async def found(self, interaction: Interaction, name: app_commands.Range[str, 1, 80], event: str = "") -> None:
        """Enter an event with a team."""
        view, events = await joinable_event(interaction, event), interaction.client.host.events
        after = await events.sign_up.found_team(
            view.code, person_of(interaction), interaction.guild_id or 0, name, interaction.id
        )
        team = next((team for team in after.teams if team.captain_id == interaction.user.id), None)
        words = t("event.panel.founded", team=safe(name), number=team.team if team else 0)
        await confirm_change(interaction, after, words)

    @command("lineup", "tourney.lineup", members="tourney.members")
    async def lineup(self, interaction: Interaction, members: str = "", event: str = "") -> None:
        """Hand in a line-up; without members, open the panel to choose them."""
        view = await find_event(interaction, event)
        if not members.strip():
            await press_line_up(interaction, view, "")
            return
        try:
            line_up = [None if match[2] else parse_id(match[1]) for match in _MEMBER.finditer(members)]
        except ValueError as error:
            raise RefusedError("bad_line_up_typed") from error
        await _hand_in(interaction, view, line_up)

    @command("swap", "tourney.swap", board="tourney.board", member="tourney.swap_member")
    async def swap(
        self, interaction: Interaction, board: app_commands.Range[int, 1, 20], member: discord.User, event: str = ""
    ) -> None:
        """Replace the player at a board by another member of the roster."""
        view, events = await find_event(interaction, event), interaction.client.host.events
        await events.teams.swap(view.code, interaction.user.id, board, member.id, interaction.id)
        await interaction.edit_original_response(view=text_panel(t("event.panel.done")))


async def press_line_up(interaction: Interaction, view: EventView, _: str) -> None:
    """Open the panel in which a captain chooses a line-up."""
    choice = await interaction.client.host.events.teams.choice(view.code, interaction.user.id)
    await _show_panel(interaction, view, choice, encode_line_up(choice), 0)


async def turn_line_up_page(interaction: Interaction, view: EventView, words: str) -> None:
    """Show another page of the line-up panel."""
    choice, page, encoded, _ = await _parse_argument(interaction, view, words)
    await _show_panel(interaction, view, choice, encoded, page)


async def choose_board(interaction: Interaction, view: EventView, words: str) -> None:
    """Put the selected member at a board."""
    choice, page, encoded, board = await _parse_argument(interaction, view, words)
    symbol = "".join(chosen_values(interaction)[:1]) or EMPTY_BOARD
    try:
        after = with_member_at(encoded, parse_id(board), symbol)
        decode_line_up(choice, after)
    except (ValueError, IndexError) as error:
        raise RefusedError("unknown_button") from error
    await _show_panel(interaction, view, choice, after, page)


async def hand_in(interaction: Interaction, view: EventView, words: str) -> None:
    """Hand in the chosen line-up."""
    choice, _, encoded, _ = await _parse_argument(interaction, view, words)
    await _hand_in(interaction, view, decode_line_up(choice, encoded))


async def _hand_in(interaction: Interaction, view: EventView, members: list[int | None]) -> None:
    await interaction.client.host.events.teams.hand_in(view.code, interaction.user.id, members, interaction.id)
    await interaction.edit_original_response(view=text_panel(t("event.panel.handed_in")))


async def _parse_argument(interaction: Interaction, view: EventView, words: str) -> tuple[ChoiceView, int, str, str]:
    """Parse the argument of the panel's button into the choice, the page, the encoded line-up and the board.

    Raises:
        HostError: ``not_captain``, ``no_round_due``, ``no_line_up_due``, ``line_up_late``, also for an earlier round.
        RefusedError: the argument is malformed.
    """
    mark, page, encoded, *board = [*words.split(), "", "", ""]
    choice = await interaction.client.host.events.teams.choice(view.code, interaction.user.id, mark)
    try:
        decode_line_up(choice, encoded)
        return choice, parse_id(page), encoded, board[0]
    except ValueError as error:
        raise RefusedError("unknown_button") from error


async def _show_panel(interaction: Interaction, view: EventView, choice: ChoiceView, encoded: str, page: int) -> None:
    panel = line_up_panel(view, choice, encoded, page)
    await interaction.edit_original_response(view=panel, attachments=[])


CARD_HANDLERS: Final = {LINE_UP: press_line_up}
"""Handlers of captains' buttons on public cards, by the first word of the argument."""
PANEL_HANDLERS: Final = {LINE_UP: turn_line_up_page, BOARD: choose_board, HAND_IN: hand_in}
"""Handlers of the panel's menus and buttons, by the first word of the argument."""


class LadderGroup(app_commands.Group, name="ladder", description=t("command.tourney.ladder")):
    """The ``/tourney ladder …`` commands: queue for opponents of similar strength."""

    @command("join", "tourney.ladder_join", ack=None, scale="tourney.ladder_scale")
    @app_commands.choices(scale=SCALES)
    async def join(self, interaction: Interaction, scale: str = Scale.DUEL) -> None:
        """Join the queue for opponents."""
        require_table_permissions(interaction)
        if not await acknowledge(interaction, Ack.PANEL):
            return
        ladder, channel_id = interaction.client.host.events.ladder, parent_channel_id(interaction)
        waiting = await ladder.enter(person_of(interaction), interaction.guild_id or 0, channel_id, Scale(scale))
        words = t("event.panel.queued", scale=t(f"rating.scale.{scale}"), count=waiting)
        await interaction.edit_original_response(view=text_panel(words))

    @command("leave", "tourney.ladder_leave", scale="tourney.ladder_scale")
    @app_commands.choices(scale=SCALES)
    async def leave(self, interaction: Interaction, scale: str = Scale.DUEL) -> None:
        """Leave the queue."""
        ladder = interaction.client.host.events.ladder
        await ladder.leave(interaction.user.id, interaction.guild_id or 0, Scale(scale))
        await interaction.edit_original_response(view=text_panel(t("event.panel.unqueued")))
