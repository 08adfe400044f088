"""Castles: the town that may become one, what feeds one, and what is told of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from discord import ButtonStyle

from cogs.games.carcassonne.box import Actions, EventWords, Question, Questions
from cogs.games.carcassonne.segments import place_of
from cogs.presenting.presenter import Offer, Shown, act
from cogs.texts import t
from cogs.words.names import capital
from engine import Action
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BuildCastle,
    Castle,
    CastleBuilt,
    ChooseCastleSource,
    ChooseSource,
    DecideTown,
    ScoreTown,
    fief_of,
)
from renderers import Theme
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question

if TYPE_CHECKING:
    from cogs.presenting.turn import Course
    from host import Game


def castle_words(castle: Castle) -> str:
    """A castle by its tiles: ``castle on M12 and M13``."""
    one, other = castle.cells
    return t("segment.castle", one=one.label, other=other.label)


def _source_words(position: Position, action: ChooseSource) -> str:
    """What feeds a castle: where it lies tells two roads of a tile apart, as both its tiles tell two castles."""
    step = position.step
    castle = step.castle_named(position, action) if isinstance(step, ChooseCastleSource) else None
    return castle_words(castle) if castle else place_of(position, action.cell, action.segment)


def _built(names: Sequence[str], event: CastleBuilt) -> str:
    one, other = event.cells
    return t("story.castle", player=names[event.player], one=one.label, other=other.label)


# -- the town ----------------------------------------------------------------------------------------------------------


def _town_headline(_: Sequence[str], __: Position, step: DecideTown, player: str) -> str:
    one, other = step.cells
    return t("headline.town", player=player, one=one.label, other=other.label, count=step.points)


def _town_offers(_: Position, step: DecideTown) -> list[Offer]:
    return [
        act(BuildCastle(), t("button.castle"), ButtonStyle.primary),
        act(ScoreTown(), t("button.town", count=step.points)),
    ]


def _town_prospect(_: Sequence[str], position: Position, step: DecideTown, action: Action) -> str:
    if isinstance(action, BuildCastle):
        return t("prospect.castle", count=position.supply["castle"][position.player])
    return _gain(position, step.points) if isinstance(action, ScoreTown) else ""


def _town_pictures(_: Game, position: Position, step: DecideTown, theme: Theme) -> list[Shown]:
    one, other = cells = step.cells
    alt = t("alt.castle", one=one.label, other=other.label)
    return [Shown(castle_question(position, cells, fief_of(one, other), theme=theme), alt)]


def _town_asked(position: Position, step: DecideTown) -> Iterator[str]:
    """While its player still composes the move: the town, and how many castles he has at home."""
    one, other = step.cells
    yield t("panel.town", one=one.label, other=other.label, count=step.points)
    yield t("panel.castles_left", count=position.supply["castle"][position.player])


def _town_afterwards(names: Sequence[str], ahead: Course[Position], step: DecideTown) -> Iterator[str]:
    one, other = step.cells
    key = "panel.then_town_own" if ahead.pending else "panel.then_town"
    yield t(key, player=names[step.player], one=one.label, other=other.label)


# -- what feeds a castle -----------------------------------------------------------------------------------------------


def _source_headline(_: Sequence[str], __: Position, step: ChooseCastleSource, player: str) -> str:
    one, other = step.castle.cells
    return t("headline.source", player=player, one=one.label, other=other.label)


def _source_offers(position: Position, step: ChooseCastleSource) -> list[Offer]:
    return [
        act(action, t("button.source", source=capital(_source_words(position, action)), count=points))
        for action, points in step.options
    ]


def _source_prospect(_: Sequence[str], position: Position, step: ChooseCastleSource, action: Action) -> str:
    return _gain(position, next((points for source, points in step.options if source == action), 0))


def _source_pictures(_: Game, position: Position, step: ChooseCastleSource, theme: Theme) -> list[Shown]:
    castle = step.castle
    one, other = castle.cells
    alt = t("alt.source", one=one.label, other=other.label)
    return [Shown(castle_question(position, castle.cells, castle.fief, theme=theme), alt)]


def _source_asked(_: Position, step: ChooseCastleSource) -> Iterator[str]:
    one, other = step.castle.cells
    yield t("panel.source", one=one.label, other=other.label)


def _source_afterwards(names: Sequence[str], ahead: Course[Position], step: ChooseCastleSource) -> Iterator[str]:
    one, other = step.castle.cells
    key = "panel.then_source_own" if ahead.pending else "panel.then_source"
    yield t(key, player=names[step.player], one=one.label, other=other.label)


def _gain(position: Position, points: int) -> str:
    return t("prospect.gain", count=points, left=position.scores[position.player] + points)


ACTIONS: Final[Actions] = {
    BuildCastle: lambda _position, _action: t("action.BuildCastle"),
    ScoreTown: lambda _position, _action: t("action.ScoreTown"),
    ChooseSource: _source_words,
}
EVENTS: Final[EventWords] = {CastleBuilt: _built}
QUESTIONS: Final[Questions] = {
    DecideTown: Question(
        headline=_town_headline,
        offers=_town_offers,
        prospect=_town_prospect,
        pictures=_town_pictures,
        asked=_town_asked,
        afterwards=_town_afterwards,
    ),
    ChooseCastleSource: Question(
        headline=_source_headline,
        offers=_source_offers,
        prospect=_source_prospect,
        pictures=_source_pictures,
        asked=_source_asked,
        afterwards=_source_afterwards,
    ),
}
