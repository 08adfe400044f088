"""The answers to what is asked after a tile has been laid: on the card, and in the composer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from discord import ButtonStyle

from cogs.games.the_castle.words import action_words, short_feature_words
from cogs.presenting.offers import Offer, act
from cogs.presenting.spots import LETTERS
from cogs.texts import t
from cogs.words.terms import capital
from engine import Action, Pass
from engine.the_castle import (
    ChooseFeature,
    DeployFollower,
    Double,
    DoubleFeature,
    ExtraTurn,
    PlayAgain,
    Position,
    ScoreFeature,
    Triple,
)

_TIMES = {Pass(): 1, Double(): 2, Triple(): 3}


class Answer(NamedTuple):
    """Something that may be decided: the action and the words of its button."""

    action: Action
    label: str
    style: ButtonStyle = ButtonStyle.primary


def answers(position: Position) -> Iterator[Answer]:
    """The answers to the question at hand; none while a tile is to be laid or the game is over."""
    match position.step:
        case DeployFollower():  # the composer decides about it together with the tile
            for action in position.legal_actions:
                yield Answer(action, capital(action_words(position, action)))
        case ChooseFeature(options=options):
            for letter, (feature, points) in zip(LETTERS, options, strict=False):
                words = short_feature_words(position, feature)
                yield Answer(feature, t("button.score_first", letter=letter, feature=words, count=points))
        case DoubleFeature(points=points, count=tiles):
            for action, times in doublings(position):
                key = "times_1_both" if times == 1 and tiles > 1 else f"times_{times}"
                yield Answer(action, t(f"button.{key}", count=points * times))
        case ExtraTurn():
            yield Answer(PlayAgain(), t("button.again"))
            yield Answer(Pass(), t("button.not_again"), ButtonStyle.secondary)
        case _:
            return


def doublings(position: Position) -> Iterator[tuple[Action, int]]:
    """What may be done with the wall tiles that double a feature, and how many times its points it then brings."""
    return ((action, _TIMES[action]) for action in position.legal_actions)


def offers(position: Position) -> list[Offer]:
    """The same on a card."""
    return [act(*answer) for answer in answers(position)]


def asked_features(position: Position) -> tuple[ScoreFeature, ...]:
    """The features that a question is about, in the order of their letters."""
    match position.step:
        case ChooseFeature(options=options):
            return tuple(feature for feature, _ in options)
        case DoubleFeature(feature=feature):
            return (feature,)
        case _:
            return ()
