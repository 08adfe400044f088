"""What has to be decided in The Castle: who is asked what, what may be answered, and where that leads.

The answers to what is asked after a tile has been laid stand on the card and in the composer alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from discord import ButtonStyle

from cogs.games.the_castle.words import action_words, feature_words, short_feature_words, tile_words
from cogs.presenting.presenter import Offer, act
from cogs.presenting.turn import LETTERS
from cogs.texts import t
from cogs.words.names import capital
from engine import Action, Pass
from engine.the_castle import (
    ChooseFeature,
    DeployFollower,
    Double,
    DoubleFeature,
    ExtraTurn,
    PlaceTile,
    PlayAgain,
    Position,
    ScoreFeature,
    Triple,
    wall,
)
from engine.the_castle.wall import TRACK

_TIMES = {Pass(): 1, Double(): 2, Triple(): 3}


def headline(names: Sequence[str], position: Position, player: str) -> str:
    """What ``player`` (a mention or a name) has to decide now; empty when the game is over."""
    match position.step:
        case PlaceTile(tile=tile):
            return t("headline.place", player=player, turn=position.turn, tile=tile_words(tile))
        case DeployFollower():
            return t("headline.deploy_figure", player=player)
        case ChooseFeature() as step:
            own = step.scorer == step.player
            return t("headline.order_own" if own else "headline.order", player=player, scorer=names[step.scorer])
        case DoubleFeature(feature=feature, points=points, kind=kind, count=tiles):
            key = "headline.double_both" if tiles > 1 else "headline.double"
            return t(key, player=player, feature=feature_words(position, feature), count=points, number=int(kind))
        case ExtraTurn():
            return t("headline.again", player=player)
        case _:
            return ""


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


def rest_lines(position: Position) -> Iterator[str]:
    """Where the marker would come to rest with each answer to the question at hand."""
    match position.step:
        case ChooseFeature(scorer=scorer, options=options):
            for letter, (_, points) in zip(LETTERS, options, strict=False):
                space, lies = _rest(position, scorer, points)
                yield t("headline.order_takes" if lies else "headline.order_rests", letter=letter, space=space)
        case DoubleFeature(player=player, points=points):
            for _, times in doublings(position):
                space, lies = _rest(position, player, points * times)
                key = "headline.double_takes" if lies else "headline.double_rests"
                yield t(key, count=points * times, space=space)
        case _:
            return


def rest_line(position: Position, action: Action) -> str:
    """Which of these lines tells of an answer; empty where none does."""
    asked: list[Action] = []
    match position.step:
        case ChooseFeature(options=options):
            asked += [feature for feature, _ in options]
        case DoubleFeature():
            asked += [use for use, _ in doublings(position)]
        case _:
            pass
    return next((line for answer, line in zip(asked, rest_lines(position), strict=False) if answer == action), "")


def _rest(position: Position, seat: int, points: int) -> tuple[int, bool]:
    """The space on which a marker would come to rest, and whether a wall tile lies there."""
    space = (position.scores[seat] + points) % TRACK
    return space, wall().corner_at[space] in position.corners
