"""Commands about a game's clocks and reminders.

``/carc time`` gives a player time, pauses the clocks, resumes them, or sets the date on which a game ends. It reminds
the user later of their turn, or not at all, proposes a time to play live, and keeps a game open that nobody has played
for so long that it would be closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import discord
from discord import app_commands, ui

from cogs.commands.appointments import offer_meeting
from cogs.commands.settings import typed_date
from cogs.commands.slash import command
from cogs.interactions.admission import admitted, asker_of, number_of, on_game
from cogs.interactions.replies import button, tell
from cogs.interactions.selection import find_game, run_operation
from cogs.messages import layout, notice, rows
from cogs.panels.side_messages import later_panel, span_words
from cogs.presenting.ids import Key, Op, parse_id
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import t
from cogs.texts.languages import by_ear, folded, folded_versions
from cogs.words.asking import outcome_words
from cogs.words.names import plain_names, seat_names
from cogs.words.refusals import RefusedError
from host import (
    MAX_PAUSE_DAYS,
    MAX_REMINDER_HOURS,
    Game,
    RequestState,
    Times,
    check_playing,
    check_turn,
    offered_extensions,
)

OFFERED_PAUSE_DAYS: Final = (1, 3, 7, MAX_PAUSE_DAYS)
"""The lengths of a pause that the panel offers, in days; any other one can be typed."""


async def press_pause(interaction: Interaction, key: Key) -> None:
    """Request a pause of as many days as the button says; without a number show the panel that offers it."""
    game = await admitted(interaction, key.ref)
    if key.argument:
        await _request_pause(interaction, game, number_of(key))
        return
    check_playing(game, interaction.user.id)
    times = await interaction.client.host.times.of_clocks(game)
    await interaction.edit_original_response(view=pause_panel(game, times))


def pause_panel(game: Game, times: Times) -> ui.LayoutView:
    """Return the private panel that offers a pause, or the end of the current one."""
    values = {"name": game.name, "code": game.code}
    if times.paused_until is not None:
        words = t("pause.until", at=int(times.paused_until.timestamp()), **values)
        buttons = [button(Op.RESUME, game.code, game.revision, t("button.resume"))]
    else:
        words = t("pause.offer", most=MAX_PAUSE_DAYS, **values)
        buttons = [
            button(Op.PAUSE, game.code, game.revision, t("button.days", count=days), argument=str(days))
            for days in OFFERED_PAUSE_DAYS
        ]
    return layout(words, rows(buttons))


async def _request_pause(interaction: Interaction, game: Game, days: int) -> None:
    """Ask the other players for a pause; an organiser's request is granted at once."""
    client = interaction.client
    request = await client.host.pauses.request(game.code, asker_of(interaction), days, interaction.id)
    client.publisher.wake()
    words = t("asking.asked", at=int(request.lapses_at.timestamp()))
    if request.state is RequestState.GRANTED:
        words = outcome_words(game, request, interaction.user.id)
    await interaction.edit_original_response(view=notice(words))


async def _resume_clocks(interaction: Interaction, game: Game) -> None:
    """End the pause of a game."""
    client = interaction.client
    await client.host.pauses.resume(game.code, asker_of(interaction))
    client.publisher.wake()
    await interaction.edit_original_response(view=notice(t("card.resumed", name=game.name, code=game.code)))


MINUTE: Final = timedelta(minutes=1)
MAX_TYPED: Final = 10_000
"""The highest number that can be typed; smaller ones that are still too high are refused with a sentence."""
Number = app_commands.Range[int, 0, MAX_TYPED]


class TimeGroup(app_commands.Group, name="time", description=t("command.time.group")):
    """The ``/carc time …`` commands."""

    @command("give", "time.give", player="time.player", hours="time.hours", minutes="time.minutes")
    async def give(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        hours: Number | None = None,
        minutes: Number | None = None,
        game: str = "",
    ) -> None:
        """Give a player time; without a player show the panel that offers it."""
        selected = await find_game(interaction, game, own=True, op=Op.GIVE)
        if player is None:
            await _offer_gifts(interaction, selected)
            return
        amount = timedelta(hours=hours or 0, minutes=minutes or 0)
        if hours is None and minutes is None:
            amount = next(reversed(offered_extensions(selected)), MINUTE)
        await _give(interaction, selected, player.id, amount)

    @command("pause", "time.pause", days="time.days")
    async def pause(self, interaction: Interaction, days: Number, game: str = "") -> None:
        """Ask the other players for a pause."""
        await _request_pause(interaction, await find_game(interaction, game, own=False), days)

    @command("resume", "time.resume")
    async def resume(self, interaction: Interaction, game: str = "") -> None:
        """End the pause of a game."""
        await _resume_clocks(interaction, await find_game(interaction, game, own=False))

    @command("end", "time.end", date="time.date", reason="time.reason")
    async def end(self, interaction: Interaction, date: str, reason: str = "", game: str = "") -> None:
        """Set the date on which a game ends, at midnight in the organiser's time zone, or remove it."""
        client, selected = interaction.client, await find_game(interaction, game, own=False)
        never = folded(date.strip()) in folded_versions(lambda: t("setting.no_hours"))
        day = None if never else typed_date(interaction, date)
        ends_at = None if day is None else await client.host.preferences.end_of_day(interaction.user.id, day)
        after = await client.host.end_dates.move(selected.code, asker_of(interaction), ends_at, reason, interaction.id)
        client.publisher.wake()
        key, at = ("ending.never", 0) if after.ends_at is None else ("ending.moved", int(after.ends_at.timestamp()))
        await interaction.edit_original_response(view=notice(t(key, name=after.name, code=after.code, at=at)))

    @command("meet", "time.meet", when="time.when")
    async def meet(self, interaction: Interaction, when: str = "") -> None:
        """Propose a time to play live; without one show the panel that asks for it."""
        await offer_meeting(interaction, await find_game(interaction, "", own=True, op=Op.MEET), when)

    @command("remind", "remind.description", hours="remind.hours")
    async def remind(
        self, interaction: Interaction, hours: app_commands.Range[int, 0, MAX_REMINDER_HOURS], game: str = ""
    ) -> None:
        """Remind the player again in some hours; with 0 hours stop reminding them of this turn."""
        selected = await find_game(interaction, game, own=True)
        if hours:
            await _remind(interaction, selected, None, hours)
        else:
            await _stop_reminding(interaction, selected, None)

    @command("keep", "keep.description")
    async def keep(self, interaction: Interaction, game: str = "") -> None:
        """Keep an idle table from being closed."""
        await run_operation(interaction, game, Op.KEEP, own=True)


async def press_give(interaction: Interaction, key: Key) -> None:
    """Give the time that the button says; without an argument show the panel that offers it."""
    game = await admitted(interaction, key.ref)
    if not key.argument:
        await _offer_gifts(interaction, game)
        return
    try:
        seat, minutes = map(parse_id, key.argument.split())
        receiver, amount = game.person_at(seat).user_id, timedelta(minutes=minutes)
    except (ValueError, IndexError, OverflowError, TypeError) as error:
        raise RefusedError("unknown_button") from error
    await _give(interaction, game, receiver, amount)


async def _offer_gifts(interaction: Interaction, game: Game) -> None:
    """Show the panel that offers to give time."""
    check_playing(game, interaction.user.id)
    times = await interaction.client.host.times.of_clocks(game)
    await interaction.edit_original_response(view=gifts_panel(game, times, interaction.user.id))


def gifts_panel(game: Game, times: Times, user_id: int) -> ui.LayoutView:
    """Return the private panel that offers to give time: the time that each other player has, and buttons below it."""
    return layout(t("gift.title", name=game.name, code=game.code), _gift_rows(game, times, user_id))


def _gift_rows(game: Game, times: Times, user_id: int) -> Iterator[ui.Item[Any]]:
    """Yield for each other player a line with their time, and the buttons that give them more."""
    names, plain = seat_names(game), plain_names(game)
    for person in game.players:
        seat = game.seat_of(person.user_id)
        if person.user_id == user_id or seat is None:
            continue
        yield ui.TextDisplay(t("gift.player", player=names[seat], left=_time_left(times.left[seat])))
        gifts = [
            (_gift_label(plain[seat], amount), f"{seat} {amount // MINUTE}") for amount in offered_extensions(game)
        ]
        yield from rows([button(Op.GIVE, game.code, game.revision, label, argument=gift) for label, gift in gifts])


def _gift_label(name: str, amount: timedelta) -> str:
    """Return the label of a gift's button: the amount, and for screen readers also the player, named above it."""
    gift = f"+ {span_words(amount)}"
    return f"{name}: {gift}" if by_ear() else gift


def _time_left(remaining: timedelta) -> str:
    """Return the time left in words: in hours, or in minutes below two hours."""
    hours = timedelta(hours=remaining // timedelta(hours=1))
    return span_words(hours if hours >= timedelta(hours=2) else remaining)


async def _give(interaction: Interaction, game: Game, receiver_id: int, amount: timedelta) -> None:
    """Give a player time, and confirm it."""
    client = interaction.client
    game, gift = await client.host.time_extensions.give(
        game.id, interaction.user.id, receiver_id, amount, interaction.id
    )
    client.publisher.wake()
    words = t("gift.done", player=seat_names(game)[gift.seat], amount=span_words(timedelta(milliseconds=gift.amount)))
    await interaction.edit_original_response(view=notice(words))


async def press_later(interaction: Interaction, key: Key) -> None:
    """Remind the player again in as many hours as the button says; without a number show the panel that asks."""
    game = await admitted(interaction, key.ref)
    if key.argument:
        await _remind(interaction, game, key.revision, number_of(key))
        return
    check_turn(game, interaction.user.id, key.revision)
    await interaction.edit_original_response(view=later_panel(game))


async def press_hush(interaction: Interaction, key: Key) -> None:
    """Stop reminding the player of this turn."""
    await _stop_reminding(interaction, await admitted(interaction, key.ref), key.revision)


async def _remind(interaction: Interaction, game: Game, revision: int | None, hours: int) -> None:
    """Schedule a reminder in some hours, and confirm it. If ``revision`` is None, it is about the present one."""
    due_at = await interaction.client.host.turn_reminders.remind_in(game, interaction.user.id, revision, hours)
    await tell(interaction, t("calls.remind", name=game.name, code=game.code, at=int(due_at.timestamp())))


async def _stop_reminding(interaction: Interaction, game: Game, revision: int | None) -> None:
    """Stop the reminders of this turn, and confirm it."""
    await interaction.client.host.turn_reminders.mute(game, interaction.user.id, revision)
    await tell(interaction, t("calls.hushed", name=game.name, code=game.code))


async def _keep(interaction: Interaction, game: Game) -> None:
    """Keep an idle table open, and tell the player when it would close next."""
    closes = await interaction.client.host.untimed_games.keep(game, interaction.user.id)
    await tell(interaction, t("calls.kept", name=game.name, code=game.code, at=int(closes.timestamp())))


HANDLERS: Final = {
    Op.PAUSE: Handler(Ack.UPDATE, press_pause),
    Op.RESUME: Handler(Ack.PANEL, on_game(_resume_clocks)),
    Op.GIVE: Handler(Ack.UPDATE, press_give),
    Op.LATER: Handler(Ack.PANEL, press_later),
    Op.HUSH: Handler(Ack.PANEL, press_hush),
    Op.KEEP: Handler(Ack.PANEL, on_game(_keep)),
}
