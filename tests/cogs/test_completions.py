"""Autocomplete suggestions keep Discord's limits in every language and in the widest states, with distinct names.

Discord shows 25 suggestions. The tests raise that limit, so that all suggestions are checked, in batches of 25. The
languages include an artificial one with long words (``tests/pseudo_language.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest
from discord.app_commands import Choice

from cogs.commands import autocomplete, settings
from cogs.commands import board as in_words
from cogs.commands.autocomplete import preset_choices
from cogs.commands.tourneys import entrants, managing
from cogs.interactions import replies, selection
from cogs.services.render_pool import RenderPool
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.texts.rule_book import rulebook
from cogs.words.event_plans import SETTING_NAMES
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from engine import GAMES, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, ChooseLot
from host import Table
from host.events.views import EventSummary
from store import EventState
from tests.cogs.event_views import EVENT_COLUMNS, sign_up_view
from tests.cogs.positions import LONG_NAMES, game_of, position_with_many_spots
from tests.cogs.test_lengths import ME, summaries
from tests.cogs.test_telling import CASTLE, table_of
from tests.discord_limits.limits import autocomplete_problems
from tests.pseudo_language import PSEUDO_CODE, install_pseudo_language

Choices = Sequence[Choice[str]]
UNLIMITED = 5000
"""A limit above the number of all suggestions."""
BATCH_SIZE = 25
"""Suggestions that Discord shows at once."""


@pytest.fixture(params=[*languages(), PSEUDO_CODE])
def _language(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use each language in turn."""
    with install_pseudo_language(), speaking(request.param):
        yield


pytestmark = pytest.mark.usefixtures("_language")


def check_choices(choices: Choices) -> None:
    """Assert that any 25 of the choices fit, and that all names differ."""
    assert choices
    for start in range(0, len(choices), BATCH_SIZE):
        batch = [choice.to_dict() for choice in choices[start : start + BATCH_SIZE]]
        assert autocomplete_problems({"choices": batch}) == []
    names = [choice.name for choice in choices]
    assert len({*names}) == len(names), sorted(name for name in names if names.count(name) > 1)


def fake_interaction(**namespace: str) -> Any:
    """Return an interaction of a user who types these options."""
    interaction = MagicMock()
    interaction.user.id, interaction.namespace = ME, MagicMock(**{"game": "", "event": "", **namespace})
    return interaction


def widest_positions() -> Iterator[Position]:
    """Yield the widest positions: many spots, all expansions, auctions, and the other game."""
    yield position_with_many_spots()
    yield table_of("carcassonne", 3, 6).position
    for step in (ChooseLot, BidOnLot):
        yield table_of("carcassonne", 1, 6, until=lambda position: isinstance(position.step, step)).position  # noqa: B023
    yield table_of(CASTLE, 2).position


async def test_suggested_moves_keep_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autocomplete, "MAX_CHOICES", UNLIMITED)
    monkeypatch.setattr(replies, "MAX_CHOICES", UNLIMITED)
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock())
    interaction = fake_interaction()
    interaction.client.render_pool = RenderPool()
    for position in widest_positions():
        monkeypatch.setattr(autocomplete, "table_to_move", AsyncMock(return_value=MagicMock(position=position)))
        check_choices(await autocomplete.complete_move(interaction, ""))
    interaction.client.render_pool.close()


async def test_suggested_games_players_and_events_keep_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    interaction, games = fake_interaction(), summaries(40)
    interaction.client.host.game_lists.of_user = AsyncMock(return_value=games)
    check_choices(await autocomplete.complete_game(interaction, ""))
    game = game_of(position_with_many_spots(), LONG_NAMES)
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock(return_value=game))
    check_choices(await autocomplete.complete_player(interaction, ""))
    events = [
        EventSummary(
            **EVENT_COLUMNS | {"id": number, "code": f"E{number:03}", "plan_data": {"format": "tables"}},
            name="W" * 80,
            state=EventState.OPEN,
            entries=9,
        )
        for number in range(40)
    ]
    interaction.client.host.events.reader.unfinished = AsyncMock(return_value=events)
    interaction.client.host.events.reader.drafts = AsyncMock(return_value=[])
    interaction.client.host.events.reader.finished = AsyncMock(return_value=[])
    check_choices(await selection.complete_event(interaction, ""))


async def test_several_events_are_listed_by_name_and_code() -> None:
    interaction, cup = fake_interaction(), sign_up_view("swiss-tables", 4)
    others = [replace(cup, code="LS8F", name="Winter *Cup*"), cup]
    interaction.client.host.events.reader.candidates = AsyncMock(return_value=others)
    with pytest.raises(RefusedError) as caught:
        await selection.find_event(interaction, "")
    winter = t("event.choice", name=safe("Winter *Cup*"), code="LS8F")
    assert caught.value.values["codes"] == f"{winter}, {t('event.choice', name='Autumn Cup', code='K7QX')}"


@pytest.mark.parametrize("game", GAMES)
async def test_suggested_parts_of_the_description_keep_the_limits(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    table = table_of(game, 3, 6 if game != CASTLE else 2)
    interaction = fake_interaction()
    monkeypatch.setattr(in_words, "table_of", AsyncMock(return_value=Table(table.game, table.position, ())))
    monkeypatch.setattr(in_words, "find_game", AsyncMock(return_value=table.game))
    check_choices(await in_words.complete_words(interaction, ""))
    check_choices(await in_words.complete_words(interaction, "M12"))


@pytest.mark.parametrize("game", GAMES)
async def test_suggested_rules_keep_the_limits(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Topics and rules of all games are suggested, whatever game the table plays."""
    entries = [*rulebook().topics.values(), *rulebook().rules.values()]
    monkeypatch.setattr(autocomplete, "game_here", AsyncMock(return_value=table_of(game, 0).game))
    monkeypatch.setattr(autocomplete, "rulebook", lambda: MagicMock(search=lambda *_: entries, rules=rulebook().rules))
    check_choices(await autocomplete.complete_rule(fake_interaction(), ""))


async def test_suggested_settings_editions_and_plans_keep_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "MAX_CHOICES", UNLIMITED)
    monkeypatch.setattr(settings, "MAX_CHOICES", UNLIMITED)
    monkeypatch.setattr(managing, "find_event", AsyncMock(return_value=sign_up_view("swiss-tables", 4)))
    check_choices(await settings.complete_setting(fake_interaction(), ""))
    check_choices(await managing.complete_plan_setting(fake_interaction(), ""))
    for name in GAMES:
        check_choices(preset_choices(name, ""))
    typed = t("event.value_name.national-teams")
    templates = await managing.complete_value(fake_interaction(what=t("event.choosing.profile")), typed)
    assert [choice.value for choice in templates] == ["national-teams"]
    for name in SETTING_NAMES:
        check_choices([Choice(name="?", value="?"), *await managing.complete_value(fake_interaction(what=name), "")])
    monkeypatch.setattr(entrants, "find_event", AsyncMock(return_value=sign_up_view("swiss-tables", 4)))
    check_choices(await entrants.complete_entrant(fake_interaction(), ""))
    assert [choice.value for choice in await entrants.complete_entrant(fake_interaction(), "@player NUMBER 2")] == [
        "1002"
    ]
    check_choices([Choice(name=t("game.which"), value="?")])
