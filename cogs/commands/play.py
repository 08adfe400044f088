"""Commands and buttons with which players make a move, plan one, or take one back.

[Play] and ``/carc play`` open the *composer*, a private panel in which a player puts a move together: the spot, the
rotation, the figure. Decisions about castles, bids, buying and selling are made with buttons on the public *card*, the
message that shows the game, or planned from there. A player who wants to confirm each move is first asked privately.

[Undo] takes a move back silently as long as it is not published; afterwards the other players have to agree, unless
the organiser of an event orders it. [Publish Now] is a button of earlier versions, and publishes a pending move at
once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import complete_move
from cogs.commands.slash import command
from cogs.commands.table import ask_to_resign
from cogs.games.presenters import presenter_of
from cogs.interactions.admission import admitted, asker_of, number_of
from cogs.interactions.context import forget_snapshot, preferences_of, set_preferences, table_of
from cogs.interactions.replies import button, buttons_of, selects, tell
from cogs.interactions.selection import find_game, run_operation, table_to_move
from cogs.messages import chosen_in, layout, notice, rows, show_plainly
from cogs.panels.advice import advice_panel
from cogs.panels.composer import compose
from cogs.panels.deciding import (
    actions_in,
    decide,
    draw_panel,
    game_line,
    perform,
    show_decision,
    show_done,
    show_privately,
    show_waiting,
)
from cogs.panels.lessons import explanations_along, hides_piece, with_explanations
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import QUICK, AltPicture, Panel, Presenter, gallery, private_theme
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from cogs.words.asking import outcome_words, revealed_since
from cogs.words.names import seat_names
from cogs.words.refusals import RefusedError
from cogs.words.story import last_decided, since_last
from cogs.words.typed_moves import resigns_in, typed_actions
from engine import EngineError, Position
from host import Advice, Consequence, ErrorCode, Game, HostError, RequestState, Table, check_playing


async def press_act(interaction: Interaction, key: Key) -> None:
    """Do the action in the button, or ask the player to confirm it."""
    await decide(interaction, key.ref, key.revision, actions_in(chosen_in(interaction) or key.argument))


async def press_orders(interaction: Interaction, key: Key) -> None:
    """Open the panel in which a player plans their next decision in advance."""
    table, user_id = await table_of(interaction, key.ref), interaction.user.id
    seat = check_playing(table.game, user_id)
    panel = presenter_of(table.position).plan_panel(table.position, seat)
    if panel is None:
        raise RefusedError("nothing_to_plan")
    planned = await interaction.client.host.moves.planned(table.game, user_id)
    await show_decision(interaction, table, lambda pictures: panel(table.game, planned, pictures))


MAX_STORY: Final = 700
"""The maximum length, in units (``cogs.words.story.units``), of the summary of recent events in a panel."""


class PlayCommands(commands.Cog):
    """``/carc play``."""

    @command("play", direct=True)
    @app_commands.autocomplete(move=complete_move)
    async def play(self, interaction: Interaction, move: str = "", game: str = "") -> None:
        """Make the typed move, or open the panel for the current decision."""
        selected = await find_game(interaction, game, own=True, op=None if resigns_in(move) else Op.PLAY)
        if resigns_in(move):
            await ask_to_resign(interaction, selected)
            return
        if not move:
            await open_decision(interaction, selected.code)
            return
        table = await table_to_move(interaction, selected.code)
        position, draw = table.position, interaction.client.render_pool.draw
        actions = await draw(lambda: typed_actions(presenter_of(position), position, move))
        if not actions:
            raise RefusedError("unfinished_move")
        explained = await draw(lambda: explanations_along(presenter_of(position), table, actions[:-1]))
        outcome = await perform(interaction, selected.code, table.game.revision, actions)
        await show_done(interaction, outcome, explained)


async def press_play(interaction: Interaction, key: Key) -> None:
    """Open the panel for the current decision, or for the plan in the button."""
    if key.argument:
        table = await table_to_move(interaction, key.ref, key.revision)
        await _compose(interaction, table, key.argument, newest_only=False, opened=True)
        return
    await open_decision(interaction, key.ref, key.revision)


async def open_decision(interaction: Interaction, ref: str, revision: int | None = None) -> None:
    """Show the panel for the decision that the player has to make, or their move that is not published yet.

    ``ref`` identifies the game; ``revision`` is the state of the game that the pressed button belongs to.
    """
    try:
        table = await table_to_move(interaction, ref, revision)
    except HostError as error:
        if error.code is not ErrorCode.WAITS:
            raise
        await show_waiting(interaction, ref)
        return
    game, position = table.game, table.position
    if presenter_of(position).offers(position):
        await _show_decision(interaction, table)
        return
    text = interaction.client.plans.find(game.id, interaction.user.id, game.revision)
    await _compose(interaction, table, text, newest_only=False, opened=True)


async def _show_decision(interaction: Interaction, table: Table) -> None:
    """Show a private panel for a decision that can also be made with the buttons of the card."""
    game, position, user_id = table.game, table.position, interaction.user.id
    presenter = presenter_of(position)
    theme = private_theme(await preferences_of(interaction), game)

    def build() -> tuple[Panel, list[AltPicture], str]:
        panel = _with_story(decision_panel(presenter, game, position), presenter, table, user_id)
        return panel, *draw_panel(presenter, game, position, panel, theme)

    panel, pictures, reference = await interaction.client.render_pool.draw(build)
    await _show_panel(interaction, table, panel, pictures, reference)


def _with_story(panel: Panel, presenter: Presenter[Any], table: Table, user_id: int) -> Panel:
    """Return the panel with a summary of what has happened since the player's last decision.

    A single move is left out, since the newest card tells it, except for players who listen.
    """
    times = {entry.at for entry in table.log[last_decided(table, user_id) :]}
    if len(times) <= 1 and not by_ear():
        return panel
    story = since_last(presenter, table, user_id, MAX_STORY)
    return replace(panel, text=f"{panel.text}\n{t('panel.since', story=story)}") if story else panel


def decision_panel(presenter: Presenter[Any], game: Game, position: Position) -> Panel:
    """Return the private panel with the same buttons as the public card."""
    names = seat_names(game)
    headline = presenter.headline(names, position, names[position.player])
    lines = [headline, presenter.details(names, position), presenter.means(position)]
    return Panel("\n".join(filter(None, lines)), [presenter.offers(position)], presenter.menus(position))


async def press_plan(interaction: Interaction, key: Key) -> None:
    """Show the composer with the move so far, which the custom id of the button contains."""
    table, text = await table_to_move(interaction, key.ref, key.revision), chosen_in(interaction) or key.argument
    presenter = presenter_of(table.position)
    if presenter.offers(table.position) and presenter.turn.opening_in(text)[0] is None:
        await _show_decision(interaction, table)
        return
    await _compose(interaction, table, text, newest_only=True)


THINKING_NOTICE_DELAY: Final = 0.7
"""The seconds after which a panel says that a computer is thinking; most advice is there earlier."""


async def press_advice(interaction: Interaction, key: Key) -> None:
    """Show the placements that a computer recommends to the player; nothing is sent by that."""
    table = await table_to_move(interaction, key.ref, key.revision)
    game, position = table.game, table.position
    presenter = presenter_of(position)
    if presenter.offers(position):
        raise RefusedError("advice_tiles")
    advice = await _advice_at(interaction, table)
    if hides_piece(presenter, table):
        advice = [entry for entry in advice if not entry.needs_piece]
    drawn = await _drawn(interaction, table, lambda: advice_panel(presenter, game, position, advice), newest_only=True)
    await _show_panel(interaction, table, *drawn)


async def _advice_at(interaction: Interaction, table: Table) -> Sequence[Advice]:
    """Return a computer's advice; if that takes longer, the pressed panel says so meanwhile.

    Raises:
        HostError: there is no advice; the panel shows the spots again.
    """
    adviser, user_id = interaction.client.host.adviser, interaction.user.id
    if interaction.message is None:  # Discord itself says that a command is being answered
        return await adviser.advise(table, user_id)
    with suppress(TimeoutError):
        async with asyncio.timeout(THINKING_NOTICE_DELAY):
            return await adviser.advise(table, user_id)
    await interaction.edit_original_response(view=notice(t("advice.thinking")), attachments=[])
    try:
        return await adviser.advise(table, user_id)  # waits for the thought that has begun
    except HostError:
        await _compose(interaction, table, "", newest_only=True)
        raise


async def press_mode(interaction: Interaction, key: Key) -> None:
    """Switch between making moves at once and confirming each of them."""
    table = await table_to_move(interaction, key.ref, key.revision)
    mode, _, plan = key.argument.partition(" ")
    await set_preferences(interaction, replace(await preferences_of(interaction), confirm=mode != QUICK))
    await _compose(interaction, table, plan, newest_only=True)


async def _compose(
    interaction: Interaction, table: Table, text: str, *, newest_only: bool, opened: bool = False
) -> None:
    """Show the composer with a plan; if it was just ``opened``, with a summary of recent events.

    With ``newest_only`` only the newest of several presses on one panel is drawn. A new panel is always drawn, because
    it shows nothing yet.
    """
    preferences = await preferences_of(interaction)
    game, position = table.game, table.position
    host, presenter = interaction.client.host, presenter_of(position)
    advises, undoable = host.adviser.is_offered(game), bool(host.moves.window_of(preferences, game))
    before = interaction.client.plans.find(game.id, interaction.user.id, game.revision)

    def build() -> Panel:
        panel: Panel = compose(presenter, game, position, text, preferences, advises=advises, undoable=undoable)
        panel = _with_story(panel, presenter, table, interaction.user.id) if opened else panel
        return with_explanations(presenter, table, panel, before)

    drawn = await _drawn(interaction, table, build, text, newest_only=newest_only)
    interaction.client.plans.keep(game.id, interaction.user.id, game.revision, text)
    await _show_panel(interaction, table, *drawn)


async def _drawn(
    interaction: Interaction, table: Table, build: Callable[[], Panel], plan: str = "", *, newest_only: bool
) -> tuple[Panel, list[AltPicture], str]:
    """Build a panel in a worker thread; return it with its pictures, or with a reference if they cannot be drawn.

    The pictures show the position in which the tile of the plan is laid.

    Raises:
        RefusedError: ``unknown_button``: the panel does not fit the position.
        SupersededError: with ``newest_only``, the panel was pressed again meanwhile.
    """
    game, position, theme = table.game, table.position, private_theme(await preferences_of(interaction), table.game)

    def draw() -> tuple[Panel, list[AltPicture], str]:
        panel, presenter = build(), presenter_of(position)
        return panel, *draw_panel(presenter, game, presenter.turn.opened(position, plan), panel, theme)

    render_pool = interaction.client.render_pool
    message = interaction.message if newest_only else None
    try:
        return await (render_pool.draw_newest(message.id, draw) if message else render_pool.draw(draw))
    except EngineError as error:
        raise RefusedError("unknown_button") from error


async def _show_panel(
    interaction: Interaction, table: Table, panel: Panel, pictures: list[AltPicture], reference: str = ""
) -> None:
    """Show a panel in full; if Discord refuses it, without pictures; and then only how to move by a command."""
    code, revision = table.game.code, table.game.revision
    panel = replace(panel, text=f"{panel.text}\n{game_line(table.game, interaction.user.id)}")

    def words(reference: str) -> tuple[ui.LayoutView, list[AltPicture]]:
        text = "\n".join([panel.text, t("card.no_pictures", reference=reference)]) if reference else panel.text
        return panel_view(code, revision, replace(panel, text=text), ()), []

    def bare(reference: str) -> tuple[ui.LayoutView, list[AltPicture]]:
        return notice(t("panel.bare", name=table.game.name, code=code, reference=reference)), []

    def full(_: str) -> tuple[ui.LayoutView, list[AltPicture]]:
        return words(reference) if reference else (panel_view(code, revision, panel, pictures), pictures)

    await show_plainly(interaction, [full, words, bare], game=code, revision=revision)


def panel_view(code: str, revision: int, panel: Panel, pictures: Sequence[AltPicture]) -> ui.LayoutView:
    """Return the message of a panel."""
    menus = (row for menu in selects(code, revision, panel.menus) for row in rows([menu]))
    buttons = (rows(buttons_of(code, revision, offers)) for offers in panel.offers)
    return layout(panel.text, gallery(pictures), menus, *buttons)


async def press_go(interaction: Interaction, key: Key) -> None:
    """Make the move in the button; if the player also places the next tile, continue in the same panel."""
    await continue_after(interaction, await perform(interaction, key.ref, key.revision, actions_in(key.argument)))


async def continue_after(interaction: Interaction, outcome: Consequence) -> None:
    """Update the private panel after a move: show the next tile if the same player places it, or else the result."""
    game = outcome.game
    if not outcome.waits and game.seat_to_act is not None and game.seat_to_act == game.seat_of(interaction.user.id):
        table = await interaction.client.host.games.table(game.code)  # as the move has left it
        if _places_next_tile(table, outcome, interaction.user.id):
            await _compose(interaction, table, "", newest_only=True)
            return
    await show_done(interaction, outcome)


def _places_next_tile(table: Table, outcome: Consequence, user_id: int) -> bool:
    """Return whether the move is followed by another tile of the same player."""
    position = table.position
    own_turn = table.game.revision == outcome.game.revision and position.player == table.game.seat_of(user_id)
    return own_turn and not presenter_of(position).offers(position)


class UndoCommands(commands.Cog):
    """``/carc undo``."""

    @command("undo", direct=True)
    async def undo(self, interaction: Interaction, game: str = "") -> None:
        """Take back the user's unpublished move, or offer to ask the others; an organiser undoes without consent."""
        if game and (organised := await _organised_game(interaction, game)):
            await _order_undo(interaction, organised)
        else:
            await run_operation(interaction, game, Op.UNDO, own=True)


async def _organised_game(interaction: Interaction, code: str) -> Game | None:
    """Return the game with this code if the user organises its event and does not play in it."""
    game = await find_game(interaction, code, own=False)
    if game.seat_of(interaction.user.id) is not None:
        return None
    event = await interaction.client.host.organisers.event_of(game)
    return game if event is not None and event.organises(asker_of(interaction)) else None


async def _order_undo(interaction: Interaction, game: Game) -> None:
    """Undo the last decision as the organiser of the game's event; the new card announces it."""
    client = interaction.client
    before_undo = (await client.host.games.table(game.code)).position
    request = await client.host.undo.order(game.code, asker_of(interaction), game.revision, interaction.id)
    client.publisher.wake()
    names = listed(_names(game, [request.user_id]))
    revealed = await revealed_since(client.host, client.presenters, request, before_undo)
    words = "\n".join([t("undo.ordered", player=names, code=game.code), *revealed])
    await interaction.edit_original_response(view=notice(words))


async def press_undo(interaction: Interaction, key: Key) -> None:
    """Retract the pending move and reopen the composer; if it is already published, offer to ask the others."""
    try:
        await interaction.client.host.pending_moves.retract(key.ref, interaction.user.id, key.revision, interaction.id)
    except HostError as error:
        if error.code is not ErrorCode.NOTHING_WAITS:
            raise
        await _offer_to_ask(interaction, key.ref)
        return
    forget_snapshot(interaction)
    await open_decision(interaction, key.ref)


async def _offer_to_ask(interaction: Interaction, ref: str) -> None:
    """Show which decisions an undo would take back and who has to agree, with a button that asks them.

    Where only computers play along, nobody has to agree, and the player decides anew at once.
    """
    client = interaction.client
    request = await client.host.undo.draft(ref, interaction.user.id)
    game = await client.host.games.get(ref)  # read anew: the move may just have been published
    if not request.voters:
        await client.host.undo.request(ref, interaction.user.id, game.revision, interaction.id)
        client.publisher.wake()
        forget_snapshot(interaction)
        await open_decision(interaction, ref)
        return
    text = t("undo.offer", count=game.ply - request.to_ply, players=listed(_names(game, request.voters)))
    ask = button(Op.ASK, game.code, game.revision, t("button.ask"), style=ButtonStyle.primary)
    revealed = await revealed_since(interaction.client.host, interaction.client.presenters, request)
    lines = "\n".join([text, *revealed, game_line(game, interaction.user.id)])
    await show_privately(interaction, layout(lines, rows([ask])))


async def press_ask(interaction: Interaction, key: Key) -> None:
    """Ask the other players to undo."""
    client = interaction.client
    request = await client.host.undo.request(key.ref, interaction.user.id, key.revision, interaction.id)
    client.publisher.wake()
    text = t("undo.asked", at=int(request.lapses_at.timestamp()))
    if request.state is RequestState.GRANTED:
        text = t("undo.alone")
    await interaction.edit_original_response(view=notice(text), attachments=[])


async def _vote(interaction: Interaction, key: Key, *, agrees: bool) -> None:
    """Vote on a request; once it is decided, replace its message with the outcome."""
    client, user_id = interaction.client, interaction.user.id
    request_id, before = number_of(key), await admitted(interaction, key.ref)
    answered = await client.host.votes.answer(key.ref, request_id, user_id, interaction.id, agrees=agrees)
    if answered.request.state is RequestState.OPEN:
        await tell(interaction, t("undo.agreed"))
        return
    client.publisher.wake()
    words = outcome_words(before, answered.request, user_id)
    await interaction.edit_original_response(view=notice(words))


def _names(game: Game, users: Iterable[int]) -> list[str]:
    """Return the names of those users who play the game."""
    names = seat_names(game)
    return [names[seat] for user in users if (seat := game.seat_of(user)) is not None]


async def press_publish(interaction: Interaction, key: Key) -> None:
    """Publish the pending move; if the user also places the next tile, continue in the same panel."""
    host, user_id, game = interaction.client.host, interaction.user.id, await admitted(interaction, key.ref)
    interaction.client.waiting_panels.take(game.id, user_id, key.revision)  # the panel is updated here instead
    outcome = await host.pending_moves.publish(key.ref, user_id, key.revision)
    forget_snapshot(interaction)
    interaction.client.publisher.move_made(outcome)
    await continue_after(interaction, outcome)


HANDLERS: Final = {
    Op.ACT: Handler(Ack.UPDATE, press_act),
    Op.ORDERS: Handler(Ack.PANEL, press_orders),
    Op.PLAY: Handler(Ack.PANEL, press_play),
    Op.PLAN: Handler(Ack.UPDATE, press_plan),
    Op.ADVICE: Handler(Ack.UPDATE, press_advice),
    Op.MODE: Handler(Ack.UPDATE, press_mode),
    Op.GO: Handler(Ack.UPDATE, press_go),
    Op.UNDO: Handler(Ack.UPDATE, press_undo),
    Op.PUBLISH: Handler(Ack.UPDATE, press_publish),
    Op.ASK: Handler(Ack.UPDATE, press_ask),
    Op.AGREE: Handler(Ack.UPDATE, partial(_vote, agrees=True)),
    Op.DECLINE: Handler(Ack.UPDATE, partial(_vote, agrees=False)),
}
