"""The pictures of a game's final card: score bars, score sheet, board.

A random game of three is played to its end; the fixture records what the score sheet is drawn from.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from cogs.games.presenters import presenter_of
from cogs.panels import cards as pictures
from cogs.panels.cards import final_pictures
from engine.carcassonne import Position, new_setup
from engine.events import Event
from engine.selfplay import random_action
from host import Moment
from renderers import DAY, NIGHT, Picture, SheetLine, Theme
from tests.cogs.positions import game_of


@pytest.fixture
def sheet_arguments(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Record the arguments with which the score sheet is drawn."""
    arguments: dict[str, object] = {}
    original = pictures.score_sheet

    def score_sheet(
        title: str, columns: Sequence[str], lines: Sequence[SheetLine], notes: Sequence[str], *, theme: Theme
    ) -> Picture:
        """Record the arguments and draw the sheet."""
        arguments.update(title=title, columns=columns, lines=lines, notes=notes, theme=theme)
        return original(title, columns, lines, notes, theme=theme)

    monkeypatch.setattr(pictures, "score_sheet", score_sheet)
    return arguments


def finished_moment() -> Moment:
    """Return the moment of a finished random game at a table with the night theme."""
    position, events, rng = Position(new_setup(players=3, seed="final")), list[Event](), Random(4)
    while not position.is_over:
        events += position.apply(random_action(position, rng))
    game = game_of(position)
    game = replace(game, setup_text=position.setup.to_json(), settings=replace(game.settings, theme="night"))
    return Moment(game, position, position, (), tuple(events))


def test_the_final_card_has_bars_sheet_and_board_in_the_tables_theme(sheet_arguments: dict[str, object]) -> None:
    moment = finished_moment()
    presenter = presenter_of(moment.after)
    points = presenter.points(moment.events, 3)
    drawn = final_pictures(presenter, moment, points)
    assert [picture.picture.filename for picture in drawn] == ["scores.png", "sheet.png", "board.png"]
    assert all(str(max(moment.after.scores)) in picture.alt for picture in drawn)
    assert sheet_arguments["theme"] is NIGHT is not DAY
    assert sheet_arguments["title"] == "Amber Gate · K7QF"


def test_the_sheet_has_rank_categories_and_total_of_each_player(sheet_arguments: dict[str, object]) -> None:
    moment = finished_moment()
    presenter = presenter_of(moment.after)
    points = presenter.points(moment.events, 3)
    final_pictures(presenter, moment, points)
    lines, columns = sheet_arguments["lines"], sheet_arguments["columns"]
    assert isinstance(lines, list)
    assert isinstance(columns, list)
    assert sorted(line.seat for line in lines) == [0, 1, 2]
    assert [line.total for line in lines] == sorted(moment.after.scores, reverse=True)
    for line in lines:
        assert isinstance(line, SheetLine)
        assert sum(line.points) == line.total == moment.after.scores[line.seat]
        assert len(line.points) == len(columns) - 2
        assert line.first is (line.seat in moment.after.winners())
        assert int(line.place) == 1 + sum(score > line.total for score in moment.after.scores)
    notes = sheet_arguments["notes"]
    assert isinstance(notes, list)
    assert "2026-01-01" in notes[0]
    assert 2 <= len(notes) <= 6
    assert not any("*" in note for note in notes)
