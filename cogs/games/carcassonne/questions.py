"""What has to be decided: who is asked what, by which buttons, and what an answer would cost."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.games.carcassonne.words import action_words, tile_words
from cogs.presenting.presenter import Offer, act
from cogs.texts import t
from cogs.words.names import capital
from engine import Action
from engine.carcassonne import DeployFollower, PlaceTile, Position
from engine.carcassonne.double_turns import first_tile


def headline(names: Sequence[str], position: Position, player: str) -> str:
    """What ``player`` (a mention or a name) has to decide now; empty when the game is over."""
    match position.step:
        case PlaceTile(tile=tile) as step:
            ending = origin(position, step)
            return t(f"headline.place{ending}", player=player, turn=position.turn, tile=tile_words(tile))
        case DeployFollower():
            return t("headline.deploy", player=player)
        case step:
            question = question_of(position)
            return question.headline(names, position, step, player) if question else ""


def origin(position: Position, step: PlaceTile) -> str:
    """How the keys of sentences end that say where the tile in hand comes from: from the pile when they say nothing."""
    if not step.drawn:
        return "_bought"
    return "_second" if first_tile(position) >= 0 else ""


def details(names: Sequence[str], position: Position) -> str:
    """What the decision is about, or what waits for somebody."""
    return "\n".join(filter(None, (box.details(names, position) for box in BOXES.values())))


def offers(position: Position) -> list[Offer]:
    """The buttons of the decision at hand; none while a tile is to be placed or the game is over."""
    if isinstance(position.step, DeployFollower):  # the composer decides about it together with the tile
        return [act(action, capital(action_words(position, action))) for action in position.legal_actions]
    question = question_of(position)
    return question.offers(position, position.step) if question else []


def prospect(names: Sequence[str], position: Position, action: Action) -> str:
    """What an answer would cost and leave, in one line; empty where nothing is to be said."""
    question = question_of(position)
    return question.prospect(names, position, position.step, action) if question else ""
