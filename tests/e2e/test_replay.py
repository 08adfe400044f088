"""Replays of finished games.

A replay is an animated picture of a whole game, drawn from its log. The pictures are real here.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.interactions.admission import PostedMessage, cards_of
from cogs.presenting.ids import Key, Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.fast_forward import create_game
from tests.e2e.screen import alt_texts, buttons, localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder) -> AsyncIterator[Table]:
    """Yield members in a channel, with real pictures."""
    async with open_table(tmp_path / "games.sqlite3", seed="film") as table:
        yield table
    assert recorder.problems() == []


async def test_a_finished_game_is_replayed(table: Table) -> None:
    game = await create_game(table, 2)
    code = game.code
    ana = table.actors[0]
    running = await ana.slash(table.channel, "carc replay", game=code)
    answers = [message for message in (running.response, *running.followups) if message is not None]
    assert localized("refusal.replay_running", name=game.name, code=code) in words(answers[-1].components)

    await table.bot.host.moves.resign(code, table.stored().seats[0], 4242)
    table.bot.publisher.wake()
    worker = table.bot.publisher.queue.worker
    assert worker is not None
    await worker
    final = table.card()
    shown = await table.press(ana.id, final, str(Key(Op.REPLAY, code, table.stored().ply)))
    assert shown.handle.attachments[0].filename == "replay.gif"
    title = localized("replay.title", name=game.name, code=code)
    result = localized("card.won", players=table.stored().names[1], count=1)
    assert f"{title}\n{result}" in words(shown.components)

    custom_ids = {button.label: button.custom_id for button in buttons(shown.components)}
    begun = await table.press(ana.id, shown, custom_ids[localized("button.step_by_step")])
    assert begun.handle.ephemeral
    assert localized("step.beginning", count=1).partition(" · ")[0] in words(begun.components)
    assert all(alt_texts(begun.components))
    answer = await table.press(ana.id, shown, custom_ids[localized("button.tell")])
    assert localized("tell.part.since") in words(answer.components)

    ben = table.actors[1]  # Ana has used up her rate limit for replays
    await ben.slash(table.channel, "carc replay", game=code, share=True)
    film = table.card()
    assert film.handle.attachments[0].filename == "replay.gif"
    ids = tuple(button.custom_id for button in buttons(film.components))
    assert not cards_of(code, [PostedMessage(film.handle, ids)])
