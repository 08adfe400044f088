"""Letting the clocks of a game stand still, and go on: what ``/carc time pause`` and ``/carc time resume`` do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.click.admission import asker_of
from cogs.click.replies import acknowledge
from cogs.click.tables import find_game
from cogs.desk.interaction import Ack
from cogs.messages.layouts import notice
from cogs.texts import t
from cogs.words.asking import outcome_words
from host import RequestState

if TYPE_CHECKING:
    from cogs.desk.interaction import Interaction


async def pause(interaction: Interaction, days: int, code: str) -> None:
    """Ask the others for a pause; an organiser orders it."""
    if not await acknowledge(interaction, Ack.PANEL):
        return
    client, game = interaction.client, await find_game(interaction, code, own=False)
    asked = await client.host.ask_pause(game.code, asker_of(interaction), days, interaction.id)
    client.publisher.wake()
    words = t("asking.asked", at=int(asked.lapses_at.timestamp()))
    if asked.state is RequestState.GRANTED:
        words = outcome_words(game, asked, interaction.user.id)
    await interaction.edit_original_response(view=notice(words))


async def resume(interaction: Interaction, code: str) -> None:
    """Let the clocks go on."""
    if not await acknowledge(interaction, Ack.PANEL):
        return
    client, game = interaction.client, await find_game(interaction, code, own=False)
    await client.host.resume(game.code, asker_of(interaction))
    client.publisher.wake()
    await interaction.edit_original_response(view=notice(t("card.resumed", name=game.name, code=game.code)))
