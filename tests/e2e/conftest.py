"""Fixtures of the end-to-end tests; the report of a failed test contains the newest messages.

Each test that takes `table` has six members, Ana to Finn, in one channel of an offline Discord with the real bot.
`random_language` gives their clients a locale that depends on the test's name.
"""

import logging
from collections.abc import AsyncIterator, Generator, Iterator
from datetime import timedelta
from pathlib import Path
from zlib import crc32

import pytest
from structlog.contextvars import get_contextvars

from cogs.texts.languages import offered_languages
from tests.discord_limits.recorder import Recorder
from tests.e2e import message_log
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.event_table import EventTable
from tests.e2e.locales import use_locale
from tests.e2e.pictures import draw_every_nth, stub_pictures
from tests.e2e.table import Table, open_table


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the messages of the previous test."""
    message_log.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the newest messages to the report of a failure."""
    report = yield
    if report.failed and (messages := message_log.newest_messages()):
        report.sections.append(("Newest messages", messages))
    return report


class IncompleteLines(logging.Handler):
    """A log handler that collects lines which lack the ply of their game or the reference of their interaction."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Check the bound variables and the fields of one line."""
        bound = get_contextvars()
        fields = {**bound, **vars(record)}
        required = {"ply"} if "game" in fields and "revision" not in fields else set()
        if bound or record.name.startswith("cogs"):  # otherwise a test called the host directly, without an interaction
            required |= {"reference"} if fields.keys() & {"game", "interaction"} else set()
        if required - fields.keys():
            about = f"game {fields.get('game')}, {fields.get('command')}"
            self.lines.append(f"{record.name}: {record.getMessage()}, {about}")


@pytest.fixture(autouse=True)
def _complete_log_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which a line about a game lacks its ply, or a line caused by an interaction its reference.

    A ply is the number of actions in a game so far. Before a press has read its game, it logs the revision of its
    button in place of the ply.
    """
    handler, loggers = IncompleteLines(), [logging.getLogger(name) for name in ("cogs", "host")]
    for logger in loggers:
        monkeypatch.setattr(logger, "handlers", [handler])
        logger.setLevel(logging.INFO)
    yield
    for logger in loggers:
        logger.setLevel(logging.NOTSET)
    assert handler.lines == []


@pytest.fixture
def all_posts_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every post of a finished game: its last card deletes those that are older than a minute, by the wall clock.

    On a busy machine a whole game takes longer than that.
    """
    monkeypatch.setattr("host.games.outbox.FOLLOW_UP_PERIOD", timedelta(days=1))


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace every picture by one pixel."""
    stub_pictures(monkeypatch)


@pytest.fixture
def seldom_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the first picture of each kind and then every sixth; replace the others by one pixel."""
    draw_every_nth(monkeypatch, every=6)


@pytest.fixture
def random_language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Set the locale of all members, and so of their tables, to a language chosen by the test's name."""
    codes = [language.code for language in offered_languages()]
    code = codes[crc32(request.node.nodeid.encode()) % len(codes)]
    with use_locale(code, "en-US" if code == "en" else code):
        yield code


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield six members in a channel without games; all requests have to keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        yield table
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


@pytest.fixture
async def event(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[EventTable]:
    """Yield a table whose last member manages the server and can plan an event."""
    monkeypatch.setattr("host.events.log.GAME_CREATION_SPACING", timedelta(0))
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        yield EventTable(table)
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []
