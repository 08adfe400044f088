"""The lobby card, the message of a table whose game has not started: limits, buttons, texts about players and rules.

An "edition" is a preset of options; the card names it, and each option that deviates from it.
"""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from cogs.commands.autocomplete import options_of
from cogs.commands.lobby import lobby_card, started_card
from cogs.games.presenters import PRESENTERS
from cogs.presenting.ids import Op, parse_key
from cogs.texts import t
from cogs.words.table_options import nearest_presets, options_in_play, options_words
from engine import DEFAULT_GAME, GAMES, begin
from engine.carcassonne import PRESETS, Options, Position, new_setup
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS
from host import Lobby, LobbyState, Person, TableSettings
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import Kind, component_problems, walk

THE_CASTLE = "the-castle"
ALL_OPTIONS_CHANGED = {name: values[-1] for name, values in Options.values().items()}
"""Options of which each has its last value."""


def options_text(*played: Any) -> str:
    """Return the text about expansions and options of Carcassonne."""
    return options_words(PRESENTERS[DEFAULT_GAME], *played)


def create_lobby(members: int, capacity: int = 6, state: LobbyState = LobbyState.OPEN) -> Lobby:
    """Return a lobby with this many members and with all options changed."""
    return Lobby(
        id=7,
        guild_id=1,
        channel_id=2,
        message_id=3,
        owner_id=100,
        game=DEFAULT_GAME,
        capacity=capacity,
        members=tuple(Person(100 + seat, LONG_NAMES[seat]) for seat in range(members)),
        expansions=DEFAULT_EXPANSIONS,
        options=ALL_OPTIONS_CHANGED,
        settings=TableSettings(),
        state=state,
        game_id=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        changed_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def enabled_ops(members: int, capacity: int) -> set[Op]:
    """Return the operations of the enabled buttons."""
    parts = [
        part
        for _, part in walk(lobby_card(create_lobby(members, capacity)).to_components())
        if part["type"] == Kind.BUTTON
    ]
    keys = [parse_key(part["custom_id"]) for part in parts if not part.get("disabled")]
    assert all(key is not None and key.ref == "7" for key in keys)
    return {key.op for key in keys if key is not None}


@pytest.mark.parametrize("members", range(1, 7))
def test_the_card_keeps_the_limits(members: int) -> None:
    assert not list(component_problems(lobby_card(create_lobby(members)).to_components(), v2=True))


def test_the_enabled_buttons_depend_on_the_taken_seats() -> None:
    assert enabled_ops(1, 3) == {Op.JOIN, Op.LEAVE, Op.RULING, Op.SEATS, Op.COMPUTERS}
    assert enabled_ops(2, 3) == {Op.JOIN, Op.LEAVE, Op.START, Op.RULING, Op.SEATS, Op.COMPUTERS}
    assert enabled_ops(3, 3) == {Op.LEAVE, Op.START, Op.RULING, Op.SEATS, Op.COMPUTERS}


def card_text(view: Any) -> str:
    """Return the text of a lobby card."""
    return "\n".join(part["content"] for _, part in walk(view.to_components()) if part["type"] == Kind.TEXT_DISPLAY)


def test_the_card_explains_how_the_game_starts() -> None:
    wait_for_all, two_suffice = t("lobby.hint_all"), t("lobby.hint")
    for capacity in range(2, 7):
        card = card_text(lobby_card(create_lobby(1, capacity)))
        assert (wait_for_all in card, two_suffice in card) == (capacity == 2, capacity > 2)
    castle = replace(create_lobby(1, 2), game=THE_CASTLE, expansions=(), options={})
    assert wait_for_all in card_text(lobby_card(castle))


def test_the_origin_of_the_tiles_is_named_before_and_at_the_start() -> None:
    table = replace(create_lobby(2, 2), game=THE_CASTLE, expansions=(), options={})
    position = begin(GAMES[THE_CASTLE].new_setup(players=2, seed="1"))
    assert t("lobby.designed") in card_text(lobby_card(table))
    assert "drawings" not in card_text(started_card(table, game_of(position), 99))
    [remark] = PRESENTERS[THE_CASTLE].setup_remarks(position.setup)
    assert "drawings" in remark


def test_a_closed_lobby_has_no_buttons() -> None:
    parts = lobby_card(create_lobby(0, state=LobbyState.CLOSED)).to_components()
    assert not [part for _, part in walk(parts) if part["type"] == Kind.BUTTON]


def test_a_started_lobby_links_the_game() -> None:
    game = game_of(Position(new_setup(players=6, seed="1")), LONG_NAMES)
    parts = started_card(create_lobby(6), game, 99).to_components()
    assert not list(component_problems(parts, v2=True))
    assert "<#99>" in "".join(part["content"] for _, part in walk(parts) if part["type"] == Kind.TEXT_DISPLAY)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_equal_those_of_the_engine(preset: str) -> None:
    assert Options.of(options_of(DEFAULT_GAME, preset)) == PRESETS[preset]


MOOT_OPTIONS = {
    "bazaar_bid_limit",
    "bazaar_all_zero_fallback",
    "bazaar_next_selector",
    "bazaar_tile_count_check",
    "castle_simultaneous_choice",
}
"""Options that are irrelevant if every option has its last value: a draft, any number of tiles, no questions."""


def test_every_deviation_from_the_standard_is_named() -> None:
    changed = {name: values[-1] for name, values in Options.values().items()}
    lines = options_text(DEFAULT_EXPANSIONS, changed).splitlines()[2:]
    in_play = {entry.name for entry in options_in_play(DEFAULT_GAME, DEFAULT_EXPANSIONS)}
    deviations = in_play & Options.of(changed).differences().keys() - MOOT_OPTIONS
    assert len(lines) == len(deviations)
    for name in deviations:
        assert any(t(f"option.{name}.{changed[name]}") in line for line in lines)


def test_moot_options_are_not_named() -> None:
    text = options_text(DEFAULT_EXPANSIONS, {"bazaar_mode": "draft", "bazaar_bid_limit": "own_score"})
    assert t("option.bazaar_mode.draft") in text
    assert t("option.bazaar_bid_limit.own_score") not in text
    text = options_text((), {"farmers": False, "farm_scoring": "city4"})
    assert t("option.farmers.False") in text
    assert t("option.farm_scoring.city4") not in text


@pytest.mark.parametrize("preset", PRESETS)
def test_the_edition_is_named_and_deviations_from_it_are_marked(preset: str) -> None:
    options = PRESETS[preset]
    text = options_text(DEFAULT_EXPANSIONS, options.differences())
    names = [entry.name for entry in options_in_play(DEFAULT_GAME, DEFAULT_EXPANSIONS)]
    played = {name: options.mapping()[name] for name in names}
    nearest = nearest_presets(DEFAULT_GAME, played)
    assert nearest == [
        name for name, other in PRESETS.items() if {key: other.mapping()[key] for key in names} == played
    ]
    assert t(f"preset.{preset}") in text
    deviation = t("rules.own", words=t("option.farmers.False"))
    assert deviation not in text
    assert deviation in options_text(DEFAULT_EXPANSIONS, options.differences() | {"farmers": False}).splitlines()


def test_no_edition_is_named_if_all_are_equal() -> None:
    lines = options_text((), {"farmers": False}).splitlines()
    assert t("rules.every_preset") in lines
    assert t("rules.own", words=t("option.farmers.False")) in lines
    for expansions in ((), ("traders-builders",)):
        for options in PRESETS.values():
            lines = options_text(expansions, options.differences()).splitlines()
            assert lines[1:] == [t("rules.every_preset")]
    assert t("rules.every_preset") not in options_text(DEFAULT_EXPANSIONS, {})
