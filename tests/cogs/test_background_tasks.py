"""Background tasks: their failures are logged as errors, except database outages, which the store logs itself.

Such a task runs beside the answers to members, so nobody awaits its result. `UnavailableError` means that the
database does not answer.
"""

from __future__ import annotations

import asyncio
import logging

import pytest

from cogs.services.sessions import BackgroundTasks
from store import UnavailableError

log = logging.getLogger("cogs.test_background_tasks")


@pytest.mark.parametrize(("error", "level"), [(KeyError("x"), "ERROR"), (UnavailableError("away"), "DEBUG")])
async def test_a_failure_is_logged_with_the_name_of_the_task(
    caplog: pytest.LogCaptureFixture, error: Exception, level: str
) -> None:
    async def fail() -> None:
        """Fail with the error of this case."""
        raise error

    background = BackgroundTasks(log)
    with caplog.at_level(logging.DEBUG, logger=log.name):
        background.start(fail(), "review")
        await asyncio.sleep(0.01)
    (record,) = [record for record in caplog.records if record.name == log.name]
    assert (record.levelname, vars(record)["task"]) == (level, "review")
    assert not background.running


async def test_a_cancelled_task_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    background = BackgroundTasks(log)
    background.start(asyncio.sleep(60), "sleep")
    await asyncio.sleep(0)
    await background.cancel()
    assert not [record for record in caplog.records if record.name == log.name]
    assert not background.running
