"""Notices of closing lobbies: temporary failures are retried, permanent ones count as sent."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from cogs.background import tasks
from cogs.background.tasks import GameCleanup
from cogs.services.bot import BotServices
from host import ClosingNotice


class Lobbies:
    """A fake service that records the notices that count as sent."""

    def __init__(self) -> None:
        self.known: list[ClosingNotice] = []

    async def told(self, notice: ClosingNotice) -> None:
        self.known.append(notice)


@pytest.mark.parametrize(
    ("status", "later"), [(401, True), (429, True), (500, True), (503, True), (400, False), (403, False), (404, False)]
)
async def test_a_refused_notice_is_retried_only_after_temporary_errors(
    monkeypatch: pytest.MonkeyPatch, *, status: int, later: bool
) -> None:
    """An invalid token refuses all requests, possibly for a minute only: no notice is lost to that."""
    lobbies = Lobbies()
    bot = cast("BotServices", SimpleNamespace(host=SimpleNamespace(lobbies=lobbies)))
    looks_after = GameCleanup(bot)

    async def refuse(_: object) -> None:
        raise discord.HTTPException(cast("Any", SimpleNamespace(status=status, reason="")), "refused")

    async def shown(*_: object) -> None:
        return

    monkeypatch.setattr(looks_after, "_post_closing", refuse)
    monkeypatch.setattr(tasks, "show_lobby", shown)
    notice = cast("ClosingNotice", SimpleNamespace(lobby=SimpleNamespace(id=1)))
    assert await looks_after._send_notice(notice) is not later
    assert lobbies.known == ([] if later else [notice])
