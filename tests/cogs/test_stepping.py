"""Stepping through a game: the stops, the text of each step, and the four buttons (first, back, on, last).

A ply is the number of actions so far, and a stop is a ply at which a whole move is complete; the games are random, with
the longest names.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.commands.records import shown_game
from cogs.games.presenters import PRESENTERS
from cogs.panels import stepping
from cogs.panels.cards import final_pictures
from cogs.panels.stepping import SteppedGame, SteppedScene, Stops, step_buttons, stops_of
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.presenter import AltPicture, Presenter
from engine import GAMES, begin
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseLot
from engine.notation.positions import format_position
from engine.notation.records import Record
from engine.selfplay import random_game
from host import Moment
from renderers import DAY, THEMES, Theme
from tests.cogs.positions import LONG_NAMES
from tests.cogs.replay_panels import ALL_GAMES
from tests.e2e.pictures import stub_pictures


def stepped_game(name: str, seed: int) -> SteppedGame:
    """Return a finished random game with the longest names, for stepping."""
    setup = GAMES[name].new_setup(players=max(GAMES[name].players), seed=str(seed))
    _, actions = random_game(setup, Random(seed))
    game = shown_game(Record.of(setup, actions, names=[name.strip() for name in LONG_NAMES[: setup.players]]))
    return SteppedGame(PRESENTERS[name], game, setup, actions)


@ALL_GAMES
@pytest.mark.parametrize("seed", range(2))
def test_every_step_of_a_game_describes_its_events(monkeypatch: pytest.MonkeyPatch, name: str, seed: int) -> None:
    stub_pictures(monkeypatch)
    game = stepped_game(name, seed)
    stops = stops_of(game.presenter, game.setup, game.actions)
    board = begin(game.setup)
    for ply in [0, *sorted(Random(seed).sample(stops.plies[1:], 40)), stops.last]:
        while board.ply < ply:
            board.apply(game.actions[board.ply])
        scene = game.step(lambda _, ply=ply: ply, DAY)  # type: ignore[misc]
        assert scene.ply == ply
        assert scene.moment.before.ply == stops.before(ply)
        assert format_position(scene.moment.after) == format_position(board)
        assert bool(scene.words) == (ply > 0)
        assert len("\n".join(game.lines(scene))) < 3800
        assert 0 < len(scene.pictures[0].alt) <= 1024


@ALL_GAMES
def test_the_last_step_uses_the_readers_theme(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    stub_pictures(monkeypatch)
    themes: list[Theme] = []
    original = stepping.result_pictures

    def recorded(presenter: Presenter[Any], moment: Moment, points: Any, theme: Theme) -> list[AltPicture]:
        """Record the theme and draw the pictures."""
        themes.append(theme)
        return original(presenter, moment, points, theme)

    monkeypatch.setattr(stepping, "result_pictures", recorded)
    own_theme, game = THEMES["night"], replace(stepped_game(name, 3), shows_card_at_end=True)
    last = game.step(lambda stops: stops.last, own_theme)
    assert themes == [own_theme]
    moment = replace(last.moment, events=())
    points = game.presenter.points((), last.moment.after.players)
    card = [picture.alt for picture in final_pictures(game.presenter, moment, points)]
    assert {picture.alt for picture in last.pictures} >= set(card[:-1])
    game.step(lambda stops: stops.before(stops.last), own_theme)
    assert themes == [own_theme], "only the last step has final pictures"


def test_the_lots_of_a_bazaar_are_shown_in_the_readers_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    stub_pictures(monkeypatch)
    themes: list[Theme] = []
    game = stepped_game("carcassonne", 0)
    plies, position = [0], begin(game.setup)
    for action in game.actions:
        position.apply(action)
        if isinstance(position.step, ChooseLot):
            plies.append(position.ply)
    presenter = replace(game.presenter, decision_pictures=lambda _game, _position, theme: themes.append(theme) or [])
    own_theme = THEMES["night"]
    game_until_bazaar = replace(game, presenter=presenter, actions=game.actions[: plies[-1]], shows_card_at_end=True)
    game_until_bazaar.step(lambda stops: stops.last, own_theme)
    assert themes == [own_theme]


@ALL_GAMES
def test_a_step_covers_a_whole_move(name: str) -> None:
    game = stepped_game(name, 7)
    stops = stops_of(game.presenter, game.setup, game.actions)
    board = begin(game.setup)
    for action in game.actions:
        board.apply(action)
        is_stop = board.ply in stops.plies
        assert is_stop == (not game.presenter.turn.continues(board) or board.ply == len(game.actions))
    assert stops.plies[0] == 0
    assert list(stops.turns) == sorted(stops.turns)
    assert set(stops.turns.values()) <= set(stops.plies)


def test_the_stops_around_a_ply_are_found() -> None:
    stops = Stops((0, 2, 3, 7), {1: 2, 2: 3, 4: 7})
    assert [stops.before(ply) for ply in (0, 1, 2, 3, 7)] == [0, 0, 0, 2, 3]
    assert [stops.after(ply) for ply in (0, 1, 2, 3, 7)] == [2, 2, 3, 7, 7]
    assert [stops.number(ply) for ply in (0, 1, 2, 3, 7)] == [0, 1, 1, 2, 3]
    assert [stops.of_turn(turn) for turn in (0, 1, 2, 3, 4, 5, 999)] == [0, 2, 3, 3, 7, 7, 7]
    assert [stops.turn_at(ply) for ply in (0, 1, 2, 3, 6, 7)] == [0, 0, 1, 2, 2, 4]
    assert (stops.last, Stops((0,), {}).of_turn(3)) == (7, 0)


def test_the_four_buttons_differ_and_useless_ones_are_disabled(monkeypatch: pytest.MonkeyPatch) -> None:
    stub_pictures(monkeypatch)
    game = stepped_game("carcassonne", 3)
    for ply in (0, 3, len(game.actions)):
        scene: SteppedScene = game.step(lambda _, ply=ply: ply, DAY)  # type: ignore[misc]
        step_buttons_ = [item.item for item in step_buttons(Op.STEP, "K7QF", scene)]
        ids = [str(button.custom_id) for button in step_buttons_]
        assert len(set(ids)) == 4
        assert all((key := parse_key(custom_id)) is not None and key.op is Op.STEP for custom_id in ids)
        at_end = ply == len(game.actions)
        assert [button.disabled for button in step_buttons_] == [ply == 0, ply == 0, at_end, at_end]
