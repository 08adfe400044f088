"""What a turn of The Castle consists of, as the composer asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.the_castle.questions import asked_features, rest_lines
from cogs.games.the_castle.story import planned_sentence
from cogs.games.the_castle.wishes import answer
from cogs.games.the_castle.words import feature_words, segment_at, tile_words
from cogs.presenting.turn import Course, Turn
from cogs.texts import t
from engine import Deploy, IllegalActionError
from engine.events import Completed, Scored
from engine.the_castle import ChooseFeature, DeployFollower, DoubleFeature, ExtraTurn, PlaceTile, Position
from engine.the_castle.events import KeepMoved, WallTilesUsed, WallTileTaken


def _tile(position: Position) -> str:
    if not isinstance(position.step, PlaceTile):
        raise IllegalActionError("no tile is to be laid")
    return t("panel.tile", turn=position.turn, tile=tile_words(position.step.tile))


def _figures(_: Position, deploys: Sequence[Deploy]) -> Iterator[str]:
    yield t("panel.figure" if deploys else "panel.no_figure")


def _nobody(*_: object) -> str:
    return t("button.no_figure")


def _question(names: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    """What is asked, and where the marker comes to rest with each answer."""
    yield _asked(names, ahead.after)
    yield from rest_lines(ahead.after)


def _asked(names: Sequence[str], after: Position) -> str:
    match after.step:
        case ChooseFeature() as step if step.scorer == step.player:
            return t("panel.order_own")
        case ChooseFeature(scorer=scorer):
            return t("panel.order", scorer=names[scorer])
        case DoubleFeature(feature=feature, kind=kind, count=tiles):
            return t("panel.double", feature=feature_words(after, feature), number=int(kind), count=tiles)
        case _:
            return t("panel.again")


_ASKED: Final = (ChooseFeature, DoubleFeature, ExtraTurn)
TURN: Final[Turn[Position]] = Turn(
    deploying=DeployFollower,
    asked=_ASKED,
    together=(DeployFollower, *_ASKED),
    veiled=Position.veiled,
    answer=answer,
    tile=_tile,
    segment=segment_at,
    figures=_figures,
    nobody=_nobody,
    question=_question,
    features=asked_features,
    told=(Scored, Completed, KeepMoved, WallTilesUsed, WallTileTaken),
    foretold=planned_sentence,
)
