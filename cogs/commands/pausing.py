"""What ``/carc time pause``, ``resume`` and ``end`` do: the clocks stand still, or go on, and a game ends on a date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cogs.click.admission import asker_of
from cogs.click.replies import acknowledge
from cogs.click.tables import find_game
from cogs.commands.vacation import typed_date
from cogs.desk.interaction import Ack
from cogs.messages.layouts import notice
from cogs.texts import t
from cogs.words.asking import outcome_words
from host import RequestState

if TYPE_CHECKING:
    from cogs.desk.interaction import Interaction

NEVER: Final = "never"
"""What is typed instead of a day."""


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


async def move_end(interaction: Interaction, typed: str, code: str) -> None:
    """Let a game end when a day is over where the organiser lives, or never."""
    if not await acknowledge(interaction, Ack.PANEL):
        return
    client, game = interaction.client, await find_game(interaction, code, own=False)
    day = None if typed.strip().lower() == NEVER else typed_date(interaction, typed)
    ends_at = None if day is None else await client.host.preferences.end_of_day(interaction.user.id, day)
    moved = await client.host.move_end(game.code, asker_of(interaction), ends_at)
    client.publisher.wake()
    key, at = ("ending.never", 0) if moved.ends_at is None else ("ending.moved", int(moved.ends_at.timestamp()))
    await interaction.edit_original_response(view=notice(t(key, name=game.name, code=game.code, at=at)))
