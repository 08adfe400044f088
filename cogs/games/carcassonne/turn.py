"""What a turn of Carcassonne consists of, as the composer asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.games.carcassonne.questions import origin
from cogs.games.carcassonne.segments import segment_on
from cogs.games.carcassonne.story import sentence
from cogs.games.carcassonne.words import tile_words
from cogs.presenting.turn import Course, Turn
from cogs.texts import t
from engine import Deploy, IllegalActionError
from engine.carcassonne import DeployFollower, PlaceTile, Position, ordered
from engine.events import Completed, Scored


def _tile(position: Position) -> str:
    """Which tile is to be laid."""
    if not isinstance(position.step, PlaceTile):
        raise IllegalActionError("no tile is to be laid")
    ending = origin(position, position.step)
    return t(f"panel.tile{ending}", turn=position.turn, tile=tile_words(position.step.tile))


def _figure_lines(position: Position, deploys: Sequence[Deploy]) -> Iterator[str]:
    return (t(f"panel.{key}") for key in _asked_figure(position, deploys))


def _asked_figure(position: Position, deploys: Sequence[Deploy]) -> Iterator[str]:
    """The keys of what is said of figures: which one, none that may stand here, or none left at all."""
    player, supply = position.player, position.supply
    left = [figure for name, figure in position.figures.items() if supply[name][player]]
    followers = any(figure.is_follower for figure in left)
    if not followers:
        yield "none_left"
    if deploys:
        yield _kind(position, deploys)
    elif followers:
        yield "no_follower" if all(figure.is_follower for figure in left) else "no_figure"
    elif left:
        yield "no_other_figure"


def _nobody(position: Position, deploys: Sequence[Deploy]) -> str:
    return t(f"button.no_{_kind(position, deploys)}")


def _kind(position: Position, deploys: Sequence[Deploy]) -> str:
    """What may be put down, in one word."""
    return "follower" if all(position.figures[deploy.figure].is_follower for deploy in deploys) else "figure"


def _question(_: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    question = question_of(ahead.after)
    return question.asked(ahead.after, ahead.after.step) if question and question.asked else iter(())


def _afterwards(names: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    """Who is asked when the move is made: its player, who left it open, or somebody else."""
    question = question_of(ahead.after)
    return question.afterwards(names, ahead, ahead.after.step) if question else iter(())


_ASKED: Final = tuple(
    step for box in BOXES.values() for step, question in box.questions.items() if question.asked is not None
)
TURN: Final[Turn[Position]] = Turn(
    deploying=DeployFollower,
    asked=_ASKED,
    together=(DeployFollower,),
    leaves_open=True,
    answer=ordered,
    piece=next((box.piece for box in BOXES.values() if box.piece is not None), None),
    tile=_tile,
    segment=segment_on,
    figures=_figure_lines,
    nobody=_nobody,
    question=_question,
    afterwards=_afterwards,
    told=(Scored, Completed, *(event for box in BOXES.values() for event in box.told)),
    foretold=sentence,
)
