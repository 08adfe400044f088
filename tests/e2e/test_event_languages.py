"""In which language an event is told: that of who plans it, where the server says none; its games, too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from cogs import texts
from cogs.texts import LANGUAGE
from tests.discord_limits.recorder import Recorder
from tests.e2e.event_table import EventTable, open_event
from tests.e2e.locales import use_locale
from tests.e2e.table import open_table
from tests.e2e.test_who_reads_what import is_sixth
from tests.sixth import CODE, LOCALE, with_sixth

pytestmark = pytest.mark.long


@pytest.fixture
async def cup(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[EventTable]:
    """An event planned by somebody whose Discord is in the sixth language, unlike that of those who play."""
    monkeypatch.setattr("host.events.log.PACED", timedelta(0))
    locales: dict[int, str] = {}
    with with_sixth(), use_locale(LANGUAGE, "en-GB", others=locales):
        async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
            cup = EventTable(table)
            locales[cup.boss.id] = LOCALE
            yield cup
    assert recorder.problems() == []


async def begun(cup: EventTable) -> list[str]:
    """Everybody has entered, and the first round is opened; what the games' threads say."""
    for actor in cup.table.actors[:4]:
        await cup.typed(actor, "join", event=cup.code)
    await cup.typed(cup.boss, "manage do", what="start", event=cup.code)
    await cup.settle()
    return [
        str(message.components)
        for thread in cup.table.channel.threads
        for message in cup.table.env.backend.messages[thread.id].values()
        if message.components
    ]


async def test_an_event_is_told_in_the_language_of_who_plans_it(cup: EventTable) -> None:
    await open_event(cup, "duel-weekend", rounds="1", best_of="1", pace="live")
    assert (await cup.host.events.reader.view(cup.code)).plan.language == CODE
    games = await begun(cup)
    assert games
    assert cup.said
    assert all(map(is_sixth, [*games, *cup.said]))
    assert not is_sixth(await cup.typed(cup.table.actors[0], "standings", event=cup.code)), "an answer is its reader's"


async def test_who_speaks_none_of_our_languages_reads_that_of_the_event(cup: EventTable) -> None:
    await open_event(cup, "duel-weekend", rounds="1", best_of="1", pace="live")
    ana = cup.table.actors[0]
    with use_locale(LANGUAGE, "pt-BR"):
        assert is_sixth(await cup.typed(ana, "rules", event=cup.code))
        assert is_sixth(await cup.press(ana, cup.messages[-1], texts.catalogue(CODE).text("button.join")))
        assert not is_sixth(await cup.typed(ana, "list"))


async def test_the_organisers_choose_another_one_until_the_start(cup: EventTable) -> None:
    await open_event(cup, "duel-weekend", rounds="1", best_of="1", pace="live", language=LANGUAGE)
    games = await begun(cup)
    assert games
    assert not any(map(is_sixth, [*games, *cup.said]))
    await cup.typed(cup.boss, "manage set", what="language", value=CODE, event=cup.code)
    assert (await cup.host.events.reader.view(cup.code)).plan.language == LANGUAGE, "frozen"
