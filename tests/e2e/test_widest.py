"""The widest states in every language, and in the pseudo-language with its longer texts, fit Discord's limits.

The games have six players with long names, more than seventy spots for a tile, six lots (tiles in an auction) and all
expansions.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random

import pytest

from cogs.presenting.ids import Key, Op
from cogs.texts import LANGUAGE
from cogs.texts.check import MAX_BUTTON_LABEL
from cogs.texts.languages import offered_languages
from cogs.words.story import clip
from engine.selfplay import random_action
from tests.discord_limits.recorder import Recorder
from tests.e2e import test_worst_cases as worst_cases
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.fast_forward import create_game, fast_forward, spread_tiles
from tests.e2e.locales import use_locale
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import buttons
from tests.e2e.table import Table, open_table
from tests.pseudo_language import PSEUDO_CODE, PSEUDO_LOCALE, install_pseudo_language

pytestmark = pytest.mark.long

LANGUAGES = [
    PSEUDO_CODE,
    *(
        pytest.param(language.code, marks=pytest.mark.soak)
        for language in offered_languages()
        if language.code != LANGUAGE
    ),
]
"""The pseudo-language always; the real languages with the soak tests."""
COMMANDS = (
    "resign",
    "board",
    "tiles",
    "log",
    "rules",
    "games",
    "hints",
    "settings",
    "vacation",
    "notes",
    "manage",
    "undo",
)
"""Commands that open a panel for a player."""


@pytest.fixture(params=LANGUAGES, autouse=True)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give all members this language, and raise the limit of labels, which may contain names."""
    monkeypatch.setattr(worst_cases, "MAX_LABEL_LENGTH", MAX_BUTTON_LABEL + len(clip("W" * 40, 32)))
    with (
        install_pseudo_language(),
        use_locale(request.param, PSEUDO_LOCALE if request.param == PSEUDO_CODE else request.param),
    ):
        yield request.param


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield six members with long names."""
    names = [worst_cases.padded_name(name) for name in worst_cases.NAMES]
    async with open_table(tmp_path / "games.sqlite3", seed="one", names=names, usual_pace="standard") as table:
        yield table
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def test_every_panel_of_a_game_of_six_fits(table: Table) -> None:
    random = Random(1)
    choose = spread_tiles(lambda position: random_action(position, random))
    game = await create_game(table, 6)
    await fast_forward(table, game, choose, lambda position: position.ply > 60)
    await Clicker(table, Random(2), Habits(quick=True)).complete_turn(
        worst_cases.player_to_act(table), await worst_cases.open_panel(table)
    )
    member = table.members[worst_cases.player_to_act(table)]
    for command in COMMANDS:
        result = await member.slash(table.channel, f"carc {command}")
        assert result.response is not None or result.modal is not None, command
    card = table.card()
    for button in buttons(card.components):
        await table.press(member.id, card, button.custom_id)


async def test_the_pages_of_a_lobby_fit(table: Table) -> None:
    first = table.actors[0]
    await first.slash(table.channel, "carc new", players=6, expansions="all")
    lobby = table.channel.last_message
    assert lobby is not None
    panel = table.shown(await first.click(lobby, custom_id=str(Key(Op.RULING, "1"))))
    seen: set[str] = set()
    while remaining := [b for b in buttons(panel.components) if b.custom_id not in seen and " " not in b.key.argument]:
        seen.add(remaining[0].custom_id)
        panel = await table.press(first.id, panel, remaining[0].custom_id)
    assert len(seen) > 5


test_seventy_spots_fit = worst_cases.test_seventy_spots_fit
test_a_bazaar_of_six_fits = worst_cases.test_a_bazaar_of_six_fits
