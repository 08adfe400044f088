"""``/carc learn``: the first lesson, a short private game against the computer, and the buttons that only it has.

In a server it is played in a private thread, in direct messages right there. A further lesson takes the same place.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, Final

import discord
from discord import ButtonStyle, ui
from discord.ext import commands

from cogs.commands.play import open_decision
from cogs.commands.slash import command
from cogs.interactions.admission import admitted, person_of
from cogs.interactions.context import forget_snapshot, language_for
from cogs.interactions.replies import button
from cogs.interactions.threads import ARCHIVE_MINUTES, lesson_title, parent_channel_id, permission_words, venue_of
from cogs.messages import layout, notice, rows
from cogs.panels.lessons import AGAIN, ANEW, BACK, LEAVE, LEFT, RECAP, again_button, course_of, recap_words
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handler, Interaction
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import t
from cogs.words.names import table_link
from cogs.words.refusals import RefusedError
from host import Game, Venue, check_playing

_PERMISSIONS: Final = ("create_private_threads", "send_messages_in_threads")
"""The permissions that playing in a private thread needs."""


class LearnCommands(commands.Cog):
    """``/carc learn``."""

    @command("learn", direct=True)
    async def learn(self, interaction: Interaction) -> None:
        """Begin the lesson, or show the way to the running one."""
        running = await interaction.client.host.lessons.running(interaction.user.id)
        if running is None:
            await _begin(interaction)
        else:
            await _show(interaction, running, "lesson.running", again_button(running, ANEW))


async def press_lesson(interaction: Interaction, key: Key) -> None:
    """Do what a button of a lesson says, for its learner alone.

    Raises:
        HostError: ``not_a_player``, and as for a move.
        RefusedError: ``unknown_button``; ``other_lesson`` for somebody else; and as for ``/carc learn``.
    """
    game = await admitted(interaction, key.ref)
    press = _PRESSES.get(key.argument)
    if press is None or not game.settings.lesson:
        raise RefusedError("unknown_button")
    if game.seat_of(interaction.user.id) is None:
        raise RefusedError("other_lesson")
    await press(interaction, key, game)


async def _take_back(interaction: Interaction, key: Key, game: Game) -> None:
    """Undo the learner's last decision, and what the computer did after it; then let them decide anew."""
    client = interaction.client
    await client.host.undo.request(game.code, interaction.user.id, key.revision, interaction.id)
    client.publisher.wake()
    forget_snapshot(interaction)
    await open_decision(interaction, game.code)


async def _ask_to_leave(interaction: Interaction, _: Key, game: Game) -> None:
    """Ask the learner to confirm that they leave."""
    check_playing(game, interaction.user.id)
    label = t("button.leave_lesson")
    leave = button(Op.LESSON, game.code, game.revision, label, argument=LEFT, style=ButtonStyle.danger)
    await interaction.edit_original_response(view=layout(t("lesson.leave"), rows([leave])))


async def _leave(interaction: Interaction, _: Key, game: Game) -> None:
    """End the lesson; its last card offers another one."""
    await _give_up(interaction, game)
    await interaction.edit_original_response(view=notice(t("lesson.left")))


async def _give_up(interaction: Interaction, game: Game) -> None:
    """Let the learner resign, which ends the lesson."""
    client = interaction.client
    outcome = await client.host.moves.resign(game.code, interaction.user.id, interaction.id)
    forget_snapshot(interaction)
    client.publisher.move_made(outcome)


async def _recall(interaction: Interaction, _: Key, game: Game) -> None:
    """Show what the lesson has taught so far."""
    table = await interaction.client.host.games.table(game.id)
    presenter = interaction.client.presenters[table.position.setup.game]
    course = await asyncio.to_thread(course_of, presenter, table.position.setup, table.log)
    await interaction.edit_original_response(view=notice(recap_words(course)))


async def _begin_anew(interaction: Interaction, _: Key, game: Game) -> None:
    """Begin another lesson in place of this one."""
    await _begin(interaction, instead_of=game)


async def _begin_again(interaction: Interaction, _: Key, __: Game) -> None:
    """Begin another lesson after this one."""
    await _begin(interaction)


async def _begin(interaction: Interaction, *, instead_of: Game | None = None) -> None:
    """Open the place of a lesson, and begin it there, ``instead_of`` the running one; show the way to it.

    Raises:
        HostError: as for :meth:`host.lessons.Lessons.check`.
        RefusedError: ``no_lesson_thread``, ``no_lesson_messages``: the bot can open no place for it.
    """
    client, person, venue = interaction.client, person_of(interaction), _venue(interaction)
    lessons = client.host.lessons
    async with client.lesson_starts.setdefault(person.user_id, asyncio.Lock()):
        running = await lessons.running(person.user_id)
        if running is not None and (instead_of is None or running.id != instead_of.id):  # it was pressed twice
            await _show(interaction, running, "lesson.running")
            return
        await lessons.check(person.user_id, venue)
        thread_id = None if interaction.guild_id is None else await _thread(interaction)
        if thread_id is None:
            await _greet(interaction)
        if running is not None:
            await _give_up(interaction, running)
        game = await lessons.begin(person, venue, language_for(interaction), thread_id=thread_id)
    client.publisher.wake()
    await _show(interaction, game, "lesson.begun")


def _venue(interaction: Interaction) -> Venue:
    """Return the channel of a lesson: that of the interaction, or of its thread."""
    channel = interaction.channel
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    return replace(venue_of(parent, parent_channel_id(interaction)), guild_id=interaction.guild_id)


async def _thread(interaction: Interaction) -> int:
    """Return the thread for a lesson: that of the learner's lesson before, if this is it, or a new private one.

    Raises:
        RefusedError: ``no_lesson_thread``.
    """
    user, channel = interaction.user, interaction.channel
    before = await interaction.client.host.game_lists.in_channel(interaction.channel_id or 0)
    if before is not None and before.settings.lesson and before.thread_id == interaction.channel_id:
        return before.place
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    refusal = RefusedError("no_lesson_thread", permissions=permission_words(_PERMISSIONS))
    if not isinstance(parent, discord.TextChannel):
        raise refusal
    name = lesson_title(person_of(interaction))
    try:
        thread = await parent.create_thread(
            name=name, type=discord.ChannelType.private_thread, auto_archive_duration=ARCHIVE_MINUTES, invitable=False
        )
        await thread.add_user(user)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        raise refusal from error
    return thread.id


async def _greet(interaction: Interaction) -> None:
    """Write to the learner directly, before a lesson is begun that could not reach them.

    Raises:
        RefusedError: ``no_lesson_messages``.
    """
    channel = interaction.client.get_partial_messageable(interaction.channel_id or 0)
    try:
        await channel.send(view=notice(t("lesson.greeting")))
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        raise RefusedError("no_lesson_messages") from error


async def _show(interaction: Interaction, game: Game, key: str, *buttons: ui.Item[Any]) -> None:
    """Tell the learner about their lesson, with a link to it and these buttons."""
    url = await table_link(interaction.client.host, game)
    link: ui.Item[Any] = ui.Button(style=ButtonStyle.link, label=t("button.to_lesson"), url=url)
    await interaction.edit_original_response(view=notice(t(key), *rows([link, *buttons])))


_PRESSES: Final = {
    BACK: _take_back,
    LEAVE: _ask_to_leave,
    LEFT: _leave,
    ANEW: _begin_anew,
    AGAIN: _begin_again,
    RECAP: _recall,
}
"""The functions behind the buttons of a lesson, by their argument."""
HANDLERS: Final = {Op.LESSON: Handler(Ack.PANEL, press_lesson)}
