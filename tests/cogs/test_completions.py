"""What is suggested while somebody types fits Discord in every language, in the widest states, and is told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest
from discord.app_commands import Choice

from cogs.commands import autocomplete, in_words, settings
from cogs.commands.autocomplete import preset_choices
from cogs.commands.tourneys import managing
from cogs.interactions import selection
from cogs.services.render_pool import RenderPool
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.texts.rule_book import rulebook
from cogs.words.event_plans import NAMES
from engine import GAMES, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, ChooseLot
from host import Table
from host.events.views import EventSummary
from store import EventState
from tests.cogs.event_views import STORED, gathering
from tests.cogs.positions import LONG_NAMES, game_of, many_spots
from tests.cogs.test_lengths import ME, summaries
from tests.cogs.test_telling import CASTLE, table_of
from tests.discord_limits.limits import autocomplete_problems
from tests.sixth import CODE, with_sixth

Choices = Sequence[Choice[str]]
ALL = 5000
"""More than there are of anything."""
SHOWN = 25


@pytest.fixture(params=[*languages(), CODE])
def _spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    with with_sixth(), speaking(request.param):
        yield


pytestmark = pytest.mark.usefixtures("_spoken")


def require_fitting(choices: Choices) -> None:
    """Each fits, whichever twenty-five of them are shown, and no two are called alike."""
    assert choices
    for start in range(0, len(choices), SHOWN):
        shown = [choice.to_dict() for choice in choices[start : start + SHOWN]]
        assert autocomplete_problems({"choices": shown}) == []
    names = [choice.name for choice in choices]
    assert len({*names}) == len(names), sorted(name for name in names if names.count(name) > 1)


def somebody(**namespace: str) -> Any:
    """Who types."""
    typing = MagicMock()
    typing.user.id, typing.namespace = ME, MagicMock(**{"game": "", "event": "", **namespace})
    return typing


def widest() -> Iterator[Position]:
    """Many spots, all boxes, lots to be chosen and bid for, and the other game."""
    yield many_spots()
    yield table_of("carcassonne", 3, 6).position
    for step in (ChooseLot, BidOnLot):
        yield table_of("carcassonne", 1, 6, until=lambda position: isinstance(position.step, step)).position  # noqa: B023
    yield table_of(CASTLE, 2).position


async def test_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autocomplete, "MAX_CHOICES", ALL)
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock())
    typing = somebody()
    typing.client.render_pool = RenderPool()
    for position in widest():
        monkeypatch.setattr(autocomplete, "table_to_move", AsyncMock(return_value=MagicMock(position=position)))
        require_fitting(await autocomplete.complete_move(typing, ""))
    typing.client.render_pool.close()


async def test_games_players_and_events(monkeypatch: pytest.MonkeyPatch) -> None:
    typing, found = somebody(), summaries(40)
    typing.client.host.game_lists.of_user = AsyncMock(return_value=found)
    require_fitting(await autocomplete.complete_game(typing, ""))
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock(return_value=game_of(many_spots(), LONG_NAMES)))
    require_fitting(await autocomplete.complete_player(typing, ""))
    planned = [
        EventSummary(
            **STORED | {"id": number, "code": f"E{number:03}", "plan_data": {"format": "tables"}},
            name="W" * 80,
            state=EventState.OPEN,
            entries=9,
        )
        for number in range(40)
    ]
    typing.client.host.events.reader.listed = AsyncMock(return_value=planned)
    typing.client.host.events.reader.over = AsyncMock(return_value=[])
    require_fitting(await selection.complete_event(typing, ""))


@pytest.mark.parametrize("game", GAMES)
async def test_parts_that_can_be_told(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    table = table_of(game, 3, 6 if game != CASTLE else 2)
    typing = somebody()
    monkeypatch.setattr(in_words, "table_of", AsyncMock(return_value=Table(table.game, table.position, ())))
    monkeypatch.setattr(in_words, "find_game", AsyncMock(return_value=table.game))
    require_fitting(await in_words.complete_words(typing, ""))
    require_fitting(await in_words.complete_words(typing, "M12"))


@pytest.mark.parametrize("game", GAMES)
async def test_rules(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Topics and rules of all games, whatever is played here."""
    entries = [*rulebook().topics.values(), *rulebook().rules.values()]
    monkeypatch.setattr(autocomplete, "game_here", AsyncMock(return_value=table_of(game, 0).game))
    monkeypatch.setattr(autocomplete, "rulebook", lambda: MagicMock(search=lambda *_: entries, rules=rulebook().rules))
    require_fitting(await autocomplete.complete_rule(somebody(), ""))


async def test_settings_editions_and_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MAX_CHOICES", ALL)
    monkeypatch.setattr(managing, "MOST", ALL)
    monkeypatch.setattr(managing, "find_event", AsyncMock(return_value=gathering("swiss-tables", 4)))
    require_fitting(await settings.complete_setting(somebody(), ""))
    require_fitting(await managing.complete_choice(somebody(), ""))
    for name in GAMES:
        require_fitting(preset_choices(name, ""))
    for name in NAMES:
        require_fitting([Choice(name="?", value="?"), *await managing.complete_value(somebody(what=name), "")])
    require_fitting([Choice(name=t("game.which"), value="?")])
