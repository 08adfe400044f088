"""Who has to do what in The Castle: the sentence of each step."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.texts import t
from cogs.the_castle.words import feature_words, tile_words
from engine.the_castle import ChooseFeature, DeployFollower, DoubleFeature, ExtraTurn, PlaceTile, Position


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
