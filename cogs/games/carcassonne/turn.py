"""What a turn of Carcassonne consists of, as the composer asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cogs.games.carcassonne.headlines import asked_lines, then_lines, tile_line
from cogs.games.carcassonne.story import sentence
from cogs.games.carcassonne.words import axis_words, segment_on
from cogs.presenting.turn import Course, Piece, Turn
from cogs.texts import t
from engine import Deploy
from engine.carcassonne import BuildBridge, ChooseCastleSource, DecideTown, Decline, DeployFollower, Position
from engine.carcassonne.events import GoodsTaken
from engine.events import Completed, Scored


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


def _bridge_words(bridge: BuildBridge) -> Mapping[str, str]:
    return {"cell": bridge.cell.label, "axis": axis_words(bridge)}


def _question(_: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    return asked_lines(ahead.after)


TURN: Final[Turn[Position]] = Turn(
    deploying=DeployFollower,
    asked=(DecideTown, ChooseCastleSource),
    together=(DeployFollower,),
    leaves_open=True,
    piece=Piece(name="bridge", action=BuildBridge, words=_bridge_words, declining=Decline()),
    tile=tile_line,
    segment=segment_on,
    figures=_figure_lines,
    nobody=_nobody,
    question=_question,
    afterwards=then_lines,
    told=(Scored, Completed, GoodsTaken),
    foretold=sentence,
)
