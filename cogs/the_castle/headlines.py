"""Who has to do what in The Castle: the sentence of each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cogs.texts import t
from cogs.the_castle.words import feature_words, tile_words
from cogs.ui.spots import LETTERS
from engine.the_castle import ChooseFeature, DeployFollower, DoubleFeature, ExtraTurn, PlaceTile, Position, wall
from engine.the_castle.wall import TRACK


def order_lines(position: Position) -> Iterator[str]:
    """Where the marker would come to rest with each of the features that may score next."""
    step = position.step
    if not isinstance(step, ChooseFeature):
        return
    for letter, (_, points) in zip(LETTERS, step.options, strict=False):
        space = (position.scores[step.scorer] + points) % TRACK
        takes = wall().corner_at[space] in position.corners
        yield t("headline.order_takes" if takes else "headline.order_rests", letter=letter, space=space)


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
        case DoubleFeature(feature=feature, points=points, kind=kind):
            words = feature_words(position, feature)
            return t("headline.double", player=player, feature=words, count=points, number=int(kind))
        case ExtraTurn():
            return t("headline.again", player=player)
        case _:
            return ""
