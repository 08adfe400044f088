"""Taking a move back: silently while it is unpublished, afterwards only if the other players agree.

[Publish Now] publishes a pending move at once. The organiser of an event can undo without consent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from discord import ButtonStyle, app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.play import continue_after, open_decision
from cogs.interactions.admission import admitted, asker_of, number_of
from cogs.interactions.context import forget_snapshot
from cogs.interactions.replies import answer, button, tell
from cogs.interactions.selection import find_game, run_operation
from cogs.messages import layout, notice, rows
from cogs.panels.deciding import game_line, show_privately
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import listed, t
from cogs.words.asking import outcome_words, seen_by
from cogs.words.names import seat_names
from host import ErrorCode, Game, HostError, RequestState


class UndoCommands(commands.Cog):
    """``/carc undo``."""

    @app_commands.command(name="undo", description=t("command.undo.description"))
    @about_game
    async def undo(self, interaction: Interaction, game: str = "") -> None:
        """Take back the user's unpublished move, or offer to ask the others to undo."""
        await answer(interaction, _undo(interaction, game))


async def _undo(interaction: Interaction, code: str) -> None:
    if code and (organised := await _organised_game(interaction, code)):
        await _order_undo(interaction, organised)
    else:
        await run_operation(interaction, code, Op.UNDO, own=True)


async def _organised_game(interaction: Interaction, code: str) -> Game | None:
    """Return the game with this code if the user organises its event and does not play in it."""
    game = await find_game(interaction, code, own=False)
    event = (
        None
        if game.seat_of(interaction.user.id) is not None
        else await interaction.client.host.organisers.event_of(game)
    )
    return game if event is not None and event.organises(asker_of(interaction)) else None


async def _order_undo(interaction: Interaction, game: Game) -> None:
    """Undo the last decision as the organiser of the game's event; the new card announces it."""
    client = interaction.client
    later = (await client.host.games.table(game.code)).position
    asked = await client.host.undo.order(game.code, asker_of(interaction), game.revision, interaction.id)
    client.publisher.wake()
    names = listed(_names(game, [asked.user_id]))
    seen = await seen_by(client.host, client.presenters, asked, later)
    words = "\n".join([t("undo.ordered", player=names, code=game.code), *seen])
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
    """Show which decisions an undo would take back and who has to agree, with a button that asks them."""
    asked = await interaction.client.host.undo.draft(ref, interaction.user.id)
    game = await interaction.client.host.games.get(ref)  # read anew: the move may just have been published
    text = t("undo.offer", count=game.ply - asked.to_ply, players=listed(_names(game, asked.voters)))
    ask = button(Op.ASK, game.code, game.revision, t("button.ask"), style=ButtonStyle.primary)
    seen = await seen_by(interaction.client.host, interaction.client.presenters, asked)
    lines = "\n".join([text, *seen, game_line(game, interaction.user.id)])
    await show_privately(interaction, layout(ui.TextDisplay(lines), rows([ask])))


async def press_ask(interaction: Interaction, key: Key) -> None:
    """Ask the other players to undo."""
    client = interaction.client
    asked = await client.host.undo.request(key.ref, interaction.user.id, key.revision, interaction.id)
    client.publisher.wake()
    text = t("undo.asked", at=int(asked.lapses_at.timestamp()))
    await interaction.edit_original_response(view=notice(text), attachments=[])


async def press_agree(interaction: Interaction, key: Key) -> None:
    """Agree to a request."""
    await _vote(interaction, key, agrees=True)


async def press_decline(interaction: Interaction, key: Key) -> None:
    """Decline a request."""
    await _vote(interaction, key, agrees=False)


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
    Op.UNDO: Handler(Ack.UPDATE, press_undo),
    Op.PUBLISH: Handler(Ack.UPDATE, press_publish),
    Op.ASK: Handler(Ack.UPDATE, press_ask),
    Op.AGREE: Handler(Ack.UPDATE, press_agree),
    Op.DECLINE: Handler(Ack.UPDATE, press_decline),
}
