"""Fixtures of the whole games; what the members were told last stands beside whatever failed."""

import logging
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from structlog.contextvars import get_contextvars

from cogs.texts.languages import offered
from tests.discord_limits.recorder import Recorder
from tests.e2e import message_log
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.locales import use_locale
from tests.e2e.pictures import draw_every_nth, stub_pictures
from tests.e2e.table import Table, open_table


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Nothing has been told yet."""
    message_log.forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the newest messages to the report of a failure."""
    report = yield
    if report.failed and (messages := message_log.newest_messages()):
        report.sections.append(("Newest messages", messages))
    return report


class Unsaid(logging.Handler):
    """Notes what is logged of a game, or because of a click, without saying of which."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Look at a line where it is said."""
        bound = get_contextvars()
        said = {**bound, **vars(record)}
        asked = {"ply"} if "game" in said and "revision" not in said else set()
        if bound or record.name.startswith("cogs"):  # else a test has asked the host by itself
            asked |= {"reference"} if said.keys() & {"game", "interaction"} else set()
        if asked - said.keys():
            self.lines.append(f"{record.name}: {record.getMessage()}, game {said.get('game')}, {said.get('command')}")


@pytest.fixture(autouse=True)
def _lines_say_what_they_are_about(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every line about a game has its ply and a reference, and every one that a click has caused has a reference.

    Before anybody has looked where a game stands, a press tells the revision of its button.
    """
    accessibility_problems, ours = Unsaid(), [logging.getLogger(name) for name in ("cogs", "host")]
    for logger in ours:
        monkeypatch.setattr(logger, "handlers", [accessibility_problems])
        logger.setLevel(logging.INFO)
    yield
    for logger in ours:
        logger.setLevel(logging.NOTSET)
    assert accessibility_problems.lines == []


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one pixel."""
    stub_pictures(monkeypatch)


@pytest.fixture
def seldom_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One picture in six is drawn, of each kind the first; the others are one pixel."""
    draw_every_nth(monkeypatch, every=6)


@pytest.fixture
def random_language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language in which everybody's Discord is, and that of their tables: drawn from the test's name."""
    codes = [language.code for language in offered()]
    code = codes[crc32(request.node.nodeid.encode()) % len(codes)]
    with use_locale(code, "en-US" if code == "en" else code):
        yield code


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Six members in a channel where nothing is played yet; whatever is sent must keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        yield table
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []
