"""Fixtures of the whole games; what the members were told last stands beside whatever failed."""

from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from zlib import crc32

import pytest

from cogs.texts.languages import offered
from tests.discord_limits.recorder import Recorder
from tests.e2e import told
from tests.e2e.pictures import draw_nothing, draw_seldom
from tests.e2e.plain import unsaid
from tests.e2e.table import Table, seated
from tests.e2e.tongue import all_speak


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Nothing has been told yet."""
    told.forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the newest messages to the report of a failure."""
    report = yield
    if report.failed and (messages := told.newest_messages()):
        report.sections.append(("Newest messages", messages))
    return report


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one pixel."""
    draw_nothing(monkeypatch)


@pytest.fixture
def seldom_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One picture in six is drawn, of each kind the first; the others are one pixel."""
    draw_seldom(monkeypatch, every=6)


@pytest.fixture
def drawn_language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language in which everybody's Discord is, and that of their tables: drawn from the test's name."""
    codes = [language.code for language in offered()]
    code = codes[crc32(request.node.nodeid.encode()) % len(codes)]
    with all_speak(code, "en-US" if code == "en" else code):
        yield code


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Six members in a channel where nothing is played yet; whatever is sent must keep Discord's limits."""
    async with seated(tmp_path / "games.sqlite3", seed="one") as table:
        yield table
    assert [*recorder.problems(), *unsaid(recorder)] == []
