"""A tournament through Discord: planned, announced, signed up by buttons, played in threads, to the podium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord

from cogs.texts import t
from tests.discord_limits.recorder import Recorder
from tests.e2e.table import Table, seated
from tests.e2e.test_manage import with_role

pytestmark = pytest.mark.long


class Cup:
    """An event in the channel of a table; the last of its members manages the server."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.code = ""
        self.numbers = count(10**15)
        """Of interactions."""
        self.boss = with_role(table, 5, discord.Permissions(manage_threads=True))

    @property
    def host(self) -> Any:
        return self.table.bot.host

    async def settle(self, rounds: int = 8) -> None:
        """Let the bot do all that is due, as its loops would."""
        for _ in range(rounds):
            await self.host.sweep.work()
            await self.table.bot.event_publisher.work()
            self.table.bot.publisher.wake()
            await self.table.env.settle()
            await self.table.env.advance_time(3)

    @property
    def messages(self) -> list[simcord.ResponseMessage]:
        """What everybody sees in the channel, oldest first."""
        stored = self.table.env.backend.messages.get(self.table.channel.id, {}).values()
        return [
            simcord.ResponseMessage(self.table.env, message)
            for message in stored
            if message.visible_to(None) and message.components
        ]

    @property
    def said(self) -> list[str]:
        """Their words."""
        return [str(message.components) for message in self.messages]

    def with_words(self, words: str) -> simcord.ResponseMessage:
        return next(message for message in reversed(self.messages) if words in str(message.components))

    async def typed(self, actor: simcord.MemberActor, command: str, **values: Any) -> str:
        """The private answer to a command."""
        result = await actor.slash(self.table.channel, f"tourney {command}", **values)
        assert result.response is not None
        assert result.response.ephemeral
        return str(result.response.components)

    async def press(self, actor: simcord.MemberActor, message: simcord.ResponseMessage, label: str) -> str:
        """The private answer to a button."""
        result = await actor.click(message, label=label)
        answer = result.followups[-1] if result.followups else result.response
        return "" if answer is None else str(answer.components)

    async def play_all(self) -> int:
        """In every game that runs, whoever sits second leaves it; how many there were."""
        played = 0
        for table in (await self.host.events.round(self.code)).tables:
            if table.game_id is None or table.outcome is not None:
                continue
            game = await self.host.game(table.code)
            for person in game.seats[1:]:
                await self.host.resign(table.code, person.user_id, next(self.numbers))
            played += 1
        return played


@pytest.fixture
async def event(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Cup]:
    monkeypatch.setattr("host.events.happening.PACED", timedelta(0))
    async with seated(tmp_path / "games.sqlite3", seed="one") as table:
        yield Cup(table)
    assert recorder.problems() == []


async def open_event(event: Cup, profile: str, **values: str) -> None:
    """Create an event, choose values, and open sign-up."""
    await event.typed(event.boss, "create", name="Autumn Cup", profile=profile)
    listed = await event.host.events.view(await newest(event))
    event.code = listed.code
    for what, value in values.items():
        await event.typed(event.boss, "manage set", what=what, value=value, event=event.code)
    await event.typed(event.boss, "manage do", what="announce", event=event.code)
    await event.settle(2)


async def newest(event: Cup) -> int:
    return 1


async def test_from_planning_to_the_podium(event: Cup) -> None:
    await open_event(event, "duel-weekend", rounds="2", pace="live")
    card = event.with_words("Autumn Cup")
    players = event.table.actors[:4]
    for actor in players:
        assert "You are in" in await event.press(actor, card, t("button.join"))
    assert "already" in await event.press(players[0], card, t("button.join"))  # a second press changes nothing
    await event.settle(1)
    assert "Entered (4 of 256)" in str(event.with_words("Autumn Cup").components)
    assert "organisers" in await event.typed(players[0], "manage do", what="checkin", event=event.code)
    await event.typed(event.boss, "manage do", what="checkin", event=event.code)
    await event.settle(2)
    asked = event.with_words("check-in")
    for actor in players:
        assert "checked in" in await event.press(actor, asked, t("event.button.check_in"))
    await event.table.restart()
    await event.typed(event.boss, "manage do", what="start", event=event.code)
    await event.settle()
    assert any("has begun" in words for words in event.said)
    assert len(event.table.channel.threads) == 2
    assert await event.play_all() == 2
    await event.settle()
    assert any("is over" in words and "1." in words for words in event.said)
    await event.table.restart()
    await event.settle()
    assert await event.play_all() == 2
    await event.settle()
    assert len(event.table.channel.threads) == 4
    assert "🥇" in event.said[-1] or any("🥇" in words for words in event.said)
    assert "Standings" in str(event.messages[0].components)
    assert "1." in await event.typed(players[0], "standings", event=event.code)
    assert "before" in await event.typed(players[0], "explain", player=players[0], other=players[1], event=event.code)
    assert "created" in await event.typed(players[0], "audit", event=event.code)
    assert "CSV" in await event.typed(players[0], "export", event=event.code)
