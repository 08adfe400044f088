"""The table in words: ``/carc board words:`` and [In Words], for players and onlookers.

*In Words* is a panel that describes the table as text, in parts: the last moves, a cell and its neighbours, the
scores, and so on.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from cogs.games.carcassonne.words import tile_aloud, tile_words
from cogs.presenting.ids import Key, Op
from cogs.texts.languages import speaking
from cogs.words.names import capital
from cogs.words.story import SPEECH_LIMIT
from cogs.words.telling import AROUND, OVERVIEW, TILES
from engine import hints_on
from engine.carcassonne import tile
from tests.discord_limits.recorder import Recorder
from tests.e2e.locales import use_locale
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import MemberLanguage, buttons, localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two after three moves."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2, expansions="base")
        clicker = Clicker(table, Random(4), Habits(quick=True))
        for _ in range(3):
            await clicker.move(table.card())
        yield table
    assert recorder.problems() == []


def custom_id_labelled(label: str, components: list[object]) -> str:
    """Return the custom id of the button with this label."""
    return next(button.custom_id for button in buttons(components) if button.label == label)


async def test_the_description_is_opened_from_the_board_and_navigated_by_parts(table: Table) -> None:
    member = table.actors[0]
    board = table.shown(await member.slash(table.place, "carc board"))
    answer = await table.press(member.id, board, custom_id_labelled(localized("button.tell"), list(board.components)))
    title = localized("tell.part.since")
    assert title in words(answer.components).splitlines()[0]
    code = table.stored().code
    revision = (await table.bot.host.games.get(code)).revision
    menu = str(Key(Op.TELL, code, revision, "menu"))
    around = table.shown(await member.select(answer.handle, values=[AROUND], custom_id=menu))
    assert words(around.components).splitlines()[1].startswith(localized("tell.here", cell=""))
    north = next(
        button
        for button in buttons(around.components)
        if button.label.startswith(f"{capital(localized('direction.N'))}, ")
    )
    beside = await table.press(member.id, around, north.custom_id)
    assert (
        words(beside.components).splitlines()[1].startswith(localized("tell.here", cell=north.label.partition(", ")[2]))
    )


async def test_the_description_is_private_and_in_the_language_of_its_reader(table: Table) -> None:
    member, card = table.actors[1], table.card()
    in_words = custom_id_labelled(localized("button.tell"), list(card.components))
    with use_locale("cs", "cs"):
        answer = await table.press(member.id, card, in_words)
        assert localized("tell.part.since") in words(answer.components).splitlines()[0]
    assert answer.handle.ephemeral
    assert len(words(answer.components)) <= SPEECH_LIMIT
    assert table.card().components == card.components


@pytest.mark.parametrize("part", [OVERVIEW, TILES, "m13"])
async def test_a_part_of_the_description_can_be_typed(table: Table, part: str) -> None:
    panel = table.shown(await table.actors[1].slash(table.place, "carc board", words=part))
    text = words(panel.components)
    assert ("M13" in text) is (part != OVERVIEW)
    assert len(text) <= SPEECH_LIMIT


async def test_an_unknown_part_is_refused(table: Table) -> None:
    refused = table.shown(await table.actors[0].slash(table.place, "carc board", words="the weather"))
    assert localized("refusal.no_part") in words(refused.components)


async def test_different_remaining_tiles_have_different_descriptions(table: Table) -> None:
    shown = table.shown(await table.actors[0].slash(table.place, "carc tiles", words=True))
    position = table.stored().replayed()
    remaining = [kind for kind, count in hints_on(position).remaining() if count]
    _, *descriptions = (line.split(maxsplit=2)[2] for line in words(shown.components).splitlines())
    with speaking(MemberLanguage.language):
        assert len(descriptions) == len(set(descriptions)) == len({tile_aloud(kind, 0) for kind in remaining})
        assert {tile_aloud(tile(f"base/{name}"), 0) for name in "JK"} <= set(descriptions)
        assert tile_words(tile("base/D")) in descriptions
