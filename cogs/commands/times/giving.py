"""The clocks of a table: ``/carc time``, and the private panel of [Give Time]."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game
from cogs.commands.times.pausing import move_end, pause, resume
from cogs.interactions.admission import admitted
from cogs.interactions.replies import acknowledge, button, guarded
from cogs.interactions.selection import find_game
from cogs.messages import layout, notice, rows
from cogs.panels.side_messages import span_words
from cogs.presenting.ids import Key, Op, number_in
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.names import plain_names, seat_names
from cogs.words.refusals import RefusedError
from host import check_playing, usual_gifts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cogs.services.bot import Interaction
    from host import Game, Times

MINUTE: Final = timedelta(minutes=1)
MOST_TYPED: Final = 10_000
"""The highest number that is read; what is too much is refused in words."""
Number = app_commands.Range[int, 0, MOST_TYPED]


class TimeCommands(commands.Cog):
    """``/carc time``."""

    time: ClassVar = app_commands.Group(name="time", description=t("command.time.group"))

    @time.command(name="give", description=t("command.time.give"))
    @app_commands.describe(
        player=t("command.time.player"), hours=t("command.time.hours"), minutes=t("command.time.minutes")
    )
    @about_game
    async def give(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        hours: Number | None = None,
        minutes: Number | None = None,
        game: str = "",
    ) -> None:
        """Give a player time, or offer to."""
        said = None if hours is None and minutes is None else timedelta(hours=hours or 0, minutes=minutes or 0)
        await guarded(interaction, _typed(interaction, player, said, game))

    @time.command(name="pause", description=t("command.time.pause"))
    @app_commands.describe(days=t("command.time.days"))
    @about_game
    async def pause(self, interaction: Interaction, days: Number, game: str = "") -> None:
        """Ask the others for a pause."""
        await guarded(interaction, pause(interaction, days, game))

    @time.command(name="resume", description=t("command.time.resume"))
    @about_game
    async def resume(self, interaction: Interaction, game: str = "") -> None:
        """Let the clocks go on."""
        await guarded(interaction, resume(interaction, game))

    @time.command(name="end", description=t("command.time.end"))
    @app_commands.describe(date=t("command.time.date"), reason=t("command.time.reason"))
    @about_game
    async def end(self, interaction: Interaction, date: str, reason: str = "", game: str = "") -> None:
        """Say on which day a game ends."""
        await guarded(interaction, move_end(interaction, date, reason, game))


async def _typed(interaction: Interaction, player: discord.User | None, amount: timedelta | None, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game = await find_game(interaction, code, own=True, op=Op.GIVE)
    if player is None:
        await _offer(interaction, game)
        return
    if amount is None:
        amount = next(reversed(usual_gifts(game)), MINUTE)
    await _give(interaction, game, player.id, amount)


async def press_give(interaction: Interaction, key: Key) -> None:
    """Offer to give time, or give what the button says."""
    game = await admitted(interaction, key.ref)
    if not key.argument:
        await _offer(interaction, game)
        return
    try:
        seat, minutes = map(number_in, key.argument.split())
        receiver, amount = game.seats[seat].user_id, timedelta(minutes=minutes)
    except (ValueError, IndexError, OverflowError) as error:
        raise RefusedError("unknown_button") from error
    await _give(interaction, game, receiver, amount)


async def _offer(interaction: Interaction, game: Game) -> None:
    check_playing(game, interaction.user.id)
    times = await interaction.client.host.times.of_clocks(game)
    await interaction.edit_original_response(view=gifts_panel(game, times, interaction.user.id))


def gifts_panel(game: Game, times: Times, user_id: int) -> ui.LayoutView:
    """The private panel that offers to give time: of each other player what is left, and what may be added."""
    title: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t("gift.title", name=game.name, code=game.code))
    return layout(title, _offers(game, times, user_id))


def _offers(game: Game, times: Times, user_id: int) -> Iterator[ui.Item[Any]]:
    names, plain = seat_names(game), plain_names(game)
    for seat, person in enumerate(game.seats):
        if person.user_id == user_id or not game.plays(person.user_id):
            continue
        yield ui.TextDisplay(t("gift.player", player=names[seat], left=_left(times.left[seat])))
        gifts = [(_called(plain[seat], amount), f"{seat} {amount // MINUTE}") for amount in usual_gifts(game)]
        yield from rows([button(Op.GIVE, game.code, game.revision, label, argument=gift) for label, gift in gifts])


def _called(name: str, amount: timedelta) -> str:
    """What a button gives; to whom, the eye sees above it."""
    gift = f"+ {span_words(amount)}"
    return f"{name}: {gift}" if by_ear() else gift


def _left(left: timedelta) -> str:
    """What is left, in hours or, where that says too little, in minutes."""
    hours = timedelta(hours=left // timedelta(hours=1))
    return span_words(hours if hours >= timedelta(hours=2) else left)


async def _give(interaction: Interaction, game: Game, receiver_id: int, amount: timedelta) -> None:
    client = interaction.client
    game, gift = await client.host.gifts.give(game.id, interaction.user.id, receiver_id, amount, interaction.id)
    client.publisher.wake()
    words = t("gift.done", player=seat_names(game)[gift.seat], amount=span_words(timedelta(milliseconds=gift.amount)))
    await interaction.edit_original_response(view=notice(words))


HANDLINGS: Final = {Op.GIVE: Handling(Ack.UPDATE, press_give)}
