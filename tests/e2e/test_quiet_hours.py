"""Quiet hours: the result and the rematch invitation do not ping a player, and are reported once when the hours end.

A player in their quiet hours is mentioned, but Discord is told not to ping them (`allowed_mentions`). They get one
message when the hours end.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cogs.presenting.ids import Op
from host import QUIET_HOURS, TIME_ZONE, Preferences
from host.clock import SystemClock
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import localized, mentioned_users, words
from tests.e2e.table import Table, open_table
from tests.e2e.test_afterlife import lobbies, press, resign_all_but_first

pytestmark = pytest.mark.usefixtures("random_language")


def pinged_users(payload: Any) -> list[int]:
    """Return the ids of the users that a message pings."""
    return sorted(int(user) for user in (payload.get("allowed_mentions") or {}).get("users", ()))


async def run_due_work(table: Table) -> None:
    """Run the timers that are due and publish their posts."""
    await table.bot.host.timer_dispatcher.work()
    table.bot.publisher.wake()
    if table.bot.publisher.queue.worker is not None:
        await table.bot.publisher.queue.worker
    await table.env.settle()


async def test_the_result_and_the_rematch_are_reported_after_the_quiet_hours(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(3)
        stays, awake, asleep = table.stored().seats
        now = datetime.now(UTC)
        hours = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M}"
        await table.bot.host.preferences.set(
            asleep, Preferences().with_choice(QUIET_HOURS, hours).with_choice(TIME_ZONE, "UTC")
        )
        await resign_all_but_first(table)
        result = recorder.requests_to("POST", f"/channels/{table.place.id}/messages")[-1].payload
        assert mentioned_users(table.card().components) == [stays, awake, asleep], "mentioned, but not pinged"
        assert pinged_users(result) == sorted([stays, awake])
        await press(table, stays, Op.REMATCH)
        assert pinged_users(recorder.requests_to("POST", f"/channels/{table.channel.id}/messages")[-1].payload) == [
            awake
        ]
        await run_due_work(table)
        final = table.card()
        await table.restart()
        later = timedelta(minutes=61)
        monkeypatch.setattr(SystemClock, "now", lambda _: (datetime.now(UTC) + later).replace(microsecond=0))
        for _ in range(2):
            await run_due_work(table)
        news = table.card()
        (notification,) = [
            request.payload
            for request in recorder.requests_to("POST", f"/channels/{table.place.id}/messages")
            if localized("news.title", player=f"<@{asleep}>", name="|", code="|").split("|")[0] in str(request.payload)
        ]
        assert pinged_users(notification) == [asleep]
        lobby = lobbies(table)[-1]
        for key, place, message in (
            ("news.result", table.place, final.handle),
            ("news.rematch", table.channel, lobby.handle),
        ):
            link = f"https://discord.com/channels/{table.channel.guild.id}/{place.id}/{message.id}"
            assert localized(key, link=link) in words(news.components)
    assert recorder.problems() == []
