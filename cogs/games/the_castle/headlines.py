"""Who has to do what in The Castle: the sentence of each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cogs.games.the_castle.choices import doublings
from cogs.games.the_castle.words import feature_words, tile_words
from cogs.presenting.spots import LETTERS
from cogs.texts import t
from engine import Action
from engine.the_castle import ChooseFeature, DeployFollower, DoubleFeature, ExtraTurn, PlaceTile, Position, wall
from engine.the_castle.wall import TRACK


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
