"""An event in a channel of the offline Discord, with its organiser and the members who enter it.

An event is a tournament. Simcord's clock stands still, so `settle` runs the bot's periodic work and advances the
clock.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import discord
import simcord

from tests.e2e.table import Table, give_role


class EventTable:
    """A table with an event in its channel; the last member manages the server."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.code = ""
        self.numbers = count(10**15)
        """Unique interaction ids."""
        self.organiser = give_role(table, 5, discord.Permissions(manage_threads=True))

    @property
    def host(self) -> Any:
        """The host of the bot."""
        return self.table.bot.host

    async def settle(self, rounds: int = 8) -> None:
        """Run the bot's periodic work several times, as its loops would."""
        for _ in range(rounds):
            await self.host.timer_dispatcher.work()
            await self.table.bot.event_publisher.work()
            self.table.bot.publisher.wake()
            await self.table.env.settle()
            if self.table.bot.publisher.queue.worker is not None:  # simcord does not wait for the publisher's threads
                await self.table.bot.publisher.queue.worker
            await self.table.env.advance_time(3)

    @property
    def messages(self) -> list[simcord.ResponseMessage]:
        """The public messages of the channel, oldest first."""
        stored = self.table.env.backend.messages.get(self.table.channel.id, {}).values()
        return [
            simcord.ResponseMessage(self.table.env, message)
            for message in stored
            if message.visible_to(None) and message.components
        ]

    @property
    def public_texts(self) -> list[str]:
        """The public messages as strings of their components."""
        return [str(message.components) for message in self.messages]

    def find_message(self, words: str) -> simcord.ResponseMessage:
        """Return the newest public message that contains these words."""
        return next(message for message in reversed(self.messages) if words in str(message.components))

    async def send_command(self, actor: simcord.MemberActor, command: str, **values: Any) -> str:
        """Send a `/tourney` command and return its private answer."""
        result = await actor.slash(self.table.channel, f"tourney {command}", **values)
        assert result.response is not None
        assert result.response.ephemeral
        return str(result.response.components)

    async def press(self, actor: simcord.MemberActor, message: simcord.ResponseMessage, label: str) -> str:
        """Press a button and return the answer; empty if there is none."""
        result = await actor.click(message, label=label)
        answer = result.followups[-1] if result.followups else result.response
        return "" if answer is None else str(answer.components)

    async def play_all(self) -> int:
        """End every running game by resigning all players but the first; return the number of games."""
        played = 0
        for table in (await self.host.events.reader.round(self.code)).tables:
            if table.game_id is None or table.outcome is not None:
                continue
            game = await self.host.games.get(table.code)
            for person in game.seats[1:]:
                await self.host.moves.resign(table.code, person.user_id, next(self.numbers))
            played += 1
        return played


async def open_event(event: EventTable, profile: str, **values: str) -> None:
    """Create an event, set values, and open sign-up."""
    await event.send_command(event.organiser, "create", name="Autumn Cup", profile=profile)
    event.code = (await event.host.events.reader.view(1)).code  # the first event has id 1
    for setting, value in values.items():
        await event.send_command(event.organiser, "manage set", what=setting, value=value, event=event.code)
    await event.send_command(event.organiser, "manage do", what="announce", event=event.code)
    await event.settle(2)
