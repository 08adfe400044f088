"""Work that nobody waits for: what ends it stands in the log, and an outage of the database is said by itself."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cogs.services.aside import Aside
from store import UnavailableError

log = logging.getLogger("cogs.test_aside")


@pytest.mark.parametrize(("error", "level"), [(KeyError("x"), "ERROR"), (UnavailableError("away"), "DEBUG")])
async def test_a_failure_is_logged_with_the_name_of_the_task(
    caplog: pytest.LogCaptureFixture, error: Exception, level: str
) -> None:
    async def fails() -> None:
        raise error

    aside = Aside(log)
    with caplog.at_level(logging.DEBUG, logger=log.name):
        aside.begin(fails(), "review")
        await asyncio.sleep(0.01)
    (record,) = [record for record in caplog.records if record.name == log.name]
    assert (record.levelname, vars(record)["task"]) == (level, "review")
    assert not aside.tasks


async def test_what_is_given_up_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    aside = Aside(log)
    aside.begin(asyncio.sleep(60), "sleep")
    await asyncio.sleep(0)
    await aside.drop()
    assert not [record for record in caplog.records if record.name == log.name]
    assert not aside.tasks
