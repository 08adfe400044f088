"""A stopping bot waits for the answers in progress, up to a timeout.

An answer is everything that the bot does about one interaction; ``Answering`` counts those in progress.
"""

import asyncio

import pytest

from cogs.services import sessions as module
from cogs.services.sessions import Answering


async def test_a_stop_without_answers_in_progress_does_not_wait() -> None:
    async with asyncio.timeout(1):
        await Answering().finish()


async def test_a_stop_waits_for_answers_until_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    answering, finished = Answering(), list[str]()

    async def answer(name: str, allowed: asyncio.Event) -> None:
        answering.begin()
        answering.begin()
        await allowed.wait()
        finished.append(name)

    may_finish, stuck = asyncio.Event(), asyncio.Event()
    quick, slow = asyncio.create_task(answer("quick", may_finish)), asyncio.create_task(answer("slow", stuck))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(may_finish.set)
    monkeypatch.setattr(module, "STOP_SECONDS", 0.05)
    await answering.finish()
    assert (finished, slow.done()) == (["quick"], False)
    stuck.set()
    monkeypatch.setattr(module, "STOP_SECONDS", 60.0)
    await answering.finish()
    assert (finished, slow.done()) == (["quick", "slow"], True)
    async with asyncio.timeout(1):
        await answering.finish()
    await quick
