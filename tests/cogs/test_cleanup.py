"""Notices that an inactive lobby will be closed: temporary failures are retried, permanent ones count as sent.

A lobby is a table whose game has not started. A notice is sent to its channel before it is closed; a temporary
failure is a status such as 503, a permanent one such as 403.
"""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from cogs.background import tasks
from cogs.background.tasks import GameCleanup
from cogs.services.bot import BotServices
from host import ClosingNotice


class FakeLobbies:
    """A fake service that records the notices that count as sent."""

    def __init__(self) -> None:
        self.notices_sent: list[ClosingNotice] = []

    async def record_notice(self, notice: ClosingNotice) -> None:
        """Record a notice as sent."""
        self.notices_sent.append(notice)


@pytest.mark.parametrize(
    ("status", "retried"),
    [(401, True), (429, True), (500, True), (503, True), (400, False), (403, False), (404, False)],
)
async def test_a_refused_notice_is_retried_only_after_temporary_errors(
    monkeypatch: pytest.MonkeyPatch, *, status: int, retried: bool
) -> None:
    """An invalid token refuses all requests, possibly for a minute only: no notice is lost to that."""
    lobbies = FakeLobbies()
    bot = cast("BotServices", SimpleNamespace(host=SimpleNamespace(lobbies=lobbies)))
    cleanup = GameCleanup(bot)

    async def refuse(_: object) -> None:
        """Refuse the notice with the status of this case."""
        raise discord.HTTPException(cast("Any", SimpleNamespace(status=status, reason="")), "refused")

    async def show_lobby(*_: object) -> None:
        """Do nothing instead of updating the card."""
        return

    monkeypatch.setattr(cleanup, "_post_closing", refuse)
    monkeypatch.setattr(tasks, "show_lobby", show_lobby)
    notice = cast("ClosingNotice", SimpleNamespace(lobby=SimpleNamespace(id=1)))
    assert await cleanup._send_notice(notice) is not retried
    assert lobbies.notices_sent == ([] if retried else [notice])
