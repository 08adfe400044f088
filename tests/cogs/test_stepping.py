"""Stepping through a game: the stops, the text of each step, and the four buttons."""

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


def walk(name: str, seed: int) -> SteppedGame:
    """Return a finished random game with the longest names, for stepping."""
    setup = GAMES[name].new_setup(players=max(GAMES[name].players), seed=str(seed))
    _, actions = random_game(setup, Random(seed))
    game = shown_game(Record.of(setup, actions, names=[name.strip() for name in LONG_NAMES[: setup.players]]))
    return SteppedGame(PRESENTERS[name], game, setup, actions)


@ALL_GAMES
@pytest.mark.parametrize("seed", range(2))
def test_every_step_of_a_game_describes_its_events(monkeypatch: pytest.MonkeyPatch, name: str, seed: int) -> None:
    stub_pictures(monkeypatch)
    walked = walk(name, seed)
    stops = stops_of(walked.presenter, walked.setup, walked.actions)
    board = begin(walked.setup)
    for ply in [0, *sorted(Random(seed).sample(stops.plies[1:], 40)), stops.last]:
        while board.ply < ply:
            board.apply(walked.actions[board.ply])
        found = walked.step(lambda _, ply=ply: ply, DAY)  # type: ignore[misc]
        assert found.ply == ply
        assert found.moment.before.ply == stops.before(ply)
        assert format_position(found.moment.after) == format_position(board)
        assert bool(found.words) == (ply > 0)
        assert len("\n".join(walked.lines(found))) < 3800
        assert 0 < len(found.pictures[0].alt) <= 1024


@ALL_GAMES
def test_the_last_step_uses_the_readers_theme(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    stub_pictures(monkeypatch)
    seen: list[Theme] = []
    made = stepping.result_pictures

    def recorded(presenter: Presenter[Any], moment: Moment, points: Any, theme: Theme) -> list[AltPicture]:
        seen.append(theme)
        return made(presenter, moment, points, theme)

    monkeypatch.setattr(stepping, "result_pictures", recorded)
    own, walked = THEMES["night"], replace(walk(name, 3), shows_card_at_end=True)
    last = walked.step(lambda stops: stops.last, own)
    assert seen == [own]
    moment = replace(last.moment, events=())
    points = walked.presenter.points((), last.moment.after.players)
    card = [shown.alt for shown in final_pictures(walked.presenter, moment, points)]
    assert {shown.alt for shown in last.pictures} >= set(card[:-1])
    walked.step(lambda stops: stops.before(stops.last), own)
    assert seen == [own], "only the last step has final pictures"


def test_the_lots_of_a_bazaar_are_shown_in_the_readers_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    stub_pictures(monkeypatch)
    seen: list[Theme] = []
    walked = walk("carcassonne", 0)
    plies, position = [0], begin(walked.setup)
    for action in walked.actions:
        position.apply(action)
        if isinstance(position.step, ChooseLot):
            plies.append(position.ply)
    presenter = replace(walked.presenter, decision_pictures=lambda _game, _position, theme: seen.append(theme) or [])
    own = THEMES["night"]
    begun = replace(walked, presenter=presenter, actions=walked.actions[: plies[-1]], shows_card_at_end=True)
    begun.step(lambda stops: stops.last, own)
    assert seen == [own]


@ALL_GAMES
def test_a_step_covers_a_whole_move(name: str) -> None:
    walked = walk(name, 7)
    stops = stops_of(walked.presenter, walked.setup, walked.actions)
    board = begin(walked.setup)
    for action in walked.actions:
        board.apply(action)
        stands = board.ply in stops.plies
        assert stands == (not walked.presenter.turn.continues(board) or board.ply == len(walked.actions))
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
    walked = walk("carcassonne", 3)
    for ply in (0, 3, len(walked.actions)):
        found: SteppedScene = walked.step(lambda _, ply=ply: ply, DAY)  # type: ignore[misc]
        pressed = [item.item for item in step_buttons(Op.STEP, "K7QF", found)]
        ids = [str(button.custom_id) for button in pressed]
        assert len(set(ids)) == 4
        assert all((key := parse_key(custom_id)) is not None and key.op is Op.STEP for custom_id in ids)
        at_end = ply == len(walked.actions)
        assert [button.disabled for button in pressed] == [ply == 0, ply == 0, at_end, at_end]
