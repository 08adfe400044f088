"""The log line of a failed interaction names command or button, game, server, user and reference.

Two functions of the host are replaced by one that raises, as a bug would. The reference is the code that the member
sees in the error message.
"""

import logging
import re
from pathlib import Path

import pytest

from operations.logs import Formatter
from tests.e2e.screen import localized
from tests.e2e.table import open_table

pytestmark = [pytest.mark.logs_errors, pytest.mark.usefixtures("random_language")]


async def test_the_log_line_of_an_error_names_interaction_and_game(
    tmp_path: Path, no_drawing: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        """Fail as a bug would."""
        raise RuntimeError("a bug of ours")

    async with open_table(tmp_path / "games.sqlite3") as table:
        await table.start(2)
        code, ana = table.stored().code, table.actors[0]
        card = table.card()
        monkeypatch.setattr("host.games.reader.copy_table", broken)
        monkeypatch.setattr("host.games.moves.check_going_on", broken)  # called regardless of whose turn it is
        logs: list[str] = []
        for request in ("carc log", "carc log game", "button"):
            caplog.clear()
            if request == "button":
                await ana.click(card.handle, label=localized("button.play"))
            elif request.endswith("game"):
                await ana.slash(table.channel, "carc log", game=code)
            else:
                await ana.slash(table.place, "carc log")
            (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
            logs.append(Formatter().format(record).splitlines()[0])
    for text in logs:
        assert re.search(rf" game={code} ply=0 server=\d+ interaction=\d+ reference=[0-9A-F]{{8}} ", text)
        assert f"user={ana.id}" in text
    assert 'command="carc log"' in logs[0]
    assert 'command="carc log"' in logs[1]
    assert f"pressed=c1:play:{code}:0:" in logs[2]
    assert 'event="unexpected error' in logs[0]
