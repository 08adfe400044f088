"""Setups and options: they can be stored, and invalid ones are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import GAMES, GameKind, NotationError, read_setup
from engine.carcassonne import Options, Position, Setup, new_setup
from engine.carcassonne.options import PRESETS

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def small_setup(**changes: Any) -> Setup:
    """Return the setup of a small game of Carcassonne."""
    return Setup(**{"players": 2, "pile": ("base/U",), **changes})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"players": 1}, "1 players: 2 to 6 can play"),
        ({"players": 7}, "7 players: 2 to 6 can play"),
        ({"pile": ("base/U", "base/Z")}, "unknown tile 'base/Z'"),
        ({"start_tile": "the river"}, "unknown tile 'the river'"),
        ({"start_rotation": 45}, "rotation 45: only quarter turns"),
        ({"expansions": ("the-river",)}, "unknown expansion 'the-river'"),
    ],
)
def test_an_invalid_setup_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        small_setup(**changes)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_start_tile_has_the_given_rotation(rotation: int) -> None:
    (start,) = Position(small_setup(start_tile="base/V", start_rotation=rotation)).placed()
    assert (start.cell, start.tile.id, start.rotation, start.player) == ((0, 0), "base/V", rotation, -1)


def test_an_unknown_expansion_is_refused() -> None:
    with pytest.raises(NotationError, match="unknown expansion 'the-river'"):
        new_setup(players=2, seed="1", expansions=("the-river",))


@every_game
def test_a_stored_setup_is_read_back(game: GameKind) -> None:
    created = game.new_setup(players=game.players[0], seed="1", options=list(game.presets.values())[-1])
    assert read_setup(created.to_json()) == created


def stored_without(key: str) -> str:
    """Return a stored setup without one of its keys."""
    value = json.loads(small_setup().to_json())
    del value[key]
    return json.dumps(value)


def stored_with(key: str, value: object) -> str:
    """Return a stored setup with another value of a key."""
    return json.dumps({**json.loads(small_setup().to_json()), key: value})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a setup"),
        ("null", "not a setup"),
        ("[]", "not a setup"),
        (stored_without("pile"), "'pile'"),
        (stored_without("start"), "'start'"),
        (stored_with("game", "chess"), "'chess'"),
        (stored_with("rules", 0), "rules version 0 is not played here"),
        (stored_with("players", "two"), "two players: 2 to 6 can play"),
        (stored_with("pile", 3), "not a setup"),
        (stored_with("options", {"bridge": "yes"}), "unknown option 'bridge'"),
        (stored_with("options", {"farmers": "maybe"}), "option farmers cannot be 'maybe'"),
    ],
)
def test_an_invalid_stored_setup_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        read_setup(text)


def test_a_setup_stored_before_games_had_names_is_one_of_carcassonne() -> None:
    value = json.loads(small_setup().to_json())
    assert value.pop("game") == "carcassonne"
    assert read_setup(json.dumps(value)) == small_setup()


# -- options ----------------------------------------------------------------------------------------------------------


@every_game
def test_options_round_trip_through_their_differences(game: GameKind) -> None:
    for options in game.presets.values():
        assert game.options.of(options.differences()) == options
        assert game.options(**options.mapping()) == options
        assert options.mapping().keys() == game.options.values().keys()


@every_game
def test_every_option_can_have_each_of_its_values(game: GameKind) -> None:
    for name, values in game.options.values().items():
        assert len(values) > 1
        for value in values:
            assert getattr(game.options.of({name: value}), name) is value


@pytest.mark.parametrize("value", ["no", 0, None])
def test_an_invalid_option_value_is_refused(value: object) -> None:
    """Accept only one stored form of each value: 0 does not stand for false, nor 1 for true."""
    with pytest.raises(NotationError, match="option farmers cannot be"):
        Options.of({"farmers": value})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(NotationError, match="unknown option 'dragon'"):
        Options.of({"dragon": True, "princess": True})


@every_game
def test_the_first_preset_is_the_default(game: GameKind) -> None:
    first, *others = game.presets.values()
    assert first == game.options()
    assert all(preset != first for preset in others)


def test_two_presets_may_have_equal_options() -> None:
    assert PRESETS["c1_hig"] == PRESETS["pl_2010"]
