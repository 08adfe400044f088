"""A stop of the bot waits for running answers, up to a timeout."""

import asyncio

import pytest

from cogs.services import sessions as module
from cogs.services.sessions import Answering


async def test_a_stop_without_running_answers_does_not_wait() -> None:
    async with asyncio.timeout(1):
        await Answering().finish()


async def test_a_stop_waits_for_running_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    answering, done = Answering(), list[str]()

    async def answer(name: str, until: asyncio.Event) -> None:
        answering.begin()
        answering.begin()
        await until.wait()
        done.append(name)

    soon, never = asyncio.Event(), asyncio.Event()
    quick, slow = asyncio.create_task(answer("quick", soon)), asyncio.create_task(answer("slow", never))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(soon.set)
    monkeypatch.setattr(module, "STOP_SECONDS", 0.05)
    await answering.finish()
    assert (done, slow.done()) == (["quick"], False)
    never.set()
    monkeypatch.setattr(module, "STOP_SECONDS", 60.0)
    await answering.finish()
    assert (done, slow.done()) == (["quick", "slow"], True)
    async with asyncio.timeout(1):
        await answering.finish()
    await quick
