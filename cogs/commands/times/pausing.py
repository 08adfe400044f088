"""The clocks stand still, go on, or a game ends on a date: ``/carc time pause``, ``resume``, ``end``, and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ui

from cogs.commands.times.vacation import typed_date
from cogs.interactions.admission import admitted, asker_of, number_of
from cogs.interactions.replies import acknowledge, button
from cogs.interactions.selection import find_game
from cogs.messages import layout, notice, rows
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.texts.languages import folded, typed_for
from cogs.words.asking import outcome_words
from host import MAX_PAUSE_DAYS, RequestState, check_playing

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from host import Game, Times


OFFERED: Final = (1, 3, 7, MAX_PAUSE_DAYS)
"""The days of a pause that are offered; any number of them can be typed."""


async def pause(interaction: Interaction, days: int, code: str) -> None:
    """Ask the others for a pause; an organiser orders it."""
    if await acknowledge(interaction, Ack.PANEL):
        await _ask(interaction, await find_game(interaction, code, own=False), days)


async def press_pause(interaction: Interaction, key: Key) -> None:
    """Offer to ask for a pause, or to end the one there is; or ask for one as long as the button says."""
    game = await admitted(interaction, key.ref)
    if key.argument:
        await _ask(interaction, game, number_of(key))
        return
    check_playing(game, interaction.user.id)
    times = await interaction.client.host.times.of_clocks(game)
    await interaction.edit_original_response(view=pause_panel(game, times))


def pause_panel(game: Game, times: Times) -> ui.LayoutView:
    """The private panel that offers a pause, or the end of one."""
    about = {"name": game.name, "code": game.code}
    if times.paused_until is not None:
        words = t("pause.until", at=int(times.paused_until.timestamp()), **about)
        buttons = [button(Op.RESUME, game.code, game.revision, t("button.resume"))]
    else:
        words = t("pause.offer", most=MAX_PAUSE_DAYS, **about)
        buttons = [
            button(Op.PAUSE, game.code, game.revision, t("button.days", count=days), argument=str(days))
            for days in OFFERED
        ]
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(words)
    return layout(text, rows(buttons))


async def _ask(interaction: Interaction, game: Game, days: int) -> None:
    client = interaction.client
    asked = await client.host.pauses.request(game.code, asker_of(interaction), days, interaction.id)
    client.publisher.wake()
    words = t("asking.asked", at=int(asked.lapses_at.timestamp()))
    if asked.state is RequestState.GRANTED:
        words = outcome_words(game, asked, interaction.user.id)
    await interaction.edit_original_response(view=notice(words))


async def resume(interaction: Interaction, code: str) -> None:
    """Let the clocks go on."""
    if await acknowledge(interaction, Ack.PANEL):
        await _go_on(interaction, await find_game(interaction, code, own=False))


async def press_resume(interaction: Interaction, key: Key) -> None:
    """Let the clocks go on."""
    await _go_on(interaction, await admitted(interaction, key.ref))


async def _go_on(interaction: Interaction, game: Game) -> None:
    client = interaction.client
    await client.host.pauses.resume(game.code, asker_of(interaction))
    client.publisher.wake()
    await interaction.edit_original_response(view=notice(t("card.resumed", name=game.name, code=game.code)))


async def move_end(interaction: Interaction, typed: str, reason: str, code: str) -> None:
    """Let a game end when a day is over where the organiser lives, or never."""
    if not await acknowledge(interaction, Ack.PANEL):
        return
    client, game = interaction.client, await find_game(interaction, code, own=False)
    never = folded(typed.strip()) in typed_for(lambda: t("setting.no_hours"))
    day = None if never else typed_date(interaction, typed)
    ends_at = None if day is None else await client.host.preferences.end_of_day(interaction.user.id, day)
    moved = await client.host.end_dates.move(game.code, asker_of(interaction), ends_at, reason, interaction.id)
    client.publisher.wake()
    key, at = ("ending.never", 0) if moved.ends_at is None else ("ending.moved", int(moved.ends_at.timestamp()))
    await interaction.edit_original_response(view=notice(t(key, name=game.name, code=game.code, at=at)))


HANDLINGS: Final = {Op.PAUSE: Handling(Ack.UPDATE, press_pause), Op.RESUME: Handling(Ack.PANEL, press_resume)}
