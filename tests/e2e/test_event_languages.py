"""The language of an event and its games: the planner's, unless the server has set one.

The planner's Discord is in the pseudo-language, whose texts stand in brackets; so a bracket shows that a text is in
the planner's language.
"""

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
from tests.e2e.test_who_reads_what import is_in_pseudo_language
from tests.pseudo_language import PSEUDO_CODE, PSEUDO_LOCALE, install_pseudo_language

pytestmark = pytest.mark.long


@pytest.fixture
async def cup(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[EventTable]:
    """Yield an event whose planner uses the pseudo-language; all players use English."""
    monkeypatch.setattr("host.events.log.GAME_CREATION_SPACING", timedelta(0))
    locales: dict[int, str] = {}
    with install_pseudo_language(), use_locale(LANGUAGE, "en-GB", others=locales):
        async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
            cup = EventTable(table)
            locales[cup.organiser.id] = PSEUDO_LOCALE
            yield cup
    assert recorder.problems() == []


async def start_event(cup: EventTable) -> list[str]:
    """Let four members enter and start the event; return the messages of the games' threads."""
    for actor in cup.table.actors[:4]:
        await cup.send_command(actor, "join", event=cup.code)
    await cup.send_command(cup.organiser, "manage do", what="start", event=cup.code)
    await cup.settle()
    return [
        str(message.components)
        for thread in cup.table.channel.threads
        for message in cup.table.env.backend.messages[thread.id].values()
        if message.components
    ]


async def test_an_event_uses_the_language_of_its_planner(cup: EventTable) -> None:
    await open_event(cup, "duel-weekend", rounds="1", best_of="1", pace="live")
    assert (await cup.host.events.reader.view(cup.code)).plan.language == PSEUDO_CODE
    games = await start_event(cup)
    assert games
    assert cup.public_texts
    assert all(map(is_in_pseudo_language, [*games, *cup.public_texts]))
    assert not is_in_pseudo_language(
        await cup.send_command(cup.table.actors[0], "show", page="standings", event=cup.code)
    ), "its reader's language"


async def test_a_member_with_an_unsupported_locale_reads_the_language_of_the_event(cup: EventTable) -> None:
    await open_event(cup, "duel-weekend", rounds="1", best_of="1", pace="live")
    ana = cup.table.actors[0]
    with use_locale(LANGUAGE, "pt-BR"):
        assert is_in_pseudo_language(await cup.send_command(ana, "show", page="rules", event=cup.code))
        assert is_in_pseudo_language(
            await cup.press(ana, cup.messages[-1], texts.catalogue(PSEUDO_CODE).filled("button.join", {}))
        )
        assert not is_in_pseudo_language(await cup.send_command(ana, "list"))


async def test_the_organisers_can_change_the_language_until_the_start(cup: EventTable) -> None:
    await open_event(cup, "duel-weekend", rounds="1", best_of="1", pace="live", language=LANGUAGE)
    games = await start_event(cup)
    assert games
    assert not any(map(is_in_pseudo_language, [*games, *cup.public_texts]))
    await cup.send_command(cup.organiser, "manage set", what="language", value=PSEUDO_CODE, event=cup.code)
    assert (await cup.host.events.reader.view(cup.code)).plan.language == LANGUAGE, "frozen"
