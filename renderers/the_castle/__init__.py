"""Pictures of Carcassonne: The Castle, in the style of the first game and on its sheets, pieces and themes."""

from renderers.the_castle.cards import composer, order_question, turn_card, whole_board
from renderers.the_castle.film import replay
from renderers.the_castle.panels import remaining, wall_tiles
from renderers.the_castle.values import Area, Ghost
from renderers.the_castle.warming import warm_up

__all__ = [
    "Area",
    "Ghost",
    "composer",
    "order_question",
    "remaining",
    "replay",
    "turn_card",
    "wall_tiles",
    "warm_up",
    "whole_board",
]
